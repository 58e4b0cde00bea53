/** Whether models write what is read off their distributions: texts of `generate`, counted by arm. */
import type { Program } from "../../compiler/ir.ts"
import { askedModelOf } from "../measure/askedModel.ts"
import type { TrialRecord } from "../record.ts"
import type { Agreement } from "../report/input.ts"
import { wilson } from "../statistics/proportion.ts"
import type { Gathering } from "./gather.ts"

/** By experiment, read, asked model and arm, in the order of the records; a text that could not be had does not count. */
export function agreementOf(program: Program): Gathering<readonly Agreement[]> {
  const protocols = new Map(program.experiments.map(({ name, protocol }) => [name, protocol]))
  const found = new Map<string, { -readonly [Key in keyof Agreement]: Agreement[Key] }>()
  const take = (record: TrialRecord): void => {
    const { experiment, levels, freely = {} } = record
    for (const [hole, answer] of Object.entries(freely)) {
      if (answer.status !== "text") continue
      const { holes = [], turns = [] } = protocols.get(experiment) ?? {}
      const turn = turns.find(({ name }) => name === holes.find((one) => one.name === hole)?.turn)
      const model = askedModelOf(record, turn)
      const arm = levels.arm ?? ""
      const key = JSON.stringify([experiment, hole, model, arm])
      const counts = found.get(key) ?? {
        experiment,
        model,
        arm,
        hole,
        trials: 0,
        agree: 0,
        none: 0,
        low: 0,
        high: 1,
      }
      found.set(key, counts)
      counts.trials += 1
      if (answer.agrees) counts.agree += 1
      if (answer.label === undefined) counts.none += 1
    }
  }
  return {
    take,
    found: () =>
      [...found.values()].map((counts) => ({ ...counts, ...wilson(counts.agree, counts.trials, 95) })),
  }
}
