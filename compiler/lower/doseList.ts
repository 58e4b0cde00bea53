import type { Expression } from "../../grammar/ast.ts"
import type { DoseIR } from "../ir.ts"
import { onceFor } from "../memo.ts"
import { doseOf } from "./dose.ts"

/** The doses that a level is written with: one, or in a list one for each step of a repeated turn. */
export const dosesIn = (level: Expression): readonly Expression[] =>
  level.kind === "list" ? level.elements : [level]

/** What they come to; none where one of them is not two counts, or where there is none. */
export const doseListOf = onceFor((level: Expression, names): readonly DoseIR[] | undefined => {
  const doses = dosesIn(level).flatMap((one) => doseOf(one, names) ?? [])
  return doses.length > 0 && doses.length === dosesIn(level).length ? doses : undefined
})
