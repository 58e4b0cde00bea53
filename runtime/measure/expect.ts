import type { ExpectIR } from "../../compiler/ir.ts"
import { contrastOf } from "./contrast.ts"
import type { Outcome, Trials } from "./outcome.ts"
import type { Result } from "./result.ts"
import { ROUNDING } from "./rounding.ts"
import { wayText } from "./way.ts"

type ComparisonIR = Extract<ExpectIR, { kind: "comparison" }>
type EquivalentIR = Extract<ExpectIR, { kind: "equivalent" }>

/** Two one-sided tests at 5 % reject both where an interval at this level, in percent, lies within the margin. Schuirmann (1987). */
const EQUIVALENCE_LEVEL = 90

/**
 * Whether each expectation held: its contrast's estimate, or one end of its interval, against the bound; or whether its 90 % interval lies
 * within the margin. A contrast that is taken in several ways stands with the first that speaks in the measure's own unit, which a model's logits are
 * not: by a model alone only 0 can be a bound. Without the number there is no verdict.
 */
export function expectsOf(
  trials: Trials,
  tables: ReadonlyMap<string, Outcome>,
  contrasts: readonly Result[],
): readonly Result[] {
  const { experiment } = trials
  return experiment.expects.map((expect) => {
    const ways = contrasts.filter(({ name }) => name === expect.contrast)
    const contrast = ways.find(inOwnUnit) ?? ways[0]
    if (contrast === undefined) throw new Error(`no contrast ${expect.contrast} in ${experiment.name}`)
    const { sides: _sides, discordant: _discordant, terms: _terms, ...numbers } = contrast
    const judged = ways.length === 1 ? "" : `judged by ${wayText(contrast)}: `
    const method = `${judged}${numbers.method}`
    const head = { ...numbers, kind: "expect" as const, name: expect.text, method }
    if (!inOwnUnit(contrast) && (expect.kind === "equivalent" || expect.bound !== 0))
      return { ...head, method: `${head.method}; ${IN_LOGITS}` }
    if (expect.kind === "equivalent") return { ...head, ...equivalence(expect, trials, tables) }
    const value = contrast[expect.of]
    return { ...head, ...(value === undefined ? {} : { held: holds(value, expect) }) }
  })
}

const inOwnUnit = ({ taken }: Result): boolean => taken !== "mixed_logistic"

const IN_LOGITS =
  "no verdict, since this estimate is in logits, and what is expected in the measure's own unit"

function equivalence(
  { contrast: name, margin }: EquivalentIR,
  trials: Trials,
  tables: ReadonlyMap<string, Outcome>,
): Pick<Result, "equivalence" | "held"> {
  const contrast = trials.experiment.contrasts.find((one) => one.name === name)
  const by = contrast?.by.find((way) => way !== "mixed_logistic")
  if (contrast === undefined || by === undefined) return {}
  const { low, high } = contrastOf(trials, contrast, by, tables, EQUIVALENCE_LEVEL)
  if (low === undefined || high === undefined) return {}
  return {
    equivalence: { low, high, level: EQUIVALENCE_LEVEL },
    held: low > -margin + ROUNDING && high < margin - ROUNDING,
  }
}

/** Whether a number meets an expectation's bound; it is equal to one that it differs from by rounding alone. */
export function holds(value: number, { operator, bound }: Pick<ComparisonIR, "operator" | "bound">): boolean {
  switch (operator) {
    case "<":
      return value < bound - ROUNDING
    case "<=":
      return value <= bound + ROUNDING
    case ">":
      return value > bound + ROUNDING
    case ">=":
      return value >= bound - ROUNDING
  }
}
