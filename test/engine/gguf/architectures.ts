/** Shapes of small models of the architectures that GGUF files are of, with seeded random weights. */
import { f32, type Metadata, type Tensor, u32 } from "./format.ts"

export type Architecture = "llama" | "qwen2" | "qwen3" | "gemma2" | "gemma3" | "phi3" | "mamba"

export interface Shape {
  readonly architecture: Architecture
  readonly vocabulary: number
  /** Tokens that it was "trained" for. */
  readonly context: number
  readonly layers: number
  readonly seed: number
  readonly type: "F32" | "F16"
  /** Tokens that a layer with a sliding window sees (Gemma 2, Gemma 3 and Phi 3). */
  readonly window: number
}

const width = 64
const heads = 2
const keyHeads = 1
const headWidth = 32
const inner = 128

export function architectureOf(shape: Shape): {
  readonly metadata: Metadata
  readonly tensors: readonly Tensor[]
} {
  const { architecture, context, layers } = shape
  const key = (name: string): string => `${architecture}.${name}`
  return {
    metadata: {
      [key("context_length")]: u32(context),
      [key("embedding_length")]: u32(width),
      [key("block_count")]: u32(layers),
      [key("feed_forward_length")]: u32(architecture === "mamba" ? 0 : inner),
      [key("attention.head_count")]: u32(architecture === "mamba" ? 0 : heads),
      [key("attention.layer_norm_rms_epsilon")]: f32(1e-5),
      [key("vocab_size")]: u32(shape.vocabulary),
      ...(architecture === "mamba"
        ? {
            [key("ssm.conv_kernel")]: u32(convolution),
            [key("ssm.inner_size")]: u32(2 * width),
            [key("ssm.state_size")]: u32(state),
            [key("ssm.time_step_rank")]: u32(rank),
          }
        : {
            [key("attention.head_count_kv")]: u32(keyHeads),
            [key("attention.key_length")]: u32(headWidth),
            [key("attention.value_length")]: u32(headWidth),
            [key("rope.freq_base")]: f32(10_000),
            [key("rope.dimension_count")]: u32(headWidth),
          }),
      ...(["gemma2", "gemma3", "phi3"].includes(architecture)
        ? { [key("attention.sliding_window")]: u32(shape.window) }
        : {}),
      ...(architecture === "gemma2"
        ? { [key("attn_logit_softcapping")]: f32(50), [key("final_logit_softcapping")]: f32(30) }
        : {}),
    },
    tensors: tensorsOf(shape),
  }
}

const convolution = 4
const state = 16
const rank = 4

function tensorsOf({ architecture, vocabulary, layers, seed, type }: Shape): readonly Tensor[] {
  const draw = normal(seed)
  /** `gain` 1 keeps the size of what goes through. */
  const matrix = (name: string, from: number, to: number, gain = 1): Tensor => ({
    name: `${name}.weight`,
    shape: [from, to],
    values: Float32Array.from({ length: from * to }, () => (draw() * gain) / Math.sqrt(from)),
    type,
  })
  const vector = (name: string, length: number, value: () => number): Tensor => ({
    name,
    shape: [length],
    values: Float32Array.from({ length }, value),
    type: "F32",
  })
  // Gemma's files hold the norms' weights with the 1 added.
  const norm = (name: string, length = width): Tensor =>
    vector(`${name}.weight`, length, () => 1 + 0.1 * draw())
  // Gemma's logits come from the embedding, which it raises by the root of its width on the way in.
  const tied = architecture.startsWith("gemma")
  const embedding = matrix("token_embd", width, vocabulary, tied ? 2 : Math.sqrt(width))
  const output = tied ? [] : [matrix("output", width, vocabulary, 2)]

  const attention = (layer: string): readonly Tensor[] => {
    const query = heads * headWidth
    const keys = keyHeads * headWidth
    const out = matrix(`${layer}.attn_output`, query, width)
    if (architecture === "phi3") return [matrix(`${layer}.attn_qkv`, width, query + 2 * keys), out]
    const bias = (name: string, length: number): readonly Tensor[] =>
      architecture === "qwen2" ? [vector(`${layer}.${name}.bias`, length, draw)] : []
    return [
      matrix(`${layer}.attn_q`, width, query, 2),
      ...bias("attn_q", query),
      matrix(`${layer}.attn_k`, width, keys, 2),
      ...bias("attn_k", keys),
      matrix(`${layer}.attn_v`, width, keys),
      ...bias("attn_v", keys),
      out,
      ...(architecture === "qwen3" || architecture === "gemma3"
        ? [norm(`${layer}.attn_q_norm`, headWidth), norm(`${layer}.attn_k_norm`, headWidth)]
        : []),
    ]
  }
  const block = (index: number): readonly Tensor[] => {
    const layer = `blk.${index}`
    if (architecture === "mamba") {
      const channels = 2 * width
      return [
        norm(`${layer}.attn_norm`),
        matrix(`${layer}.ssm_in`, width, 2 * channels),
        { ...matrix(`${layer}.ssm_conv1d`, convolution, channels), type: "F32" },
        vector(`${layer}.ssm_conv1d.bias`, channels, draw),
        matrix(`${layer}.ssm_x`, channels, rank + 2 * state),
        matrix(`${layer}.ssm_dt`, rank, channels),
        vector(`${layer}.ssm_dt.bias`, channels, () => draw() - 2),
        // Rates at which the state forgets, below 0.
        {
          name: `${layer}.ssm_a`,
          shape: [state, channels],
          values: Float32Array.from({ length: state * channels }, (_, i) => -1 - (i % state)),
          type: "F32",
        },
        vector(`${layer}.ssm_d`, channels, () => 1),
        matrix(`${layer}.ssm_out`, channels, width),
      ]
    }
    return [
      norm(`${layer}.attn_norm`),
      ...attention(layer),
      ...(tied ? [norm(`${layer}.post_attention_norm`)] : []),
      norm(`${layer}.ffn_norm`),
      ...(architecture === "phi3"
        ? [matrix(`${layer}.ffn_up`, width, 2 * inner)]
        : [matrix(`${layer}.ffn_gate`, width, inner), matrix(`${layer}.ffn_up`, width, inner)]),
      matrix(`${layer}.ffn_down`, inner, width),
      ...(tied ? [norm(`${layer}.post_ffw_norm`)] : []),
    ]
  }
  return [
    embedding,
    ...Array.from({ length: layers }, (_, i) => block(i)).flat(),
    norm("output_norm"),
    ...output,
  ]
}

/** Standard normal numbers from a 32-bit seed: mulberry32, and the polar form of Box and Muller's. */
function normal(seed: number): () => number {
  let a = seed | 0
  const uniform = (): number => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}
