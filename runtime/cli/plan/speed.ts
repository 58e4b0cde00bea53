/** How fast a model reads: measured on the plan's own first prompts, for the time that `cfx plan` forecasts. */
import { Effect, Stream } from "effect"
import { askAt, conversationAt } from "../../../compiler/prompt.ts"
import type { Trial } from "../../../compiler/trial.ts"
import { waves } from "../../../compiler/waves.ts"
import type { LoadedModel, ReadRequest } from "../../backend/backend.ts"
import type { EnvironmentFailure } from "../../failure.ts"
import { prepare } from "../../read/prepare.ts"

/** Reads that are asked to see how fast they go, after a first one that only warms up. */
const SAMPLE = 12

/** Tokens a second over the first reads of a few items; undefined where none of them can be asked. */
export const speedOf = (
  model: LoadedModel,
  trials: readonly Trial[],
): Effect.Effect<number | undefined, EnvironmentFailure> =>
  Effect.gen(function* () {
    const [first, ...others] = firstReads(model, trials)
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
function firstReads(model: LoadedModel, trials: readonly Trial[]): readonly ReadRequest[] {
  const requests = new Map<string, ReadRequest>()
  for (const trial of trials) {
    const key = JSON.stringify([trial.pool, trial.item.id])
    if (requests.has(key) || requests.size > SAMPLE) continue
    const hole = waves(trial.experiment.protocol, trial.experiment.target)[0]?.[0]?.name
    if (hole === undefined) continue
    const conversation = conversationAt(trial, hole, {})
    if ("skipped" in conversation) continue
    const prepared = prepare(model, conversation, askAt(trial, hole))
    if ("request" in prepared) requests.set(key, prepared.request)
  }
  return [...new Map([...requests.values()].map((request) => [request.key, request])).values()]
}
