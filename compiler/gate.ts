/** Whether a turn takes place. */
import { evaluate } from "./evaluate.ts"
import { factsOf } from "./facts.ts"
import { holesIn } from "./looks.ts"
import { lack, type Readings } from "./target.ts"
import type { Trial } from "./trial.ts"

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
