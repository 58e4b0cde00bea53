/** What cells of a design are called where nobody says by what. */
import { expect, test } from "vitest"
import { byView } from "../../runtime/report/lookup.ts"
import { tablesOf } from "../../runtime/report/tableViews.ts"
import { promptName } from "../../runtime/report/words.ts"
import { cell, experimentOf, programOf, trial } from "../measure/sample.ts"
import { inputOf } from "./sample.ts"

const named = { arm: "push", framing: "experts" }
const bare = { arm: "push" }
const experiment = experimentOf({
  factors: [
    { name: "arm", levels: ["push"] },
    { name: "framing", levels: ["experts"] },
  ],
  cells: [cell("push", named), cell("push", bare)],
})
const records = ["i1", "i2"].flatMap((item) => [
  trial("push", item, 0, 1, { levels: named }),
  trial("push", item, 0, 0, { levels: bare }),
])
const input = inputOf({ program: programOf(experiment), records })

test("a factor with one level tells cells apart where some lack it, in the table of a spec that has none", () => {
  const columns = input.tables.get(experiment.name)!.columns()
  const [table] = tablesOf(input, experiment, byView(input.results), columns)
  expect(table?.rows.map(({ levels, results }) => [levels, results[0]?.estimate])).toEqual([
    [[undefined], 0],
    [["experts"], 1],
  ])
})

test("a factor with one level that goes with another names no cell: the other does", () => {
  const paraphrased = experimentOf({
    factors: [
      { name: "arm", levels: ["push"] },
      { name: "framing", levels: ["experts", "bare"] },
      { name: "paraphrase", levels: ["plain"] },
    ],
    cells: [cell("push", { framing: "experts", paraphrase: "plain" }), cell("push", { framing: "bare" })],
  })
  const sample = { ...input.prompts[0]!, levels: { arm: "push", framing: "experts", paraphrase: "plain" } }
  expect(promptName(paraphrased, sample)).toEqual(["push", "experts"])
})
