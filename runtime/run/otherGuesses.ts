/** What else the answers that are not there yet may come to, where a gate looks at them: a forecast counts a turn that may be asked. */
import { assumedAs } from "../../compiler/assume.ts"
import type { TurnIR } from "../../compiler/ir.ts"
import { holesIn } from "../../compiler/looks.ts"
import { holeOf, type Readings } from "../../compiler/prompt.ts"
import type { Trial } from "../../compiler/trial.ts"

/** Readings in which one assumed answer is another, the latest first: of those that the gates before a hole look at. */
export function* otherGuesses(
  trial: Trial,
  hole: string,
  readings: Readings,
  guessed: ReadonlySet<string>,
): Generator<Readings> {
  const looked = gatesBefore(trial, hole).flatMap(holesIn)
  for (const name of [...new Set(looked)].filter((one) => guessed.has(one)).reverse()) {
    for (const value of valuesOf(trial, name)) {
      const other = assumedAs(trial, name, value)
      if (!("problem" in other)) yield { ...readings, [name]: other }
    }
  }
}

/** The conditions under which the turn of a hole is asked, and those of the turns that it continues. */
const gatesBefore = (trial: Trial, hole: string) => {
  const turns = new Map(trial.experiment.protocol.turns.map((turn) => [turn.name, turn]))
  const gates: NonNullable<TurnIR["when"]>[] = []
  let turn = turns.get(holeOf(trial, hole).turn)
  while (turn !== undefined) {
    if (turn.when !== undefined) gates.push(turn.when)
    turn = turn.continues === undefined ? undefined : turns.get(turn.continues)
  }
  return gates
}

/** Values that decide a gate; of a text, whether it is a refusal. */
const valuesOf = (trial: Trial, hole: string): readonly string[] => {
  const declared = holeOf(trial, hole)
  const type = declared.type === "extract" ? declared.as : declared
  switch (type.type) {
    case "option":
      return trial.item.labels
    case "label":
    case "rule":
      return type.labels
    case "integer":
      return [String(type.low), String(type.high)]
    case "text":
      return type.refusal
  }
}
