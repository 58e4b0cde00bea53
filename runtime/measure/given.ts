/** What every way of taking a contrast starts from, and how each begins and ends its result. */
import type { ContrastIR } from "../../compiler/ir.ts"
import type { FitProgress } from "./fits.ts"
import type { Trials } from "./outcome.ts"
import type { Result } from "./result.ts"
import type { Side } from "./sides.ts"

export interface Given {
  readonly trials: Trials
  readonly contrast: ContrastIR
  readonly sides: readonly Side[]
  /** Whether a measure forbids an invalid read that there is. */
  readonly forbidden: boolean
  readonly level: number
  /** Told of a model's fit while it goes on. */
  readonly progress?: FitProgress
}

export const FORBIDDEN = "none: trials with an invalid read, which the measure forbids"

export function headOf(
  { contrast, trials }: Given,
  taken: NonNullable<Result["taken"]>,
  n: number,
  excluded: ReadonlyMap<string, number>,
) {
  const sorted = [...excluded].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    experiment: trials.experiment.name,
    kind: "contrast" as const,
    name: contrast.name,
    by: {},
    taken,
    n,
    excluded: Object.fromEntries(sorted),
  }
}

/** The sides' own estimates, as a result has them: of a difference as left and right. */
export function estimates(sides: readonly Side[], each: readonly number[]): Pick<Result, "sides" | "terms"> {
  const [left, right] = each
  if (sides.length === 2 && sides[0]!.sign === 1 && left !== undefined && right !== undefined)
    return { sides: { left, right } }
  return { terms: each }
}

/**
 * Why trials cannot be added up over each side: some of one measure are on two sides, which differ. Then a trial would stand for both of what is compared,
 * and the difference be smaller than that of those who are on one side alone. Sides that are the same cancel out, or count alike.
 */
export function whyOverlap(sides: readonly Side[]): string | undefined {
  const entered = sides.map(
    ({ rows }) => new Set(rows.flatMap(({ value, trial }) => (value === null ? [] : [trial]))),
  )
  for (const [a, one] of entered.entries()) {
    for (let b = a + 1; b < entered.length; b++) {
      if (sides[a]!.measure !== sides[b]!.measure) continue
      const other = entered[b]!
      const shared = [...one].filter((trial) => other.has(trial)).length
      if (shared === 0 || (shared === one.size && shared === other.size)) continue
      const of = sides.length === 2 ? "both sides" : `sides ${a + 1} and ${b + 1}`
      return `none: ${shared} trial${shared === 1 ? " is" : "s are"} on ${of}, so that nothing is compared with something else; restrict each side to trials of its own`
    }
  }
  return undefined
}

/** Why trials of any side do not enter. */
export function reasonsOf(sides: readonly Side[]): ReadonlyMap<string, number> {
  const excluded = new Map<string, number>()
  for (const { reason } of sides.flatMap(({ rows }) => rows)) {
    if (reason !== null) excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
  }
  return excluded
}
