/** Reads whose labels hold little of the probability: the model would rather have said something else. */
import type { Program } from "../../compiler/ir.ts"
import { askedModelOf } from "../measure/askedModel.ts"
import { leastMassOf } from "../measure/lowMass.ts"
import type { TrialRecord } from "../record.ts"
import type { LowMass } from "../report/input.ts"
import type { Gathering } from "./gather.ts"

/** By experiment, read, asked model and arm, in the order of the records; only where there are such reads. */
export function lowMassOf(program: Program): Gathering<readonly LowMass[]> {
  const found = new Map<string, { -readonly [Key in keyof LowMass]: LowMass[Key] }>()
  const read = new Map(
    program.experiments.map(({ name, protocol }) => [
      name,
      protocol.holes.flatMap((hole) => {
        const least = leastMassOf(hole)
        const turn = protocol.turns.find((one) => one.name === hole.turn)
        return least === undefined ? [] : [{ hole: hole.name, turn, least }]
      }),
    ]),
  )
  const take = (record: TrialRecord): void => {
    const { experiment, levels, readings } = record
    for (const { hole, turn, least } of read.get(experiment) ?? []) {
      const reading = readings[hole]
      if (reading?.status !== "value") continue
      const model = askedModelOf(record, turn)
      const arm = levels.arm ?? ""
      // No name holds a line break.
      const key = `${experiment}\n${hole}\n${model}\n${arm}`
      const known = found.get(key)
      const counts = known ?? { experiment, model, arm, hole, count: 0, of: 0, least }
      if (known === undefined) found.set(key, counts)
      counts.of += 1
      if (reading.mass < least) counts.count += 1
    }
  }
  return { take, found: () => [...found.values()].filter(({ count }) => count > 0) }
}
