import { join } from "node:path"
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Item } from "../../compiler/item.ts"
import { Backend, type ReadRequest, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { noAnswers } from "../../runtime/run/answers.ts"
import { execute, type Hooks } from "../../runtime/run/execute.ts"
import { type FailedRead, failedReads } from "../../runtime/run/failedReads.ts"
import { gather } from "../../runtime/run/gather.ts"
import { openLedger } from "../../runtime/run/ledger.ts"
import { readLedger } from "../../runtime/run/readLedger.ts"
import { isComplete, recordsOf } from "../../runtime/run/records.ts"
import { deaf } from "./deaf.ts"
import { block, experiment, item, pool, program } from "./fixture.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let files = 0

interface Seen {
  /** What stood before the engine: each wave's requests, with what was counted for it. */
  readonly waves: { readonly requests: readonly ReadRequest[]; readonly counted: number }[]
  readonly unreadable: { readonly about: string; readonly afterWaves: number }[]
  evaluated: number
  readonly opened: string[]
}

interface Options {
  readonly path?: string
  readonly of?: typeof program
  readonly change?: (model: TokenModel) => TokenModel
}

/** Carries out a program on the simulated engine, and looks over its shoulder. */
async function carryOut(items: ReadonlyMap<string, readonly Item[]>, options: Options = {}) {
  const { path = join(folder, `ledger-${files++}.jsonl`), of = program, change = (model) => model } = options
  const seen: Seen = { waves: [], unreadable: [], evaluated: 0, opened: [] }
  const watched = (model: TokenModel): TokenModel => ({
    ...model,
    score: (requests) => {
      seen.waves.push({ requests, counted: model.count(requests) })
      return model.score(requests)
    },
  })
  const backend = Layer.succeed(Backend, {
    load: (file) =>
      Effect.sync(() => {
        seen.opened.push(file.name)
        return change(watched(simulatedModel(file)))
      }),
  })
  const hooks: Hooks = {
    ...deaf,
    answered: (tokens) => {
      seen.evaluated += tokens
    },
    unreadable: ({ about }) => {
      seen.unreadable.push({ about, afterWaves: seen.waves.length })
    },
  }
  const exit = await Effect.runPromiseExit(
    Effect.scoped(
      Effect.gen(function* () {
        const ledger = yield* openLedger(path)
        const models = new Map(of.models.map(({ name, file }) => [name, { name, path: file }]))
        yield* execute({ program: of, items, files: models, ledger, audit: 0, hooks })
        yield* ledger.close
      }).pipe(Effect.provide(backend)),
    ),
  )
  const records = (): readonly TrialRecord[] => [...recordsOf(of, items, readLedger(path))]
  return { exit, seen, records, path }
}

function failuresIn(records: readonly TrialRecord[]): readonly FailedRead[] {
  const failed = failedReads(program)
  gather(records, [failed])
  return failed.found()
}

describe("carrying out a program", () => {
  it("asks every read of every trial, each distinct one once", async () => {
    const { exit, seen, records } = await carryOut(pool(5))
    expect(exit).toEqual(Exit.void)
    expect(records()).toHaveLength(5 * 3)
    expect(isComplete(records())).toBe(true)
    for (const { readings } of records()) {
      expect(Object.keys(readings)).toEqual(["a0", "k0", "a1"])
      expect(Object.values(readings).map(({ status }) => status)).toEqual(["value", "value", "value"])
    }
    // The first answer and its confidence are shared by the three arms; the second answer is not.
    expect(seen.waves.map(({ requests }) => requests.length)).toEqual(Array(5).fill([1, 1, 3]).flat())
    const keys = seen.waves.flatMap(({ requests }) => requests.map(({ key }) => key))
    expect(new Set(keys).size).toBe(keys.length)
  })

  it("lets the lines push the option that was the best wrong one in the first answer", async () => {
    const { records } = await carryOut(pool(3))
    for (const { readings, target, pushed, gold } of records()) {
      const first = readings.a0
      if (first?.status !== "value" || target.kind !== "option") throw new Error("no first answer")
      const wrong = first.probabilities.filter((_, index) => index !== gold)
      expect(first.probabilities[target.index]).toBe(Math.max(...wrong))
      expect(pushed).toEqual(target)
    }
  })

  it("counts the tokens of each wave before it is sent, and the engine evaluates as many", async () => {
    const { seen } = await carryOut(pool(5))
    expect(seen.evaluated).toBeGreaterThan(0)
    expect(seen.waves.reduce((sum, { counted }) => sum + counted, 0)).toBe(seen.evaluated)
  })

  it("finds the item's prefix still there: later waves cost less than the first", async () => {
    const { seen } = await carryOut(pool(4))
    const [first, second] = seen.waves
    expect(second?.counted).toBeLessThan(first?.counted ?? 0)
  })

  it("asks nothing that the ledger answers", async () => {
    const { path, records } = await carryOut(pool(4))
    const before = records()
    const again = await carryOut(pool(4), { path })
    expect(again.seen.waves).toEqual([])
    expect(again.records()).toEqual(before)
    const more = await carryOut(pool(6), { path })
    expect(more.seen.waves.map(({ requests }) => requests.length)).toEqual([1, 1, 3, 1, 1, 3])
  })

  it("takes two experiments of one item together, and asks what they share once", async () => {
    const twice = { ...program, experiments: [experiment, { ...experiment, name: "again" }] }
    const { seen, records } = await carryOut(pool(2), { of: twice })
    expect(records()).toHaveLength(2 * 2 * 3)
    expect(seen.waves.map(({ requests }) => requests.length)).toEqual([1, 1, 3, 1, 1, 3])
  })

  it("opens one model after the other", async () => {
    const [model] = program.models
    if (model === undefined) throw new Error("no model")
    const two = {
      ...program,
      models: [model, { ...model, name: "second" }],
      experiments: [{ ...experiment, models: ["respondent", "second"] }],
    }
    const { seen, records } = await carryOut(pool(2), { of: two })
    expect(seen.opened).toEqual(["respondent", "second"])
    expect(records().map(({ model }) => model)).toEqual([
      ...Array(6).fill("respondent"),
      ...Array(6).fill("second"),
    ])
    expect(isComplete(records())).toBe(true)
  })

  describe("where two prompts come to the same tokens", () => {
    // A tokenizer that knows no capitals, and two arms that differ by one.
    const change = (model: TokenModel): TokenModel => ({
      ...model,
      vocabulary: {
        ...model.vocabulary,
        tokenize: (text) => model.vocabulary.tokenize(text.toLowerCase()),
      },
    })
    const arms = (...words: readonly string[]): typeof program => ({
      ...program,
      experiments: [{ ...experiment, cells: words.map((text) => block(text, text)) }],
    })

    it("asks one read and remembers both", async () => {
      const { seen, records } = await carryOut(pool(1), { of: arms("Check", "check"), change })
      expect(seen.waves.map(({ requests }) => requests.length)).toEqual([1, 1, 1])
      expect(records()[0]?.readings.a1?.status).toBe("value")
      expect(records()[0]?.readings).toEqual(records()[1]?.readings)
    })

    it("asks nothing for the one that comes later", async () => {
      const { path } = await carryOut(pool(1), { of: arms("Check"), change })
      const { seen, records } = await carryOut(pool(1), { of: arms("Check", "check"), change, path })
      expect(seen.waves).toEqual([])
      expect(records()[0]?.readings).toEqual(records()[1]?.readings)
    })
  })
})

describe("a prompt that does not fit the context", () => {
  const long = (id: string): Item => item(id, "why ".repeat(6000))

  it("is named before the first read is sent, is an invalid read, and the rest goes on", async () => {
    const items = new Map([["kinds", [item("one"), long("endless"), item("two")]]])
    const { exit, seen, records } = await carryOut(items)
    expect(exit).toEqual(Exit.void)
    expect(seen.unreadable).toEqual([{ about: "item endless of pool kinds, read a0", afterWaves: 0 }])
    expect(failuresIn(records())).toEqual([
      {
        experiment: "study",
        model: "respondent",
        pool: "kinds",
        item: "endless",
        hole: "a0",
        trials: 3,
        why: expect.stringMatching(/the prompt takes 24\d{3} tokens .* context holds 16384/),
      },
    ])
    const statuses = (id: string): readonly string[] =>
      records()
        .filter(({ item }) => item === id)
        .flatMap(({ readings }) => Object.values(readings).map(({ status }) => status))
    expect(statuses("one")).toEqual(Array(9).fill("value"))
    expect(statuses("two")).toEqual(Array(9).fill("value"))
    expect(statuses("endless")).toEqual(Array(3).fill(["invalid", "skipped", "skipped"]).flat())
    expect(isComplete(records())).toBe(true)
  })

  it("is found in a later wave before that wave is sent", async () => {
    // The first turn fits; with the question repeated it does not.
    const items = new Map([["kinds", [item("half", "why ".repeat(3000))]]])
    const { seen, records } = await carryOut(items)
    expect(seen.waves).toHaveLength(2)
    expect(seen.unreadable.map(({ afterWaves }) => afterWaves)).toEqual([2, 2, 2])
    expect(failuresIn(records()).map(({ hole, trials }) => [hole, trials])).toEqual([
      // One reason for each length that a prompt has.
      ...new Array(failuresIn(records()).length).fill(["a1", expect.any(Number)]),
    ])
    expect(failuresIn(records()).reduce((sum, { trials }) => sum + trials, 0)).toBe(3)
  })

  it("is not prepared again in a run that continues", async () => {
    const items = new Map([["kinds", [long("endless")]]])
    const { path } = await carryOut(items)
    const again = await carryOut(items, { path })
    expect(again.seen.unreadable).toEqual([])
  })
})

describe("an engine that breaks its contract", () => {
  const defectOf = (exit: Exit.Exit<void, unknown>): string =>
    Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? String(Cause.squash(exit.cause)) : "no defect"

  it("is caught when it evaluates other than what was counted", async () => {
    const { exit } = await carryOut(pool(1), {
      change: (model) => ({ ...model, count: (reads) => model.count(reads) + 1 }),
    })
    expect(defectOf(exit)).toMatch(/evaluated \d+ tokens for a wave of 1 reads that was counted as \d+/)
  })

  it("is caught when it leaves a read unanswered", async () => {
    const { exit } = await carryOut(pool(1), { change: (model) => ({ ...model, score: () => Stream.empty }) })
    expect(defectOf(exit)).toContain("left 1 of 1 reads unanswered")
  })

  it("is caught when it gives numbers that are none", async () => {
    const { exit } = await carryOut(pool(1), {
      change: (model) => ({
        ...model,
        score: (reads) =>
          Stream.map(model.score(reads), (answer) => ({ ...answer, probabilities: [Number.NaN, 0, 0, 1] })),
      }),
    })
    expect(defectOf(exit)).toContain("is no distribution")
  })

  it("may say that a read is invalid: that is recorded, and is no defect", async () => {
    const { exit, records } = await carryOut(pool(1), {
      change: (model) => ({
        ...model,
        score: (reads) => Stream.map(model.score(reads), (answer) => ({ ...answer, invalid: "NaN" })),
      }),
    })
    expect(exit).toEqual(Exit.void)
    expect(failuresIn(records())).toMatchObject([{ hole: "a0", why: "NaN", trials: 3 }])
  })

  it("is refused where another one has answered before", async () => {
    const { path } = await carryOut(pool(1))
    const { exit } = await carryOut(pool(2), {
      path,
      change: (model) => ({ ...model, fingerprint: "another engine" }),
    })
    expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(
      "is not the one that answered so far",
    )
  })
})

describe("records", () => {
  it("have one identity of a read for what the arms share, and another where their prompts differ", async () => {
    const { records } = await carryOut(pool(2))
    for (const item of pool(2).get("kinds")!) {
      const own = records().filter((record) => record.item === item.id)
      const distinct = (hole: string) => new Set(own.map(({ prompts }) => prompts[hole])).size
      expect([distinct("a0"), distinct("k0"), distinct("a1")]).toEqual([1, 1, 3])
    }
  })

  it("have no identity of a read that was never put together", () => {
    const [record] = recordsOf(program, pool(1), noAnswers)
    expect(record?.prompts).toEqual({})
  })

  it("say of what was not asked that it was not", () => {
    const records = [...recordsOf(program, pool(1), noAnswers)]
    expect(records).toHaveLength(3)
    expect(isComplete(records)).toBe(false)
    expect(records[0]?.readings.a0).toEqual({ status: "skipped", why: "not asked yet" })
    expect(records[0]?.target.kind).toBe("none")
  })
})
