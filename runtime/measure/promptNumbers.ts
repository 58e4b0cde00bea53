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
    if (this.#last?.record === record) return this.#last.item
    const key = JSON.stringify([record.model, record.pool, record.item])
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

  constructor(of: PromptNumbers) {
    this.#of = of
  }

  next(record: TrialRecord, prompt: string): number {
    const item = this.#of.itemOf(record)
    const pair = this.#pairs.add(item, this.#of.prompts.add(prompt))
    if (pair < this.#numbers.length) return this.#numbers.at(pair)
    while (this.#counts.length <= item) this.#counts.push(0)
    const number = this.#counts.at(item) + 1
    this.#counts.set(item, number)
    this.#numbers.push(number)
    return number
  }
}
