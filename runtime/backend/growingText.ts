/** A text that is being written, token by token, until a rule stops it. */
import type { TextAnswer, TextRequest, Token } from "./backend.ts"

export interface Alphabet {
  /** The bytes of a token. */
  readonly piece: (token: Token) => Uint8Array
  /** Whether a token ends a reply. */
  readonly isEnd: (token: Token) => boolean
}

/**
 * Characters are taken up when their last byte has come: one that `max` cuts in half is left out. Bytes that are no UTF-8 become U+FFFD.
 * A stop string is cut off, and what follows it in the same token, too.
 */
export class GrowingText {
  readonly #alphabet: Alphabet
  readonly #max: number
  readonly #until: readonly string[]
  readonly #longest: number
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  text = ""
  /** Tokens written; the one that ends a reply is none of them. */
  tokens = 0

  constructor({ max, until }: Pick<TextRequest, "max" | "until">, alphabet: Alphabet) {
    this.#alphabet = alphabet
    this.#max = max
    this.#until = until
    this.#longest = Math.max(0, ...until.map((text) => text.length))
  }

  /** Takes the next token; says what stops the text there, if anything does. */
  take(token: Token): TextAnswer["stop"] | undefined {
    if (this.#alphabet.isEnd(token)) {
      this.text += this.#decoder.decode()
      return "end"
    }
    this.tokens += 1
    const before = this.text.length
    this.text += this.#decoder.decode(this.#alphabet.piece(token), { stream: true })
    const from = Math.max(0, before - this.#longest + 1)
    const places = this.#until.map((text) => this.text.indexOf(text, from)).filter((at) => at >= 0)
    if (places.length > 0) {
      this.text = this.text.slice(0, Math.min(...places))
      return "until"
    }
    return this.tokens >= this.#max ? "max" : undefined
  }
}
