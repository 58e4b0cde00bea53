/** Two runs' reads, trial by trial: which came out otherwise, and whether by more than their engines differ from themselves. */
import type { Reading } from "../../compiler/trial.ts"
import type { FreeAnswer, TrialRecord } from "../record.ts"

/** A read of a trial that both runs have, which came out otherwise. */
export interface ReadDifference {
  readonly trial: string
  readonly experiment: string
  readonly model: string
  readonly pool: string
  readonly item: string
  /** The read; `a0, written freely` where it is the text that the model was also asked for. */
  readonly hole: string
  /** What differs most, such as "p(B)", "the mass", "the text", "the status". */
  readonly of: string
  readonly first: string
  readonly second: string
  /** Of numbers. */
  readonly difference?: number
  /** Whether the answer is another: an option, a label, a value, a text, or how the read came out. */
  readonly flipped: boolean
  readonly beyond: boolean
}

/** The reads of one model at one place of a protocol, or the texts that it wrote there. */
export interface ReadCounts {
  readonly experiment: string
  readonly model: string
  readonly hole: string
  /** Trials of both runs, in either of which there is such a read. */
  readonly compared: number
  readonly same: number
  /** Those that differ, by at most `floor` or by more. */
  readonly within: number
  readonly beyond: number
  /** Answers that are others, in all. */
  readonly flips: number
  /** The largest difference of a number. */
  readonly largest: number
  /** How far either run's engine differs from itself, the larger of the two; 0 where no audit found a difference. */
  readonly floor: number
}

export interface ReadsCompared {
  readonly trials: { readonly both: number; readonly first: number; readonly second: number }
  readonly reads: readonly ReadCounts[]
  /** The largest, those beyond the floor before others; `SHOWN` at most. Of trials that share a read, the first. */
  readonly examples: readonly ReadDifference[]
}

/** Differences that are kept as examples. */
const SHOWN = 20

interface Counting {
  compared: number
  same: number
  within: number
  beyond: number
  flips: number
  largest: number
}

/** `floorOf`: by model, how far its engines differ from themselves. Trials are the same where their names are. */
export function compareReads(
  first: Iterable<TrialRecord>,
  second: Iterable<TrialRecord>,
  floorOf: (model: string) => number,
): ReadsCompared {
  const counts = new Map<string, Counting>()
  const examples: ReadDifference[] = []
  const trials = { both: 0, first: 0, second: 0 }
  for (const [a, b] of together(first, second)) {
    if (a === undefined || b === undefined) {
      trials[a === undefined ? "second" : "first"] += 1
      continue
    }
    trials.both += 1
    for (const [hole, found] of differencesOf(a, b)) {
      const key = JSON.stringify([a.experiment, a.model, hole])
      const counting = counts.get(key) ?? { compared: 0, same: 0, within: 0, beyond: 0, flips: 0, largest: 0 }
      counts.set(key, counting)
      counting.compared += 1
      if (found === undefined) {
        counting.same += 1
        continue
      }
      const { difference } = found
      const beyond = difference === undefined || found.flipped || difference > floorOf(a.model)
      counting[beyond ? "beyond" : "within"] += 1
      if (found.flipped) counting.flips += 1
      counting.largest = Math.max(counting.largest, difference ?? 0)
      const { trial, experiment, model, pool, item } = a
      keep(examples, { trial, experiment, model, pool, item, hole, ...found, beyond })
    }
  }
  const reads = [...counts].map(([key, counting]) => {
    const [experiment, model, hole] = JSON.parse(key) as [string, string, string]
    return { experiment, model, hole, ...counting, floor: floorOf(model) }
  })
  return { trials, reads, examples }
}

/** Trials of both by name, in the order of the first; those that only one has stand alone. Where both are in one order, nothing is kept. */
function* together(
  first: Iterable<TrialRecord>,
  second: Iterable<TrialRecord>,
): Generator<readonly [TrialRecord | undefined, TrialRecord | undefined]> {
  const others = second[Symbol.iterator]()
  const passed = new Map<string, TrialRecord>()
  let ended = false
  for (const record of first) {
    let match = passed.get(record.trial)
    passed.delete(record.trial)
    while (match === undefined && !ended) {
      const next = others.next()
      if (next.done === true) ended = true
      else if (next.value.trial === record.trial) match = next.value
      else passed.set(next.value.trial, next.value)
    }
    yield [record, match]
  }
  for (const record of passed.values()) yield [undefined, record]
  for (let next = others.next(); next.done !== true; next = others.next()) yield [undefined, next.value]
}

/** The first of them in order, `SHOWN` at most. */
function keep(examples: ReadDifference[], found: ReadDifference): void {
  const size = ({ beyond, difference = 2 }: ReadDifference): number => (beyond ? 10 : 0) + difference
  if (examples.some((one) => isSameRead(one, found))) return
  const place = examples.findIndex((one) => size(one) < size(found))
  if (place === -1) examples.push(found)
  else examples.splice(place, 0, found)
  if (examples.length > SHOWN) examples.pop()
}

/** Trials of one item and model that differ in the very same numbers share the read. */
const isSameRead = (one: ReadDifference, other: ReadDifference): boolean =>
  one.hole === other.hole &&
  one.item === other.item &&
  one.pool === other.pool &&
  one.model === other.model &&
  one.experiment === other.experiment &&
  one.first === other.first &&
  one.second === other.second

type Found = Pick<ReadDifference, "of" | "first" | "second" | "difference" | "flipped">

/** Of each read of two trials, and of each text that was written besides, what differs; undefined where nothing does. */
function differencesOf(
  a: TrialRecord,
  b: TrialRecord,
): readonly (readonly [hole: string, Found | undefined])[] {
  const [one, other] = [a.freely ?? {}, b.freely ?? {}]
  return [
    ...keysOf(a.readings, b.readings).map(
      (hole) => [hole, differenceOf(a.readings[hole], b.readings[hole], a)] as const,
    ),
    ...keysOf(one, other).map(
      (hole) => [`${hole}, written freely`, writtenDifference(one[hole], other[hole])] as const,
    ),
  ]
}

const keysOf = (a: object, b: object): readonly string[] => [
  ...new Set([...Object.keys(a), ...Object.keys(b)]),
]

/** The answer is another where the text begins with another label. */
function writtenDifference(first: FreeAnswer | undefined, second: FreeAnswer | undefined): Found | undefined {
  const [before, after] = [first?.status ?? "none", second?.status ?? "none"]
  if (before !== after) return { of: "the status", first: before, second: after, flipped: true }
  if (first?.status === "text" && second?.status === "text") {
    const flipped = first.label !== second.label
    const said = { first: first.text, second: second.text, flipped }
    return first.text === second.text && !flipped ? undefined : { of: "the text", ...said }
  }
  if (first?.status !== "invalid" || second?.status !== "invalid" || first.why === second.why)
    return undefined
  return { of: "the reason", first: first.why, second: second.why, flipped: false }
}

/** Undefined where both came out the same, to the bit. */
function differenceOf(
  first: Reading | undefined,
  second: Reading | undefined,
  record: TrialRecord,
): Found | undefined {
  if (first?.status !== second?.status || first === undefined || second === undefined) {
    const [before, after] = [first?.status ?? "none", second?.status ?? "none"]
    return before === after ? undefined : { of: "the status", first: before, second: after, flipped: true }
  }
  if (first.status === "value" && second.status === "value")
    return numbersOf(first, second, record) ?? restOf(first, second)
  const [before, after] = [saidIn(first), saidIn(second)]
  if (before === after) return restOf(first, second)
  const isReason = first.status === "invalid" || first.status === "skipped"
  const of = first.status === "answer" ? "the answer" : isReason ? "the reason" : "the text"
  return { of, first: before, second: after, flipped: !isReason }
}

const WORDS: Readonly<Record<string, string>> = {
  tokens: "the number of tokens",
  stop: "how it ended",
  at: "its place in the text",
  marker: "the marker of refusal",
  censored: "what the server did not list",
}

/** Of reads that say the same, what else they have: how a text ended, how many tokens it has. */
function restOf(first: object, second: object): Found | undefined {
  const [one, other] = [new Map(Object.entries(first)), new Map(Object.entries(second))]
  for (const key of keysOf(first, second)) {
    const [before, after] = [one.get(key), other.get(key)].map((value) => JSON.stringify(value) ?? "none")
    if (before !== after)
      return { of: WORDS[key] ?? `the ${key}`, first: before!, second: after!, flipped: key === "index" }
  }
  return undefined
}

type Value = Extract<Reading, { readonly status: "value" }>

function numbersOf(first: Value, second: Value, { labels }: TrialRecord): Found | undefined {
  const numbers = ({ probabilities, mass, placebo }: Value) => [
    ...probabilities,
    mass,
    ...(placebo === undefined ? [] : [placebo]),
  ]
  const [before, after] = [numbers(first), numbers(second)]
  const differences = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
    const [a = Number.NaN, b = Number.NaN] = [before[at], after[at]]
    const difference = Object.is(a, b) ? 0 : Math.abs(a - b)
    return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference
  })
  const difference = Math.max(...differences)
  const flipped = first.index !== second.index
  if (difference === 0 && !flipped) return undefined
  const at = differences.indexOf(difference)
  const count = first.probabilities.length
  // Of what is no option of the item, only the place is known here.
  const isOption = labels[first.index] === first.value
  const of =
    at < count ? `p(${isOption ? labels[at] : at})` : at === count ? "the mass" : "p of the placebo label"
  return { of, first: String(before[at]), second: String(after[at]), difference, flipped }
}

function saidIn(reading: Reading): string {
  switch (reading.status) {
    case "value":
    case "answer":
      return reading.value
    case "text":
    case "refused":
      return reading.text
    case "invalid":
    case "skipped":
      return reading.why
  }
}
