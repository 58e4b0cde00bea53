/** Runs of the small spec on the simulated backend, watched and refused. */
import { Effect, Layer } from "effect"
import { Backend, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedBackend, simulatedModel } from "../../runtime/backend/simulated.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { type RunOutcome, rebuild, resume, run } from "../../runtime/run/run.ts"
import { request, silently } from "./request.ts"

export const ITEMS = 6

/** A backend that counts what it is asked, and may be changed. */
export const watched = (change: (model: TokenModel) => TokenModel = (model) => model) => {
  const seen = { opened: 0, asked: 0 }
  const layer = Layer.succeed(Backend, {
    load: (file) =>
      Effect.sync(() => {
        seen.opened++
        const model = change(simulatedModel(file))
        return {
          ...model,
          score: (reads) => {
            seen.asked += reads.length
            return model.score(reads)
          },
        } satisfies TokenModel
      }),
  })
  return { seen, layer }
}

/** A backend whose model is not there. */
export const refusing = Layer.succeed(Backend, {
  load: () => Effect.fail(new EnvironmentFailure({ what: "no such model file", where: "x", todo: "y" })),
})

export const carryOut = (
  directory: string,
  change: Parameters<typeof request>[1] = {},
  layer: Layer.Layer<Backend> = simulatedBackend(),
): Promise<RunOutcome> =>
  Effect.runPromise(run(request(directory, { items: ITEMS, ...change })).pipe(Effect.provide(layer)))

export const goOn = (
  directory: string,
  layer: Layer.Layer<Backend> = simulatedBackend(),
  change: { readonly audit?: number; readonly failFast?: boolean } = {},
): Promise<RunOutcome> =>
  Effect.runPromise(resume({ directory, ...silently, ...change }).pipe(Effect.provide(layer)))

export const failureOf = async (work: Promise<unknown>): Promise<EnvironmentFailure> => {
  try {
    await work
  } catch (cause) {
    if (cause instanceof EnvironmentFailure) return cause
    throw cause
  }
  throw new Error("nothing failed")
}

export const reported = (directory: string): Promise<RunOutcome> =>
  Effect.runPromise(rebuild({ directory, version: "0.1.0", write: true }))
