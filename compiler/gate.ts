/** Whether a turn takes place. */
import { evaluate } from "./evaluate.ts"
import { factsOf } from "./facts.ts"
import type { ExprIR } from "./ir.ts"
import { holesIn, nodesOf } from "./looks.ts"
import { lack, type Readings } from "./target.ts"
import type { Trial } from "./trial.ts"

/** Why the gate of a turn is closed; undefined where it is open or there is none. One that cannot be judged for want of what it looks at is closed. */
export const whyClosed = (trial: Trial, turn: string, readings: Readings): string | undefined => {
  const when = trial.experiment.protocol.turns.find(({ name }) => name === turn)?.when
  if (when === undefined) return undefined
  const facts = factsOf(trial, readings)
  const open = evaluate(when, facts)
  if (open === true) return undefined
  if (open === false) return `the gate of ${turn} is closed`
  const lacking = holesIn(when).find((hole) => !["value", "answer", "text"].includes(statusOf(hole)))
  if (lacking !== undefined)
    return `the gate of ${turn} needs ${lacking}: ${lack(lacking, readings[lacking])}`
  const nodes = nodesOf(when)
  // In the words of a text that lacks its target: trials are counted by them.
  for (const { kind } of nodes) {
    const target = kind === "target" || kind === "pushed" ? facts[kind]?.() : undefined
    if (target?.kind === "none") return `no target: ${target.why}`
  }
  const lacked = nodes.flatMap((node) => (evaluate(node, facts) === undefined ? (needed(node) ?? []) : []))[0]
  return lacked === undefined ? `the gate of ${turn} has no value` : `the gate of ${turn} needs ${lacked}`

  function statusOf(hole: string): string {
    return readings[hole]?.status ?? "none"
  }
}

/** What an expression without a value looks at, and who lacks it; none where it is made of others. */
const needed = (node: ExprIR): string | undefined => {
  switch (node.kind) {
    case "column":
      return `item.${node.column}, which the item lacks`
    case "attribute":
      return `model.${node.attribute}, which the model lacks`
    case "level":
      return `${node.factor}, which the arm lacks`
    default:
      return undefined
  }
}
