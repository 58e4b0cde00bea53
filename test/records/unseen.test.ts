/** What the analysis of records alone names, and no record has. */
import { describe, expect, test } from "vitest"
import { recordsJson, unseenLines } from "../../runtime/records/words.ts"
import { temporary } from "../run/temporary.ts"
import { HRR, scored } from "./support.ts"

const folder = temporary()

const spec = (analysis: string): string => `${HRR}experiment scored {
  records {
    item = id
    model = llm
    labels { A, B }
    gold = key
    framing = cond
    a0: option = before
    a1: option = after
  }
  measure HRR
  ${analysis}
}
`

const rows = [
  "id,llm,cond,key,before,after",
  "q1,large,nobody,A,A,A",
  "q1,large,experts,A,A,B",
  "q1,small,nobody,A,A,B",
  "q1,small,experts,A,A,B",
].join("\n")

const factsOf = async (analysis: string) => (await scored(folder, spec(analysis), "answers.csv", rows)).facts

describe("a level that no record has", () => {
  test.each([
    [
      "a side of a contrast",
      "contrast authority = HRR[framing = expert] - HRR[framing = nobody] by paired(item)",
      "No record has framing = expert, which contrast authority names; did you mean `experts`?",
    ],
    [
      "a set of levels",
      "contrast authority = HRR[framing in { experts, panel }] - HRR[framing = nobody] by pooled",
      "No record has framing = panel, which contrast authority names",
    ],
    [
      "a model",
      "table large { rows framing columns HRR where model == larg }",
      "No record has model = larg, which table large names; did you mean `large`?",
    ],
    [
      "a published number",
      "expect HRR[framing = crowd] equals 50 percent within 1 pp",
      "No record has framing = crowd, which expect HRR[framing = crowd] equals 50 percent within 1 pp names",
    ],
    [
      "a level that may not be",
      "figure bars { bar HRR by framing where framing != nobdy }",
      "No record has framing = nobdy, which figure bars names; did you mean `nobody`?",
    ],
  ])("in %s is said, with what may have been meant", async (_, analysis, said) => {
    expect(unseenLines(await factsOf(analysis))).toEqual([said])
  })

  test("is said once, with all that name it, and stands in results.json", async () => {
    const facts = await factsOf(`
  contrast authority = HRR[framing = expert] - HRR[framing = nobody] by paired(item)
  table panel { rows model columns HRR where framing == expert }`)
    expect(unseenLines(facts)).toEqual([
      "No record has framing = expert, which contrast authority, table panel name; did you mean `experts`?",
    ])
    expect(recordsJson([facts]).map((line) => JSON.parse(line).unseen)).toEqual([
      [
        {
          factor: "framing",
          level: "expert",
          by: ["contrast authority", "table panel"],
          near: "experts",
        },
      ],
    ])
  })
})

test("levels that records have are nothing to speak of", async () => {
  const facts = await factsOf(
    "contrast authority = HRR[framing = experts, model = small] - HRR[framing = nobody, model = small] by paired(item)",
  )
  expect(facts.unseen).toEqual([])
})
