/** Reads without a usable answer: how a run ends, what it says of them, and reads that hold little on their labels. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Program } from "../../compiler/ir.ts"
import type { ReadAnswer, TokenModel } from "../../runtime/backend/backend.ts"
import { codeOf, explainCode } from "../../runtime/cli/verdict.ts"
import { parsed } from "../../runtime/disk/json.ts"
import type { FailedRead } from "../../runtime/run/failedReads.ts"
import { failureKinds } from "../../runtime/run/failureKinds.ts"
import { type RunOutcome, run } from "../../runtime/run/run.ts"
import { experiment, program } from "./fixture.ts"
import { request } from "./request.ts"
import { carryOut, goOn, ITEMS, watched } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

/** Of the first of so many answers, and of every further one, no number. */
const failing =
  (every: number) =>
  (model: TokenModel): TokenModel => {
    let answers = 0
    return {
      ...model,
      score: (reads) =>
        Stream.map(
          model.score(reads),
          (answer): ReadAnswer =>
            answers++ % every === 0
              ? { ...answer, probabilities: [], mass: 0, invalid: `no number in ${answers} answers` }
              : answer,
        ),
    }
  }

const tolerating = (tolerate: number): Program => ({ ...program, experiments: [{ ...experiment, tolerate }] })

const complaints = (outcome: RunOutcome): string => {
  const said: string[] = []
  explainCode(outcome, { complain: (text) => said.push(text) })
  return said.join("\n")
}

describe("a run in which reads fail", () => {
  it("goes on to its end, ends with 4 and names them by kind, with how many and an example", async () => {
    const outcome = await carryOut(fresh(), {}, watched(failing(10)).layer)
    expect(outcome.complete).toBe(true)
    expect(outcome.failed.length).toBeGreaterThan(2)
    expect(codeOf(outcome)).toBe(4)
    const lines = complaints(outcome)
      .split("\n")
      .filter((line) => !line.startsWith("expect "))
    expect(lines).toEqual([
      `${outcome.failed.length} reads have no usable answer:`,
      expect.stringMatching(
        /^ {2}\d+ reads, such as item item-\S+ of pool kinds, read \w+, model respondent: no number in \d+ answers \(\d+ trials?\)$/,
      ),
    ])
  })

  it("has all of them in its report, with their items", async () => {
    const directory = fresh()
    const { failed } = await carryOut(directory, {}, watched(failing(10)).layer)
    const page = readFileSync(join(directory, "report.md"), "utf8")
    for (const { why, item } of failed) {
      const line = page.split("\n").find((one) => one.startsWith("- ") && one.includes(`${why} (`))
      expect(line, why).toContain(item)
    }
  })

  it("ends well where the experiment tolerates as many, and says so all the same", async () => {
    const outcome = await carryOut(fresh(), { program: tolerating(0.5) }, watched(failing(10)).layer)
    expect(outcome.failed.length).toBeGreaterThan(2)
    expect(codeOf(outcome)).not.toBe(4)
    expect(outcome.shares).toMatchObject([{ experiment: "study", tolerate: 0.5 }])
    expect(complaints(outcome)).toMatch(
      /\d+ of \d+ reads of experiment study failed; up to 50% are tolerated: the run counts as whole/,
    )
  })

  it("ends with 4 where it tolerates fewer", async () => {
    const outcome = await carryOut(fresh(), { program: tolerating(0.001) }, watched(failing(10)).layer)
    expect(codeOf(outcome)).toBe(4)
    expect(complaints(outcome)).not.toContain("counts as whole")
  })

  it("tolerates a share of the reads that were taken, and none that was skipped", async () => {
    const { shares, records } = await carryOut(
      fresh(),
      { program: tolerating(0.5) },
      watched(failing(10)).layer,
    )
    const statuses = records.flatMap(({ readings }) => Object.values(readings).map(({ status }) => status))
    expect(statuses).toContain("skipped")
    expect(shares).toEqual([
      {
        experiment: "study",
        failed: statuses.filter((status) => status === "invalid").length,
        of: statuses.filter((status) => status !== "skipped").length,
        tolerate: 0.5,
      },
    ])
  })
})

describe("--fail-fast", () => {
  const stopped = (directory: string, layer = watched(failing(10)).layer) =>
    Effect.runPromise(
      run({ ...request(directory, { items: ITEMS }), failFast: true }).pipe(Effect.provide(layer)),
    )

  it("stops at the first read that fails, keeps what was answered, and ends with 4", async () => {
    const directory = fresh()
    const { seen, layer } = watched(failing(10))
    const outcome = await stopped(directory, layer)
    expect(outcome.stopped?.why).toBe("no number in 1 answers")
    expect(outcome.stopped?.about).toMatch(/^item \S+ of pool kinds, read a0$/)
    expect(codeOf(outcome)).toBe(4)
    expect(outcome.complete).toBe(false)
    const state = parsed(readFileSync(join(directory, "run.json"), "utf8")) as {
      readonly state: string
      readonly counts: { readonly answered: number }
    }
    expect(state.state).toBe("interrupted")
    expect(state.counts.answered).toBe(seen.asked)
    expect(seen.asked).toBeLessThan(ITEMS * 5)
  })

  it("goes on when it is resumed without it, and comes to what a run without it comes to", async () => {
    const directory = fresh()
    await stopped(directory, watched(failing(1000)).layer)
    const resumed = await goOn(directory)
    expect(resumed.complete).toBe(true)
    expect(resumed.failed).toHaveLength(1)
    expect(resumed.records).toEqual((await carryOut(fresh(), {}, watched(failing(1000)).layer)).records)
  })

  it("stops there again while it is asked to", async () => {
    const directory = fresh()
    const first = await stopped(directory, watched(failing(1000)).layer)
    const second = await stopped(directory)
    expect(second.stopped?.about).toBe(first.stopped?.about)
  })

  it("stops before the first read where a prompt cannot be asked", async () => {
    const { seen, layer } = watched((model) => ({ ...model, contextSize: 40 }))
    const outcome = await stopped(fresh(), layer)
    expect(outcome.stopped?.why).toContain("the model's context holds 40")
    expect(seen.asked).toBe(0)
  })

  it("changes nothing where nothing fails", async () => {
    const outcome = await stopped(fresh(), watched().layer)
    expect(outcome.stopped).toBeUndefined()
    expect(outcome.complete).toBe(true)
  })
})

describe("kinds of failures", () => {
  const read = (item: string, why: string): FailedRead => ({
    experiment: "study",
    model: "respondent",
    pool: "kinds",
    item,
    hole: "a0",
    why,
    trials: 3,
  })

  it("put together what differs in numbers and quoted texts alone", () => {
    const long = (tokens: number) => `the prompt takes ${tokens} tokens and its answer 1 more`
    const failed = [
      read("a", long(5000)),
      read("b", 'the label "A" merges with what stands before it'),
      read("c", long(6000)),
      read("d", 'the label "\\"B" merges with what stands before it'),
      read("e", "the engine gave a probability that is not a number"),
    ]
    expect(failureKinds(failed).map(({ example, reads, trials }) => [example.item, reads, trials])).toEqual([
      ["a", 2, 6],
      ["b", 2, 6],
      ["e", 1, 3],
    ])
  })
})

describe("reads that hold little of the probability on their labels", () => {
  const low = (model: TokenModel): TokenModel => ({
    ...model,
    score: (reads) => Stream.map(model.score(reads), (answer) => ({ ...answer, mass: answer.mass - 0.25 })),
  })

  it("are counted by arm and model, and fail nothing", async () => {
    const directory = fresh()
    const outcome = await carryOut(directory, {}, watched(low).layer)
    const masses = (arm: string, hole: string) =>
      outcome.records.flatMap(({ levels, readings }) => {
        const reading = readings[hole]
        return levels.arm === arm && reading?.status === "value" ? [reading.mass] : []
      })
    const expected = ["a0", "k0", "a1"].flatMap((hole) =>
      ["reask", "pressure"].map((arm) => ({
        hole,
        arm,
        count: masses(arm, hole).filter((mass) => mass < 0.5).length,
        of: masses(arm, hole).length,
      })),
    )
    const { lowMass } = outcome.report
    for (const one of expected.filter(({ count }) => count > 0))
      expect(lowMass).toContainEqual({ experiment: "study", model: "respondent", least: 0.5, ...one })
    expect(lowMass).toHaveLength(expected.filter(({ count }) => count > 0).length)
    expect(lowMass.length).toBeGreaterThan(0)
    expect(codeOf(outcome)).not.toBe(4)
    const [first] = lowMass
    expect(readFileSync(join(directory, "report.md"), "utf8").replaceAll("\\", "")).toContain(
      `${first?.hole} of respondent, arm ${first?.arm}: ${first?.count} of ${first?.of} reads hold less than 0.5 of the probability on their labels`,
    )
  })

  it("are held to what their read declares", async () => {
    const [first, ...rest] = experiment.protocol.holes
    const holes = [{ ...first, leastMass: 0.01 } as typeof first & object, ...rest]
    const lenient: Program = {
      ...program,
      experiments: [{ ...experiment, protocol: { ...experiment.protocol, holes } }],
    }
    const { report } = await carryOut(fresh(), { program: lenient }, watched(low).layer)
    expect(report.lowMass.filter(({ hole }) => hole === "a0")).toEqual([])
    expect(report.lowMass.length).toBeGreaterThan(0)
  })

  it("are not there where labels hold enough", async () => {
    const directory = fresh()
    const { report } = await carryOut(directory)
    expect(report.lowMass).toEqual([])
    expect(readFileSync(join(directory, "report.html"), "utf8")).not.toContain("little probability")
  })
})
