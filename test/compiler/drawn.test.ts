import { describe, expect, it } from "vitest"
import { edit } from "./base.ts"
import { compileText, briefs as everything } from "./files.ts"

/** What is said about draws of other items, where the protocol has some; the pool has 40 items, and of 14 the answer is A. */
const briefs = (draw: string, use = "pool"): readonly string[] =>
  everything(
    compileText(
      edit(
        ["slot block", `slot block\n  draw past = ${draw}`],
        ["pool sample 40", use],
        ["gold = gold", "gold = gold letter = gold"],
      ),
    ),
  ).filter((brief) => brief.startsWith("CFX31"))

describe("a draw of other items", () => {
  it("is of no more than the pool has besides the trial's own", () => {
    expect(briefs("39 others")).toEqual([])
    expect(briefs("40 others")).toEqual(["CFX3124 pool"])
  })
  it("leaves the trial's own out also where it names the pool that the item is of", () => {
    expect(briefs("39 others from pool")).toEqual([])
    expect(briefs("40 others from pool")).toEqual(["CFX3124 pool"])
  })
  it("is of what the condition of a use lets through, sampled or not", () => {
    expect(briefs("13 others", 'pool sample 2 where letter == "A"')).toEqual([])
    expect(briefs("14 others", 'pool sample 2 where letter == "A"')).toEqual(["CFX3124 pool"])
  })
})
