/** Small GGUF models for tests: random weights, a vocabulary of a few hundred tokens, any architecture, any chat template. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ModelFile } from "../../../runtime/backend/backend.ts"
import { type Architecture, architectureOf } from "./architectures.ts"
import { type Gguf, ggufBytes, type Metadata, type Tensor } from "./format.ts"
import { type TokenizerOptions, tokenizerOf } from "./tokenizers.ts"

export interface SmallModel {
  /** `llama` where left out. */
  readonly architecture?: Architecture
  /** ChatML's control tokens on byte-level BPE where left out. */
  readonly tokenizer?: Partial<TokenizerOptions>
  /** Jinja; null: a base model. ChatML where left out. */
  readonly template?: string | null
  readonly context?: number
  readonly layers?: number
  readonly seed?: number
  readonly type?: "F32" | "F16"
  /** Tokens that a sliding window holds. */
  readonly window?: number
  /** Added to the metadata, or in place of it. */
  readonly metadata?: Metadata
  /** What is to be wrong with the weights. */
  readonly weights?: (tensor: Tensor) => Tensor
}

export const chatmlTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

const chatmlTokens: TokenizerOptions = {
  kind: "bpe",
  control: ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
  bos: "<|endoftext|>",
  eos: "<|im_end|>",
}

export function smallModel(options: SmallModel = {}): Gguf {
  const { architecture = "llama", template = chatmlTemplate, weights = (tensor) => tensor } = options
  const { context = 2048, layers = 2, seed = 1, type = "F32", window = 64 } = options
  const tokenizer = tokenizerOf({ ...chatmlTokens, ...options.tokenizer })
  const vocabulary = tokenizer.size
  const made = architectureOf({ architecture, vocabulary, context, layers, seed, type, window })
  return {
    metadata: {
      "general.architecture": architecture,
      "general.name": "a small model of a test",
      ...made.metadata,
      ...tokenizer.metadata,
      ...(template === null ? {} : { "tokenizer.chat_template": template }),
      ...options.metadata,
    },
    tensors: made.tensors.map(weights),
  }
}

/** Writes NAME.gguf into a folder; takes milliseconds. */
export function writeSmallModel(folder: string, name: string, options: SmallModel = {}): ModelFile {
  const bytes = ggufBytes(smallModel(options))
  const path = join(folder, `${name}.gguf`)
  writeFileSync(path, bytes)
  return { name, path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
}
