/** The option that a trial is about, and the one that its lines push. */
import { stream } from "./draw.ts"
import type { Item } from "./item.ts"
import type { Reading, Target, Trial } from "./trial.ts"

/** What was read so far, by hole. */
export type Readings = Readonly<Record<string, Reading>>

const none = (why: string): Target => ({ kind: "none", why })

/** In words for a person, why a hole gives nothing to go on. */
export const lack = (
  hole: string,
  reading: Exclude<Reading, { readonly status: "value" }> | undefined,
): string => {
  if (reading === undefined) return `${hole} has not been read`
  switch (reading.status) {
    case "invalid":
      return `${hole} is invalid: ${reading.why}`
    case "skipped":
      return `${hole} was skipped: ${reading.why}`
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

const topWrong = (item: Item, hole: string, readings: Readings): Target => {
  const reading = readings[hole]
  if (reading?.status !== "value") return none(lack(hole, reading))
  let top = -1
  for (let index = 0; index < item.options.length; index += 1) {
    if (index === item.gold) continue
    if (top < 0 || (reading.probabilities[index] ?? 0) > (reading.probabilities[top] ?? 0)) top = index
  }
  return { kind: "option", index: top }
}

/** Keyed by pool and item alone: every arm, model and experiment of one seed shares an item's random target. */
const randomWrong = (trial: Trial): Target => {
  const { item, pool, experiment } = trial
  const wrong = item.options.map((_, index) => index).filter((index) => index !== item.gold)
  const key = { seed: experiment.seed, declaration: `target ${pool}`, item: item.id }
  return { kind: "option", index: wrong[stream(key).below(wrong.length)] as number }
}

const declared = (trial: Trial, readings: Readings): Target => {
  const { target } = trial.experiment
  const { item } = trial
  switch (target.kind) {
    case "top_wrong":
      return topWrong(item, target.hole, readings)
    case "random_wrong":
      return randomWrong(trial)
    case "option":
      return target.position <= item.options.length
        ? { kind: "option", index: target.position - 1 }
        : none(`the item has no option ${target.position}`)
    case "placebo_label": {
      const label = placeboOf(item.labels)
      return label === undefined
        ? none(`no label follows ${item.labels.at(-1) ?? ""}`)
        : { kind: "placebo", label }
    }
  }
}

const assertsGoldOnly = ({ stimulus }: Trial["cell"]): boolean =>
  stimulus.kind === "assertion" && stimulus.structure === "all_correct"

/**
 * The option that a trial is about, from what was read so far. A target that is the gold option cannot be pushed as a wrong one: it is
 * none there, and for a baseline too, which is compared with those trials; under all-correct it stands.
 */
export const targetOf = (trial: Trial, readings: Readings): Target => {
  const target = declared(trial, readings)
  if (target.kind === "option" && target.index === trial.item.gold && !assertsGoldOnly(trial.cell)) {
    return none("the target is the gold option")
  }
  return target
}

/** What the lines of a trial assert: gold under all-correct, else the target. A baseline asserts nothing: its would-be target. */
export const pushedOf = (trial: Trial, target: Target): Target =>
  assertsGoldOnly(trial.cell) ? { kind: "option", index: trial.item.gold } : target
