/** The engine as the command line starts it: with the threads that the environment asks for, and not before a model is opened. */
import { availableParallelism } from "node:os"
import { Context, Effect, Layer } from "effect"
import { Backend } from "../backend/backend.ts"
import { byModel } from "../backend/choose.ts"
import { httpBackend } from "../backend/http/http.ts"
import { type LlamaOptions, llamaBackend } from "../backend/llama.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { Mode } from "../run/plan.ts"
import { UsageError } from "./command.ts"
import { fetching, type Says } from "./files.ts"
import type { Terminal } from "./terminal.ts"

/**
 * What the environment says of the engine. More threads than cores are cut, with a remark: a script moves from machine to machine.
 * @throws UsageError when `CFX_THREADS` is no whole number from 1
 */
export function engineOptions(
  { note }: Pick<Terminal, "note">,
  text = process.env.CFX_THREADS,
  cores = availableParallelism(),
): LlamaOptions {
  if (text === undefined || text === "") return {}
  const threads = Number(text)
  if (!/^\d+$/.test(text) || threads < 1) {
    throw new UsageError(
      `CFX_THREADS is ${text}; it may be a whole number from 1 to ${cores} (cores for this process), or be left out`,
    )
  }
  if (threads > cores)
    note(`CFX_THREADS is ${text}, but this process has ${cores} cores: threads are cut to ${cores}`)
  return { threads: Math.min(threads, cores) }
}

/** llama.cpp, which is loaded and started with the first model: a run that has all its answers needs neither. */
export const startedWhenNeeded = (
  engine: Layer.Layer<Backend, EnvironmentFailure>,
): Layer.Layer<Backend, EnvironmentFailure> =>
  Layer.effect(
    Backend,
    Effect.gen(function* () {
      const started = yield* Effect.cached(Layer.buildWithScope(engine, yield* Effect.scope))
      return {
        load: (model) => Effect.flatMap(started, (context) => Context.get(context, Backend).load(model)),
      }
    }),
  )

/** @throws UsageError as `engineOptions` does */
export const llama = (
  terminal: Pick<Terminal, "note"> & Says,
  mode: Mode,
): Layer.Layer<Backend, EnvironmentFailure> =>
  fetching(startedWhenNeeded(llamaBackend({ ...engineOptions(terminal), mode })), terminal)

/**
 * What opens and asks the models of a spec: llama.cpp for files, chat completions for servers. `note` hears of waits for a server.
 * @throws UsageError as `engineOptions` does
 */
export const engines = (
  terminal: Pick<Terminal, "note"> & Says,
  mode: Mode,
  note: (text: string) => void = terminal.note,
): Layer.Layer<Backend, EnvironmentFailure> => byModel(llama(terminal, mode), httpBackend({ note }))
