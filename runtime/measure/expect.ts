import type { ExpectIR, ExperimentIR } from "../../compiler/ir.ts"
import type { Result } from "./result.ts"

/**
 * Whether each expectation held: its contrast's estimate, or one end of its interval, against the bound. A contrast that is taken in several
 * ways stands with the first. Without the number there is no verdict.
 */
export function expectsOf(experiment: ExperimentIR, contrasts: readonly Result[]): readonly Result[] {
  return experiment.expects.map((expect) => {
    const contrast = contrasts.find(({ name }) => name === expect.contrast)
    if (contrast === undefined) throw new Error(`no contrast ${expect.contrast} in ${experiment.name}`)
    const { sides: _sides, discordant: _discordant, ...numbers } = contrast
    const value = contrast[expect.of]
    return {
      ...numbers,
      kind: "expect",
      name: expect.text,
      ...(value === undefined ? {} : { held: holds(value, expect) }),
    }
  })
}

/** Whether a number meets an expectation's bound. */
export function holds(value: number, { operator, bound }: Pick<ExpectIR, "operator" | "bound">): boolean {
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
