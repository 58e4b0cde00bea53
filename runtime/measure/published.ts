/** Published numbers: whether a measure over the trials that one is of comes to it. */
import type { PublishedIR } from "../../compiler/ir.ts"
import { amongOf } from "./crossing.ts"
import { drawsOf } from "./draws.ts"
import { Gatherer, whyNone } from "./gathered.ts"
import { measureInterval } from "./interval.ts"
import type { Outcome, Trials } from "./outcome.ts"
import type { Result } from "./result.ts"
import { ROUNDING } from "./rounding.ts"
import { estimateOf, whyNoEstimate } from "./statistic.ts"

/** In the order written. Without a number there is no verdict. */
export function publishedOf(trials: Trials, found: ReadonlyMap<string, Outcome>): readonly Result[] {
  return trials.experiment.published.map((one) => publishedResult(trials, found, one))
}

function publishedResult(
  trials: Trials,
  found: ReadonlyMap<string, Outcome>,
  { text, measure: restricted, value, within }: PublishedIR,
): Result {
  const { experiment, columns } = trials
  const measure = experiment.measures.find(({ name }) => name === restricted.measure)
  const outcome = found.get(restricted.measure)
  if (measure === undefined || outcome === undefined)
    throw new Error(`no measure ${restricted.measure} in ${experiment.name}`)
  const among = amongOf(experiment, columns, restricted)
  const gatherer = new Gatherer(trials, measure, outcome)
  const gathered = gatherer.gather(among.units, gatherer.kept(among))
  const { excluded, items, n, trues } = gathered
  const head = {
    experiment: experiment.name,
    kind: "expect" as const,
    name: text,
    by: {},
    n,
    excluded,
    published: { value, within },
  }
  const none = whyNone(measure, excluded, n)
  if (none !== undefined) return { ...head, method: none }
  const rate = measure.statistic === "rate" || measure.statistic === "auroc" ? { k: trues } : {}
  const estimate = estimateOf(measure.statistic, items)
  if (estimate === undefined) return { ...head, ...rate, method: whyNoEstimate(measure) }
  const { ends, words } = measureInterval(measure, gathered, estimate, drawsOf(trials))
  const held = Math.abs(estimate - value) <= within + ROUNDING
  return { ...head, ...rate, estimate, ...ends, method: words, held }
}
