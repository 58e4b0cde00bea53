import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { simulatedBackend } from "../../runtime/backend/simulated.ts"
import { readLedger } from "../../runtime/run/readLedger.ts"
import { planOfRun, type RunOutcome, rebuild, run } from "../../runtime/run/run.ts"
import type { RunState } from "../../runtime/run/state.ts"
import { contents } from "./contents.ts"
import { pool, program } from "./fixture.ts"
import { request } from "./request.ts"
import { carryOut, failureOf, goOn, ITEMS, refusing, reported, watched } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let directories = 0
const fresh = (): string => join(folder, `run-${directories++}`)

const text = (directory: string, name: string): string => readFileSync(join(directory, name), "utf8")
const state = (directory: string): RunState => JSON.parse(text(directory, "run.json"))

let whole: string
let outcome: RunOutcome
beforeAll(async () => {
  whole = fresh()
  outcome = await carryOut(whole)
})

describe("a run directory", () => {
  it("holds the spec, the plan, the items, the answers and the report", () => {
    const names = Object.keys(contents(whole))
    expect(names).toEqual(
      expect.arrayContaining([
        "items.jsonl",
        "ledger.jsonl",
        "plan.json",
        "prompts.json",
        "report.html",
        "report.md",
        "results.json",
        "spec/std/words.cfx",
        "spec/study.cfx",
        "trials.csv",
      ]),
    )
    expect(names.filter((name) => name.includes("lock") || name.includes("unfinished"))).toEqual([])
    expect(text(whole, "items.jsonl").split("\n")).toHaveLength(ITEMS + 1)
    expect(text(whole, "trials.csv").trim().split("\n")).toHaveLength(ITEMS * 3 + 1)
  })

  it("counts trials, reads and answers", () => {
    expect(outcome.counts).toEqual({ trials: 18, reads: 54, answered: ITEMS * 5, failed: 0 })
    expect(outcome.session).toMatchObject({ asked: ITEMS * 5 })
    expect(state(whole)).toMatchObject({
      format: 1,
      state: "finished",
      counts: outcome.counts,
      engine: "simulated",
      models: { respondent: { fingerprint: expect.stringContaining("simulated") } },
      sessions: [{ asked: ITEMS * 5, evaluated: outcome.session?.evaluated }],
    })
  })

  it("names paths, times and the machine in run.json only", () => {
    expect(state(whole).models.respondent?.file).toBe("/models/any.gguf")
    expect(state(whole).sources).toEqual({
      "study.cfx": "/home/someone/study.cfx",
      "std/words.cfx": "/lib/words.cfx",
    })
    for (const [name, content] of Object.entries(contents(whole))) {
      if (name.startsWith("spec/")) continue
      for (const secret of [
        "/home/someone",
        "/models/",
        "/pools/",
        folder,
        new Date().toISOString().slice(0, 10),
      ]) {
        expect(content.includes(secret), `${secret} in ${name}`).toBe(false)
      }
    }
  })

  it("keeps a whole prompt of each cell as it was sent", () => {
    const prompts = outcome.report.prompts.filter(({ trial }) => trial === undefined)
    expect(prompts.map(({ levels }) => levels)).toEqual([
      { arm: "reask" },
      { arm: "pressure", framing: "people" },
      { arm: "pressure", framing: "experts" },
    ])
    for (const { item, hole, rendered, tokens } of prompts) {
      expect([item, hole]).toEqual(["item-0", "a1"])
      const words = rendered.map(({ text }) => text).join("")
      expect(words.startsWith("<|im_start|>user\nQuestion:\nWhich of these is item-0?")).toBe(true)
      expect(words.endsWith('{"judgment":"')).toBe(true)
      // In the simulated engine a byte is a token, and so is a control token.
      expect(tokens).toBe(words.replaceAll(/<\|im_(start|end)\|>/g, "#").length)
    }
  })

  it("is byte for byte the same in another place", async () => {
    const other = fresh()
    await carryOut(other)
    expect(contents(other)).toEqual(contents(whole))
  })

  it("does not depend on the order in which the engine answers", async () => {
    const other = fresh()
    await carryOut(other, {}, simulatedBackend({ order: "reversed", sharing: false }))
    expect(contents(other)).toEqual(contents(whole))
  })
})

describe("the same spec into the same directory", () => {
  it("opens no model once all is answered, and gives the same report", async () => {
    const directory = fresh()
    cpSync(whole, directory, { recursive: true })
    rmSync(join(directory, "report.html"))
    const { layer, seen } = watched()
    const again = await carryOut(directory, {}, layer)
    expect(seen.opened).toBe(0)
    expect(again.session).toBeUndefined()
    expect(again.results).toEqual(outcome.results)
    expect(contents(directory)).toEqual(contents(whole))
    expect(state(directory)).toEqual(state(whole))
  })

  it("comes to what a new run would, where only the spec's words about itself have changed", async () => {
    const directory = fresh()
    await carryOut(directory)
    const change = {
      program: { ...program, doc: "Asked in the spring." },
      spec: "/// Asked in the spring.\nexperiment study {}\n",
    }
    const { layer, seen } = watched()
    await carryOut(directory, change, layer)
    expect(seen.asked).toBe(0)
    const anew = fresh()
    await carryOut(anew, change)
    expect(contents(directory)).toEqual(contents(anew))
    await Effect.runPromise(rebuild({ directory, version: "0.1.0", write: true }))
    expect(contents(directory)).toEqual(contents(anew))
  })

  it("keeps the spec as it is now, where only a comment has changed", async () => {
    const directory = fresh()
    await carryOut(directory)
    const { layer, seen } = watched()
    await carryOut(directory, { spec: "experiment study {} // reread\n" }, layer)
    expect(seen.opened).toBe(0)
    expect(text(directory, "spec/study.cfx")).toBe("experiment study {} // reread\n")
  })

  it("asks what the ledger lacks, and no more", async () => {
    const directory = fresh()
    cpSync(whole, directory, { recursive: true })
    const lines = text(directory, "ledger.jsonl").split("\n")
    writeFileSync(join(directory, "ledger.jsonl"), lines.filter((_, index) => index !== 7).join("\n"))
    const { layer, seen } = watched()
    await carryOut(directory, {}, layer)
    expect(seen.asked).toBe(1)
    expect(contents(directory)).toEqual(contents(whole))
    expect(state(directory).sessions).toHaveLength(2)
  })

  it("looks at the model again where its file is another one", async () => {
    const directory = fresh()
    cpSync(whole, directory, { recursive: true })
    const { layer, seen } = watched((model) => ({ ...model, fingerprint: "another file" }))
    const moved = {
      ...program,
      models: program.models.map((model) => ({ ...model, file: "/other/any.gguf" })),
    }
    const failure = await failureOf(carryOut(directory, { program: moved }, layer))
    expect(seen.opened).toBe(1)
    expect(failure.message).toContain("is not the one that answered so far")
  })

  it.each([
    ["other items", { items: ITEMS + 1 }, "the items"],
    [
      "another meaning",
      { program: { ...program, experiments: program.experiments.map((one) => ({ ...one, seed: 8 })) } },
      "what the spec means",
    ],
    ["another mode", { mode: "fast" as const }, "the mode (exact before, fast now)"],
  ])("refuses %s, and changes nothing", async (_, change, difference) => {
    const before = contents(whole)
    const failure = await failureOf(carryOut(whole, change))
    expect(failure.what).toBe(`the folder holds another run; it differs in ${difference}`)
    expect(failure.where).toBe(whole)
    expect(failure.todo).toContain("-o")
    expect(contents(whole)).toEqual(before)
  })

  it("may change everything as long as nothing has been answered", async () => {
    const directory = fresh()
    mkdirSync(directory)
    writeFileSync(join(directory, "run.json"), JSON.stringify({ ...state(whole), state: "running" }))
    expect((await failureOf(carryOut(directory, {}, refusing))).what).toBe("no such model file")
    expect(state(directory).state).toBe("interrupted")
    await carryOut(directory, { items: 2 })
    expect(state(directory)).toMatchObject({ state: "finished", counts: { trials: 6 } })
  })

  it("leaves nothing behind where its model cannot be opened, in a folder that was not there or empty", async () => {
    const missing = fresh()
    expect((await failureOf(carryOut(missing, {}, refusing))).what).toBe("no such model file")
    expect(existsSync(missing)).toBe(false)
    const empty = fresh()
    mkdirSync(empty)
    expect((await failureOf(carryOut(empty, {}, refusing))).what).toBe("no such model file")
    expect(readdirSync(empty)).toEqual([])
  })
})

describe("limits and choices", () => {
  it("takes the first items of each pool with --limit", async () => {
    const directory = fresh()
    const { counts, report } = await carryOut(directory, { limit: 2 })
    expect(counts).toMatchObject({ trials: 6, reads: 18, answered: 10 })
    expect(report).toMatchObject({ limit: 2, pools: [{ count: 2 }] })
    expect((await goOn(directory)).counts).toEqual(counts)
  })

  it("is not said to be cut short by a limit that leaves nothing out", async () => {
    const { report, plan } = await carryOut(fresh(), { limit: 1000 })
    expect(plan.limit).toBe(1000)
    expect(report.limit).toBeUndefined()
  })

  it("keeps which models and pools read other files, and not where those are, for a report that is made later", async () => {
    const directory = fresh()
    const [pool = ""] = program.pools.map(({ name }) => name)
    const { report, plan } = await carryOut(directory, { replaced: { models: ["elsewhere"], items: [pool] } })
    expect(report.replaced).toEqual({ models: [], items: [pool] })
    expect((await reported(directory)).report.replaced).toEqual(report.replaced)
    expect(plan.hash).toBe((await carryOut(fresh(), {})).plan.hash)
  })

  it("takes one experiment with what it needs", async () => {
    const [one] = program.experiments
    if (one === undefined) throw new Error("no experiment")
    const two = { ...program, experiments: [one, { ...one, name: "other", seed: 1 }] }
    const { records, plan } = await carryOut(fresh(), { program: two, experiment: "other" })
    expect(new Set(records.map(({ experiment }) => experiment))).toEqual(new Set(["other"]))
    expect(plan.counts.map(({ experiment }) => experiment)).toEqual(["other"])
  })

  it("keeps which experiment alone was taken of several, for a report that is made later", async () => {
    const [one] = program.experiments
    if (one === undefined) throw new Error("no experiment")
    const two = { ...program, experiments: [one, { ...one, name: "other", seed: 1 }] }
    const directory = fresh()
    const { report } = await carryOut(directory, { program: two, experiment: "other" })
    expect([report.experiment, (await reported(directory)).report.experiment]).toEqual(["other", "other"])
    // Where there is no other, it makes no difference that it is named.
    expect((await carryOut(fresh(), { experiment: one.name })).report.experiment).toBeUndefined()
  })
})

describe("a run that was stopped", () => {
  const stopped = (bytes: number): string => {
    const directory = fresh()
    cpSync(whole, directory, { recursive: true })
    for (const name of ["results.json", "trials.csv", "report.html", "report.md", "prompts.json"]) {
      rmSync(join(directory, name))
    }
    truncateSync(join(directory, "ledger.jsonl"), bytes)
    writeFileSync(join(directory, "run.json"), JSON.stringify({ ...state(whole), state: "running" }))
    return directory
  }

  it("comes to the same bytes wherever its ledger was cut", async () => {
    const { size } = statSync(join(whole, "ledger.jsonl"))
    for (let n = 0; n < 10; n++) {
      const bytes = Math.floor(Math.random() * size)
      const directory = stopped(bytes)
      await goOn(directory)
      expect(contents(directory), `cut at byte ${bytes}`).toEqual(contents(whole))
    }
  })

  it("has a report as far as it came, without a model, and says that it is not complete", async () => {
    const directory = stopped(Math.floor(statSync(join(whole, "ledger.jsonl")).size / 2))
    const before = text(directory, "ledger.jsonl")
    const partial = await Effect.runPromise(rebuild({ directory, version: "0.1.0", write: true }))
    expect(partial.complete).toBe(false)
    expect(partial.records).toHaveLength(18)
    expect(existsSync(join(directory, "report.html"))).toBe(true)
    expect(text(directory, "ledger.jsonl")).toBe(before)
    await goOn(directory)
    expect(contents(directory)).toEqual(contents(whole))
  })

  it("names the place of a damaged line, and goes on once it is removed", async () => {
    const directory = stopped(statSync(join(whole, "ledger.jsonl")).size)
    const lines = text(directory, "ledger.jsonl").split("\n")
    const damaged = lines.with(2, lines[2]?.replace(/"mass":0\.\d/, '"mass":0.0') ?? "")
    writeFileSync(join(directory, "ledger.jsonl"), damaged.join("\n"))
    expect((await failureOf(goOn(directory))).where).toBe(`${join(directory, "ledger.jsonl")}:3`)
    writeFileSync(join(directory, "ledger.jsonl"), damaged.toSpliced(2, 1).join("\n"))
    await goOn(directory)
    expect(contents(directory)).toEqual(contents(whole))
  })

  it("keeps everything answered when it is interrupted, and says so", async () => {
    const directory = fresh()
    let answered = 0
    let stop = (): void => {}
    const { layer } = watched((model) => ({
      ...model,
      score: (reads) =>
        Stream.tap(model.score(reads), () =>
          Effect.suspend(() => {
            if (++answered < 12) return Effect.void
            stop()
            return Effect.never
          }),
        ),
    }))
    const fiber = Effect.runFork(run(request(directory, { items: ITEMS })).pipe(Effect.provide(layer)))
    stop = () => fiber.interruptUnsafe()
    await new Promise((done) => fiber.addObserver(done))
    // The twelfth was held back before it was handed over.
    expect(readLedger(join(directory, "ledger.jsonl")).byKey.size).toBe(11)
    expect(state(directory)).toMatchObject({
      state: "interrupted",
      counts: { answered: 11 },
      sessions: [{ asked: 11 }],
    })
    const rest = watched()
    await goOn(directory, rest.layer)
    expect(rest.seen.asked).toBe(ITEMS * 5 - 11)
    expect(contents(directory)).toEqual(contents(whole))
    expect(state(directory).sessions.map(({ asked }) => asked)).toEqual([11, ITEMS * 5 - 11])
  })
})

describe("folders that will not do", () => {
  it("refuses a folder that holds something else, and leaves it alone", async () => {
    const directory = fresh()
    mkdirSync(directory)
    writeFileSync(join(directory, "thesis.tex"), "precious")
    expect((await failureOf(carryOut(directory))).what).toContain("is not empty and holds no run")
    expect(readdirSync(directory)).toEqual(["thesis.tex"])
  })

  it("takes one that a run left behind before it wrote anything", async () => {
    const directory = fresh()
    mkdirSync(directory)
    writeFileSync(join(directory, "run.json.4711.unfinished"), '{"form')
    mkdirSync(join(directory, "spec/std"), { recursive: true })
    writeFileSync(join(directory, "spec/std/words.cfx.4711.unfinished"), "/// wo")
    writeFileSync(join(directory, "run.json"), JSON.stringify({ ...state(whole), state: "running" }))
    await carryOut(directory)
    expect(contents(directory)).toEqual(contents(whole))
  })

  it("says what is wrong where a file is in the way, or the system allows no folder", async () => {
    const file = join(folder, "a file")
    writeFileSync(file, "")
    expect((await failureOf(carryOut(join(file, "run")))).todo).toContain("-o")
    expect((await failureOf(carryOut(file))).todo).toContain("-o")
    if (existsSync("/proc/self")) {
      expect((await failureOf(carryOut("/proc/run"))).where).toBe("/proc/run")
    }
  })

  it("cannot resume or report what is no run", async () => {
    const directory = fresh()
    expect((await failureOf(goOn(directory))).what).toContain("holds no run")
    const report = rebuild({ directory, version: "0.1.0", write: true })
    expect((await failureOf(Effect.runPromise(report))).what).toContain("holds no run")
    expect(existsSync(directory)).toBe(false)
  })

  it("refuses files of a later format", async () => {
    const directory = fresh()
    cpSync(whole, directory, { recursive: true })
    writeFileSync(join(directory, "run.json"), JSON.stringify({ ...state(whole), format: 2 }))
    expect((await failureOf(goOn(directory))).what).toContain("format 2")
  })

  it("lets one process at a time in", async () => {
    const directory = fresh()
    const slow = watched((model) => ({
      ...model,
      score: (reads) => Stream.tap(model.score(reads), () => Effect.sleep(5)),
    }))
    const first = carryOut(directory, {}, slow.layer)
    const failure = await failureOf(carryOut(directory))
    expect(failure.what).toContain("another cfx writes to this run directory")
    await first
    expect(contents(directory)).toEqual(contents(whole))
  })
})

describe("what resume is given", () => {
  it("knows the engine and the mode of the run", async () => {
    expect(await Effect.runPromise(planOfRun(whole))).toMatchObject({ engine: "simulated", mode: "exact" })
  })

  it("does not read the spec's own folder again", async () => {
    const directory = fresh()
    await carryOut(directory)
    appendFileSync(join(directory, "ledger.jsonl"), "torn")
    const again = await goOn(directory)
    expect(again.results).toEqual(outcome.results)
    expect(pool(ITEMS).get("kinds")).toHaveLength(ITEMS)
  })
})
