/** Metadata of a GGUF file on which llama.cpp does not fail with an error but ends the process, so that they are looked at before it sees them. */

export interface HeadMetadata {
  /** Single numbers, by name. */
  readonly numbers: ReadonlyMap<string, number>
  /** `general.architecture` and `tokenizer.ggml.model`, where they are given. */
  readonly texts: ReadonlyMap<string, string>
  /** The vocabulary; undefined where the file has none, as all but the first part of a split one. */
  readonly tokens: readonly string[] | undefined
}

export const namedTexts: readonly string[] = ["general.architecture", "tokenizer.ggml.model"]
export const tokensName = "tokenizer.ggml.tokens"

/** What llama.cpp holds at most. */
const mostLayers = 512

/** What is wrong, in words; undefined where nothing is seen. */
export function problemOfMetadata(metadata: HeadMetadata): string | undefined {
  return problemOfNumbers(metadata) ?? problemOfTokens(metadata)
}

function problemOfNumbers({ numbers, texts }: HeadMetadata): string | undefined {
  const architecture = texts.get("general.architecture")
  if (architecture === undefined) return undefined
  const of = (name: string): number | undefined => numbers.get(`${architecture}.${name}`)
  const layers = of("block_count")
  if (layers !== undefined && !(layers >= 1 && layers <= mostLayers))
    return `its metadata gives it ${layers} layers (1 to ${mostLayers} can be)`
  if (of("embedding_length") === 0) return "its metadata gives its tokens no dimension"
  // Models that keep a state in place of a cache have no attention.
  const isRecurrent = [...numbers.keys()].some((name) => /\.(ssm|wkv|rwkv)\b|\.token_shift_count$/.test(name))
  if (of("attention.head_count") === 0 && !isRecurrent) return "its metadata gives it no attention heads"
  if (of("attention.head_count_kv") === 0 && !isRecurrent)
    return "its metadata gives it no attention heads for keys and values"
  for (const name of ["attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"]) {
    const epsilon = of(name)
    if (epsilon !== undefined && !(epsilon >= 0 && Number.isFinite(epsilon)))
      return `its metadata gives ${epsilon} as ${name}`
  }
  return undefined
}

function problemOfTokens({ tokens, texts }: HeadMetadata): string | undefined {
  if (tokens === undefined) return undefined
  if (tokens.length === 0) return "its vocabulary is empty"
  const places = new Map<string, number>()
  for (const [token, text] of tokens.entries()) {
    const before = places.get(text)
    // The engine makes up names for tokens without a text.
    if (before !== undefined && text !== "")
      return `tokens ${before} and ${token} of its vocabulary have the same text, ${JSON.stringify(text)}`
    places.set(text, token)
  }
  if (texts.get("tokenizer.ggml.model") !== "llama") return undefined
  for (let byte = 0; byte < 256; byte += 1) {
    const hex = byte.toString(16).toUpperCase().padStart(2, "0")
    if (!places.has(`<0x${hex}>`) && !places.has(String.fromCharCode(byte)))
      return `its vocabulary has no token for the byte 0x${hex}, which a text may hold`
  }
  return undefined
}
