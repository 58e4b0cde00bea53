/** In which order options are shown, from how it is written. */
import type { Expression } from "../../grammar/ast.ts"
import type { OptionOrderIR } from "../ir.ts"

export const optionOrders = ["identity", "reversed", "shuffled", "gold_first"] as const

/** An order of options; none where nothing such is written. `rotate(n)` moves the first n options behind the others. */
export const lowerOptionOrder = (order: Expression): OptionOrderIR | undefined => {
  if (order.kind === "name") {
    const kind = optionOrders.find((one) => one === order.text)
    return kind === undefined ? undefined : { kind }
  }
  if (order.kind !== "call" || order.callee.kind !== "name" || order.callee.text !== "rotate")
    return undefined
  const [by, ...more] = order.arguments
  return more.length === 0 && by?.kind === "number" && Number.isSafeInteger(by.value) && by.value >= 1
    ? { kind: "rotate", by: by.value }
    : undefined
}
