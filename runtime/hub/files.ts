/** An engine that is given models by address: their files are fetched before it opens them. */
import { Context, Effect, Layer } from "effect"
import { Backend, type LoadedModel, type ModelFile } from "../backend/backend.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { Obtained } from "./atHand.ts"
import { isFetched, obtain, sumOnce } from "./obtain.ts"
import type { Settings } from "./settings.ts"
import { settled } from "./settled.ts"
import type { Watch } from "./watch.ts"

/** Fetches what an engine is to open; each file once, however often it is opened. */
export const withFiles = <E>(
  engine: Layer.Layer<Backend, E>,
  settings: Settings,
  watch: Watch,
): Layer.Layer<Backend, E> =>
  Layer.effect(
    Backend,
    Effect.gen(function* () {
      const inner = Context.get(yield* Layer.buildWithScope(engine, yield* Effect.scope), Backend)
      const had = new Map<string, Obtained>()
      const found = Effect.fnUntraced(function* (model: ModelFile) {
        const key = JSON.stringify([model.path, model.bytes, model.sha256])
        const known = had.get(key)
        if (known !== undefined) return known
        const obtained = yield* promised((signal) => obtain(model, { settings, watch, signal }))
        had.set(key, obtained)
        return obtained
      })
      /** The sum of a large file on this machine is made here, where it is seen to go on, and remembered; its problems are the engine's to say. */
      const seen = (model: ModelFile): Effect.Effect<void> =>
        Effect.ignore(promised((signal) => sumOnce(model, { settings, watch, signal })))
      return {
        load: (model) => {
          if (model.served !== undefined) return inner.load(model)
          if (!isFetched(model)) return Effect.andThen(seen(model), inner.load(model))
          return Effect.flatMap(found(model), (obtained) =>
            Effect.map(inner.load(opened(model, obtained)), (loaded) => told(loaded, obtained)),
          )
        },
        prepare: (models) =>
          Effect.andThen(
            Effect.forEach(models.filter(isFetched), found, { discard: true }),
            inner.prepare?.(models.filter((model) => !isFetched(model))) ?? Effect.void,
          ),
      }
    }),
  )

const promised = <A>(work: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, EnvironmentFailure> =>
  settled(work).pipe(
    Effect.catch((error) => (error instanceof EnvironmentFailure ? Effect.fail(error) : Effect.die(error))),
  )

const opened = (model: ModelFile, { path, bytes, sha256 }: Obtained): ModelFile => ({
  ...model,
  path,
  bytes,
  sha256,
})

/** For `run.json`: which commit an address was, so that a run is gone on with at the same. */
const told = (loaded: LoadedModel, { path, commit }: Obtained): LoadedModel => ({
  ...loaded,
  facts: { ...loaded.facts, file: path, ...(commit === undefined ? {} : { commit }) },
})
