/** Names that mean something wherever an expression or a text can name things of a protocol. */
import { assertionFactors, outerColumns } from "../lower/columns.ts"
import { designFields } from "../lower/scope.ts"

const values = ["item", "target", "pushed", "line"]

const columns: readonly string[] = ["arm", ...assertionFactors, ...designFields, ...outerColumns]

/** Whether a slot, a role or a draw cannot have this name: a value of every trial has it. Columns are an experiment's to tell apart. */
export const isValue = (name: string): boolean => values.includes(name)

/** Whether a read cannot have this name: a value of every trial has it, or a column that a design may have. Tables have the place of the right answer as `gold.option`. */
export const isReserved = (name: string): boolean =>
  isValue(name) || name === "gold" || columns.includes(name)
