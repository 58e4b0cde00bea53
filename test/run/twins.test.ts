/** Whatever the design, a run comes to what its naive twin comes to: record by record on the simulated engine, bit for bit on a real one. */
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import type { ModelFile, TokenModel } from "../../runtime/backend/backend.ts"
import { Backend } from "../../runtime/backend/backend.ts"
import { llamaBackend } from "../../runtime/backend/llama.ts"
import { modelFileOf } from "../../runtime/backend/modelOf.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { type RunOutcome, type RunRequest, run } from "../../runtime/run/run.ts"
import { pocketFile } from "../engine/support.ts"
import { compiledGraph, type Graph, graphOf } from "./graphs.ts"
import { naiveTwin } from "./naiveTwin.ts"
import { silently } from "./request.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0

/** Designs that are tried; `CFX_GRAPHS` asks for more. */
const COUNT = Number(process.env.CFX_GRAPHS ?? 60)
const FIRST = Number(process.env.CFX_GRAPH ?? 0)

const soundGraph = (graph: Graph): RunRequest["compiled"] => {
  const compiled = compiledGraph(graph)
  if ("problem" in compiled) throw new Error(`${compiled.problem}\n${graph.spec}`)
  return compiled
}

const filesOf = ({ program }: RunRequest["compiled"]): readonly ModelFile[] =>
  program.models.map((model) => modelFileOf(model, model))

const carryOut = (
  compiled: RunRequest["compiled"],
  engine: RunRequest["engine"],
  layer: Layer.Layer<Backend, unknown>,
): Promise<RunOutcome> => {
  const request = { compiled, directory: join(folder, `run-${runs++}`), engine, mode: "exact" as const }
  return Effect.runPromise(
    run({ ...request, ...silently }).pipe(Effect.provide(layer)) as Effect.Effect<RunOutcome>,
  )
}

describe("on the simulated engine", () => {
  const tried = { statuses: new Set<string>(), trials: 0 }

  it.each(Array.from({ length: COUNT }, (_, n) => FIRST + n))("design %i", async (seed) => {
    const graph = graphOf(seed, ["a.gguf", "b.gguf", "c.gguf"].slice(0, 1 + (seed % 3)))
    const compiled = soundGraph(graph)
    const lanes = 1 + (seed % 2)
    const layer = Layer.succeed(Backend, {
      load: (file) => Effect.sync(() => simulatedModel(file, { lanes })),
    })
    const { records } = await carryOut(compiled, "simulated", layer)
    const engines = new Map(
      filesOf(compiled).map((file): [string, TokenModel] => [
        file.name,
        simulatedModel(file, { sharing: false, order: "reversed" }),
      ]),
    )
    const twin = await naiveTwin(compiled.program, compiled.items, engines)
    expect(records.length).toBe(twin.size)
    for (const { trial, readings } of records) {
      expect(readings, `${trial} of\n${graph.spec}`).toEqual(twin.get(trial))
      for (const { status } of Object.values(readings)) tried.statuses.add(status)
    }
    tried.trials += records.length
  })

  it("has been through values, texts, answers, gates that were closed and reads that failed", () => {
    if (COUNT < 60) return
    expect([...tried.statuses].sort()).toEqual(expect.arrayContaining(["answer", "skipped", "text", "value"]))
    expect(tried.trials).toBeGreaterThan(500)
  })
})

describe("on the pocket respondent, in exact mode", () => {
  // Texts among them, turns that read them, and two models of one file.
  it.each([6, 9, 11, 13, 51, 65])(
    "design %i, bit for bit",
    async (seed) => {
      const graph = graphOf(
        seed,
        Array.from({ length: 1 + (seed % 2) }, () => pocketFile.path),
      )
      const compiled = soundGraph(graph)
      const { records } = await carryOut(compiled, "llama", llamaBackend())
      const twin = await Effect.runPromise(
        Effect.gen(function* () {
          const backend = yield* Backend
          const engines = new Map<string, TokenModel>()
          for (const file of filesOf(compiled)) {
            const model = yield* backend.load(file)
            if (model.kind === "tokens") engines.set(file.name, model)
          }
          return yield* Effect.promise(() => naiveTwin(compiled.program, compiled.items, engines))
        }).pipe(Effect.scoped, Effect.provide(llamaBackend({ threads: 1 }))),
      )
      expect(records.length).toBe(twin.size)
      for (const { trial, readings } of records)
        expect(readings, `${trial} of\n${graph.spec}`).toEqual(twin.get(trial))
    },
    600_000,
  )
})
