/** Names that mean something wherever an expression or a text can name things of a protocol. */
import { assertionFactors, outerColumns } from "../lower/columns.ts"
import { designFields } from "../lower/scope.ts"

const reserved: ReadonlySet<string> = new Set([
  ...["item", "target", "pushed", "line", "arm"],
  ...assertionFactors,
  ...designFields,
  ...outerColumns,
])

/** Whether a slot, a role, a draw or a read cannot have this name: a column of every design, or a value of every trial, has it. */
export const isReserved = (name: string): boolean => reserved.has(name)
