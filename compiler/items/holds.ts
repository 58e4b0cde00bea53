/** Whether a condition over an item's columns is true of it; one that lacks a column that it needs is not. */
import { evaluate } from "../evaluate.ts"
import type { ExprIR } from "../ir.ts"
import type { Item } from "../item.ts"

export const holds = (condition: ExprIR, item: Item): boolean =>
  evaluate(condition, {
    level: () => undefined,
    role: () => undefined,
    item,
    reading: () => undefined,
    attribute: () => undefined,
  }) === true
