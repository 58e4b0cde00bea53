import type { Result } from "../measure/result.ts"

/** All keys of a result in their order; those without a value are left out. */
const ORDER: Readonly<Record<keyof Result, true>> = {
  experiment: true,
  kind: true,
  name: true,
  by: true,
  where: true,
  average: true,
  taken: true,
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
  sides: true,
  discordant: true,
  terms: true,
  equivalence: true,
  held: true,
}
const KEYS = Object.keys(ORDER) as readonly (keyof Result)[]

/** `results.json`: an array with one object per number, each on a line of its own. */
export function resultsJson(results: readonly Result[]): string {
  const lines = results.map((result) =>
    JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, result[key]]))),
  )
  return lines.length === 0 ? "[]\n" : `[\n${lines.map((line) => `  ${line}`).join(",\n")}\n]\n`
}
