/** The level of a factor that the others are compared with. */
import type { Variable } from "./design.ts"

export interface Compared {
  readonly variable: Variable
  /** Why it is another than the first. */
  readonly caution?: string
}

/**
 * The first level, unless all of its trials came out alike where those of another did not: its odds have no finite estimate, nor has what is compared
 * with them. Then it is the next whose trials differ, so that the others' coefficients are found. `outcomes`: 0 or 1 of each row.
 */
export function compared(variable: Variable, outcomes: ArrayLike<number>): Compared {
  if (variable.kind === "number") return { variable }
  const { name, levels, codes } = variable
  const [trials, trues] = [new Float64Array(levels.length), new Float64Array(levels.length)]
  for (const [row, code] of codes.entries()) {
    trials[code]! += 1
    trues[code]! += outcomes[row]!
  }
  const first = levels.findIndex((_, code) => trues[code]! > 0 && trues[code]! < trials[code]!)
  if (first <= 0) return { variable }
  const order = [first, ...levels.keys()].filter((code, at) => at === 0 || code !== first)
  return {
    variable: {
      ...variable,
      levels: order.map((code) => levels[code]!),
      codes: codes.map((code) => order.indexOf(code)),
    },
    caution: `${name} is compared with ${levels[first]}, since all trials of ${levels[0]}, its first level, came out alike`,
  }
}
