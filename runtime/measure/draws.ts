/** The draws that all bootstraps of an experiment share: its items, as its trials have them, drawn within their pools. */
import { Draws } from "../statistics/draws.ts"
import { groupedBy } from "./grouped.ts"
import { codesOf, columnOf, type Trials } from "./outcome.ts"

const known = new WeakMap<Trials, Draws>()

export function drawsOf(trials: Trials): Draws {
  const before = known.get(trials)
  if (before !== undefined) return before
  const { items, itemCount } = groupedBy(trials)
  const pools = codesOf(columnOf(trials, "pool"))
  const strata = new Int32Array(itemCount)
  for (let row = 0; row < trials.rows; row++) strata[items[row]!] = pools[row]!
  const made = new Draws(strata, trials.experiment.seed)
  known.set(trials, made)
  return made
}
