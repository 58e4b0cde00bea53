/** Vocabularies of a few hundred tokens: all bytes, some letters and words, and the control tokens that a chat template needs. */
import { type Metadata, type MetadataValue, u32 } from "./format.ts"

export interface TokenizerOptions {
  /** `bpe`: byte-level, as GPT-2's; `spm`: SentencePiece with byte fallback, as Llama 2's. */
  readonly kind: "bpe" | "spm"
  /** Texts of control tokens, in the order of their ids. */
  readonly control: readonly string[]
  /** Added tokens that the file does not mark as control tokens. */
  readonly added?: readonly string[]
  /** Of the control tokens; each may be absent. */
  readonly bos?: string
  readonly eos?: string
  /** Whether the engine is told to put the BOS first. */
  readonly addBos?: boolean
  /** SPM only: whether plain text is to begin with a blank. */
  readonly spacePrefix?: boolean
  /** Words that are one token, a leading blank included. */
  readonly words?: readonly string[]
  /** BPE only: the name of the rule that splits text into words. */
  readonly pre?: string
  /** Texts that no token spells: their bytes are missing. */
  readonly without?: readonly string[]
}

/** Words that prompts of tests are made of: with them a prompt is some dozen tokens. */
export const defaultWords: readonly string[] = [
  ...["user", "assistant", "system", "model"],
  ..."ABCDEFGHIJ".split("").map((letter) => ` ${letter}`),
  ...[" is", " a", " the", " of", " answer", " Answer", "Answer", " which", "Which", " kind", " bird"],
  ...["\n\n", " Person", "Person", " Question", "Question", "10"],
]

export interface Tokenizer {
  readonly metadata: Metadata
  readonly size: number
}

export function tokenizerOf(options: TokenizerOptions): Tokenizer {
  const { tokens, types, further } = options.kind === "bpe" ? bpe(options) : spm(options)
  const idOf = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined
    const id = tokens.indexOf(text)
    if (id === -1) throw new Error(`no token is ${text}`)
    return id
  }
  const bos = idOf(options.bos)
  const eos = idOf(options.eos)
  return {
    size: tokens.length,
    metadata: {
      "tokenizer.ggml.model": options.kind === "bpe" ? "gpt2" : "llama",
      "tokenizer.ggml.tokens": tokens,
      "tokenizer.ggml.token_type": { type: "i32", list: types },
      ...further,
      ...(bos === undefined ? {} : { "tokenizer.ggml.bos_token_id": u32(bos) }),
      ...(eos === undefined ? {} : { "tokenizer.ggml.eos_token_id": u32(eos) }),
      "tokenizer.ggml.add_bos_token": options.addBos ?? false,
      "tokenizer.ggml.add_eos_token": false,
    },
  }
}

const types = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 } as const

interface Vocabulary {
  readonly tokens: readonly string[]
  readonly types: readonly number[]
  readonly further: Metadata
}

function bpe({
  control,
  added = [],
  words = defaultWords,
  pre = "gpt-2",
  without = [],
}: TokenizerOptions): Vocabulary {
  const merges: string[] = []
  const pieces = new Set<string>()
  for (const word of words) {
    const letters = [...Buffer.from(word, "utf8")].map(byteLetter)
    for (let length = 2; length <= letters.length; length += 1) {
      const left = letters.slice(0, length - 1).join("")
      const whole = left + letters[length - 1]!
      if (pieces.has(whole)) continue
      pieces.add(whole)
      merges.push(`${left} ${letters[length - 1]}`)
    }
  }
  const bytes = Array.from({ length: 256 }, (_, byte) => byteLetter(byte)).filter(
    (letter) => !without.some((text) => [...Buffer.from(text, "utf8")].map(byteLetter).includes(letter)),
  )
  return {
    tokens: [...control, ...added, ...bytes, ...pieces],
    types: [
      ...control.map(() => types.control),
      ...added.map(() => types.userDefined),
      ...[...bytes, ...pieces].map(() => types.normal),
    ],
    further: { "tokenizer.ggml.pre": pre, "tokenizer.ggml.merges": merges },
  }
}

/** GPT-2's spelling of bytes: printable ones as they are, the others from U+0100 on. */
function byteLetter(byte: number): string {
  const printable = (b: number): boolean => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174
  if (printable(byte)) return String.fromCharCode(byte)
  let others = 0
  for (let b = 0; b < byte; b += 1) if (!printable(b)) others += 1
  return String.fromCharCode(256 + others)
}

function spm({
  control,
  added = [],
  words = defaultWords,
  spacePrefix = false,
  without = [],
}: TokenizerOptions): Vocabulary {
  const blank = "\u2581"
  const pieces = new Set<string>()
  for (const word of words) {
    const letters = [...word.replaceAll(" ", blank)]
    for (let length = 2; length <= letters.length; length += 1) pieces.add(letters.slice(0, length).join(""))
  }
  const letters = [blank, ...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)), "\n"].filter(
    (letter) => !without.includes(letter),
  )
  const bytes = Array.from({ length: 256 }, (_, i) => i)
    .filter((byte) => !without.includes(String.fromCharCode(byte)))
    .map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`)
  const all: readonly (readonly [string, number])[] = [
    ["<unk>", types.unknown],
    ...control.map((text) => [text, types.control] as const),
    ...added.map((text) => [text, types.userDefined] as const),
    ...bytes.map((text) => [text, types.byte] as const),
    ...[...pieces, ...letters]
      .filter((text) => !added.includes(text))
      .map((text) => [text, types.normal] as const),
  ]
  const scores: MetadataValue = { type: "f32", list: all.map((_, index) => -index) }
  return {
    tokens: all.map(([text]) => text),
    types: all.map(([, type]) => type),
    further: {
      "tokenizer.ggml.scores": scores,
      "tokenizer.ggml.unknown_token_id": u32(0),
      "tokenizer.ggml.add_space_prefix": spacePrefix,
    },
  }
}
