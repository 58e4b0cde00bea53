/** What changes no number, and what halves its squared standard error. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ContrastIR, ExperimentIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { Result } from "../../runtime/measure/result.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { cell, contrastOf, deltaP, experimentOf, HRR, programOf, reading, trial } from "./sample.ts"
import { measure } from "./tables.ts"

const push = { arm: "push" }
const reask = { arm: "reask" }
const ways = ["paired", "permutation", "pooled", "two_sample", { cells: ["model"], signs: true }] as const
const contrasts: readonly ContrastIR[] = [
  { ...contrastOf(["HRR", push], ["HRR", reask], ways), name: "rates" },
  { ...contrastOf(["delta_p_pushed", push], ["delta_p_pushed", reask], ways), name: "means" },
]
const models = ["m", "w"]
const study = (parts: Partial<ExperimentIR> = {}): ExperimentIR =>
  experimentOf({
    models,
    measures: [HRR, deltaP],
    contrasts,
    tables: [{ name: "t", rows: ["arm"], columns: ["HRR", "delta_p_pushed"], average: "pooled" }],
    ...parts,
  })
const run = (records: readonly TrialRecord[], parts: Partial<ExperimentIR> = {}) =>
  measure(programOf(study(parts)), records)

/** A few items, each with an answer and a confidence under each arm and model. */
const data = fc
  .array(
    fc.record({
      first: fc.constantFrom(0, 0, 0, 1),
      second: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 30, max: 95 })), {
        minLength: 4,
        maxLength: 4,
      }),
    }),
    { minLength: 4, maxLength: 9 },
  )
  .map((items) =>
    items.flatMap(({ first, second }, at) =>
      second.map(([answer, confidence], place) =>
        trial(place % 2 === 0 ? "push" : "reask", `i${at}`, first, reading(answer, confidence / 100), {
          model: models[place >> 1]!,
        }),
      ),
    ),
  )

const runs = { numRuns: 5 }

const isRight = (read: Reading): boolean => read.status === "value" && read.index === 0

/** All that does not hang on which items are drawn, to nine decimals: sums in another order differ in the last. */
const settled = (results: readonly Result[]) =>
  results.map(({ low, high, p, method, ...rest }) =>
    JSON.parse(
      JSON.stringify(
        {
          ...rest,
          ...(method.includes("bootstrap") ? {} : { low, high }),
          ...(method.includes("choices drawn") ? {} : { p }),
        },
        (_, value) => (typeof value === "number" ? Number(value.toFixed(9)) : value),
      ),
    ),
  )

describe("no number is changed by", () => {
  test("the order of records", () => {
    fc.assert(
      fc.property(data, fc.integer(), (records, seed) => {
        const shuffled = [...records].sort((a, b) => order(a, seed) - order(b, seed))
        expect(run(shuffled)).toEqual(run(records))
      }),
      runs,
    )
  })

  test("the names of options", () => {
    const renamed = ({ readings, ...record }: TrialRecord): TrialRecord => ({
      ...record,
      labels: ["W", "X", "Y", "Z"],
      shown: ["W", "X", "Y", "Z"],
      readings: Object.fromEntries(
        Object.entries(readings).map(([hole, one]) => [
          hole,
          one.status === "value" && one.index !== undefined ? { ...one, value: "WXYZ"[one.index]! } : one,
        ]),
      ),
    })
    fc.assert(
      fc.property(data, (records) => {
        expect(run(records.map(renamed))).toEqual(run(records))
      }),
      runs,
    )
  })

  test("the names of items, but for which of them a bootstrap draws", () => {
    fc.assert(
      fc.property(data, (records) => {
        const renamed = records.map((record) => ({ ...record, item: `z${9 - Number(record.item.slice(1))}` }))
        expect(settled(run(renamed))).toEqual(settled(run(records)))
      }),
      runs,
    )
  })

  test("a factor of one level", () => {
    const factors = [
      { name: "arm", levels: ["reask", "push"] },
      { name: "voice", levels: ["calm"] },
    ]
    const cells = ["reask", "push"].map((arm) => cell(arm, { voice: "calm" }))
    fc.assert(
      fc.property(data, (records) => {
        const more = records.map((record) => ({ ...record, levels: { ...record.levels, voice: "calm" } }))
        expect(run(more, { factors, cells })).toEqual(run(records))
      }),
      runs,
    )
  })

  test("a pool that is split in two, of what is pooled over both", () => {
    const pools = [{ pool: "kinds" }, { pool: "sorts" }]
    const isPooled = ({ kind, by }: Result) => kind === "contrast" || (kind === "measure" && !("pool" in by))
    // Of four items a bootstrap gives an interval where they are a whole pool, which they may be of a half alone.
    const rights = (records: readonly TrialRecord[]) =>
      new Set(records.flatMap(({ item, readings }) => (isRight(readings.a0!) ? [item] : []))).size
    fc.assert(
      fc.property(
        data.filter((records) => rights(records) !== 4),
        (records) => {
          const split = records.map((record) =>
            Number(record.item.slice(1)) % 2 === 0 ? record : { ...record, pool: "sorts" },
          )
          const [whole, halves] = [run(records), run(split, { pools })].map((results) =>
            results.filter(isPooled),
          )
          // The design's cells have a pool each; what is left are the tables' rows and the contrasts.
          for (const result of halves!) {
            const same = whole!.find(
              ({ kind, name, taken, by }) =>
                kind === result.kind &&
                name === result.name &&
                taken === result.taken &&
                JSON.stringify(by) === JSON.stringify(result.by),
            )
            expect(settled([result])).toEqual(settled([same!]))
          }
        },
      ),
      runs,
    )
  })
})

const order = ({ trial }: TrialRecord, seed: number): number =>
  [...trial].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193 + 2 * seed) >>> 0,
    seed >>> 0,
  )

describe("the same data twice", () => {
  const records = Array.from({ length: 60 }, (_, at) => [
    trial(
      "push",
      `i${at}`,
      at % 7 === 0 ? 1 : 0,
      reading(at % 3 === 0 ? 1 : 0, 0.4 + ((at * 11) % 40) / 100),
    ),
    trial(
      "reask",
      `i${at}`,
      at % 7 === 0 ? 1 : 0,
      reading(at % 5 === 0 ? 1 : 0, 0.5 + ((at * 17) % 40) / 100),
    ),
  ]).flat()
  const again = (change: (record: TrialRecord) => Partial<TrialRecord>) => [
    ...records,
    ...records.map((record) => ({ ...record, trial: `${record.trial}/2`, ...change(record) })),
  ]
  const numbers = (of: readonly TrialRecord[]) => {
    const parts = {
      models: ["m", "w"],
      contrasts: contrasts.map((one) => ({ ...one, by: ways.slice(0, 4) })),
    }
    return run(of, parts).filter(({ by, low }) => !("model" in by) && low !== undefined)
  }
  const squared = ({ low, high }: Result) => (high! - low!) ** 2

  test("under new items halves the squared standard error of every interval", () => {
    const [once, twice] = [numbers(records), numbers(again(({ item }) => ({ item: `new ${item}` })))]
    expect(once.length).toBeGreaterThanOrEqual(10)
    for (const [at, result] of once.entries()) {
      expect(twice[at]!.estimate).toBeCloseTo(result.estimate!, 10)
      // A bootstrap of 2,000 draws has its ends to a few parts in a hundred, and score intervals are not of one standard error alone.
      expect(squared(twice[at]!) / squared(result), `${result.name} ${result.method}`).toBeGreaterThan(0.42)
      expect(squared(twice[at]!) / squared(result), `${result.name} ${result.method}`).toBeLessThan(0.58)
    }
  })

  test("under the same items, by a model that answers alike, narrows none", () => {
    const alike = again(() => ({ model: "w" }))
    const named = alike.map((record) => ({
      ...record,
      prompts: { a0: `${record.model} first`, a1: record.trial },
    }))
    const [once, twice] = [numbers(records), numbers(named)]
    for (const [at, result] of once.entries()) {
      expect(twice[at]!.estimate).toBeCloseTo(result.estimate!, 10)
      expect(squared(twice[at]!) / squared(result), `${result.name} ${result.method}`).toBeGreaterThan(0.9)
    }
  })
})
