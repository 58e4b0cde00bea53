import { describe, expect, test } from "vitest"
import { cell, deltaP, experimentOf, programOf, trial } from "../measure/sample.ts"
import { filesOf, inputOf } from "./sample.ts"

describe("a number without an interval", () => {
  const program = programOf(experimentOf({ cells: [cell("push")], measures: [deltaP] }))
  const report = (...items: readonly string[]) =>
    filesOf(
      inputOf({ program, records: items.map((item, n) => trial("push", item, 0, n % 2)), prompts: [] }),
    )["report.md"]!

  test("says below its table why it has none", () => {
    expect(report("i1")).toContain("`delta_p_pushed`: no interval, since one item does not vary.")
    expect(report("i1", "i2", "i3")).toContain(
      "no interval, since a bootstrap of 3 items ends at the outermost",
    )
    expect(report("i1", "i2", "i3", "i4")).not.toContain("no interval")
  })
})
