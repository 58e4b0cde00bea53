import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Target } from "../../compiler/trial.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { wilson } from "../../runtime/statistics/proportion.ts"
import {
  answer,
  BenR,
  binary,
  cell,
  deltaP,
  experimentOf,
  gold,
  HRR,
  invalid,
  level,
  number,
  option,
  programOf,
  reading,
  skipped,
  trial,
} from "./sample.ts"
import { measure } from "./tables.ts"

const push = { arm: "push" }

function results(measures: Parameters<typeof experimentOf>[0], records: readonly TrialRecord[]) {
  return measure(programOf(experimentOf(measures)), records)
}

function one(name: typeof HRR, records: readonly TrialRecord[], by: Record<string, string> = push) {
  const found = results({ measures: [name] }, records).filter(
    (result) => JSON.stringify(result.by) === JSON.stringify(by),
  )
  expect(found).toHaveLength(1)
  return found[0]!
}

describe("a rate", () => {
  // Five items answered rightly at first, of which two move; one answered wrongly at first, which is not HRR's.
  const records = [
    trial("push", "i1", 0, 1),
    trial("push", "i2", 0, 2),
    trial("push", "i3", 0, 0),
    trial("push", "i4", 0, 0),
    trial("push", "i5", 0, 0),
    trial("push", "i6", 1, 1),
  ]

  test("counts what is true among what its condition lets in, by hand: 2 of 5", () => {
    expect(one(HRR, records)).toEqual({
      experiment: "sample",
      kind: "measure",
      name: "HRR",
      by: push,
      n: 5,
      k: 2,
      excluded: { given: 1 },
      estimate: 0.4,
      ...wilson(2, 5, 95),
      level: 95,
      method: "Wilson",
    })
  })

  test("of no trial has no estimate, and says so", () => {
    const result = one(HRR, records, { arm: "reask" })
    expect(result).toEqual({
      experiment: "sample",
      kind: "measure",
      name: "HRR",
      by: { arm: "reask" },
      n: 0,
      excluded: {},
      method: "none: no trial entered",
    })
  })

  test("may have a bootstrap interval", () => {
    const result = one({ ...HRR, interval: { method: "bootstrap", level: 90 } }, records)
    expect(result).toMatchObject({ n: 5, k: 2, estimate: 0.4, level: 90 })
    expect(result.method).toMatch(/^cluster bootstrap by item, 2000 draws/)
  })
})

describe("a trial that does not enter is counted by its reason", () => {
  test("the condition does not hold", () => {
    expect(one(BenR, [trial("push", "i1", 0, 0)]).excluded).toEqual({ given: 1 })
  })

  test("an invalid read, by its name, in the condition or in the value", () => {
    const records = [trial("push", "i1", invalid, skipped), trial("push", "i2", 0, invalid)]
    expect(one(HRR, records).excluded).toEqual({ "invalid a0": 1, "invalid a1": 1 })
  })

  test("an invalid read matters only where the condition lets the trial in", () => {
    expect(one(HRR, [trial("push", "i1", 1, invalid)]).excluded).toEqual({ given: 1 })
  })

  test("a skipped read is never in a denominator", () => {
    const result = one(HRR, [trial("push", "i1", 0, skipped), trial("push", "i2", 0, 1)])
    expect(result).toMatchObject({ n: 1, k: 1, excluded: { "skipped: a0 has no value": 1 } })
  })

  test("a skipped read, by why it was: the target, an invalid read before it, a run that was stopped", () => {
    const whys = [
      "no target: the target is the gold option",
      "no target: the item has no option 9",
      "no target: a00 is invalid: the prompt has 812 tokens and the context 512",
      "a00 is invalid: the prompt has 813 tokens and the context 512",
      "not asked yet",
      "a00 was skipped: not asked yet",
    ]
    const records = whys.map((why, at) => trial("push", `i${at}`, 0, { status: "skipped", why }))
    expect(one(HRR, records).excluded).toEqual({
      "no target: a00 is invalid": 1,
      "no target: the item has no option 9": 1,
      "no target: the target is the gold option": 1,
      "not asked yet": 2,
      "skipped: a00 is invalid": 1,
    })
  })

  test("a read that the record lacks altogether is skipped", () => {
    expect(one(HRR, [trial("push", "i1", 0, 0, { readings: { a0: reading(0) } })]).excluded).toEqual({
      "skipped: this trial's protocol has no such read": 1,
    })
  })

  test("no target", () => {
    const none: Target = { kind: "none", why: "the target is the gold option" }
    const record = trial("push", "i1", 0, 0, { target: none, pushed: none })
    expect(one(deltaP, [record]).excluded).toEqual({
      "no target: the target is the gold option": 1,
    })
    expect(one(HRR, [record])).toMatchObject({ n: 1, excluded: {} })
  })

  test("a placebo target has no probability, and no answer equals it", () => {
    const placebo: Target = { kind: "placebo", label: "E" }
    const record = trial("push", "i1", 0, 1, { target: placebo, pushed: placebo })
    expect(one(deltaP, [record]).excluded).toEqual({ "placebo target has no p": 1 })
    const moved = { ...HRR, name: "moved", value: binary(answer("a1"), "==", { kind: "pushed" } as const) }
    expect(one(moved, [record])).toMatchObject({ n: 1, k: 0, excluded: {} })
  })

  test("a number that is none: a confidence of NaN is not 0", () => {
    const broken = { ...reading(0), probabilities: [Number.NaN, 0, 0, 0], mass: Number.NaN }
    const confident = { ...deltaP, name: "c", value: { kind: "confidence", hole: "a1" } as const }
    expect(one(confident, [trial("push", "i1", 0, broken), trial("push", "i2", 0, 0)])).toMatchObject({
      n: 1,
      estimate: 0.7,
      excluded: { "no value": 1 },
    })
  })

  test("a division by zero has no value", () => {
    const odds = { ...deltaP, name: "o", value: binary(number(1), "/", binary(number(1), "-", number(1))) }
    expect(one(odds, [trial("push", "i1", 0, 0)])).toMatchObject({ n: 0, excluded: { "no value": 1 } })
  })

  test("a factor that the arm lacks", () => {
    const scoped = { ...HRR, name: "s", given: level("framing", "experts") }
    const experiment = {
      measures: [scoped],
      factors: [
        { name: "arm", levels: ["reask", "push"] },
        { name: "framing", levels: ["people", "experts"] },
      ],
      cells: [cell("reask"), cell("push", { framing: "people" }), cell("push", { framing: "experts" })],
    }
    const records = [
      trial("reask", "i1", 0, 0),
      trial("push", "i1", 0, 0, { levels: { arm: "push", framing: "people" } }),
      trial("push", "i1", 0, 1, { levels: { arm: "push", framing: "experts" } }),
    ]
    expect(results(experiment, records).map(({ by, n, excluded }) => [by, n, excluded])).toEqual([
      [{ arm: "reask" }, 0, { "no framing": 1 }],
      [{ arm: "push", framing: "people" }, 0, { given: 1 }],
      [{ arm: "push", framing: "experts" }, 1, {}],
    ])
  })
})

describe("an invalid answer, by the measure's policy", () => {
  const records = [
    trial("push", "i1", 0, invalid),
    trial("push", "i2", 0, 0),
    trial("push", "i3", invalid, invalid),
  ]

  test("exclude: it does not enter", () => {
    expect(one(HRR, records)).toMatchObject({ n: 1, k: 0, excluded: { "invalid a0": 1, "invalid a1": 1 } })
  })

  test("wrong: it is an answer that is no option", () => {
    expect(one({ ...HRR, invalid: "wrong" }, records)).toMatchObject({ n: 2, k: 1, excluded: { given: 1 } })
    expect(one({ ...BenR, invalid: "wrong" }, records)).toMatchObject({ n: 1, k: 0, excluded: { given: 2 } })
  })

  test("wrong: two invalid answers are not the same answer", () => {
    const stayed = {
      ...BenR,
      name: "stayed",
      invalid: "wrong" as const,
      value: binary(answer("a1"), "==", answer("a0")),
    }
    expect(one({ ...stayed, given: binary(answer("a0"), "!=", gold) }, records)).toMatchObject({ n: 1, k: 0 })
  })

  test("wrong: it still has no probability", () => {
    expect(one({ ...deltaP, invalid: "wrong" }, records)).toMatchObject({
      n: 1,
      excluded: { "invalid a0": 1, "invalid a1": 1 },
    })
  })

  test("error: one is enough for no estimate", () => {
    const result = one({ ...HRR, invalid: "error" }, records)
    expect(result.method).toBe("none: 2 trials with an invalid read, which the measure forbids")
    expect(result).not.toHaveProperty("estimate")
    expect(one({ ...HRR, invalid: "error" }, records.slice(1, 2))).toMatchObject({ n: 1, estimate: 0 })
  })
})

describe("a mean", () => {
  test("of probabilities moved onto the pushed option, by hand", () => {
    const records = [
      trial("push", "i1", reading(0, 0.7), reading(1, 0.6)),
      trial("push", "i2", reading(0, 0.4), reading(0, 0.7)),
    ]
    const result = one(deltaP, records)
    // i1: 0.6 - 0.1; i2: 0.1 - 0.2.
    expect(result.estimate).toBeCloseTo(0.2, 12)
    expect(result.n).toBe(2)
    expect(result).not.toHaveProperty("k")
    // Two items: the ends of a bootstrap would be -0.1 and 0.5, the items themselves, whatever they are a sample of.
    expect(result).not.toHaveProperty("low")
    expect(result.method).toBe("no interval, since a bootstrap of 2 items ends at the outermost of them")
  })

  test("over one item has no interval", () => {
    const result = one(deltaP, [trial("push", "i1", 0, 1)])
    expect(result).not.toHaveProperty("low")
    expect(result.method).toBe("no interval, since one item does not vary")
  })
})

describe("trials of one prompt are one observation", () => {
  const doses = ["one", "two", "three"]
  const experiment = {
    factors: [
      { name: "arm", levels: ["push"] },
      { name: "dose", levels: doses },
    ],
    cells: doses.map((dose) => cell("push", { dose })),
    tables: [{ name: "main", rows: ["arm"], columns: ["HRR"], average: "pooled" as const }],
  }
  /** A trial whose second prompt has a name; the first is all trials'. */
  const asked = (dose: string, item: string, first: number, second: number, prompt: string) => ({
    ...trial("push", item, first, second, { levels: { arm: "push", dose } }),
    prompts: { a0: "first", a1: prompt },
  })
  const pooled = (measures: readonly (typeof HRR)[], records: readonly TrialRecord[]) =>
    measures.map(({ name }) => {
      const tables = [{ ...experiment.tables[0]!, columns: [name] }]
      const found = results({ ...experiment, measures, tables }, records).filter(
        (result) => result.name === name && result.by.dose === undefined,
      )
      expect(found).toHaveLength(1)
      return found[0]!
    })

  test("a row over three doses of the same lines is over items, the others counted by their reason", () => {
    const records = ["i1", "i2", "i3", "i4"].flatMap((item, at) =>
      doses.map((dose) => asked(dose, item, at === 3 ? 1 : 0, at === 0 ? 1 : 0, "lines")),
    )
    const [result] = pooled([HRR], records)
    expect(result).toMatchObject({
      n: 3,
      k: 1,
      excluded: { given: 3, "same prompt as another trial": 6 },
      ...wilson(1, 3, 95),
      method: "Wilson",
    })
  })

  test("what differs in its prompt counts, with an interval for trials that share items", () => {
    const records = ["i1", "i2"].flatMap((item, at) => [
      asked("one", item, 0, at, "lines"),
      asked("two", item, 0, at, "lines"),
      asked("three", item, 0, at, "other lines"),
    ])
    const [result] = pooled([HRR], records)
    expect(result).toMatchObject({ n: 4, k: 2, excluded: { "same prompt as another trial": 2 } })
    expect(result!.method).toBe("Wilson over 1.0 effective trials, since trials share items")
    expect(result!.low).toBeLessThan(wilson(2, 4, 95).low)
  })

  test("it is the reads that a measure uses that matter: of the first answer there is one per item", () => {
    const { given: _given, ...first } = { ...HRR, name: "first", value: binary(answer("a0"), "==", gold) }
    const records = ["i1", "i2"].flatMap((item) =>
      doses.map((dose, at) => asked(dose, item, 0, at, `lines of ${dose}`)),
    )
    const [firsts, revisions] = pooled([first, HRR], records)
    expect(firsts).toMatchObject({ n: 2, excluded: { "same prompt as another trial": 4 } })
    expect(revisions).toMatchObject({ n: 6, excluded: {} })
  })

  test("another target is another observation, for a measure that looks at it", () => {
    const record = asked("one", "i1", 0, 1, "lines")
    const records = [record, { ...record, trial: "other target", target: option(2), pushed: option(2) }]
    expect(pooled([deltaP], records)[0]).toMatchObject({ n: 2, excluded: {} })
    expect(pooled([HRR], records)[0]).toMatchObject({ n: 1 })
  })

  test("another level is another observation, for a measure that looks at it", () => {
    const sized = { ...HRR, name: "sized", given: level("dose", "two") }
    const records = doses.map((dose) => asked(dose, "i1", 0, 1, "lines"))
    expect(pooled([sized], records)[0]).toMatchObject({ n: 1, excluded: { given: 2 } })
  })

  test("other models, pools and items never are", () => {
    const record = asked("one", "i1", 0, 1, "lines")
    const others = [{ model: "w" }, { pool: "other" }, { item: "i2" }].map((other, at) => ({
      ...record,
      ...other,
      trial: `other ${at}`,
    }))
    const parts = {
      ...experiment,
      models: ["m", "w"],
      pools: [{ pool: "kinds" }, { pool: "other" }],
      measures: [HRR],
    }
    const all = results(parts, [record, ...others]).find(({ by }) => Object.keys(by).join() === "arm")!
    expect(all).toMatchObject({ n: 4, excluded: {} })
  })

  test("a value without its prompt is an error, not a guess", () => {
    const record = { ...asked("one", "i1", 0, 1, "lines"), prompts: {} }
    expect(() => pooled([HRR], [record])).toThrow("has a value of a1 without its prompt")
  })
})

describe("results", () => {
  const records = ["i1", "i2", "i3", "i4", "i5", "i6"].flatMap((item, at) => [
    trial("reask", item, at % 2, reading(at % 3, 0.4 + at / 17)),
    trial("push", item, at % 2, reading(1, 0.5 + at / 19)),
  ])

  test("stand for each model and pool where there are several, and for rows that a table pools", () => {
    const experiment = {
      models: ["m", "w"],
      measures: [HRR],
      tables: [
        { name: "main", rows: ["arm"], columns: ["HRR"], average: "pooled" as const },
        {
          name: "models",
          rows: ["model"],
          columns: ["HRR"],
          average: "pooled" as const,
          where: level("arm", "push"),
        },
      ],
    }
    const both = [
      ...records,
      ...records.map((record) => ({ ...record, model: "w", trial: `w${record.trial}` })),
    ]
    expect(results(experiment, both).map(({ by, n }) => [by, n])).toEqual([
      [{ model: "m", arm: "reask" }, 3],
      [{ model: "w", arm: "reask" }, 3],
      [{ model: "m", arm: "push" }, 3],
      [{ model: "w", arm: "push" }, 3],
      [{ arm: "reask" }, 6],
      [{ arm: "push" }, 6],
    ])
  })

  test("of a condition on reads carry it in words", () => {
    const where = binary({ kind: "confidence", hole: "a1" }, "<", number(0.6))
    const experiment = {
      tables: [{ name: "unsure", rows: ["arm"], columns: ["HRR"], average: "pooled" as const, where }],
    }
    const conditional = results(experiment, records).filter((result) => result.where !== undefined)
    expect(conditional.map(({ by, where, n, excluded }) => [by, where, n, excluded])).toEqual([
      [{ arm: "reask" }, "a1.confidence < 0.6", 2, { given: 2 }],
      [{ arm: "push" }, "a1.confidence < 0.6", 1, { given: 1 }],
    ])
  })

  test("of the arms that lack a factor name those arms: one key never stands for two sets of trials", () => {
    const framed = ["people", "experts"].map((framing) => ({ arm: "push", framing }))
    const experiment = {
      factors: [
        { name: "arm", levels: ["reask", "length", "push"] },
        { name: "framing", levels: ["people", "experts"] },
      ],
      cells: [cell("reask"), cell("length"), ...framed.map((levels) => cell("push", levels))],
      tables: [
        { name: "framings", rows: ["framing"], columns: ["HRR"], average: "pooled" as const },
        { name: "all", rows: ["pool"], columns: ["HRR"], average: "pooled" as const },
        {
          name: "sure",
          rows: ["framing"],
          columns: ["HRR"],
          average: "pooled" as const,
          where: binary({ kind: "confidence", hole: "a1" }, ">", number(0.5)),
        },
      ],
    }
    const some = ["i1", "i2"].flatMap((item) => [
      trial("reask", item, 0, 0),
      trial("length", item, 0, 0),
      ...framed.map((levels) => trial("push", item, 0, 1, { levels })),
    ])
    const shown = results(experiment, some).map(({ by, where, n, estimate }) => [by, where, n, estimate])
    expect(shown).toContainEqual([{}, "arm == reask or arm == length", 4, 0])
    expect(shown).toContainEqual([{}, undefined, 8, 0.5])
    expect(shown).toContainEqual([{}, "(arm == reask or arm == length) and a1.confidence > 0.5", 4, 0])
    const keys = shown.map(([by, where]) => JSON.stringify([by, where]))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test("do not depend on the order of the records, to the last bit", () => {
    const experiment = { measures: [HRR, BenR, deltaP] }
    const expected = JSON.stringify(results(experiment, records))
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        expect(JSON.stringify(results(experiment, shuffled))).toBe(expected)
      }),
      { numRuns: 10 },
    )
  })

  test("account for every trial: what entered and what was excluded add up", () => {
    const read = fc.oneof(
      fc.integer({ min: 0, max: 3 }).map((index) => reading(index)),
      fc.constantFrom(invalid, skipped),
    )
    const target = fc.oneof(
      fc.integer({ min: 0, max: 3 }).map(option),
      fc.constantFrom<Target>({ kind: "none", why: "none" }, { kind: "placebo", label: "E" }),
    )
    const anyTrial = fc.record({ first: read, second: read, target })
    const policy = fc.constantFrom("exclude" as const, "wrong" as const, "error" as const)
    fc.assert(
      fc.property(fc.array(anyTrial, { maxLength: 30 }), policy, (drawn, invalidPolicy) => {
        const trials = drawn.map((d, at) =>
          trial("push", `i${at}`, d.first, d.second, { target: d.target, pushed: d.target }),
        )
        for (const name of [HRR, BenR, deltaP]) {
          const result = one({ ...name, invalid: invalidPolicy }, trials)
          const excluded = Object.values(result.excluded).reduce((sum, count) => sum + count, 0)
          expect(result.n + excluded).toBe(trials.length)
          if (result.estimate !== undefined) expect(Number.isFinite(result.estimate)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
