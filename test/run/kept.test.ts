/** What a run directory keeps, when some of it is lost, damaged or edited. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { simulatedBackend } from "../../runtime/backend/simulated.ts"
import { planOfRun } from "../../runtime/run/run.ts"
import { sealed } from "../../runtime/run/sealed.ts"
import { contents } from "./contents.ts"
import { carryOut, failureOf, goOn, ITEMS, reported, watched } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let directories = 0
let whole: string
beforeAll(async () => {
  whole = join(folder, "whole")
  await carryOut(whole)
})

/** A copy of the whole run in which one file says something else, or is gone. */
const damaged = (name: string, change: (text: string) => string | undefined): string => {
  const directory = join(folder, `run-${directories++}`)
  cpSync(whole, directory, { recursive: true })
  const text = change(readFileSync(join(directory, name), "utf8"))
  if (text === undefined) rmSync(join(directory, name))
  else writeFileSync(join(directory, name), text)
  return directory
}

const text = (directory: string, name: string): string => readFileSync(join(directory, name), "utf8")

/** The spec run again makes it whole, and asks nothing. */
const restores = async (directory: string): Promise<void> => {
  const { seen, layer } = watched()
  await carryOut(directory, {}, layer)
  expect(seen.asked).toBe(0)
  expect(contents(directory)).toEqual(contents(whole))
  expect((await reported(directory)).complete).toBe(true)
}

/** Nobody who reads the directory takes it for sound, and no file of it is written. */
const isRefused = async (directory: string, name: string, what: string): Promise<void> => {
  const before = contents(directory)
  for (const work of [reported, goOn, (of: string) => Effect.runPromise(planOfRun(of))]) {
    const failure = await failureOf(work(directory))
    expect(failure.what).toContain(what)
    expect(failure.where).toBe(join(directory, name))
    expect(failure.todo).toContain("cfx run SPEC -o DIR")
  }
  expect(contents(directory)).toEqual(before)
}

/** A text with each of its JSON values, at any depth, made into something that cannot stand there. */
function* spoilt(value: unknown, place: readonly string[] = []): Generator<readonly [string, unknown]> {
  yield [place.join("."), Array.isArray(value) || typeof value !== "object" ? { other: 1 } : null]
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    for (const [at, other] of spoilt(inner, [...place, key])) {
      const copy = Array.isArray(value) ? [...value] : { ...value }
      ;(copy as Record<string, unknown>)[key] = other
      yield [at, copy]
    }
  }
}

describe("items and spec that were edited", () => {
  it.each([
    ["items.jsonl", (all: string) => all.replace("robin", "wren")],
    ["items.jsonl", (all: string) => all.split("\n").slice(1).join("\n")],
    ["items.jsonl", () => '{"a":1'],
    ["items.jsonl", () => "null\n"],
    ["spec/study.cfx", (all: string) => `${all}// nothing but a comment\n`],
    ["spec/std/words.cfx", () => ""],
  ])("are not taken for what the plan was made from: %s", async (name, change) => {
    const directory = damaged(name, change)
    await isRefused(directory, name, `${name} is not what the plan was made from`)
    await restores(directory)
  })

  it.each(["items.jsonl", "spec/study.cfx", "spec/std/words.cfx"])("or are lost: %s", async (name) => {
    const directory = damaged(name, () => undefined)
    await isRefused(directory, name, `there is no ${name}`)
    await restores(directory)
  })

  it("pass where a tool has given them Windows line breaks", async () => {
    const directory = damaged("items.jsonl", (all) => all.replaceAll("\n", "\r\n"))
    for (const name of ["plan.json", "prompts.json", "spec/study.cfx", "ledger.jsonl"]) {
      writeFileSync(join(directory, name), text(directory, name).replaceAll("\n", "\r\n"))
    }
    expect((await reported(directory)).complete).toBe(true)
    expect(text(directory, "report.md")).toBe(text(whole, "report.md").replace(/\r?\n/g, "\n"))
  })
})

describe("a plan that is damaged", () => {
  it.each(["null", "{}", "[]", '"plan"', "7", "", "{", "\0\0\0"])("is refused: %j", async (other) => {
    const directory = damaged("plan.json", () => other)
    await isRefused(directory, "plan.json", "plan.json is damaged or was edited")
    await restores(directory)
  })

  it("is refused whichever of its values was changed", async () => {
    const directory = damaged("plan.json", (all) => all)
    const spoils = [...spoilt(JSON.parse(text(whole, "plan.json")))]
    expect(spoils.length).toBeGreaterThan(300)
    for (const [place, other] of spoils) {
      writeFileSync(join(directory, "plan.json"), JSON.stringify(other))
      const failure = await failureOf(Effect.runPromise(planOfRun(directory)))
      expect(failure.where, place).toBe(join(directory, "plan.json"))
    }
  })

  it("is refused where another sealed file has taken its place, or that of another run", async () => {
    const exchanged = damaged("plan.json", () => text(whole, "prompts.json"))
    await isRefused(exchanged, "plan.json", "plan.json is damaged or was edited")
    const other = join(folder, "other")
    await carryOut(other, { limit: 2 })
    const foreign = damaged("plan.json", () => text(other, "plan.json"))
    await isRefused(foreign, "plan.json", "not the plan that run.json speaks of")
    await restores(foreign)
  })

  it("is refused where it is of a later format", async () => {
    const { sum: _, ...plan } = JSON.parse(text(whole, "plan.json"))
    const directory = damaged("plan.json", () => sealed("plan.json", { ...plan, format: 2 }))
    await isRefused(directory, "plan.json", "plan.json is of format 2, and this cfx knows format 1")
  })

  it("is refused where it is lost", async () => {
    const directory = damaged("plan.json", () => undefined)
    await isRefused(directory, "plan.json", "there is no plan.json")
    await restores(directory)
  })
})

describe("a run.json that is damaged", () => {
  it.each([
    ["null", "the whole (expected object)"],
    ["[]", "the whole (expected object)"],
    ["{", "it is not JSON"],
    ["", "it is not JSON"],
  ])("is refused: %j", async (other, problem) => {
    const directory = damaged("run.json", () => other)
    await isRefused(directory, "run.json", `run.json is damaged: ${problem}`)
    await restores(directory)
  })

  it("is refused whichever of its values cannot be, with the place of each", async () => {
    const directory = damaged("run.json", (all) => all)
    for (const [place, other] of spoilt(JSON.parse(text(whole, "run.json")))) {
      writeFileSync(join(directory, "run.json"), JSON.stringify(other))
      const failure = await failureOf(reported(directory))
      expect(failure.what).toContain(`run.json is damaged: ${place || "the whole"} (`)
    }
    const two = { ...JSON.parse(text(whole, "run.json")), counts: { trials: "many" }, models: null }
    writeFileSync(join(directory, "run.json"), JSON.stringify(two))
    const { what } = await failureOf(goOn(directory))
    for (const place of ["models", "counts.trials", "counts.reads"]) expect(what).toContain(`${place} (`)
  })

  it("is refused where it lacks a model", async () => {
    const directory = damaged("run.json", (all) => JSON.stringify({ ...JSON.parse(all), models: {} }))
    await isRefused(directory, "run.json", "lacks the model respondent")
    await restores(directory)
  })

  it("is made anew from the plan where it is lost, and no other spec takes its answers", async () => {
    const directory = damaged("run.json", () => undefined)
    await isRefused(directory, "run.json", "there is no run.json")
    expect((await failureOf(carryOut(directory, { items: 3 }))).what).toBe(
      "the folder holds another run; it differs in the items",
    )
    expect(existsSync(join(directory, "run.json"))).toBe(false)
    await restores(directory)
  })

  it("leaves answers that nobody owns, where the plan is damaged too", async () => {
    const directory = damaged("run.json", () => "null")
    writeFileSync(join(directory, "plan.json"), "null")
    const failure = await failureOf(carryOut(directory))
    expect(failure.what).toContain("holds answers, but not whose")
    expect(failure.todo).toContain("-o")
    expect(text(directory, "ledger.jsonl")).toBe(text(whole, "ledger.jsonl"))
  })

  it("does not make a run of a folder whose plan.json is another program's", async () => {
    const directory = join(folder, "floor plans")
    mkdirSync(directory)
    writeFileSync(join(directory, "plan.json"), '{"rooms":3}')
    expect((await failureOf(carryOut(directory))).what).toContain("is not empty and holds no run")
    expect(readdirSync(directory)).toEqual(["plan.json"])
  })
})

describe("prompts that are lost", () => {
  it.each([
    ["gone", () => undefined, "there is no prompts.json"],
    ["null", () => "null", "prompts.json is damaged or was edited"],
    ["cut", (all: string) => all.slice(0, 400), "prompts.json is damaged or was edited"],
    ["edited", (all: string) => all.replace("Experts", "Fools"), "prompts.json is damaged or was edited"],
  ])(
    "are missed in so many words, and made anew by whoever has the model: %s",
    async (_, change, problem) => {
      const directory = damaged("prompts.json", change)
      expect((await reported(directory)).results).toEqual((await reported(whole)).results)
      for (const name of ["report.html", "report.md"]) {
        expect(text(directory, name).replaceAll("\\", "")).toContain(`The prompts were not kept: ${problem}`)
      }
      const { layer, seen } = watched()
      await goOn(directory, layer)
      expect(seen).toEqual({ opened: 1, asked: 0 })
      expect(contents(directory)).toEqual(contents(whole))
      await restores(damaged("prompts.json", change))
    },
  )
})

describe("a ledger that lost answers of a finished run", () => {
  const lines = (all: string): readonly string[] => all.split("\n").slice(0, -1)

  it.each([
    ["emptied", () => "", ITEMS * 5],
    ["deleted", () => undefined, ITEMS * 5],
    [
      "cut",
      (all: string) =>
        lines(all)
          .slice(0, -4)
          .map((line) => `${line}\n`)
          .join(""),
      4,
    ],
  ])(
    "stops the report, which would replace good numbers, and is filled again: %s",
    async (_, change, missing) => {
      const directory = damaged("ledger.jsonl", change)
      const before = contents(directory)
      const failure = await failureOf(reported(directory))
      expect(failure.what).toBe(
        `the run was finished, but its ledger lacks ${missing} of the ${ITEMS * 5} answers that it had`,
      )
      expect(failure.where).toBe(join(directory, "ledger.jsonl"))
      expect(failure.todo).toContain("cfx resume DIR")
      expect(contents(directory)).toEqual(before)
      const { seen, layer } = watched()
      await goOn(directory, layer)
      expect(seen.asked).toBe(missing)
      expect(contents(directory)).toEqual(contents(whole))
    },
  )
})

describe("files that a run had and its spec no longer has", () => {
  it("go from spec/", async () => {
    const directory = join(folder, "shrunk")
    await carryOut(directory, { libraries: { "std/more.cfx": "/// more\n" } })
    expect(statSync(join(directory, "spec/std/more.cfx")).isFile()).toBe(true)
    await carryOut(directory, {}, simulatedBackend())
    expect(contents(directory)).toEqual(contents(whole))
  })
})
