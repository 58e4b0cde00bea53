import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TrialRecord } from "../../runtime/record.ts"
import { newcombePaired } from "../../runtime/statistics/proportion.ts"
import {
  answer,
  binary,
  cell,
  contrastOf,
  deltaP,
  expectOf,
  experimentOf,
  gold,
  HRR,
  invalid,
  programOf,
  reading,
  trial,
} from "./sample.ts"
import { measure } from "./tables.ts"

const push = ["HRR", { arm: "push" }] as const
const reask = ["HRR", { arm: "reask" }] as const

function run(parts: Parameters<typeof experimentOf>[0], records: readonly TrialRecord[]) {
  return measure(programOf(experimentOf(parts)), records).filter(({ kind }) => kind !== "measure")
}

/** Eleven discordant pairs and three that agree; each item's two first answers are right. */
const example = [
  ...Array.from({ length: 9 }, (_, at) => [`p${at}`, 0, 1] as const),
  ...Array.from({ length: 2 }, (_, at) => [`r${at}`, 1, 0] as const),
  ...Array.from({ length: 3 }, (_, at) => [`s${at}`, 1, 1] as const),
].flatMap(([item, reasked, pushed]) => [trial("reask", item, 0, reasked), trial("push", item, 0, pushed)])

describe("a paired contrast", () => {
  test("of rates, by hand: 12 of 14 against 5 of 14, 9 against 2 discordant, p as exact2x2 gives it", () => {
    const [result] = run({ contrasts: [contrastOf(push, reask)] }, example)
    expect(result).toMatchObject({
      kind: "contrast",
      name: "effect",
      by: {},
      taken: "paired",
      n: 14,
      excluded: {},
      level: 95,
      method: "paired by item; Newcombe's score interval for paired proportions; p by exact McNemar",
      discordant: { left: 9, right: 2 },
      ...newcombePaired({ both: 3, left: 9, right: 2, neither: 0 }, 95),
    })
    expect(result!.estimate).toBeCloseTo(7 / 14, 12)
    expect(result!.sides!.left).toBeCloseTo(12 / 14, 12)
    expect(result!.sides!.right).toBeCloseTo(5 / 14, 12)
    expect(result!.p).toBeCloseTo(0.06543, 5)
  })

  test("of rates whose measure asks for a bootstrap has one", () => {
    const measures = [{ ...HRR, interval: { method: "bootstrap" as const, level: 90 } }]
    const [result] = run({ measures, contrasts: [contrastOf(push, reask)] }, example)
    expect(result!.method).toBe("paired by item; cluster bootstrap by item, 2000 draws; p by exact McNemar")
    expect(result!.low).toBeLessThan(0.5)
    expect(result!.high).toBeGreaterThan(0.5)
  })

  test("in which every pair differs still has a width, by hand: 6 of 6 against 0 of 6", () => {
    const records = ["i1", "i2", "i3", "i4", "i5", "i6"].flatMap((item) => [
      trial("reask", item, 0, 0),
      trial("push", item, 0, 1),
    ])
    const [result] = run({ contrasts: [contrastOf(push, reask)] }, records)
    expect(result).toMatchObject({ n: 6, estimate: 1, high: 1 })
    expect(result!.p).toBeCloseTo(0.03125, 12)
    // 1 less the root of twice the square of Wilson's distance z^2 / (6 + z^2) = 0.3903.
    expect(result!.low).toBeCloseTo(1 - Math.SQRT2 * (3.841459 / 9.841459), 5)
  })

  test("takes the pairs in which both sides' conditions hold, and counts the others by their reason", () => {
    const records = [
      trial("reask", "both", 0, 0),
      trial("push", "both", 0, 1),
      trial("reask", "wrong at first", 1, 0),
      trial("push", "wrong at first", 1, 1),
      trial("reask", "broken", 0, 0),
      trial("push", "broken", 0, invalid),
      trial("push", "alone", 0, 1),
    ]
    const [result] = run({ contrasts: [contrastOf(push, reask)] }, records)
    expect(result).toMatchObject({ n: 1, estimate: 1, excluded: { given: 1, "invalid a1": 1, unpaired: 1 } })
  })

  test("never pairs items of different pools or models", () => {
    const records = [
      trial("reask", "i1", 0, 0, { pool: "kinds" }),
      trial("push", "i1", 0, 1, { pool: "other" }),
      trial("push", "i1", 0, 1, { model: "w" }),
    ]
    const [result] = run({ contrasts: [contrastOf(push, reask)] }, records)
    expect(result).toMatchObject({ n: 0, excluded: { unpaired: 3 }, method: "none: no pair entered" })
  })

  test("of several models is as uncertain as over their items alone, and says why McNemar's test is none for them", () => {
    const both = [
      ...example,
      ...example.map((record) => ({ ...record, model: "w", trial: `w${record.trial}` })),
    ]
    const [result] = run({ models: ["m", "w"], contrasts: [contrastOf(push, reask)] }, both)
    const measures = [{ ...HRR, interval: { method: "bootstrap" as const, level: 95 } }]
    const [alone] = run({ measures, contrasts: [contrastOf(push, reask)] }, example)
    expect(result).toMatchObject({ n: 28, estimate: alone!.estimate, low: alone!.low, high: alone!.high })
    // R: t.test of 9 differences of 1, 2 of -1 and 3 of 0 (each twice, so that nothing changes).
    expect(result!.p).toBeCloseTo(0.028504434587946974, 12)
    expect(result!.method).toBe(
      "paired by item; cluster bootstrap by item, 2000 draws; p by Student's t over items, since several pairs share an item, and McNemar's test takes one",
    )
  })

  test("of several models whose pairs are all alike has no interval, and says why: no width is not certainty", () => {
    const records = ["i1", "i2", "i3", "i4"].flatMap((item) =>
      ["m", "w"].flatMap((model) => [
        trial("reask", item, 0, 0, { model }),
        trial("push", item, 0, 1, { model }),
      ]),
    )
    const expects = [expectOf({}), expectOf({ of: "low" })]
    const parts = { models: ["m", "w"], contrasts: [contrastOf(push, reask)], expects }
    const [result, onEstimate, onLow] = run(parts, records)
    expect(result).toMatchObject({ n: 8, estimate: 1 })
    expect(result).not.toHaveProperty("low")
    expect(result!.method).toContain(
      "no interval, since all 2000 draws of a cluster bootstrap by item are equal",
    )
    expect(onEstimate!.held).toBe(true)
    expect(onLow).not.toHaveProperty("held")
  })

  test("of a measure that only looks at what both sides share compares nothing, and says so", () => {
    const first = { ...HRR, name: "first", value: binary(answer("a0"), "==", gold) }
    const { given: _given, ...unconditional } = first
    const contrast = contrastOf(["first", { arm: "push" }], ["first", { arm: "reask" }])
    const [result] = run({ measures: [unconditional], contrasts: [contrast] }, example)
    expect(result).toMatchObject({ n: 14, estimate: 0 })
    expect(result!.method).toBe("paired by item; no interval and no p, since both sides are the same prompts")
    for (const key of ["low", "high", "p"]) expect(result).not.toHaveProperty(key)
  })

  test("says in how many pairs both sides are the same prompt", () => {
    const records = example.map((record) => {
      const shared = record.item.startsWith("s") ? "shared" : record.prompts.a1!
      return { ...record, prompts: { a0: "first", a1: shared } }
    })
    const [result] = run({ contrasts: [contrastOf(push, reask)] }, records)
    expect(result!.method).toContain("p by exact McNemar; in 3 of the pairs both sides are the same prompt")
  })

  test("takes trials of a side that are one prompt as one: with three doses of identical lines, single trials are left", () => {
    const doses = ["one", "two", "three"]
    const cells = [cell("reask"), ...doses.map((dose) => cell("push", { dose }))]
    const factors = [
      { name: "arm", levels: ["reask", "push"] },
      { name: "dose", levels: doses },
    ]
    const records = example.flatMap((record) =>
      record.levels.arm === "reask"
        ? [record]
        : doses.map((dose) => ({
            ...record,
            trial: `${record.trial}${dose}`,
            levels: { arm: "push", dose },
          })),
    )
    const [result] = run({ cells, factors, contrasts: [contrastOf(push, reask)] }, records)
    const [single] = run({ contrasts: [contrastOf(push, reask)] }, example)
    expect(result).toMatchObject({ n: 14, p: single!.p, low: single!.low, discordant: { left: 9, right: 2 } })
    expect(result!.method).toContain("trials of one side, item and prompt count once, which leaves out 28")
  })

  test("of a side with several trials of an item takes their mean", () => {
    const framing = (name: string) => ({ arm: "push", framing: name })
    const experiment = {
      factors: [
        { name: "arm", levels: ["reask", "push"] },
        { name: "framing", levels: ["people", "experts"] },
      ],
      cells: [cell("reask"), cell("push", { framing: "people" }), cell("push", { framing: "experts" })],
      contrasts: [contrastOf(push, reask)],
    }
    const records = ["i1", "i2"].flatMap((item, at) => [
      trial("reask", item, 0, 0),
      trial("push", item, 0, 1, { levels: framing("people") }),
      trial("push", item, 0, at, { levels: framing("experts") }),
    ])
    const [result] = run(experiment, records)
    expect(result).toMatchObject({ n: 2, estimate: 0.75 })
    expect(result!.p).toBeCloseTo((2 / Math.PI) * Math.atan(1 / 3), 12)
    expect(result!.method).toContain(
      "p by Student's t over items, since a side has several trials of an item",
    )
  })

  test("of means that all differ alike has neither an interval nor a p", () => {
    const contrast = contrastOf(["delta_p_pushed", { arm: "push" }], ["delta_p_pushed", { arm: "reask" }])
    const records = ["i1", "i2", "i3"].flatMap((item) => [
      trial("reask", item, 0, reading(0, 0.7)),
      trial("push", item, 0, reading(1, 0.6)),
    ])
    const [result] = run({ measures: [deltaP], contrasts: [contrast] }, records)
    expect(result!.estimate).toBeCloseTo(0.5, 12)
    expect(result).not.toHaveProperty("p")
    expect(result).not.toHaveProperty("discordant")
    expect(result!.method).toContain("no p, since all items differ alike")
  })

  test("changes its sign when its sides change places", () => {
    const outcome = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 }))
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 2, maxLength: 20 }), (drawn) => {
        const records = drawn.flatMap(([r, p], at) => [
          trial("reask", `i${at}`, 0, r),
          trial("push", `i${at}`, 0, p),
        ])
        const [there] = run({ contrasts: [contrastOf(push, reask)] }, records)
        const [back] = run({ contrasts: [contrastOf(reask, push)] }, records)
        expect(there!.estimate! + back!.estimate!).toBeCloseTo(0, 12)
        expect(there!.low! + back!.high!).toBeCloseTo(0, 9)
        expect(there!.p).toBe(back!.p)
      }),
      { numRuns: 15 },
    )
  })
})

describe("a pooled contrast", () => {
  test("is the difference of the sides over their own trials, paired or not", () => {
    const records = [...example, trial("push", "alone", 0, 1), trial("push", "skipped", 1, 1)]
    const [result] = run({ contrasts: [contrastOf(push, reask, ["pooled"])] }, records)
    expect(result).toMatchObject({ n: 29, excluded: { given: 1 } })
    expect(result!.estimate).toBeCloseTo(13 / 15 - 5 / 14, 12)
    expect(result!.method).toBe(
      "pooled over trials; cluster bootstrap by item, 2000 draws; no p, since trials of an item are no independent tests",
    )
    expect(result).not.toHaveProperty("p")
  })

  test("counts trials of a side that are one prompt once, and those left out by their reason", () => {
    const again = example.map((record) => ({ ...record, trial: `${record.trial}again` }))
    const [once] = run({ contrasts: [contrastOf(push, reask, ["pooled"])] }, example)
    const [twice] = run({ contrasts: [contrastOf(push, reask, ["pooled"])] }, [...example, ...again])
    expect(twice).toEqual({ ...once, excluded: { "same prompt as another trial": 28 } })
  })

  test("of complete pairs has the paired estimate", () => {
    const [paired, pooled] = run({ contrasts: [contrastOf(push, reask, ["paired", "pooled"])] }, example)
    expect(pooled!.estimate).toBeCloseTo(paired!.estimate!, 12)
    expect(pooled!.n).toBe(2 * paired!.n)
    // All else that names a result is the same in both.
    expect([paired!.taken, pooled!.taken]).toEqual(["paired", "pooled"])
  })

  test.each(["pooled", "two_sample", { cells: ["model"] }] as const)(
    "whose sides share some trials is refused, with how many: %j",
    (by) => {
      const all = ["HRR", {}] as const
      const [result] = run({ contrasts: [contrastOf(all, push, [by])] }, example)
      expect(result!.method).toMatch(/^none: 14 trials are on both sides/)
      expect(result).not.toHaveProperty("estimate")
    },
  )

  test("of two measures of the same trials is not: each is taken of them", () => {
    const measures = [HRR, { ...HRR, name: "other" }]
    const [result] = run(
      { measures, contrasts: [contrastOf(["HRR", {}], ["other", { arm: "push" }], ["pooled"])] },
      example,
    )
    expect(result).toHaveProperty("estimate")
  })

  test("without a trial on one side has no estimate", () => {
    const [result] = run({ contrasts: [contrastOf(push, reask, ["pooled"])] }, [trial("push", "i1", 0, 1)])
    expect(result).toMatchObject({ n: 1, method: "none: a side has no trial" })
    expect(result).not.toHaveProperty("estimate")
  })

  test("of a measure that forbids invalid reads has none when one is invalid", () => {
    const records = [...example, trial("push", "broken", 0, invalid)]
    const forbids = { measures: [{ ...HRR, invalid: "error" as const }] }
    for (const by of ["paired", "pooled"] as const) {
      const [result] = run({ ...forbids, contrasts: [contrastOf(push, reask, [by])] }, records)
      expect(result!.method).toBe("none: trials with an invalid read, which the measure forbids")
      expect(result).not.toHaveProperty("estimate")
    }
  })
})

describe("an expectation", () => {
  const held = (parts: Parameters<typeof expectOf>[0], records = example) =>
    run({ contrasts: [contrastOf(push, reask)], expects: [expectOf(parts)] }, records).find(
      ({ kind }) => kind === "expect",
    )!

  test("is about the estimate, or about one end of the interval", () => {
    expect(held({})).toMatchObject({ name: "effect > 0", held: true, n: 14 })
    expect(held({ bound: 0.5 }).held).toBe(false)
    expect(held({ bound: 0.5, operator: ">=" }).held).toBe(true)
    expect(held({ bound: 0.5, operator: "<=" }).held).toBe(true)
    expect(held({ bound: 0.5, operator: "<" }).held).toBe(false)
    expect(held({ of: "low", bound: 0.5 }).held).toBe(false)
    expect(held({ of: "high", bound: 0.5 }).held).toBe(true)
  })

  test("has no verdict where its contrast has no number", () => {
    expect(held({}, [])).not.toHaveProperty("held")
  })

  test("takes the first way in which its contrast is taken", () => {
    const contrasts = [contrastOf(push, reask, ["pooled", "paired"])]
    const result = run({ contrasts, expects: [expectOf({})] }, example).at(-1)!
    expect(result.method).toMatch(/^judged by pooled: pooled/)
  })
})
