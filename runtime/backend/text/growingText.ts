/** A text that is being written, token by token, until a rule stops it. */
import type { TextAnswer, TextRequest, Token } from "../backend.ts"

/** Why a text is no answer. */
const noNumber = "the engine gave a probability that is not a number"

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
  readonly #request: Pick<TextRequest, "key" | "max" | "until">
  readonly #alphabet: Alphabet
  readonly #longest: number
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  #text = ""
  #tokens = 0

  constructor(request: Pick<TextRequest, "key" | "max" | "until">, alphabet: Alphabet) {
    this.#request = request
    this.#alphabet = alphabet
    this.#longest = Math.max(0, ...request.until.map((text) => text.length))
  }

  /** Takes the next token; undefined where the engine had no number to draw it by. Gives the answer once the text is over. */
  take(token: Token | undefined): Omit<TextAnswer, "evaluated"> | undefined {
    if (token === undefined) return { ...this.#answer("end"), invalid: noNumber }
    if (this.#alphabet.isEnd(token)) {
      this.#text += this.#decoder.decode()
      return this.#answer("end")
    }
    this.#tokens += 1
    const before = this.#text.length
    this.#text += this.#decoder.decode(this.#alphabet.piece(token), { stream: true })
    const { until, max } = this.#request
    const from = Math.max(0, before - this.#longest + 1)
    const places = until.map((text) => this.#text.indexOf(text, from)).filter((at) => at >= 0)
    if (places.length > 0) {
      this.#text = this.#text.slice(0, Math.min(...places))
      return this.#answer("until")
    }
    return this.#tokens >= max ? this.#answer("max") : undefined
  }

  /** The token that ends a reply is none of the text's. */
  #answer(stop: TextAnswer["stop"]): Omit<TextAnswer, "evaluated"> {
    return { key: this.#request.key, text: this.#text, tokens: this.#tokens, stop }
  }
}
