import type { Result } from "../measure/result.ts"
import { recordsJson } from "../records/words.ts"
import type { ReportInput } from "./input.ts"

/** All keys of a result in their order; those without a value are left out. */
const ORDER: Readonly<Record<keyof Result, true>> = {
  experiment: true,
  kind: true,
  name: true,
  by: true,
  where: true,
  average: true,
  taken: true,
  columns: true,
  n: true,
  k: true,
  excluded: true,
  cells: true,
  estimate: true,
  low: true,
  high: true,
  level: true,
  method: true,
  p: true,
  adjusted: true,
  signs: true,
  part: true,
  term: true,
  against: true,
  odds: true,
  standardError: true,
  statistic: true,
  cautions: true,
  published: true,
  sides: true,
  discordant: true,
  terms: true,
  equivalence: true,
  held: true,
}
const KEYS = Object.keys(ORDER) as readonly (keyof Result)[]

/**
 * `results.json`: an array with one object per number, each on a line of its own. Behind them what is known of the reads: `floor`, one for each model
 * that was audited, `low_mass` and `agreement`, by arm; and of records made elsewhere `records`, by experiment.
 */
export function resultsJson(
  results: readonly Result[],
  {
    floors,
    lowMass,
    agreement,
    scored,
  }: Partial<Pick<ReportInput, "floors" | "lowMass" | "agreement" | "scored">> = {},
): string {
  const lines = [
    ...results.map((result) => JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, result[key]])))),
    ...(floors ?? []).map((floor) => JSON.stringify({ kind: "floor", ...floor })),
    ...(lowMass ?? []).map((low) => JSON.stringify({ kind: "low_mass", ...low })),
    ...(agreement ?? []).map((one) => JSON.stringify({ kind: "agreement", ...one })),
    ...recordsJson(scored),
  ]
  return lines.length === 0 ? "[]\n" : `[\n${lines.map((line) => `  ${line}`).join(",\n")}\n]\n`
}
