import type { ExpectIR } from "../../compiler/ir.ts"
import { contrastOf } from "./contrast.ts"
import type { Outcome, Trials } from "./outcome.ts"
import type { Result } from "./result.ts"

export type ComparisonIR = Extract<ExpectIR, { kind: "comparison" }>
export type EquivalentIR = Extract<ExpectIR, { kind: "equivalent" }>

/** Two one-sided tests at 5 % reject both where an interval at this level, in percent, lies within the margin. Schuirmann (1987). */
const EQUIVALENCE_LEVEL = 90

/**
 * Whether each expectation held: its contrast's estimate, or one end of its interval, against the bound; or whether its 90 % interval lies
 * within the margin. A contrast that is taken in several ways stands with the first. Without the number there is no verdict.
 */
export function expectsOf(
  trials: Trials,
  tables: ReadonlyMap<string, Outcome>,
  contrasts: readonly Result[],
): readonly Result[] {
  const { experiment } = trials
  return experiment.expects.map((expect) => {
    const contrast = contrasts.find(({ name }) => name === expect.contrast)
    if (contrast === undefined) throw new Error(`no contrast ${expect.contrast} in ${experiment.name}`)
    const { sides: _sides, discordant: _discordant, terms: _terms, ...numbers } = contrast
    const head = { ...numbers, kind: "expect" as const, name: expect.text }
    if (expect.kind === "equivalent") return { ...head, ...equivalence(expect, trials, tables) }
    const value = contrast[expect.of]
    return { ...head, ...(value === undefined ? {} : { held: holds(value, expect) }) }
  })
}

function equivalence(
  { contrast: name, margin }: EquivalentIR,
  trials: Trials,
  tables: ReadonlyMap<string, Outcome>,
): Pick<Result, "equivalence" | "held"> {
  const contrast = trials.experiment.contrasts.find((one) => one.name === name)
  const [by] = contrast?.by ?? []
  if (contrast === undefined || by === undefined) return {}
  const { low, high } = contrastOf(trials, contrast, by, tables, EQUIVALENCE_LEVEL)
  if (low === undefined || high === undefined) return {}
  return { equivalence: { low, high, level: EQUIVALENCE_LEVEL }, held: low > -margin && high < margin }
}

/** Whether a number meets an expectation's bound. */
export function holds(value: number, { operator, bound }: Pick<ComparisonIR, "operator" | "bound">): boolean {
  switch (operator) {
    case "<":
      return value < bound
    case "<=":
      return value <= bound
    case ">":
      return value > bound
    case ">=":
      return value >= bound
  }
}
