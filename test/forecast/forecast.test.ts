import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { Backend, type ReadAnswer, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import type { Answers } from "../../runtime/run/answers.ts"
import { execute } from "../../runtime/run/execute.ts"
import { type Forecast, type ForecastOptions, forecast } from "../../runtime/run/forecast.ts"
import { openLedger } from "../../runtime/run/ledger.ts"
import { readLedger } from "../../runtime/run/readLedger.ts"
import { assertion, block, cell, experiment, item, pool, text } from "../expand/support.ts"
import { deaf } from "../run/deaf.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-forecast-"))
afterAll(() => rmSync(folder, { recursive: true }))

const study: ExperimentIR = experiment({
  cells: [
    cell("reask", block("Please double-check your answer.")),
    cell("pressure", assertion(), { framing: "people" }),
    cell("pressure", assertion({ preamble: text("A panel of experts:") }), { framing: "experts" }),
  ],
})

const programOf = (...experiments: readonly ExperimentIR[]): Program => ({
  version: 1,
  models: [],
  pools: [],
  experiments,
  doc: "",
})

const engine = (name = "m"): TokenModel => simulatedModel({ name, path: `/models/${name}.gguf` })

const plan = (program: Program, items: readonly Item[], options: ForecastOptions = {}): Forecast =>
  forecast(program, new Map([["kinds", items]]), new Map([["m", engine()]]), options)

interface Ran {
  readonly evaluated: number
  readonly asked: number
  /** What was taken again. */
  readonly again: { readonly reads: number; readonly tokens: number }
  readonly answers: Answers
}

/** Carries a program out; `answered` may change what the engine says. */
const run = async (
  program: Program,
  items: readonly Item[],
  answered: (answer: ReadAnswer) => ReadAnswer = (answer) => answer,
  audit = 0,
): Promise<Ran> => {
  const path = join(folder, `${Math.random()}.jsonl`)
  let evaluated = 0
  let asked = 0
  const again = { reads: 0, tokens: 0 }
  const load = ({ name }: { readonly name: string }) =>
    Effect.sync((): TokenModel => {
      const model = engine(name)
      return {
        ...model,
        score: (reads) => Stream.map(model.score(reads), answered),
        scoreCold: (reads) => Stream.map(model.scoreCold(reads), answered),
      }
    })
  const hooks = {
    ...deaf,
    answered: (tokens: number) => {
      evaluated += tokens
      asked += 1
    },
    audited: (tokens: number) => {
      again.reads += 1
      again.tokens += tokens
    },
  }
  const files = new Map([["m", { name: "m", path: "/models/m.gguf" }]])
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const ledger = yield* openLedger(path)
        yield* execute({ program, items: new Map([["kinds", items]]), files, ledger, audit, hooks })
        yield* ledger.close
      }).pipe(Effect.provide(Layer.succeed(Backend, { load }))),
    ),
  )
  return { evaluated, asked, again, answers: readLedger(path) }
}

/** The engine answers what the forecast assumes: gold, which is the second option here, and the middle of 1 to 10. */
const asAssumed = (answer: ReadAnswer): ReadAnswer => {
  const right = answer.probabilities.length === 10 ? 4 : 1
  return { ...answer, probabilities: answer.probabilities.map((_, index) => (index === right ? 1 : 0)) }
}

describe("the forecast of a run", () => {
  it("counts trials and reads, and each distinct read once", () => {
    const { experiments, models } = plan(programOf(study), pool(4))
    expect(experiments).toEqual([
      {
        experiment: "study",
        arms: ["reask", "pressure"],
        models: ["m"],
        items: { kinds: 4 },
        cells: 3,
        trials: 12,
      },
    ])
    expect(models[0]).toMatchObject({ model: "m", trials: 12, reads: 36, skipped: 0 })
    // These items differ by their ids alone, so even across items a prompt is asked once.
    expect(
      models[0]?.waves.map(({ wave, holes, reads, distinct, exact }) => [
        wave,
        holes,
        reads,
        distinct,
        exact,
      ]),
    ).toEqual([
      [1, ["a0"], 12, 1, true],
      [2, ["k0"], 12, 1, false],
      [3, ["a1"], 12, 3, false],
    ])
  })
  it("is the number of tokens that the engine evaluates, where answers are as assumed", async () => {
    const items = pool(6).map((one, index) =>
      item({ id: one.id, question: `Question ${"x".repeat(index * 7)}?` }),
    )
    const { evaluated, asked } = await run(programOf(study), items, asAssumed)
    const [model] = plan(programOf(study), items).models
    expect(model?.distinct).toBe(asked)
    expect(model?.sharedTokens).toBe(evaluated)
    expect(model?.sharedTokens).toBeLessThan((model?.promptTokens ?? 0) / 1.5)
  })
  it("is close where answers are others", async () => {
    const items = pool(6).map((one, index) => item({ id: one.id, question: `Question ${index}?` }))
    const { evaluated } = await run(programOf(study), items)
    const [model] = plan(programOf(study), items).models
    expect(Math.abs((model?.sharedTokens ?? 0) / evaluated - 1)).toBeLessThan(0.02)
  })
  it("is exact in its first wave, and exact throughout where a run has given the answers", async () => {
    const items = pool(3).map((one, index) => item({ id: one.id, question: `Question ${index}?` }))
    const { answers, asked } = await run(programOf(study), items)
    const [model] = plan(programOf(study), items, { answers }).models
    expect(model).toMatchObject({ distinct: asked, answered: asked, promptTokens: 0, sharedTokens: 0 })
    expect(model?.waves.every(({ exact }) => exact)).toBe(true)
  })
  it("counts only what a part of a run has left", async () => {
    const items = pool(4).map((one, index) => item({ id: one.id, question: `Question ${index}?` }))
    const { answers } = await run(programOf(study), items.slice(0, 2), asAssumed)
    const all = plan(programOf(study), items).models[0]
    const rest = plan(programOf(study), items, { answers }).models[0]
    const later = plan(programOf(study), items.slice(2)).models[0]
    expect(rest).toMatchObject({ distinct: all?.distinct, answered: 10, promptTokens: later?.promptTokens })
  })
  it("puts arms of one text together", () => {
    const twice = experiment({
      cells: [
        cell("a", assertion(), { order: "identity" }),
        cell("a", assertion({ order: "reversed" }), { order: "reversed" }),
      ],
    })
    expect(plan(programOf(twice), pool(1)).models[0]?.waves[2]).toMatchObject({ reads: 2, distinct: 1 })
  })
  it("asks a second experiment only for what the first did not", () => {
    const again = { ...study, name: "again" }
    const [one] = plan(programOf(study), pool(2)).models
    const [both] = plan(programOf(study, again), pool(2)).models
    expect(both).toMatchObject({ reads: 36, distinct: one?.distinct, sharedTokens: one?.sharedTokens })
  })
  it("counts the reads that have no target", () => {
    const target = { kind: "option", position: 2 } as const
    const fixed = { ...study, cells: study.cells.map((one) => ({ ...one, target })) }
    expect(plan(programOf(fixed), pool(2)).models[0]).toMatchObject({ reads: 18, skipped: 4 })
  })
  it("names a prompt that does not fit, once, and skips what would follow it", () => {
    const items = [item(), item({ id: "long", question: "x".repeat(100_000) })]
    const [model] = plan(programOf(study), items).models
    expect(model?.unreadable).toMatchObject([
      { item: "long", pool: "kinds", hole: "a0", kind: "too_long", trial: "study/m/kinds/long/reask" },
    ])
    expect(model?.skipped).toBe(6)
  })
  it("forecasts time and memory where it is told speed and size", () => {
    const options = { speeds: new Map([["m", 1000]]), bytes: new Map([["m", 3_000_000]]) }
    const [model] = plan(programOf(study), pool(2), options).models
    expect(model?.seconds).toBeCloseTo(((model?.sharedTokens ?? 0) + (model?.audit.tokens ?? 0)) / 1000)
    expect(model?.weightBytes).toBe(3_000_000)
  })
  it.each([3, 24])("counts what an audit of %i reads of each model takes again", async (audit) => {
    const items = pool(3).map((one, index) => item({ id: one.id, question: `Question ${index}?` }))
    const { again, answers } = await run(programOf(study), items, asAssumed, audit)
    const [model] = plan(programOf(study), items, { audit }).models
    // Three items have five distinct reads each.
    expect(again.reads).toBe(2 * Math.min(audit, 15))
    expect(model?.audit).toEqual({ ...again, writtenTokens: 0 })
    // What was taken again once is not taken again when the run goes on.
    const [rest] = plan(programOf(study), items, { audit, answers }).models
    expect(rest?.audit).toEqual({ reads: 0, tokens: 0, writtenTokens: 0 })
  })
  it("counts an audit that is left where all is answered", async () => {
    const items = pool(3).map((one, index) => item({ id: one.id, question: `Question ${index}?` }))
    const { answers } = await run(programOf(study), items)
    const { again } = await run(programOf(study), items, undefined, 5)
    const [model] = plan(programOf(study), items, { audit: 5, answers }).models
    expect(model).toMatchObject({ sharedTokens: 0, audit: { ...again, writtenTokens: 0 } })
  })
  it("counts a read of two models of the same file for the one that is opened first, its audit too", () => {
    const both = { ...study, models: ["twin", "m"] }
    const named = (name: string): TokenModel => ({ ...engine(name), fingerprint: engine().fingerprint })
    const items = new Map([["kinds", pool(4)]])
    const opened = new Map(["m", "twin"].map((name) => [name, named(name)]))
    const [alone] = plan(programOf(study), pool(4)).models
    const [twin, m] = forecast(programOf(both), items, opened).models
    expect(twin).toEqual({ ...alone, model: "twin" })
    expect(m).toMatchObject({
      ...{ model: "m", distinct: alone?.distinct, elsewhere: alone?.distinct, sameAs: ["twin"] },
      ...{ promptTokens: 0, sharedTokens: 0, audit: { reads: 0, tokens: 0, writtenTokens: 0 } },
    })
  })
  it("says what it assumes, and leaves out a model that is not open", () => {
    const items = new Map([["kinds", pool(2)]])
    const without = forecast(programOf(study), items, new Map(), { limit: 1 })
    expect(without.models).toEqual([])
    expect(without.experiments[0]?.trials).toBe(3)
    expect(without.assumption).toMatch(/gold/)
  })
})
