/** What a run has done since it opened a model, and how much of that is left. */
import { duration } from "./duration.ts"

/**
 * A model that is open, with all that can be asked of it meanwhile. A run goes through several where it has several models, and opens one again
 * that has to wait for another.
 */
export interface Pass {
  readonly model: string
  /** From 1. */
  readonly number: number
  readonly of: number
  /** Items to walk in it. */
  readonly items: number
}

/** Milliseconds of the engine's work before which a rate or the time left would be a guess. */
const TELLING = 1000

/**
 * Each pass counts for itself: models differ in how fast they are and in how much of an item they are asked, so that the pace of one says
 * nothing of the next, and two whose files are the same ask once.
 */
export class Tally {
  /** Whether nothing more comes of it. */
  isOver = false
  #reads = 0
  readonly #pass: Pass
  /** Milliseconds, from any zero. */
  readonly #now: () => number
  #wave = { number: 1, of: 1 }
  #walked = 0
  #tokens = 0
  /** Tokens of texts that are not finished. */
  #written = 0
  #audit = { done: 0, of: 0 }
  /** Of the first read that was put to the engine, and the items that were walked by then: what is known from before takes no time. */
  #first: { readonly at: number; readonly walked: number } | undefined
  /** Reads that were answered when the last item was walked. */
  #settled = 0
  /** Milliseconds in which the engine had something to do, on whatever lanes, and since when it has been counted. */
  #engine = 0
  #since = 0
  /** Reads that the engine has not answered. */
  #open = 0

  constructor(pass: Pass, now: () => number) {
    this.#pass = pass
    this.#now = now
  }

  /** Those that the engine answered. */
  get reads(): number {
    return this.#reads
  }

  asking(wave: { readonly number: number; readonly of: number }, reads: number): void {
    this.#work()
    this.#open += reads
    this.#wave = wave
    this.#first ??= { at: this.#now(), walked: this.#walked }
  }

  answered(tokens: number): void {
    this.#work()
    this.#open -= 1
    this.#reads += 1
    this.#tokens += tokens
    this.#written = Math.max(0, this.#written - tokens)
  }

  writing(tokens: number): void {
    this.#written += tokens
  }

  walkedOne(): void {
    this.#walked += 1
    this.#settled = this.#reads
  }

  auditing(reads: number): void {
    this.#audit = { done: 0, of: reads }
  }

  audited(): void {
    this.#audit = { ...this.#audit, done: this.#audit.done + 1 }
    this.#written = 0
  }

  text(): string {
    const { items } = this.#pass
    const toWalk = items - this.#walked
    const told = this.#engine >= TELLING
    const audit = this.isOver ? 0 : this.#audit.of
    const isAsking = toWalk > 0 && !this.isOver
    const left = isAsking && told ? this.#left() : undefined
    const parts = [
      `${this.#walked} of ${counted(items, "item")}`,
      // Before what a narrow terminal cuts off.
      ...(left === undefined ? [] : [`${duration(left / 1000)} left`]),
      ...(this.#wave.of > 1 && isAsking ? [`wave ${this.#wave.number} of ${this.#wave.of}`] : []),
      counted(this.#reads, "read", isAsking ? this.#expected() : undefined),
      ...(this.#written > 0 ? [`${counted(this.#written, "token")} of texts under way`] : []),
      ...(told ? [`${Math.round(this.#tokens / (this.#engine / 1000))} tokens/s`] : []),
      ...(audit > 0 ? [`${this.#audit.done} of ${counted(audit, "read")} taken again`] : []),
    ]
    return `${nameOf(this.#pass)}: ${parts.join(", ")}`
  }

  /** Lanes work side by side: time in which several do counts once. */
  #work(): void {
    const now = this.#now()
    if (this.#open > 0) this.#engine += now - this.#since
    this.#since = now
  }

  /** Items that were walked since something was asked. */
  get #paced(): number {
    return this.#first === undefined ? 0 : this.#walked - this.#first.walked
  }

  /** Milliseconds, at the pace since the first read. */
  #left(): number | undefined {
    if (this.#first === undefined || this.#paced === 0) return undefined
    return ((this.#now() - this.#first.at) / this.#paced) * (this.#pass.items - this.#walked)
  }

  /** How many reads there will be, at the share of the items so far. */
  #expected(): number | undefined {
    if (this.#paced === 0) return undefined
    return Math.round((this.#settled / this.#paced) * (this.#paced + this.#pass.items - this.#walked))
  }
}

/** `respondent`, or `respondent (pass 2 of 3)` where the run opens models three times. */
export const nameOf = ({ model, number, of }: Pass): string =>
  of === 1 ? model : `${model} (pass ${number} of ${of})`

/** `1 read`, `12 reads`, `1 of about 960 reads`. */
function counted(count: number, noun: string, of?: number): string {
  const all = of === undefined ? "" : ` of about ${of}`
  return `${count}${all} ${noun}${(of ?? count) === 1 ? "" : "s"}`
}
