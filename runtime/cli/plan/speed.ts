/** How fast a model reads: measured on the plan's own first prompts, for the time that `cfx plan` forecasts. */
import { Effect, Stream } from "effect"
import type { ReadRequest, TokenModel } from "../../backend/backend.ts"
import type { EnvironmentFailure } from "../../failure.ts"
import type { Cohort } from "../../run/cohorts.ts"
import { firstRead } from "../../run/firstRead.ts"

/** Reads that are asked to see how fast they go, after a first one that only warms up. */
const SAMPLE = 12

/** Items that are looked at for them, at most. */
const LOOKED_AT = 50

/** Tokens a second over the first reads of a few items; undefined where none of them can be asked. */
export const speedOf = (
  model: TokenModel,
  cohorts: readonly Cohort[],
): Effect.Effect<number | undefined, EnvironmentFailure> =>
  Effect.gen(function* () {
    const [first, ...others] = firstReads(model, cohorts)
    if (first === undefined) return undefined
    yield* Stream.runDrain(model.score([first]))
    const requests = others.length > 0 ? others : [first]
    const started = performance.now()
    // On all lanes at once, as a run does.
    const lanes = [model, ...model.extraLanes]
    const answers = yield* Effect.forEach(lanes, (lane) => Stream.runCollect(lane.score(requests)), {
      concurrency: "unbounded",
    })
    const seconds = (performance.now() - started) / 1000
    return answers.flat().reduce((sum, { evaluated }) => sum + evaluated, 0) / seconds
  })

/** One for each of the first items. */
function firstReads(model: TokenModel, cohorts: readonly Cohort[]): readonly ReadRequest[] {
  const requests = new Map<string, ReadRequest>()
  for (const cohort of cohorts.slice(0, LOOKED_AT)) {
    if (requests.size > SAMPLE) break
    const read = firstRead(model, cohort)
    if (read !== undefined && "request" in read.prepared) {
      requests.set(read.prepared.request.key, read.prepared.request)
    }
  }
  return [...requests.values()]
}
