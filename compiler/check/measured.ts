/** What numbers a measure of an experiment can come to. */
import type { Analysed } from "./analysed.ts"
import { readFacts } from "./environment.ts"
import { rangeOfRead } from "./measures.ts"
import { fractions, type Range, rangeOf } from "./ranges.ts"
import { metricOf } from "./restricted.ts"

/** What a measure can come to; none where nothing is known. */
export const rangeOfMeasure = (measure: string, analysed: Analysed): Range | undefined => {
  const found = metricOf(measure, analysed)
  const statistic = found?.whole.statistic?.node
  if (found === undefined || statistic === undefined) return undefined
  if (statistic.field === "rate" || statistic.field === "auroc") return fractions
  if (statistic.field === "kappa") return { low: -1, high: 1 }
  if (statistic.field !== "mean" && statistic.field !== "quantile") return undefined
  const facts = readFacts(analysed.reads)
  return rangeOf(statistic.value, (parameter) => {
    const given = found.field.arguments.find((one) => one.parameter.text === parameter)?.value
    const fallback = found.whole.parameters.find(({ node }) => node.name.text === parameter)?.node.default
    const source = given ?? fallback
    return source?.kind === "name" ? rangeOfRead(facts.get(source.text)) : undefined
  })
}
