/** Which trials a number is of, how often each counts, and what is said of those that do not: where that is easily got wrong. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { groupsOf, viewKey } from "../../runtime/measure/views.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { resultOf } from "./found.ts"
import {
  answer,
  binary,
  cell,
  experimentOf,
  gold,
  HRR,
  level as levelOf,
  origin,
  programOf,
  skipped,
  trial,
} from "./sample.ts"
import { measure, trialsOf } from "./tables.ts"

const items = Array.from({ length: 10 }, (_, at) => `i${at}`)

describe("rows of trials that lack a factor", () => {
  // `order` is lacking where all lines say the same, `paraphrase` where a framing words its own lines: within one arm.
  const push = [
    { structure: "all", framing: "people", paraphrase: "plain" },
    { structure: "all", framing: "friends" },
    { structure: "ally", framing: "people", order: "identity", paraphrase: "plain" },
    { structure: "ally", framing: "friends", order: "identity" },
  ].map((levels) => ({ arm: "push", ...levels }))
  const experiment: Partial<ExperimentIR> = {
    factors: [
      { name: "arm", levels: ["reask", "push"] },
      { name: "structure", levels: ["all", "ally"] },
      { name: "framing", levels: ["people", "friends"] },
      { name: "order", levels: ["identity", "inside_out"] },
      { name: "paraphrase", levels: ["plain", "reworded"] },
    ],
    cells: [cell("reask"), ...push.map((levels) => cell("push", levels))],
    tables: ["order", "paraphrase"].map((factor) => ({
      name: `by_${factor}`,
      rows: [factor],
      columns: ["HRR"],
      average: "pooled" as const,
    })),
  }
  const records = items.flatMap((item) => [
    trial("reask", item, 0, 0),
    ...push.map((levels) => trial("push", item, 0, levels.structure === "all" ? 1 : 0, { levels })),
  ])

  test("are told apart, though they are of the same arms", () => {
    const found = resultOf(experiment, records).filter(({ where }) => where !== undefined)
    const byWhere = new Map(found.map((result) => [result.where, result]))
    expect([...byWhere.keys()]).toContain("without order")
    expect([...byWhere.keys()]).toContain("without paraphrase")
    // Reask, and both cells of `all`; reask, and both cells of `friends`. Cells of an item with one prompt in all count apart here.
    expect(byWhere.get("without order")?.estimate).not.toBe(byWhere.get("without paraphrase")?.estimate)
  })
})

describe("a factor with one level that some trials of an arm lack", () => {
  const framed = { arm: "push", framing: "experts", paraphrase: "plain" }
  const bare = { arm: "push" }
  const tables = [["framing"], ["paraphrase"], ["arm", "paraphrase"]].map((rows, at) => ({
    name: `t${at}`,
    rows,
    columns: ["HRR"],
    average: "pooled" as const,
  }))
  const experiment: Partial<ExperimentIR> = {
    factors: [
      { name: "arm", levels: ["push"] },
      { name: "framing", levels: ["experts"] },
      { name: "paraphrase", levels: ["plain"] },
    ],
    cells: [cell("push", framed), cell("push", bare)],
    tables,
  }
  const records = items.flatMap((item) => [
    trial("push", item, 0, 1, { levels: framed }),
    trial("push", item, 0, 0, { levels: bare }),
  ])

  test("tells its rows apart: each has the number of its own trials", () => {
    const shown = resultOf(experiment, records).map(({ by, where, n, estimate }) => [by, where, n, estimate])
    expect(shown).toEqual([
      [framed, undefined, 10, 1],
      [bare, "without framing and paraphrase", 10, 0],
    ])
  })
})

describe("rows of any tables", () => {
  const names = ["arm", "framing", "dose", "order"]
  const level = fc.option(fc.constantFrom("x", "y"), { nil: undefined })
  const oneLevel = fc.option(fc.constant("x"), { nil: undefined })
  const levels = fc
    .record({ arm: level, framing: oneLevel, dose: oneLevel, order: level })
    .map((all) =>
      Object.fromEntries(
        Object.entries(all).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])),
      ),
    )

  const groupings = fc.record({
    factors: fc.subarray(names, { minLength: 1 }),
    only: fc.option(fc.constantFrom(...names), { nil: undefined }),
  })

  test("have the trials that have their levels, and no others", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(levels, { selector: (one) => JSON.stringify(one), minLength: 1, maxLength: 8 }),
        fc.array(groupings, { minLength: 1, maxLength: 4 }),
        (crossings, tables) => {
          const { experiment, records } = designOf(crossings, tables)
          const { columns } = trialsOf(experiment, records)
          const found = new Map(measure(programOf(experiment), records).map((one) => [viewKey(one), one]))
          for (const [at, { factors, only }] of tables.entries()) {
            const { where } = experiment.tables[at]!
            for (const { levels: own, view } of groupsOf(experiment, columns, { factors, where })) {
              const counted = records.filter(
                (record) =>
                  factors.every((factor) => record.levels[factor] === own[factor]) &&
                  (only === undefined || record.levels[only] === "x"),
              )
              const { n, k } = found.get(viewKey(view))!
              expect({ n, k }).toEqual({ n: counted.length, k: counted.filter(isTrue).length })
            }
          }
        },
      ),
    )
  })

  /** Trials of each crossing, as many as its place, true in every other; a crossing without an arm is of records that name none. */
  function designOf(
    crossings: readonly Readonly<Record<string, string>>[],
    tables: readonly { readonly factors: readonly string[]; readonly only: string | undefined }[],
  ) {
    const experiment = experimentOf({
      factors: names.map((name) => ({
        name,
        levels: ["x", "y"].filter((one) => crossings.some((levels) => levels[name] === one)),
      })),
      cells: crossings.map((levels) => ({ ...cell(levels.arm ?? "records"), levels })),
      tables: tables.map(({ factors, only }, at) => ({
        name: `t${at}`,
        rows: factors,
        columns: ["HRR"],
        average: "pooled",
        ...(only === undefined ? {} : { where: levelOf(only, "x") }),
      })),
    })
    const records = crossings.flatMap((levels, at) =>
      Array.from({ length: at + 1 }, (_, item) => trial("all", `i${item}`, 0, at % 2, { levels })),
    )
    return { experiment, records }
  }

  const isTrue = ({ readings }: TrialRecord): boolean =>
    readings.a1?.status === "value" && readings.a1.index === 1
})

describe("a turn that does not take place", () => {
  const gone: MeasureIR = {
    ...HRR,
    name: "gone",
    given: binary(answer("a0"), "==", gold),
    value: { kind: "state", hole: "a1", state: "skipped" },
  }
  const framings = ["people", "experts"]
  const records = items.flatMap((item, at) =>
    framings.map((framing) => {
      const levels = { arm: "push", framing }
      if (at >= 5) return trial("push", item, 0, 0, { levels })
      return { ...trial("push", item, 0, skipped, { levels }), prompts: { a0: "first" } }
    }),
  )

  test("is of its own trial: two trials of one item without a prompt are not one observation", () => {
    const [all] = resultOf(
      {
        factors: [
          { name: "arm", levels: ["push"] },
          { name: "framing", levels: framings },
        ],
        cells: framings.map((framing) => cell("push", { framing })),
        measures: [gone],
        tables: [{ name: "t", rows: ["arm"], columns: ["gone"], average: "pooled" }],
      },
      records,
    ).filter(({ by }) => by.framing === undefined)
    expect(all).toMatchObject({ k: 10, n: 20, estimate: 0.5, excluded: {} })
  })
})

describe("a summary for each level of a column", () => {
  const framings = ["people", "experts"]
  const records = ["m", "w"].flatMap((model) =>
    items.flatMap((item) => [
      trial("reask", item, 0, 0, { model }),
      ...framings.map((framing) => trial("push", item, 0, 1, { model, levels: { arm: "push", framing } })),
    ]),
  )

  test("counts the trials in no cell that are of this level", () => {
    const found = resultOf(
      {
        models: ["m", "w"],
        factors: [
          { name: "arm", levels: ["reask", "push"] },
          { name: "framing", levels: framings },
        ],
        cells: [cell("reask"), ...framings.map((framing) => cell("push", { framing }))],
        summaries: [
          {
            name: "range",
            doc: "",
            of: "range",
            measure: { measure: "HRR", levels: {} },
            over: ["framing"],
            by: ["model"],
            origin,
          },
        ],
      },
      records,
    ).filter(({ kind }) => kind === "summary")
    expect(found.map(({ by, excluded }) => [by, excluded])).toEqual([
      [{ model: "m" }, { "no framing": 10 }],
      [{ model: "w" }, { "no framing": 10 }],
    ])
  })
})
