import { describe, expect, it } from "vitest"
import { edit } from "./base.ts"
import { briefs, compileText, questions } from "./files.ts"

const said = (...changes: readonly (readonly [string, string])[]) => briefs(compileText(edit(...changes)))

const left = "HRR[framing = crowd, structure = all_wrong]"
const right = "HRR[framing = bare, structure = all_wrong]"

describe("a design is warned of", () => {
  it("having no plain re-ask", () => {
    expect(said(["reask = again\n", ""])).toEqual(["CFX4001 e"])
  })

  it("having no control for length", () => {
    expect(said(["length = padding\n", ""])).toEqual(["CFX4002 e"])
  })

  it("naming sources without a floor", () => {
    expect(
      said(["{ bare, crowd,", "{ crowd,"], [right, "HRR[framing = panel, structure = all_wrong]"]),
    ).toEqual(["CFX4003 e"])
  })

  it("comparing framings at different doses", () => {
    const found = said(
      ["dose = voices(4)", "dose in { voices(4), echo(2) }"],
      [left, "HRR[framing = crowd, structure = all_wrong, dose = voices(4)]"],
      [right, "HRR[framing = bare, structure = all_wrong, dose = echo(2)]"],
    )
    expect(found.map((line) => line.slice(0, 7))).toEqual(["CFX4004"])
  })

  it("comparing trials that differ in two factors", () => {
    expect(said([right, "HRR[framing = bare, structure = mixed]"]).map((line) => line.slice(0, 7))).toEqual([
      "CFX4005",
    ])
  })

  it("having few items", () => {
    expect(said(["sample 40", "sample 29"])).toEqual(["CFX4006 pool"])
    expect(briefs(compileText(edit(["sample 40", ""]), { "items.jsonl": questions(29) }))).toEqual([
      "CFX4006 pool",
    ])
    expect(said(["sample 40", "sample 30"])).toEqual([])
  })
})

describe("a design is not warned of", () => {
  it("what it allows, and keeps the reason", () => {
    const compiled = compileText(
      edit(["sample 40", "sample 10"], ["seed 0", 'seed 0 allow CFX4006 "a pilot"']),
    )
    expect(briefs(compiled)).toEqual([])
    expect(compiled.program?.experiments[0]?.allows).toEqual([{ code: "CFX4006", reason: "a pilot" }])
  })

  it("comparing an arm with a baseline, which lacks the arm's factors", () => {
    expect(said([left, "HRR[arm = pressure]"], [right, "HRR[arm = reask]"])).toEqual([])
  })

  it("comparing arms that list the same levels in another order", () => {
    const other =
      "other = assertion(framing = bare, structure in { mixed, all_wrong }, order = identity, dose in { echo(4), voices(4) }, paraphrase = plain)"
    const found = said(
      ["pressure = assertion(", `${other}\n    pressure = assertion(`],
      ["dose = voices(4),\n", "dose in { voices(4), echo(4) },\n"],
      [left, "HRR[arm = pressure, framing = bare]"],
      [right, "HRR[arm = other]"],
    )
    expect(found).toEqual([])
  })

  it("comparing two measures of the same trials", () => {
    expect(said([left, "HRR"], [right, "strict"])).toEqual([])
  })

  it("pressure's baselines where nothing presses", () => {
    const start = edit().indexOf("pressure = assertion")
    const end = edit().indexOf("paraphrase = plain,")
    const assertion = edit().slice(start, edit().indexOf(")", end) + 1)
    const found = said(
      [assertion, ""],
      [left, "HRR[arm = reask]"],
      [right, "HRR[arm = length]"],
      ["rows arm, framing", "rows arm"],
      ["bar HRR by framing color structure where arm == pressure and not framing == talk", "bar HRR by arm"],
    )
    expect(found).toEqual([])
  })
})
