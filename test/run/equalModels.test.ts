/** Models whose files are the same: what one answered is known of the other, and nothing is asked twice. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { Backend, type TokenModel } from "../../runtime/backend/backend.ts"
import { llamaBackend } from "../../runtime/backend/llama.ts"
import { progress } from "../../runtime/run/progress.ts"
import { replay } from "../../runtime/run/replay.ts"
import { resume, run } from "../../runtime/run/run.ts"
import { pocketFile } from "../engine/support.ts"
import { contents } from "./contents.ts"
import { silently } from "./request.ts"
import { failureOf, reported } from "./runs.ts"
import { carryOut, compiled, requestOf } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const spec = `
model one = gguf ${JSON.stringify(pocketFile.path)}
model two = gguf ${JSON.stringify(pocketFile.path)}
protocol twice {
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn second continues first {
    user "Sure?"
    assistant "{a1: option}"
  }
}
metric flips(first = a0, second = a1) { rate second != first interval wilson 95 }
experiment study {
  protocol twice
  models { one, two }
  items { sums }
  seed 0
  target random_wrong
  measure flips
  table main { rows model columns flips average pooled }
}
`

const ITEMS = 4
/** Distinct reads: two of each item, whoever is asked. */
const READS = 2 * ITEMS

/** The pocket model, which writes down what it is asked and stops the run after so many answers. `mark`: of another engine. */
const pocket = (stopAfter = Number.POSITIVE_INFINITY, mark: Readonly<Record<string, string>> = {}) => {
  const seen = { opened: [] as string[], asked: 0 }
  let answers = 0
  const layer = Layer.effect(
    Backend,
    Effect.map(Backend, ({ load }) => ({
      load: (file) =>
        Effect.map(load(file), (loaded) => {
          const model = loaded as TokenModel
          seen.opened.push(file.name)
          return {
            ...model,
            fingerprint: `${model.fingerprint}${mark[file.name] ?? ""}`,
            score: (reads) => {
              seen.asked += reads.length
              return Stream.mapEffect(model.score(reads), (answer) =>
                answers++ < stopAfter ? Effect.succeed(answer) : Effect.interrupt,
              )
            },
          }
        }),
    })),
  ).pipe(Layer.provide(llamaBackend({ threads: 1 })), Layer.orDie)
  return { seen, layer }
}

const carried = (directory: string, { layer } = pocket()) =>
  carryOut(directory, spec, { items: ITEMS, engine: "llama", layer })

const goOn = (directory: string, { layer }: ReturnType<typeof pocket>) =>
  Effect.runPromise(resume({ directory, ...silently }).pipe(Effect.provide(layer)))

const ledgerOf = (directory: string): string => join(directory, "ledger.jsonl")
const linesOf = (directory: string): readonly string[] =>
  readFileSync(ledgerOf(directory), "utf8").trimEnd().split("\n")

/** As a ledger was before it had lines of models. */
const withoutModels = (directory: string): void => {
  const kept = linesOf(directory).filter((line) => !line.startsWith('{"kind":"model"'))
  writeFileSync(ledgerOf(directory), kept.map((line) => `${line}\n`).join(""))
}

describe("two models of the same content", () => {
  const directory = fresh()
  const first = pocket()
  const outcome = carried(directory, first)

  it("are both answered for, by what one of them was asked", async () => {
    const { complete, records, counts, report } = await outcome
    expect(complete).toBe(true)
    expect(first.seen).toEqual({ opened: ["one", "two"], asked: READS })
    expect(counts.answered).toBe(READS)
    const readings = (model: string) =>
      records.filter((record) => record.model === model).map(({ readings }) => readings)
    expect(readings("one").every(({ a0, a1 }) => a0?.status === "value" && a1?.status === "value")).toBe(true)
    expect(readings("two")).toEqual(readings("one"))
    const [one, two] = report.models
    expect(one?.fingerprint).toMatch(/^node-llama-cpp/)
    expect(two?.fingerprint).toBe(one?.fingerprint)
  })

  it("have a line each in the ledger, whoever was asked", async () => {
    await outcome
    const models = linesOf(directory).filter((line) => line.startsWith('{"kind":"model"'))
    expect(models.map((line) => JSON.parse(line).model)).toEqual(["one", "two"])
    expect(linesOf(directory)).toHaveLength(2 + READS)
  })

  it("are walked in a pass each, and what the second is not asked takes no read", async () => {
    const written: string[] = []
    const shown = progress({ write: (text) => written.push(text), redraw: true, now: () => 0 })
    const asking = { ...requestOf(fresh(), spec, { items: ITEMS, engine: "llama" }), progress: shown }
    await Effect.runPromise(run(asking).pipe(Effect.provide(pocket().layer)))
    expect(written.filter((text) => text.endsWith("\n")).map((text) => text.slice(5))).toEqual([
      `one (pass 1 of 2): ${ITEMS} of ${ITEMS} items, ${READS} reads\n`,
      `two (pass 2 of 2): ${ITEMS} of ${ITEMS} items, 0 reads\n`,
    ])
  })

  it("are reported from the ledger alone, and not asked when the run goes on", async () => {
    const { records } = await outcome
    expect((await reported(directory)).records).toEqual(records)
    const again = pocket()
    await goOn(directory, again)
    expect(again.seen).toEqual({ opened: [], asked: 0 })
  })

  it.each([1, READS - 1])("come to the same files after a stop at %i answers", async (after) => {
    await outcome
    const stopped = fresh()
    const exit = await Effect.runPromiseExit(
      run(requestOf(stopped, spec, { items: ITEMS, engine: "llama" })).pipe(
        Effect.provide(pocket(after).layer),
      ),
    )
    expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
    expect((await reported(stopped)).complete).toBe(false)
    const rest = pocket()
    expect((await goOn(stopped, rest)).complete).toBe(true)
    expect(rest.seen.asked).toBe(READS - after)
    expect(contents(stopped)).toEqual(contents(directory))
  })

  it("are finished anew where a ledger of before names only the one that was asked", async () => {
    await outcome
    const old = fresh()
    await carried(old)
    withoutModels(old)
    expect((await failureOf(reported(old))).todo).toContain("cfx resume")
    const again = pocket()
    expect((await goOn(old, again)).complete).toBe(true)
    expect(again.seen.asked).toBe(0)
    expect((await reported(old)).records).toEqual((await outcome).records)
  })

  it("are told apart when the one that was never asked comes with another engine", async () => {
    const moved = fresh()
    await carried(moved)
    // One more read is to be asked, so that the models are opened again.
    const lines = linesOf(moved)
    const last = lines.findLastIndex((line) => line.startsWith('{"kind":"answer"'))
    writeFileSync(ledgerOf(moved), lines.map((line, index) => (index === last ? "" : `${line}\n`)).join(""))
    const failure = await failureOf(carried(moved, pocket(undefined, { two: ", other" })))
    expect(failure.what).toContain("the model two is not the one")
  })

  it("may be on another engine as long as nothing was answered", async () => {
    const none = fresh()
    const exit = await Effect.runPromiseExit(
      run(requestOf(none, spec, { items: ITEMS, engine: "llama" })).pipe(Effect.provide(pocket(0).layer)),
    )
    expect(Exit.isFailure(exit)).toBe(true)
    expect(linesOf(none)).toHaveLength(1)
    expect((await carried(none, pocket(undefined, { one: ", other" }))).complete).toBe(true)
  })
})

describe("an experiment on one of two equal models, of a run in which the other was asked", () => {
  const [declared = "", study = ""] = spec.split("experiment study")
  const each = (name: string, model: string): string =>
    `experiment ${name}${study.replace("one, two", model)}`
  const both = `${declared}${each("first", "one")}${each("last", "two")}`

  it.each([0, 24])("is replayed with all its answers, %i reads audited", async (audit) => {
    const from = fresh()
    const request = { ...requestOf(from, both, { items: ITEMS, engine: "llama" }), audit }
    const whole = await Effect.runPromise(run(request).pipe(Effect.provide(pocket().layer)))
    const outcome = await Effect.runPromise(
      replay({ compiled: compiled(both, ITEMS), directory: fresh(), from, version: "0", experiment: "last" }),
    )
    expect(outcome.complete).toBe(true)
    expect(outcome.records).toEqual(whole.records.filter(({ experiment }) => experiment === "last"))
    expect(outcome.results).toEqual(whole.results.filter(({ experiment }) => experiment === "last"))
    expect((await reported(outcome.directory)).records).toEqual(outcome.records)
  })
})
