/** Opens the models of a program, for the commands that look at prompts and ask nothing that is kept. */
import { Effect, type Layer, type Scope } from "effect"
import type { ModelIR } from "../../compiler/ir.ts"
import { Backend, type LoadedModel } from "../backend/backend.ts"
import { modelFileOf } from "../backend/modelOf.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { isFetched } from "../hub/obtain.ts"

/** Opens one model for as long as the scope lasts. */
export const open = (model: ModelIR): Effect.Effect<LoadedModel, EnvironmentFailure, Backend | Scope.Scope> =>
  Effect.gen(function* () {
    const backend = yield* Backend
    return yield* backend.load(modelFileOf(model, model))
  })

/** Does something with each model in turn, one open at a time: together they may not fit into memory. */
export const withEach = <A>(
  models: readonly ModelIR[],
  engine: Layer.Layer<Backend, EnvironmentFailure>,
  use: (loaded: LoadedModel, model: ModelIR) => Effect.Effect<A, EnvironmentFailure>,
): Promise<readonly A[]> =>
  Effect.runPromise(
    Effect.forEach(models, (model) =>
      Effect.scoped(Effect.flatMap(open(model), (loaded) => use(loaded, model))),
    ).pipe(Effect.provide(engine)),
  )

/** Why the files of models that are elsewhere cannot be had, by the model's name; what can be had is fetched. */
export const notFetched = (
  models: readonly ModelIR[],
  engine: Layer.Layer<Backend, EnvironmentFailure>,
): Promise<ReadonlyMap<string, string>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { prepare } = yield* Backend
      const found = new Map<string, string>()
      for (const model of models.map((one) => modelFileOf(one, one)).filter(isFetched)) {
        yield* (prepare?.([model]) ?? Effect.void).pipe(
          Effect.catchTag("EnvironmentFailure", ({ what }) =>
            Effect.sync(() => void found.set(model.name, what)),
          ),
        )
      }
      return found
    }).pipe(Effect.provide(engine)),
  )
