/** Single trials that a report shows: which are drawn, and what is said of each. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { HoleIR, ProtocolIR, TurnIR } from "../../compiler/ir.ts"
import { tablesOf } from "../../runtime/measure/table.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { compared, Drawn, type Move, moveOf } from "../../runtime/report/browse.ts"
import { htmlReport } from "../../runtime/report/html.ts"
import { trialsHtml } from "../../runtime/report/htmlTrials.ts"
import type { PromptSample } from "../../runtime/report/input.ts"
import { trialViews } from "../../runtime/report/trialViews.ts"
import { a0, a1, experimentOf, invalid, k0, reading } from "../measure/sample.ts"
import { inputOf, quickstart } from "./sample.ts"

/** How a text is written. */
const WRITTEN = { max: 10, until: [], temperature: 0, topP: 1, refusal: [] }

describe("trials to look at", () => {
  const offered = fc.uniqueArray(
    fc.record({
      trial: fc.string({ minLength: 1, maxLength: 8 }),
      arm: fc.constantFrom("reask", "pressure"),
      move: fc.constantFrom<Move>("left", "reached", "changed", "held"),
    }),
    { selector: ({ trial }) => trial, maxLength: 60 },
  )
  const drawnOf = (
    trials: readonly { readonly trial: string; readonly arm: string; readonly move: Move }[],
    seed = 7,
  ) => {
    const drawn = new Drawn<string>(seed)
    for (const { trial, arm, move } of trials) drawn.offer(trial, arm, move, () => `made of ${trial}`)
    return drawn
  }
  const ids = (drawn: Drawn<string>) =>
    drawn
      .all()
      .map(({ trial }) => trial)
      .sort()

  test("are the same in whatever order trials are met, and however often each is", () => {
    fc.assert(
      fc.property(offered, fc.func(fc.nat()), (trials, by) => {
        const shuffled = [...trials].sort((a, b) => by(a.trial) - by(b.trial))
        expect(ids(drawnOf([...shuffled, ...trials]))).toEqual(ids(drawnOf(trials)))
      }),
    )
  })

  test("are few of each arm and kind, and as many as there are where there are fewer", () => {
    fc.assert(
      fc.property(offered, (trials) => {
        const drawn = drawnOf(trials)
        for (const arm of ["reask", "pressure"])
          for (const [move, most] of [
            ["left", 2],
            ["reached", 2],
            ["changed", 1],
            ["held", 2],
          ] as const) {
            const there = trials.filter((one) => one.arm === arm && one.move === move).length
            expect(drawn.of(arm, move)).toHaveLength(Math.min(most, there))
          }
      }),
    )
  })

  test("go by the experiment's seed", () => {
    const trials = Array.from({ length: 50 }, (_, at) => ({
      trial: `t${at}`,
      arm: "x",
      move: "held" as const,
    }))
    expect(ids(drawnOf(trials, 1))).not.toEqual(ids(drawnOf(trials, 2)))
  })

  test("are told apart by the first and the last answer among the item's own options", () => {
    const { protocol } = experimentOf({})
    expect(compared({ ...protocol, holes: [a0, k0, a1] })).toEqual([a0, a1])
    expect(compared({ ...protocol, holes: [k0] })).toBeUndefined()
    const move = (before: number | null, after: number | null, gold = 0) =>
      moveOf([a0, a1], (hole) => (hole === "a0" ? before : after), gold)
    expect([move(0, 1), move(1, 0), move(1, 2), move(1, 1), move(0, null)]).toEqual([
      "left",
      "reached",
      "changed",
      "held",
      undefined,
    ])
    expect(moveOf([a0, a0], () => 0, 0)).toBe("right")
    expect(moveOf([a0, a0], () => 1, 0)).toBe("wrong")
    // Where no answer is known to be right.
    expect([move(0, 1, -1), move(1, 1, -1)]).toEqual(["changed", "held"])
    expect(moveOf([a0, a0], () => 1, -1)).toBe("given")
  })

  test("are told apart by what the studied model answers, and not by what another does", () => {
    const turn = (name: string, by?: TurnIR["by"]): TurnIR => ({
      name,
      ...(by === undefined ? {} : { by }),
      user: [],
      assistant: [],
    })
    const other: HoleIR = { name: "b1", turn: "reply", type: "option" }
    const written: HoleIR = { name: "essay", turn: "last", type: "text", ...WRITTEN }
    const found: HoleIR = {
      name: "a2",
      turn: "last",
      type: "extract",
      from: "essay",
      pattern: "A",
      which: "last",
      as: { type: "option" },
    }
    const turns = [turn("first"), turn("second"), turn("last"), turn("reply", { role: "other" })]
    expect(compared({ turns, holes: [a0, a1, other] })).toEqual([a0, a1])
    expect(compared({ turns, holes: [other, a0, other] })).toEqual([a0, a0])
    expect(compared({ turns, holes: [a0, written, found, other] })).toEqual([a0, found])
    // The text that an answer is found in is another model's.
    const byJudge = turns.map((one) => (one.name === "last" ? turn("last", { model: "judge" }) : one))
    expect(compared({ turns: byJudge, holes: [a0, a1, written, found] })).toEqual([a0, a1])
    expect(compared({ turns: byJudge, holes: [other, written, found] })).toBeUndefined()
  })
})

describe("a single trial in the report", () => {
  const input = inputOf()
  const views = trialViews(input, quickstart)

  test("is one of each kind that its arm has, arms in the order of the design", () => {
    expect([...new Set(views.map(({ arm }) => arm))]).toEqual(["reask", "length", "pressure"])
    expect(views.filter(({ arm }) => arm === "pressure").map(({ move }) => move)).toEqual([
      "left",
      "left",
      "held",
      "held",
    ])
  })

  test("has what was read before and after, to the record", () => {
    for (const view of views) {
      const record = input.records.find(({ trial }) => trial === view.trial)!
      expect(view.item).toBe(record.item)
      for (const { hole, answer, probabilities, confidence } of view.reads) {
        const reading = record.readings[hole]!
        if (reading.status !== "value") throw new Error("the sample has values")
        expect(answer).toBe(record.labels[reading.index])
        expect(probabilities).toEqual(reading.probabilities)
        expect(confidence).toBe(Math.max(...reading.probabilities))
      }
      expect([view.before, view.after]).toEqual([view.reads[0]!.answer, view.reads[1]!.answer])
    }
  })

  test("is drawn from those with both answers alone", () => {
    const without = inputOf({
      records: input.records.map((record) => ({
        ...record,
        readings: record.levels.arm === "pressure" ? { ...record.readings, a1: invalid } : record.readings,
      })),
    })
    expect(trialViews(without, quickstart).some(({ arm }) => arm === "pressure")).toBe(false)
  })

  test("is drawn of an experiment that has no arms, too, as of one arm", () => {
    const plain = {
      ...quickstart,
      factors: quickstart.factors.filter(({ name }) => name !== "arm"),
      cells: quickstart.cells.map((cell) => {
        const { arm: _arm, ...levels } = cell.levels
        return { ...cell, arm: "all", levels }
      }),
    }
    const records = input.records.map((record) => {
      const { arm: _arm, ...levels } = record.levels
      return { ...record, levels }
    })
    const own = inputOf({ program: { ...input.program, experiments: [plain] }, records })
    const drawn = trialViews(own, plain)
    expect(drawn.length).toBeGreaterThan(0)
    expect([...new Set(drawn.map(({ arm }) => arm))]).toEqual(["all"])
  })

  /** The quickstart with another protocol, and its records changed. */
  const changed = (change: (record: TrialRecord) => TrialRecord, protocol: Partial<ProtocolIR> = {}) => {
    const experiment = { ...quickstart, protocol: { ...quickstart.protocol, ...protocol } }
    const program = { ...input.program, experiments: [experiment] }
    return { experiment, own: { ...input, program, tables: tablesOf(program, input.records.map(change)) } }
  }
  const sectionOf = (...how: Parameters<typeof changed>): string => {
    const { own, experiment } = changed(...how)
    return trialsHtml(own, experiment)
  }

  test("has labels with blanks in them whole, each beside its own probability", () => {
    const cities = ["New York", "Los Angeles", "San Jose", "St. Louis"]
    const section = sectionOf((record) => ({ ...record, labels: cities, shown: cities }))
    expect(section).toContain("Right answer: New York; pushed: Los Angeles.")
    for (const option of ["New York (right)", "Los Angeles (pushed)", "San Jose", "St. Louis"])
      expect(section).toMatch(new RegExp(`<th[^>]*>${option.replace(/[().]/g, "\\$&")}</th>`))
  })

  test("says only whether an answer changed where none is known to be right", () => {
    const section = sectionOf((record) => ({ ...record, gold: -1 }))
    expect(section).toContain("Right answer: unknown")
    expect(section).toMatch(/A → B, changed</)
    expect(section).toMatch(/A → A, held</)
    expect(section).toContain(": up to one in which the answer changed, and two in which it held.")
    expect(section.replace("Right answer: unknown", "")).not.toMatch(/wrong|right one|the right/)
  })

  test("of one answer says whether it is right, and nothing where that is not known", () => {
    const [first] = quickstart.protocol.holes
    const known = sectionOf((record) => record, { holes: [first!] })
    expect(known).toMatch(/<small>A, right</)
    expect(known).toContain(": up to two in which the answer is right, and two in which it is wrong.")
    const unknown = sectionOf((record) => ({ ...record, gold: -1 }), { holes: [first!] })
    expect(unknown).toMatch(/<small>A<\/small>/)
    expect(unknown).toContain("the seed: up to two. They show")
  })

  test("moves from the first to the last answer of the studied model, whoever else answers behind it", () => {
    const [first, last] = quickstart.protocol.holes
    const { own, experiment } = changed(
      (record) => ({ ...record, readings: { ...record.readings, b1: reading(3, 0.9) } }),
      {
        turns: [
          { name: last!.turn, user: [], assistant: [] },
          { name: "reply", by: { role: "other" }, user: [], assistant: [] },
        ],
        holes: [first!, last!, { name: "b1", turn: "reply", type: "option" }],
      },
    )
    const drawn = trialViews(own, experiment)
    expect(drawn.map(({ trial, move, after }) => [trial, move, after])).toEqual(
      views.map(({ trial, move, after }) => [trial, move, after]),
    )
    expect(drawn[0]!.compared).toEqual(["a0", "a1"])
    expect(drawn[0]!.reads.map(({ hole }) => hole)).toEqual(["a0", "a1", "b1"])
    expect(trialsHtml(own, experiment)).toContain("how far it moved from a0 to a1.")
  })

  const promptOf = (trial: string, text: string): PromptSample => ({
    ...input.prompts[0]!,
    trial,
    rendered: [{ kind: "text", text, from: { kind: "item", field: "question", item: "x" } }],
  })

  test("has its own prompt as it was sent, and no cell's sample becomes one", () => {
    const [view] = views
    const page = htmlReport(
      inputOf({ prompts: [...input.prompts, promptOf(view!.trial, "only this trial")] }),
    )
    const [, section = ""] = page.split('<section id="trials"')
    expect(section.split("</section>")[0]).toContain("only this trial")
    const [, cells = ""] = page.split('<section id="prompts"')
    expect(cells.split("</section>")[0]).not.toContain("only this trial")
  })

  test("is left out, and counted, where the file would grow too large", () => {
    const long = "word ".repeat(30_000)
    const prompts = views.map(({ trial }) => promptOf(trial, long))
    const page = htmlReport(inputOf({ prompts }))
    expect(page.length).toBeLessThan(700_000)
    expect(page).toMatch(/To keep this file small, \d+ more that were drawn are left out\./)
    // Of each arm there is one before there are two of another.
    for (const arm of ["reask", "length"]) expect(page).toContain(`<h3>Arm ${arm}</h3>`)
  })
})
