/** Whether a turn takes place. */
import { evaluate } from "./evaluate.ts"
import { factsOf } from "./facts.ts"
import type { ExprIR } from "./ir.ts"
import { lack, type Readings } from "./target.ts"
import type { Trial } from "./trial.ts"

/** The reads that an expression looks at, each once. */
export const holesIn = (expression: ExprIR): readonly string[] => {
  switch (expression.kind) {
    case "sequence":
      return expression.holes
    case "p":
    case "raw":
      return unique([expression.hole, ...holesIn(expression.option)])
    case "among":
      return holesIn(expression.value)
    case "unary":
      return holesIn(expression.operand)
    case "binary":
      return unique([...holesIn(expression.left), ...holesIn(expression.right)])
    default:
      return "hole" in expression ? [expression.hole] : []
  }
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** Whether an expression looks at the option that a trial is about. */
export const looksAtTarget = (expression: ExprIR): boolean => {
  switch (expression.kind) {
    case "target":
    case "pushed":
      return true
    case "p":
    case "raw":
      return looksAtTarget(expression.option)
    case "among":
      return looksAtTarget(expression.value)
    case "unary":
      return looksAtTarget(expression.operand)
    case "binary":
      return looksAtTarget(expression.left) || looksAtTarget(expression.right)
    default:
      return false
  }
}

/** Why the gate of a turn is closed; undefined where it is open or there is none. A gate that cannot be judged for want of a read is closed. */
export const whyClosed = (trial: Trial, turn: string, readings: Readings): string | undefined => {
  const when = trial.experiment.protocol.turns.find(({ name }) => name === turn)?.when
  if (when === undefined) return undefined
  const open = evaluate(when, factsOf(trial, readings))
  if (open === true) return undefined
  if (open === false) return `the gate of ${turn} is closed`
  const lacking = holesIn(when).find((hole) => !["value", "answer", "text"].includes(statusOf(hole)))
  return lacking === undefined
    ? `the gate of ${turn} has no value`
    : `the gate of ${turn} needs ${lacking}: ${lack(lacking, readings[lacking])}`

  function statusOf(hole: string): string {
    return readings[hole]?.status ?? "none"
  }
}
