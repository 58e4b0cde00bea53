/** Gives each model of a run its engine: files to one that opens them, models on servers to one that asks them. */
import { Context, Effect, Layer } from "effect"
import type { EnvironmentFailure } from "../failure.ts"
import { Backend, type ModelFile } from "./backend.ts"

const isServed = ({ served }: ModelFile): boolean => served !== undefined

export const byModel = (
  files: Layer.Layer<Backend, EnvironmentFailure>,
  servers: Layer.Layer<Backend, EnvironmentFailure>,
): Layer.Layer<Backend, EnvironmentFailure> =>
  Layer.effect(
    Backend,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const file = Context.get(yield* Layer.buildWithScope(files, scope), Backend)
      const server = Context.get(yield* Layer.buildWithScope(servers, scope), Backend)
      return {
        load: (model) => (isServed(model) ? server : file).load(model),
        // What needs no waiting first: a key that is missing is said before gigabytes are fetched.
        prepare: (models) =>
          Effect.andThen(
            server.prepare?.(models.filter(isServed)) ?? Effect.void,
            file.prepare?.(models.filter((model) => !isServed(model))) ?? Effect.void,
          ),
      }
    }),
  )
