/** Runs without a model: their answers come from the ledger of another run. */
import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { Backend, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { replay } from "../../runtime/run/replay.ts"
import { type RunOutcome, rebuild } from "../../runtime/run/run.ts"
import { contents } from "./contents.ts"
import { failureOf } from "./runs.ts"
import { carryOut, compiled, doubt, watching } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const spec = ({ user = "Are you sure?", metric = "rate second != first", extra = "" } = {}): string => `
${extra}
${doubt(user)}
metric flips(first = a0, second = a1) { ${metric} interval wilson 95 }
experiment study {
  protocol doubt
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  measure flips
}
`

const replayed = (directory: string, from: string, text: string, items = 4): Promise<RunOutcome> =>
  Effect.runPromise(replay({ compiled: compiled(text, items), directory, from, version: "0.1.0" }))

const whole = fresh()
const original = carryOut(whole, spec())

describe("a model that is declared otherwise", () => {
  const refused = (from: string, to: string) => failureOf(replayed(fresh(), whole, spec().replace(from, to)))

  it.each([
    ["another file", 'gguf "r.gguf"', 'gguf "other.gguf"'],
    ["another template", 'gguf "r.gguf"', 'gguf "r.gguf" { template { enable_thinking false } }'],
    ["a server", 'gguf "r.gguf"', 'server "http://localhost/v1" { name "r" }'],
  ])("%s has given none of the answers", async (_, from, to) => {
    await original
    expect((await refused(from, to)).what).toMatch(/^the model respondent is not declared as it was/)
  })

  it("in a folder of another name, or with more said of it, is the same", async () => {
    await original
    const text = spec().replace('gguf "r.gguf"', 'gguf "models/r.gguf" { family "R" }')
    expect((await replayed(fresh(), whole, text)).complete).toBe(true)
  })
})

/** All but the pages that say whose answers they are. */
const unsaid = (directory: string) =>
  Object.fromEntries(Object.entries(contents(directory)).filter(([name]) => !/^report\./.test(name)))

describe("the same spec", () => {
  it("comes to the same files, byte for byte, but for the report, which says whose answers they are", async () => {
    await original
    const directory = fresh()
    await replayed(directory, whole, spec())
    expect(unsaid(directory)).toEqual(unsaid(whole))
    const { "report.md": page = "" } = contents(directory)
    expect(page).toContain("Replayed: answers are taken from an earlier run")
    expect(page).toContain("--backend replay --from DIR")
    expect(page).not.toContain(whole)
    expect(contents(whole)["report.md"]).not.toContain("Replayed")
    expect(JSON.parse(readFileSync(join(directory, "run.json"), "utf8"))).toMatchObject({ replayed: whole })
  })

  it("has the same report when that is made again without its run", async () => {
    await original
    const directory = fresh()
    const { report } = await replayed(directory, whole, spec())
    const again = await Effect.runPromise(rebuild({ directory, version: "0.1.0", write: false }))
    expect(report.replayed).toBe(true)
    expect(again.report).toEqual(report)
  })

  it("comes to the same when it is replayed into the same folder once more", async () => {
    await original
    const directory = fresh()
    await replayed(directory, whole, spec())
    await replayed(directory, whole, spec())
    expect(unsaid(directory)).toEqual(unsaid(whole))
  })
})

describe("a spec that measures something else", () => {
  it("has the same answers, and its own results", async () => {
    const { records, results } = await original
    const outcome = await replayed(fresh(), whole, spec({ metric: "rate second == first" }))
    expect(outcome.records).toEqual(records)
    const [before] = results
    const [now] = outcome.results
    expect((before?.estimate as number) + (now?.estimate as number)).toBeCloseTo(1, 12)
  })

  it("shows the prompts that were sent, with their words where they stand now", async () => {
    const { report } = await original
    const moved = await replayed(fresh(), whole, spec({ extra: "// a comment\n// and another" }))
    const text = ({ rendered }: (typeof report.prompts)[number]): string =>
      rendered.map((segment) => segment.text).join("")
    expect(moved.report.prompts.map(text)).toEqual(report.prompts.map(text))
    const lines = (prompts: typeof report.prompts): readonly number[] =>
      prompts.flatMap(({ rendered }) =>
        rendered.flatMap(({ from }) => (from.kind === "declaration" ? [from.line] : [])),
      )
    expect(lines(moved.report.prompts)).toEqual(lines(report.prompts).map((line) => line + 1))
  })

  it("may ask about fewer items", async () => {
    await original
    const outcome = await replayed(fresh(), whole, spec(), 3)
    expect(outcome.complete).toBe(true)
    expect(outcome.records).toHaveLength(3)
  })
})

describe("reads that nobody answered", () => {
  it("fail with the first of them and how many there are, and nothing is written", async () => {
    await original
    const directory = fresh()
    const failure = await failureOf(replayed(directory, whole, spec({ user: "Are you quite sure?" })))
    expect(failure.what).toMatch(
      /^\d+ reads are not among the answers that are to be replayed; the first is reply of trial study\/respondent\/sums\//,
    )
    expect(failure.where).toContain(join(whole, "ledger.jsonl"))
    expect(existsSync(directory)).toBe(false)
  })

  it("are those of more items, too", async () => {
    await original
    expect((await failureOf(replayed(fresh(), whole, spec(), 5))).what).toContain("first is a0 of trial")
  })

  it("are all of a model that took no part", async () => {
    await original
    const other = spec().replaceAll("respondent", "another")
    const { what, where } = await failureOf(replayed(fresh(), whole, other))
    expect(what).toContain("trial study/another/")
    expect(where).toContain("with answers of grader, respondent")
  })
})

describe("a folder that holds answers", () => {
  /** A run of the same spec whose model answers as it likes: what it is asked is the same, and so is its engine. */
  const otherwise = async (): Promise<string> => {
    const directory = fresh()
    const { layer } = watching()
    await carryOut(directory, spec(), {
      layer: Layer.effect(Backend, Effect.map(Backend, turned)).pipe(Layer.provide(layer)),
    })
    return directory
  }
  const turned = ({ load }: Backend["Service"]): Backend["Service"] => ({
    load: (file) =>
      Effect.map(load(file), (loaded) => {
        const model = loaded as TokenModel
        return {
          ...model,
          score: (reads) =>
            Stream.map(model.score(reads), (answer) => ({
              ...answer,
              probabilities: answer.probabilities.toReversed(),
            })),
        }
      }),
  })

  it.each(["a run's", "those of a replay"])(
    "%s is refused to another run's answers, and left as it was",
    async (whose) => {
      await original
      const other = await otherwise()
      const directory = fresh()
      if (whose === "a run's") await carryOut(directory, spec())
      else await replayed(directory, whole, spec())
      const before = { files: contents(directory), state: readFileSync(join(directory, "run.json"), "utf8") }
      const failure = await failureOf(replayed(directory, other, spec()))
      expect(failure.what).toBe(
        "the folder holds answers that are not those of the run that is to be replayed",
      )
      expect(failure.where).toContain(join(directory, "ledger.jsonl"))
      expect(failure.where).toContain(join(other, "ledger.jsonl"))
      expect(failure.todo).toContain("-o")
      const now = { files: contents(directory), state: readFileSync(join(directory, "run.json"), "utf8") }
      expect(now).toEqual(before)
    },
  )

  it("is refused where they are of another engine", async () => {
    await original
    const other = fresh()
    await carryOut(other, spec(), {
      layer: Layer.succeed(Backend, {
        load: (file) =>
          Effect.sync(() => ({ ...simulatedModel(file), fingerprint: `another version, ${file.name}` })),
      }),
    })
    const failure = await failureOf(replayed(other, whole, spec()))
    expect(failure.what).toContain("are not those of the run that is to be replayed")
  })

  it("is gone on with where a replay of the same run was interrupted", async () => {
    await original
    const directory = fresh()
    await replayed(directory, whole, spec())
    const ledger = join(directory, "ledger.jsonl")
    truncateSync(ledger, Math.floor(statSync(ledger).size / 2))
    await replayed(directory, whole, spec())
    expect(unsaid(directory)).toEqual(unsaid(whole))
  })
})

describe("what is no run, or another's", () => {
  it("is refused with what to do", async () => {
    expect((await failureOf(replayed(fresh(), fresh(), spec()))).what).toContain("the folder holds no run")
  })

  it("is told that it has no answers where its ledger is gone", async () => {
    await original
    const lost = fresh()
    cpSync(whole, lost, { recursive: true })
    rmSync(join(lost, "ledger.jsonl"))
    expect((await failureOf(replayed(fresh(), lost, spec()))).what).toContain(
      "its ledger is missing or empty",
    )
  })

  it("is not overwritten", async () => {
    await original
    const taken = fresh()
    await carryOut(taken, spec({ user: "Are you quite sure?" }))
    const before = contents(taken)
    expect((await failureOf(replayed(taken, whole, spec()))).what).toContain("the folder holds another run")
    expect(contents(taken)).toEqual(before)
  })
})
