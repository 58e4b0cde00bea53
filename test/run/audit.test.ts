/** The engine's own floor: reads that are taken again when their model has answered everything. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { ReadAnswer, ReadRequest, TokenModel } from "../../runtime/backend/backend.ts"
import { codeOf, explainCode } from "../../runtime/cli/verdict.ts"
import { parsed } from "../../runtime/disk/json.ts"
import { AUDITED } from "../../runtime/run/audit.ts"
import type { RunOutcome } from "../../runtime/run/run.ts"
import { run } from "../../runtime/run/run.ts"
import { contents } from "./contents.ts"
import { request } from "./request.ts"
import { carryOut, goOn, reported, watched } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const ITEMS = 12

interface Line {
  readonly kind: string
  readonly occasion?: string
  readonly key: string
}

const linesOf = (directory: string): readonly Line[] =>
  readFileSync(join(directory, "ledger.jsonl"), "utf8").trim().split("\n").map(parsed) as Line[]

const audits = (directory: string, occasion: string): readonly string[] =>
  linesOf(directory).flatMap((line) =>
    line.kind === "audit" && line.occasion === occasion ? [line.key] : [],
  )

const audited = (directory: string, layer = watched().layer, options: { readonly mode?: "fast" } = {}) =>
  carryOut(directory, { items: ITEMS, audit: AUDITED, ...options }, layer)

/** An engine whose cold answers give the first label so much more. */
const drifting =
  (by: number) =>
  (model: TokenModel): TokenModel => ({
    ...model,
    scoreCold: (reads: readonly ReadRequest[]) =>
      Stream.map(model.scoreCold(reads), (answer): ReadAnswer => {
        const [first = 0, second = 0, ...rest] = answer.probabilities
        return { ...answer, probabilities: [first + by, second - by, ...rest] }
      }),
  })

describe("a run on an engine that agrees with itself", () => {
  const directory = fresh()
  const outcome = audited(directory)

  it("takes a sample of its reads again, cold and repeated, each once", async () => {
    await outcome
    const cold = audits(directory, "cold")
    expect(cold).toHaveLength(AUDITED)
    expect(new Set(cold).size).toBe(AUDITED)
    expect(new Set(audits(directory, "repeated"))).toEqual(new Set(cold))
    const answered = new Set(linesOf(directory).flatMap(({ kind, key }) => (kind === "answer" ? [key] : [])))
    expect(cold.every((key) => answered.has(key))).toBe(true)
  })

  it("reports a floor of 0, and how many reads are near ties", async () => {
    const { report } = await outcome
    expect(report.floors).toEqual([
      {
        model: "respondent",
        cold: AUDITED,
        repeated: AUDITED,
        texts: 0,
        floor: 0,
        flips: 0,
        nearTies: { count: expect.any(Number), of: report.reads.distinct, below: 0.001 },
        tolerance: 0,
        differing: [],
      },
    ])
    for (const name of ["report.md", "report.html"])
      expect(readFileSync(join(directory, name), "utf8")).toContain("every bit is the same")
    expect(readFileSync(join(directory, "results.json"), "utf8")).toContain(
      '"kind":"floor","model":"respondent"',
    )
    expect(codeOf(await outcome)).not.toBe(4)
  })

  it("keeps what the audit cost apart from what the plan counted", async () => {
    await outcome
    const [session] = (parsed(readFileSync(join(directory, "run.json"), "utf8")) as State).sessions
    expect(session?.audited?.reads).toBe(2 * AUDITED)
    expect(session?.audited?.evaluated).toBeGreaterThan(0)
    const plain = fresh()
    await carryOut(plain, { items: ITEMS })
    const [other] = (parsed(readFileSync(join(plain, "run.json"), "utf8")) as State).sessions
    expect(other?.audited).toBeUndefined()
    expect(session?.asked).toBe(other?.asked)
    expect(session?.evaluated).toBe(other?.evaluated)
  })

  it("is reported alike from its ledger alone, and asks nothing again", async () => {
    await outcome
    const before = contents(directory)
    await reported(directory)
    expect(contents(directory)).toEqual(before)
    const again = watched()
    await audited(directory, again.layer)
    expect(again.seen.opened).toBe(0)
    expect(contents(directory)).toEqual(before)
  })

  it("audits the same reads when it is stopped anywhere, in its audit too", async () => {
    await outcome
    const whole = contents(directory)
    const reads = linesOf(directory).length
    for (const after of [1, 17, reads - 2 * AUDITED, reads - AUDITED - 3, reads - 2]) {
      const stopped = fresh()
      const first = await Effect.runPromiseExit(
        run(request(stopped, { items: ITEMS, audit: AUDITED })).pipe(
          Effect.provide(watched(stopping(after)).layer),
        ),
      )
      expect(Exit.isFailure(first), `after ${after} answers`).toBe(true)
      await goOn(stopped, watched().layer, { audit: AUDITED })
      expect(contents(stopped), `stopped after ${after} answers`).toEqual(whole)
    }
  })
})

describe("an audit that finds a difference", () => {
  it("fails in exact mode, with the reads named and both values", async () => {
    const outcome = await audited(fresh(), watched(drifting(1e-7)).layer)
    expect(outcome.report.floors).toMatchObject([{ floor: expect.closeTo(1e-7, 12), flips: 0 }])
    expect(outcome.audits).toHaveLength(AUDITED)
    expect(outcome.audits[0]).toMatch(
      /^item item-\w+ of pool kinds, read [ak]\d, model respondent: p\(\w+\) was [\d.e-]+, and from an empty sequence [\d.e-]+$/,
    )
    expect(codeOf(outcome)).toBe(4)
    const said = complaints(outcome)
    expect(said).toContain(`${AUDITED} reads came out otherwise when they were taken again:`)
    expect(said).toContain(outcome.audits[0])
    expect(said).toContain(`and ${AUDITED - 10} more`)
  })

  it("is let pass in fast mode up to what kernels round, below which it cannot tell two answers apart", async () => {
    const directory = fresh()
    const outcome = await audited(directory, watched(drifting(0.015)).layer, { mode: "fast" })
    expect(outcome.report.floors).toMatchObject([{ floor: expect.closeTo(0.015, 9), tolerance: 0.1 }])
    expect(outcome.audits).toEqual([])
    expect(codeOf(outcome)).not.toBe(4)
    const markdown = readFileSync(join(directory, "report.md"), "utf8")
    expect(markdown).toContain("the largest difference is 0.015 (0.1 is allowed in fast mode)")
    // A near tie is now what the engine cannot tell apart.
    expect(outcome.report.floors[0]?.nearTies.below).toBeCloseTo(0.015, 9)
    const table = readFileSync(join(directory, "trials.csv"), "utf8")
      .split("\r\n")
      .slice(0, -1)
      .map((row) => row.split(","))
    const column = (name: string) => table.slice(1).map((row) => row[(table[0] ?? []).indexOf(name)])
    const gaps = table.slice(1).map((row) => {
      const p = [0, 1, 2, 3]
        .map((at) => Number(row[(table[0] ?? []).indexOf(`a0.p${at}`)]))
        .sort((a, b) => b - a)
      return (p[0] ?? 0) - (p[1] ?? 0)
    })
    expect(column("a0.near_tie")).toEqual(
      gaps.map((gap) => String(gap < (outcome.report.floors[0]?.floor ?? 0))),
    )
  })

  it("fails in fast mode beyond that", async () => {
    const outcome = await audited(fresh(), watched(drifting(0.11)).layer, { mode: "fast" })
    expect(outcome.audits).toHaveLength(AUDITED)
    expect(codeOf(outcome)).toBe(4)
  })

  it("counts answers that became others", async () => {
    const outcome = await audited(fresh(), watched(drifting(1)).layer)
    expect(outcome.report.floors[0]?.flips).toBeGreaterThan(0)
  })

  it("fails an audit whose numbers are none", async () => {
    const outcome = await audited(fresh(), watched(drifting(Number.NaN)).layer, { mode: "fast" })
    expect(codeOf(outcome)).toBe(4)
  })
})

describe("an engine that answers an audit wrongly", () => {
  it.each([
    [
      "leaves a read out",
      (model: TokenModel) => ({ ...model, scoreCold: () => Stream.empty }),
      "left 24 reads",
    ],
    [
      "answers a read twice",
      (model: TokenModel) => ({
        ...model,
        scoreCold: (reads: readonly ReadRequest[]) =>
          Stream.flatMap(model.scoreCold(reads), (one) => Stream.make(one, one)),
      }),
      "answered a read that is not open",
    ],
    ["counts otherwise", (model: TokenModel) => miscounting(model), "for an audit that was counted as"],
  ])("%s: a defect, and no floor", async (_, change, why) => {
    await expect(audited(fresh(), watched(change).layer)).rejects.toThrow(why)
  })
})

/** Counts right while reads are asked, and one token more for an audit. */
const miscounting = (model: TokenModel): TokenModel => {
  let cold = false
  return {
    ...model,
    scoreCold: (reads) => {
      cold = true
      return model.scoreCold(reads)
    },
    count: (reads) => model.count(reads) + (cold ? 1 : 0),
  }
}

interface State {
  readonly sessions: readonly {
    readonly asked: number
    readonly evaluated: number
    readonly audited?: { readonly reads: number; readonly evaluated: number }
  }[]
}

const complaints = (outcome: RunOutcome): string => {
  const said: string[] = []
  explainCode(outcome, { complain: (text) => said.push(text) })
  return said.join("\n")
}

/** Ends the run as a signal does, once so many answers have been given, cold ones included. */
function stopping(after: number) {
  let answers = 0
  const stop = <A, E>(stream: Stream.Stream<A, E>) =>
    Stream.mapEffect(stream, (answer) => (answers++ < after ? Effect.succeed(answer) : Effect.interrupt))
  return (model: TokenModel): TokenModel => ({
    ...model,
    score: (reads) => stop(model.score(reads)),
    scoreCold: (reads) => stop(model.scoreCold(reads)),
  })
}
