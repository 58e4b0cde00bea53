/**
 * The bytes that tokens stand for. The engine's own detokenizer gives texts: half a character comes out of it as U+FFFD, and for some
 * vocabularies it takes out a space before a full stop. What a model writes is kept to the byte instead.
 */
import type { Token } from "../backend.ts"

/** What a GGUF file says of its vocabulary (`tokenizer.ggml.*`). */
export interface VocabularyEntries {
  /** `gpt2` is byte-level BPE; `llama` and `t5` write a space as U+2581. */
  readonly model: string
  readonly tokens: ArrayLike<string>
  readonly token_type?: ArrayLike<number>
}

/** Types of `tokenizer.ggml.token_type`. */
const normal = 1
const byte = 6

/**
 * Bytes by token; those of a control token are its plain spelling. `spelt` is the engine's text of one token, for kinds of
 * vocabularies that are not known here.
 */
export function piecesOf(
  { model, tokens, token_type: types }: VocabularyEntries,
  spelt: (token: Token) => string,
): (token: Token) => Uint8Array {
  const known = new Map<Token, Uint8Array>()
  const make = (token: Token): Uint8Array => {
    const entry = tokens[token]
    const type = types?.[token] ?? normal
    if (entry === undefined) return Buffer.from(spelt(token))
    const code = type === byte ? /^<0x([0-9A-Fa-f]{2})>$/.exec(entry) : null
    if (code !== null) return Uint8Array.of(Number.parseInt(code[1]!, 16))
    if (type !== normal) return Buffer.from(entry)
    if (model === "gpt2") return bytesOf(entry) ?? Buffer.from(spelt(token))
    if (model === "llama" || model === "t5") return Buffer.from(entry.replaceAll("\u2581", " "))
    return Buffer.from(spelt(token))
  }
  return (token) => {
    const piece = known.get(token) ?? make(token)
    known.set(token, piece)
    return piece
  }
}

/**
 * GPT-2's spelling of bytes: printable ones of Latin-1 stand for themselves, all others for characters from U+0100 on.
 * https://github.com/openai/gpt-2/blob/master/src/encoder.py (`bytes_to_unicode`)
 */
const bytesBySpelling: ReadonlyMap<string, number> = (() => {
  const map = new Map<string, number>()
  let next = 0x100
  for (let value = 0; value < 256; value++) {
    const printable =
      (value >= 0x21 && value <= 0x7e) || (value >= 0xa1 && value <= 0xac) || (value >= 0xae && value <= 0xff)
    map.set(String.fromCodePoint(printable ? value : next++), value)
  }
  return map
})()

/** Undefined where a character spells no byte. */
function bytesOf(entry: string): Uint8Array | undefined {
  const bytes: number[] = []
  for (const character of entry) {
    const value = bytesBySpelling.get(character)
    if (value === undefined) return undefined
    bytes.push(value)
  }
  return Uint8Array.from(bytes)
}
