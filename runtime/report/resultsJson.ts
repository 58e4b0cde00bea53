import type { Result } from "../measure/result.ts"

/** The order of a result's keys; those without a value are left out. */
const KEYS = [
  "experiment",
  "kind",
  "name",
  "by",
  "where",
  "n",
  "k",
  "excluded",
  "estimate",
  "low",
  "high",
  "level",
  "method",
  "p",
  "sides",
  "discordant",
  "held",
] as const satisfies readonly (keyof Result)[]

/** `results.json`: an array with one object per number, each on a line of its own. */
export function resultsJson(results: readonly Result[]): string {
  const lines = results.map((result) =>
    JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, result[key]]))),
  )
  return lines.length === 0 ? "[]\n" : `[\n${lines.map((line) => `  ${line}`).join(",\n")}\n]\n`
}
