/** What standard error says of expectations. */
import { expect, test } from "vitest"
import { codeOf, explainCode } from "../../runtime/cli/verdict.ts"
import type { Result } from "../../runtime/measure/result.ts"

const said = (result: Partial<Result>) => {
  const unmet: Result[] = [
    {
      experiment: "main",
      kind: "expect",
      name: "HRR equals 52 pp",
      by: {},
      n: 8,
      excluded: {},
      method: "Wilson",
      ...result,
    },
  ]
  const lines: string[] = []
  const judged = { failed: [], shares: [], audits: [], unmet }
  explainCode(judged, { complain: (line) => lines.push(line) })
  return { lines, code: codeOf(judged) }
}

test("a published number that is not met is told with both numbers, and the exit code is 100", () => {
  expect(said({ estimate: 0.3751234, held: false, published: { value: 0.52, within: 0.005 } })).toEqual({
    lines: [
      "expect HRR equals 52 pp: did not hold, since it is 0.3751 where 0.52 was published, give or take 0.005 (experiment main)",
    ],
    code: 100,
  })
})

test("one without a number beside it says why there is none", () => {
  const { lines, code } = said({
    method: "none: no trial entered",
    published: { value: 0.52, within: 0.005 },
  })
  expect(lines).toEqual([
    "expect HRR equals 52 pp: could not be judged, since there is no number here to set beside 0.52: none: no trial entered (experiment main)",
  ])
  expect(code).toBe(100)
})

test("a contrast that does not hold is told by its words", () => {
  expect(said({ name: "effect > 0", estimate: -0.1, held: false }).lines).toEqual([
    "expect effect > 0: did not hold (experiment main)",
  ])
})
