/** Agreement of two codings beyond chance, held against scikit-learn's numbers (`kappa.py` made `kappa.json`). */
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ContrastIR, ExperimentIR, ExprIR, HoleIR, MeasureIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { drawnOf, withoutEach } from "../../runtime/measure/drawn.ts"
import { pairCodes } from "../../runtime/measure/kappa.ts"
import { OPERATORS } from "../../runtime/measure/operators.ts"
import { itemOf } from "../../runtime/measure/statistic.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { Draws } from "../../runtime/statistics/draws.ts"
import { kappaOf } from "../../runtime/statistics/kappa.ts"
import { a0, a1, contrastOf, experimentOf, HRR, invalid, programOf, trial } from "./sample.ts"
import { measure } from "./tables.ts"

interface Case {
  readonly name: string
  readonly left: readonly string[]
  readonly right: readonly string[]
  readonly kappa: number
}

const { cases } = JSON.parse(readFileSync(new URL("kappa.json", import.meta.url), "utf8")) as {
  readonly cases: readonly Case[]
}

const codesOf = (left: readonly unknown[], right: readonly unknown[]): readonly number[] => {
  const pairs = left.map((one, at) => OPERATORS.cfx_pair(one, right[at]))
  const codes = pairCodes({ length: pairs.length, at: (row) => pairs[row] ?? null })
  return pairs.map((_, row) => codes.at(row) as number)
}

describe("kappa", () => {
  test.each(cases)("of $name is what scikit-learn makes of it", ({ left, right, kappa }) => {
    expect(kappaOf(codesOf(left, right))).toBeCloseTo(kappa, 12)
  })

  test("has no value where both sides put every trial into one category, nor of no trial", () => {
    expect(kappaOf(codesOf(["yes", "yes"], ["yes", "yes"]))).toBeUndefined()
    expect(kappaOf([])).toBeUndefined()
    expect(kappaOf(codesOf(["yes", "yes"], ["no", "no"]))).toBe(0)
  })

  test("is the same with sides changed, trials in another order and categories under other names", () => {
    const coding = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("a", "b", "c")), {
      minLength: 2,
      maxLength: 30,
    })
    fc.assert(
      fc.property(coding, (pairs) => {
        const sides = (of: readonly (readonly [string, string])[]) =>
          kappaOf(
            codesOf(
              of.map(([left]) => left),
              of.map(([, right]) => right),
            ),
          )
        const once = sides(pairs)
        expect(sides(pairs.map(([left, right]) => [right, left]))).toBe(once)
        expect(sides([...pairs].reverse())).toBe(once)
        expect(sides(pairs.map(([left, right]) => [`${left}!`, `${right}!`]))).toBe(once)
      }),
    )
  })

  test("takes what is written as a number for the text of it, and an invalid read for nothing that agrees", () => {
    expect(OPERATORS.cfx_pair("1", 1)).toBe(OPERATORS.cfx_pair("1", "1"))
    expect(OPERATORS.cfx_pair(null, "x")).toBeNull()
    const [left, right] = JSON.parse(OPERATORS.cfx_pair("\u0000", "\u0000")!) as [string, string]
    expect(left).not.toBe(right)
  })
})

test("over draws, and without each item, it is that of the trials written out", () => {
  const item = fc.array(fc.constantFrom(...codesOf(["a", "a", "b", "b"], ["a", "b", "a", "b"])), {
    maxLength: 4,
  })
  const same = (value: number, of: number | undefined) =>
    of === undefined ? expect(value).toBeNaN() : expect(value).toBeCloseTo(of, 12)
  fc.assert(
    fc.property(fc.array(item, { minLength: 2, maxLength: 6 }), (items) => {
      const draws = new Draws(new Int32Array(items.length), 0)
      const placed = { items: items.map((values) => itemOf("kappa", values)), ranks: [...items.keys()] }
      const found = drawnOf("kappa", placed, draws)
      draws.each((weights, from, size) => {
        for (let draw = 0; draw < size; draw++) {
          const written = items.flatMap((values, at) =>
            Array.from({ length: weights[at * size + draw]! }, () => values).flat(),
          )
          same(found[from + draw]!, kappaOf(written))
        }
      })
      for (const [at, without] of withoutEach("kappa", placed, items.length).entries())
        same(without, kappaOf(items.filter((_, other) => other !== at).flat()))
    }),
    { numRuns: 8 },
  )
})

// ---------------------------------------------------------------- as a measure

const v0: HoleIR = { name: "v0", turn: "judge", type: "label", labels: ["same", "different"] }
const human: ExprIR = { kind: "column", column: "human" }
const agreement: MeasureIR = {
  ...HRR,
  name: "agreement",
  statistic: "kappa",
  value: { kind: "label", hole: "v0" },
  other: human,
  interval: { method: "bootstrap", level: 95 },
}
const { given: _, ...unconditional } = agreement
const kappa: MeasureIR = unconditional

const verdict = (value: "same" | "different"): Reading => ({
  status: "value",
  value,
  index: value === "same" ? 0 : 1,
  probabilities: value === "same" ? [0.9, 0.1] : [0.2, 0.8],
  mass: 0.9,
})

const judged = (item: string, judge: Reading, coded: string | undefined, arm = "push"): TrialRecord => {
  const plain = trial(arm, item, 0, 1)
  return {
    ...plain,
    readings: { ...plain.readings, v0: judge },
    prompts: { ...plain.prompts, v0: `${item} ${arm}` },
    columns: coded === undefined ? {} : { human: coded },
  }
}

const study = (parts: Partial<ExperimentIR>): ExperimentIR => {
  const plain = experimentOf(parts)
  return { ...plain, protocol: { ...plain.protocol, holes: [a0, a1, v0] } }
}

/** 20 both same, 5 same and different, 10 different and same, 15 both different: kappa 0.4. */
const table = (arm: string): readonly TrialRecord[] =>
  (
    [
      ["same", "same", 20],
      ["same", "different", 5],
      ["different", "same", 10],
      ["different", "different", 15],
    ] as const
  ).flatMap(([judge, coded, count]) =>
    Array.from({ length: count }, (_, at) => judged(`${judge} ${coded} ${at}`, verdict(judge), coded, arm)),
  )

const allAlike = (arm: string): readonly TrialRecord[] =>
  ["1", "2"].map((item) => judged(`same same ${item}`, verdict("same"), "same", arm))

describe("agreement with a column of human codes", () => {
  const pooled = (one: MeasureIR, records: readonly TrialRecord[]) =>
    measure(programOf(study({ measures: [one], cells: experimentOf({}).cells.slice(1) })), records)[0]!

  test("has kappa over the trials that have both, and a cluster bootstrap by item", () => {
    const records = [
      ...table("push"),
      judged("uncoded", verdict("same"), undefined),
      judged("unread", invalid, "same"),
    ]
    const result = pooled(kappa, records)
    expect(result).toMatchObject({ n: 50, excluded: { "invalid v0": 1, "no item.human": 1 } })
    expect(result.estimate).toBeCloseTo(0.4, 12)
    expect(result.low).toBeLessThan(0.4)
    expect(result.high).toBeGreaterThan(0.4)
    expect(result.method).toBe("cluster bootstrap by item, 2000 draws")
  })

  test("says that it has none where all stands in one category", () => {
    const result = pooled(kappa, allAlike("push"))
    expect(result).toMatchObject({
      n: 2,
      method: "none: both codings put every trial into one category, so that agreement by chance is certain",
    })
    expect(result).not.toHaveProperty("estimate")
  })

  test("counts an invalid verdict as one that nobody shares where it counts as wrong", () => {
    const records = [...table("push"), judged("unread", invalid, "same")]
    const result = pooled({ ...kappa, invalid: "wrong" }, records)
    expect(result.n).toBe(51)
    // Observed 35/51; by chance (25 x 31 + 25 x 20) / 51².
    const chance = (25 * 31 + 25 * 20) / 51 ** 2
    expect(result.estimate).toBeCloseTo((35 / 51 - chance) / (1 - chance), 12)
  })

  test("is taken under a condition", () => {
    const given: ExprIR = {
      kind: "binary",
      operator: "==",
      left: { kind: "answer", hole: "a0" },
      right: { kind: "target" },
    }
    expect(pooled({ ...kappa, given }, table("push"))).toMatchObject({ n: 0, excluded: { given: 50 } })
  })
})

describe("a difference of kappas", () => {
  test("says of the side that has none why, whichever it is", () => {
    const why = "both codings put every trial into one category, so that agreement by chance is certain"
    for (const records of [
      [...table("push"), ...allAlike("reask")],
      [...table("reask"), ...allAlike("push")],
    ]) {
      expect(contrasted(["pooled"], records)).toMatchObject({ method: `none: ${why}` })
      expect(contrasted([{ cells: ["model"] }], records)).toMatchObject({
        cells: { entered: 0, of: 1 },
        method: `none: no cell has a number of every side: ${why}`,
      })
    }
    expect(contrasted([{ cells: ["model"] }], table("push")).method).toBe(
      "none: no cell has trials of every side",
    )
  })

  const records = [...table("push"), ...table("reask").map((one, at) => (at < 5 ? flipped(one) : one))]
  const contrasted = (by: ContrastIR["by"], of: readonly TrialRecord[]) =>
    measure(
      programOf(
        study({
          measures: [kappa],
          contrasts: [contrastOf(["agreement", { arm: "push" }], ["agreement", { arm: "reask" }], by)],
        }),
      ),
      of,
    ).find(({ kind }) => kind === "contrast")!

  function flipped(record: TrialRecord): TrialRecord {
    return { ...record, readings: { ...record.readings, v0: verdict("different") } }
  }

  test("is that of each side over its trials", () => {
    const result = contrasted(["pooled"], records)
    expect(result.sides!.left).toBeCloseTo(0.4, 12)
    expect(result.estimate).toBeCloseTo(result.sides!.left - result.sides!.right, 12)
    expect(result.low).toBeLessThan(result.estimate!)
  })

  test("within cells leaves out those in which a side has none", () => {
    const result = contrasted([{ cells: ["model"] }], records)
    expect(result.cells).toEqual({ entered: 1, of: 1 })
    expect(contrasted([{ cells: ["model"] }], [...table("push"), ...allAlike("reask")])).toMatchObject({
      cells: { entered: 0, of: 1 },
    })
  })

  test("has none where a side has none", () => {
    const result = contrasted(["pooled"], [...table("push"), ...allAlike("reask")])
    expect(result).not.toHaveProperty("estimate")
    expect(result.method).toContain("agreement by chance is certain")
  })
})
