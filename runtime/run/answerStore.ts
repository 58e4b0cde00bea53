/**
 * What models have answered, in typed arrays: a read takes some hundred bytes, however many there are. A plain distribution is its numbers; what is
 * more than that (a text, an invalid read, what a server did not list) is its JSON. What is looked up is made anew each time.
 */
import { doubles, integers } from "../compact/grown.ts"
import { Ids } from "../compact/ids.ts"
import { Texts } from "../compact/texts.ts"
import { type EngineAnswer, isWritten } from "../read/reading.ts"
import type { Answered, Lookup } from "./answers.ts"

type Unreadable = Answered & { readonly kind: "unreadable" }

export class AnswerStore {
  readonly #keys = new Ids()
  readonly #prompts = new Ids(16)
  /** Of each plain read its mass and then its probabilities; `#ends` says where those of each read end. */
  readonly #numbers = doubles()
  readonly #ends = doubles()
  /** Of each read the number of its JSON and one; 0 for a plain one. */
  readonly #other = integers()
  readonly #texts = new Texts()
  /** Of each prompt the number of its read; below 0, which unreadable one it is. */
  readonly #reads = integers()
  readonly #unreadable: Unreadable[] = []
  readonly #known = new Map<string, number>()

  readonly byKey: Lookup<EngineAnswer> & Iterable<string>
  readonly byPrompt: Lookup<Answered>

  constructor() {
    const [keys, prompts] = [this.#keys, this.#prompts]
    const [readAt, answeredAt] = [(read: number) => this.readAt(read), (at: number) => this.#answeredAt(at)]
    this.byKey = {
      get: (key) => found(keys.of(key), readAt),
      has: (key) => keys.of(key) >= 0,
      get size() {
        return keys.size
      },
      [Symbol.iterator]: () => keys[Symbol.iterator](),
    }
    this.byPrompt = {
      get: (prompt) => found(prompts.of(prompt), answeredAt),
      has: (prompt) => prompts.of(prompt) >= 0,
      get size() {
        return prompts.size
      },
    }
  }

  /** The number of the read that answers a prompt; -1 where none does. */
  readOf(prompt: string): number {
    const number = this.#prompts.of(prompt)
    return number < 0 ? -1 : Math.max(-1, this.#reads.at(number))
  }

  /** Takes an answer, which must be the first to its key. */
  answer(answer: EngineAnswer): void {
    const number = this.#keys.add(answer.key)
    if (number !== this.#ends.length) throw new Error(`internal: two answers to the read ${answer.key}`)
    if (isPlain(answer)) {
      this.#other.push(0)
      this.#numbers.push(answer.mass)
      for (const p of answer.probabilities) this.#numbers.push(p)
    } else {
      const { key: _, ...rest } = answer
      this.#other.push(this.#texts.push(JSON.stringify(rest)) + 1)
    }
    this.#ends.push(this.#numbers.length)
  }

  /** A prompt comes to a read that is known. */
  point(prompt: string, key: string): void {
    this.#set(prompt, this.#keys.of(key))
  }

  /** A prompt cannot be asked. */
  refuse(prompt: string, unreadable: Unreadable): void {
    const text = JSON.stringify([unreadable.why, unreadable.problem])
    const at = this.#known.get(text) ?? this.#unreadable.push(unreadable) - 1
    this.#known.set(text, at)
    this.#set(prompt, -1 - at)
  }

  #set(prompt: string, read: number): void {
    const number = this.#prompts.add(prompt)
    if (number === this.#reads.length) this.#reads.push(read)
    else this.#reads.set(number, read)
  }

  #answeredAt(prompt: number): Answered {
    const read = this.#reads.at(prompt)
    return read < 0
      ? (this.#unreadable[-1 - read] as Unreadable)
      : { kind: "answer", answer: this.readAt(read) }
  }

  /** A read by its number. */
  readAt(read: number): EngineAnswer {
    const keys = this.#keys
    const other = this.#other.at(read)
    if (other > 0)
      return {
        key: keys.at(read),
        ...(JSON.parse(this.#texts.at(other - 1)) as Omit<EngineAnswer, "key">),
      } as EngineAnswer
    const start = read === 0 ? 0 : this.#ends.at(read - 1)
    const probabilities = new Array<number>(this.#ends.at(read) - start - 1)
    for (let at = 0; at < probabilities.length; at++) probabilities[at] = this.#numbers.at(start + 1 + at)
    return {
      // Most who look an answer up know its key, or do not ask for it: 64 digits take longer than all the rest.
      get key() {
        return keys.at(read)
      },
      probabilities,
      mass: this.#numbers.at(start),
      evaluated: 0,
    }
  }
}

const found = <T>(number: number, at: (number: number) => T): T | undefined =>
  number < 0 ? undefined : at(number)

const isPlain = (answer: EngineAnswer): answer is Exclude<EngineAnswer, { readonly text: string }> =>
  !isWritten(answer) &&
  answer.also === undefined &&
  answer.censored === undefined &&
  answer.invalid === undefined
