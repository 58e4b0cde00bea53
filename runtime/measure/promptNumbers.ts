/** Which prompt of its model and item a trial read: a number from 1 in the order in which they come. */

import { integers } from "../compact/grown.ts"
import { Ids } from "../compact/ids.ts"
import { Pairs } from "../compact/pairs.ts"
import type { TrialRecord } from "../record.ts"

/** Of one experiment: its reads share what is known of items and prompts. */
export class PromptNumbers {
  readonly prompts = new Ids(16)
  readonly #items = new Map<string, number>()
  #last: { readonly record: TrialRecord; readonly item: number } | undefined

  /** The number of a record's item under its model. */
  itemOf(record: TrialRecord): number {
    const last = this.#last
    if (last?.record === record) return last.item
    const { model, pool, item: id } = record
    if (last !== undefined) {
      // Trials of one item stand together.
      const before = last.record
      if (before.item === id && before.pool === pool && before.model === model) {
        this.#last = { record, item: last.item }
        return last.item
      }
    }
    const key = JSON.stringify([model, pool, id])
    const item = this.#items.get(key) ?? this.#items.size
    this.#items.set(key, item)
    this.#last = { record, item }
    return item
  }
}

/** Those of one read. */
export class NumbersOfRead {
  readonly #of: PromptNumbers
  readonly #pairs = new Pairs()
  /** Of each pair of an item and a prompt its number; of each item how many there are. */
  readonly #numbers = integers()
  readonly #counts = integers()
  /** Trials of one item stand together, and many share the prompt of their first read. */
  #lastItem = -1
  #lastPrompt = ""
  #lastNumber = 0

  constructor(of: PromptNumbers) {
    this.#of = of
  }

  next(record: TrialRecord, prompt: string): number {
    const item = this.#of.itemOf(record)
    if (item === this.#lastItem && prompt === this.#lastPrompt) return this.#lastNumber
    this.#lastItem = item
    this.#lastPrompt = prompt
    this.#lastNumber = this.#number(item, this.#of.prompts.add(prompt))
    return this.#lastNumber
  }

  #number(item: number, prompt: number): number {
    const pair = this.#pairs.add(item, prompt)
    if (pair < this.#numbers.length) return this.#numbers.at(pair)
    while (this.#counts.length <= item) this.#counts.push(0)
    const number = this.#counts.at(item) + 1
    this.#counts.set(item, number)
    this.#numbers.push(number)
    return number
  }
}
