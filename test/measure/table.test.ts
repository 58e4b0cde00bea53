/** What the trial table has a column for, and what it lets go. */
import { expect, test } from "vitest"
import { TrialTable } from "../../runtime/measure/table.ts"
import { cell, experimentOf, HRR, level, programOf, trial } from "./sample.ts"
import { columnsOf, measure } from "./tables.ts"

const factors = [
  { name: "arm", levels: ["push"] },
  { name: "target", levels: ["top_wrong(a0)", "random_wrong"] },
  { name: "wording", levels: ["first", "second"] },
]
const kinds = factors[1]!.levels.flatMap((target) =>
  factors[2]!.levels.map((wording) => ({ target, wording })),
)
const experiment = experimentOf({
  factors,
  cells: kinds.map((levels) => cell("push", levels)),
  tables: [
    { name: "t", rows: ["target"], columns: ["HRR"], average: "pooled", where: level("wording", "first") },
  ],
})
const records = kinds.map((levels, at) => trial("push", "i1", 0, at, { levels: { arm: "push", ...levels } }))

test("every factor has its column, one whose name is taken under `level:`", () => {
  const columns = columnsOf(records, experiment)
  expect(columns.get("level:target")).toEqual(kinds.map(({ target }) => target))
  expect(columns.get("wording")).toEqual(kinds.map(({ wording }) => wording))
  expect(columns.get("target")).toEqual(["B", "B", "B", "B"])
})

test("rows of a table may be by such a factor, and its condition about another", () => {
  const rows = measure(programOf({ ...experiment, measures: [HRR] }), records).filter(
    ({ where, by }) => where === undefined && by.wording === "first",
  )
  expect(rows.map(({ by, estimate }) => [by.target, estimate])).toEqual([
    ["top_wrong(a0)", 0],
    ["random_wrong", 1],
  ])
})

test("a closed table has its columns, and takes no record", () => {
  const table = new TrialTable(experiment)
  table.take(records[0]!)
  table.close()
  expect(table.columns().get("a1.prompt")?.at(0)).toBe(1)
  expect(() => table.take(records[1]!)).toThrow("a table that was closed")
})

test("labels under which options were shown in another order stand in one text that reads back", () => {
  const cities = ["New York", "Los Angeles"]
  const shownOf = (labels: readonly string[]) => {
    const shown = [...labels].reverse()
    return columnsOf([trial("push", "i1", 0, 1, { labels, shown })], experiment).get("shown")
  }
  expect(shownOf(["A", "B"])).toEqual(["B A"])
  expect(shownOf(cities)).toEqual(['["Los Angeles","New York"]'])
})
