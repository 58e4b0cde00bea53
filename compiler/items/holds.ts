/** What a condition over an item's columns says of it. */
import { evaluate, type Value } from "../evaluate.ts"
import type { ExprIR } from "../ir.ts"
import type { Item } from "../item.ts"

/** Whether a condition is true of an item; of one that lacks a column that it needs it is not. */
export const holds = (condition: ExprIR, item: Item): boolean => valueFor(condition, item) === true

/** Whether a condition is known to be false of an item, so that what the item lacks does not matter. */
export const isLeftOut = (condition: ExprIR, item: Item): boolean => valueFor(condition, item) === false

const valueFor = (condition: ExprIR, item: Item): Value | undefined =>
  evaluate(condition, {
    level: () => undefined,
    role: () => undefined,
    item,
    reading: () => undefined,
    attribute: () => undefined,
  })
