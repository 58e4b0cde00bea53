/** The option that a trial is about, and the ones that its lines assert. */
import type { AssertedIR, TargetIR } from "./ir.ts"
import { pushedBy } from "./lines.ts"
import { type ItemKey, streamOf, toPool, toShown } from "./shown.ts"
import type { Reading, Target, Trial } from "./trial.ts"

/** What was read so far, by hole. */
export type Readings = Readonly<Record<string, Reading>>

const none = (why: string): Target => ({ kind: "none", why })

/** In words for a person, why a hole gives nothing to go on. */
export const lack = (hole: string, reading: Reading | undefined): string => {
  if (reading === undefined) return `${hole} has not been read`
  switch (reading.status) {
    case "invalid":
      return `${hole} is invalid: ${reading.why}`
    case "skipped":
      return `${hole} was skipped: ${reading.why}`
    case "refused":
      return `${hole} was refused`
    case "text":
    case "answer":
      return `${hole} gives no probabilities`
    case "value":
      return `${hole} is ${reading.value}`
  }
}

/**
 * The label that comes next after an item's: E after A to D, 5 after 1 to 4. None where no such label is left, as after Z.
 */
export const placeboOf = (labels: readonly string[]): string | undefined => {
  if (labels.every((label) => /^\d+$/.test(label))) return String(Math.max(...labels.map(Number)) + 1)
  const alphabet = [/^[A-Z]$/, /^[a-z]$/].find((letter) => labels.every((label) => letter.test(label)))
  const last = [...labels].sort().at(-1)
  if (alphabet === undefined || last === undefined) return undefined
  const following = String.fromCharCode(last.charCodeAt(0) + 1)
  return alphabet.test(following) ? following : undefined
}

/** Wrong options as shown, the most probable first and the first of equals before the others. */
interface Ranked {
  readonly order: readonly number[]
  /** So many of the last a server did not list: they are less probable than the others, and which of them is more so is not known. */
  readonly unlisted: number
}

/** The reason in words where there is no telling. */
const ranking = (trial: Trial, hole: string, readings: Readings): Ranked | string => {
  const reading = readings[hole]
  if (reading?.status !== "value") return lack(hole, reading)
  const { probabilities, censored } = reading
  const isListed = (index: number): boolean => censored?.labels.includes(index) !== true
  const p = (index: number): number => probabilities[index] ?? 0
  const wrong = wrongOptions(trial)
  const listed = wrong.filter(isListed).sort((a, b) => p(b) - p(a) || a - b)
  return {
    order: [...listed, ...wrong.filter((index) => !isListed(index))],
    unlisted: wrong.length - listed.length,
  }
}

/** Whether a place in a ranking is one that is known: of one option that is not listed it is. */
const isKnown = ({ order, unlisted }: Ranked, place: number): boolean =>
  unlisted < 2 || place < order.length - unlisted

const notListed = (hole: string): string => `the server listed too few options of ${hole} to rank this one`

/** In the order shown. */
const wrongOptions = ({ item }: Trial): number[] =>
  item.options.flatMap((_, index) => (index === item.gold ? [] : [index]))

const keyOf = ({ cell, pool, item }: Trial): ItemKey => ({
  seed: cell.seed,
  replicate: cell.replicate,
  pool,
  item: item.id,
})

/** Drawn among options in the order of the pool, so that it is the same option in whatever order they are shown. */
const drawnOf = (declaration: string, trial: Trial, shown: readonly number[]): number => {
  const places = shown.map((index) => toPool(trial.item, index)).sort((a, b) => a - b)
  const place = places[streamOf(declaration, keyOf(trial)).below(places.length)] as number
  return toShown(trial.item, place)
}

const declared = (trial: Trial, target: TargetIR, readings: Readings): Target => {
  const { item } = trial
  switch (target.kind) {
    case "ranked_wrong": {
      const ranked = ranking(trial, target.hole, readings)
      if (typeof ranked === "string") return none(ranked)
      const index = ranked.order[target.rank - 1]
      if (index === undefined) return none(`the item has no ${target.rank} wrong options`)
      return isKnown(ranked, target.rank - 1) ? { kind: "option", index } : none(notListed(target.hole))
    }
    case "least_wrong": {
      const ranked = ranking(trial, target.hole, readings)
      if (typeof ranked === "string") return none(ranked)
      const reading = readings[target.hole]
      const p = (index: number): number =>
        reading?.status === "value" ? (reading.probabilities[index] ?? 0) : 0
      const { order, unlisted } = ranked
      if (!isKnown(ranked, order.length - 1)) return none(notListed(target.hole))
      // Of equals the first: the ranking has them last, in the order shown.
      const last = order.at(-1)
      const index = unlisted === 1 ? last : order.find((one) => last !== undefined && p(one) === p(last))
      return index === undefined ? none("the item has no wrong option") : { kind: "option", index }
    }
    case "random_wrong": {
      const wrong = wrongOptions(trial)
      return wrong.length === 0
        ? none("the item has no wrong option")
        : { kind: "option", index: drawnOf("target", trial, wrong) }
    }
    case "option":
      return target.position <= item.options.length
        ? { kind: "option", index: toShown(item, target.position - 1) }
        : none(`the item has no option ${target.position}`)
    case "gold":
      return { kind: "option", index: item.gold }
    case "each_wrong":
      return trial.choice === undefined
        ? none("the trial is about no wrong option")
        : { kind: "option", index: trial.choice }
    case "placebo_label": {
      const label = placeboOf(item.labels)
      return label === undefined
        ? none(`no label follows ${item.labels.at(-1) ?? ""}`)
        : { kind: "placebo", label }
    }
  }
}

/**
 * The option that a trial is about, from what was read so far. A target that turns out to be the gold option cannot be pushed as a wrong one: it is
 * none there, and for a baseline too, which is compared with those trials. Under all-correct it stands, and where the target is declared to be gold.
 */
export const targetOf = (trial: Trial, readings: Readings): Target => {
  const { cell, item, written } = trial
  if (written?.target !== undefined) return written.target
  const target = declared(trial, cell.target, readings)
  const isGold = target.kind === "option" && target.index === item.gold
  if (isGold && cell.target.kind !== "gold" && pushedBy(cell) !== "gold") {
    return none("the target is the gold option")
  }
  return target
}

/** What the lines of a trial assert: gold under all-correct, else the target. A baseline asserts nothing: its would-be target. */
export const pushedOf = ({ cell, item, written }: Trial, target: Target): Target =>
  written?.pushed ?? (pushedBy(cell) === "gold" ? { kind: "option", index: item.gold } : target)

/**
 * A wrong option besides the target: the most probable of them in the read that the target is taken from; where it is taken from none, one drawn from
 * a stream of the item's.
 */
const otherThan = (trial: Trial, target: Target, readings: Readings): Target => {
  if (target.kind === "none") return target
  const isOther = (index: number): boolean => target.kind === "placebo" || index !== target.index
  const declaration = trial.cell.target
  if (declaration.kind === "ranked_wrong" || declaration.kind === "least_wrong") {
    const ranked = ranking(trial, declaration.hole, readings)
    if (typeof ranked === "string") return none(ranked)
    const place = ranked.order.findIndex(isOther)
    const index = ranked.order[place]
    if (index === undefined) return none("the item has no other wrong option")
    return isKnown(ranked, place) ? { kind: "option", index } : none(notListed(declaration.hole))
  }
  const left = wrongOptions(trial).filter(isOther)
  return left.length === 0
    ? none("the item has no other wrong option")
    : { kind: "option", index: drawnOf("other", trial, left) }
}

/** The option that a place in a text stands for. */
export const assertedOf = (trial: Trial, asserts: AssertedIR | "pushed", readings: Readings): Target => {
  if (asserts === "gold") return { kind: "option", index: trial.item.gold }
  const target = targetOf(trial, readings)
  switch (asserts) {
    case "target":
      return target
    case "pushed":
      return pushedOf(trial, target)
    case "other":
      return otherThan(trial, target, readings)
  }
}
