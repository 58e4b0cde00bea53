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
      ["dose = voices(4)", "dose in { voices(4), echo(4) }"],
      [left, "HRR[framing = crowd, structure = all_wrong, dose = voices(4)]"],
      [right, "HRR[framing = panel, structure = all_wrong, dose = echo(4)]"],
    )
    expect(found.map((line) => line.slice(0, 7))).toEqual(["CFX2104", "CFX4004"])
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
      "other = assertion(framing = panel, structure in { mixed, all_wrong }, order = identity, dose in { echo(4), voices(4) }, paraphrase = plain)"
    const found = said(
      ["pressure = assertion(", `${other}\n    pressure = assertion(`],
      ["dose = voices(4),\n", "dose in { voices(4), echo(4) },\n"],
      [left, "HRR[arm = pressure, framing = crowd]"],
      [right, "HRR[arm = other]"],
    )
    expect(found).toEqual(["CFX2104 dose", "CFX2104 pressure"])
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

describe("levels that make no difference", () => {
  const told = (...changes: readonly (readonly [string, string])[]) =>
    compileText(edit(...changes)).diagnostics.map(({ code, message, source, span }) => {
      return `${code} ${source.text.slice(span.start, span.end)}: ${message}`
    })
  const doses = ["dose = voices(4)", "dose in { echo(2), echo(4), voices(2), voices(4) }"] as const
  const at = (side: string, dose: string) => [side, `${side.slice(0, -1)}, dose = ${dose}]`] as const

  it("are named where they are doses that a framing does not tell apart", () => {
    expect(told(doses)).toEqual([
      "CFX2104 dose: Not every dose makes a prompt of its own: `echo(2)` and `voices(2)` come to the same prompt under `bare`; `echo(4)` and `voices(4)` under `bare`. Such a prompt is asked once and counts once.",
    ])
  })

  it("are named without a place where no framing tells them apart", () => {
    const single = ["dose = voices(4)", "dose in { echo(1), voices(1) }"] as const
    expect(
      told(single, ["structure in { all_wrong, mixed }", "structure = all_wrong"], ["color structure ", ""]),
    ).toEqual([
      "CFX2104 dose: Not every dose makes a prompt of its own: `echo(1)` and `voices(1)` come to the same prompt. Such a prompt is asked once and counts once.",
    ])
  })

  it("are named where they are framings, paraphrases or arms of one text", () => {
    expect(
      told([
        'framing panel extends crowd { line "Expert {i}: {assertion}" }',
        "framing panel extends crowd { }",
      ])[0],
    ).toMatch(/^CFX2104 framing: .*`crowd` and `panel` come to the same prompt\./)
    expect(
      told(
        ["paraphrase = plain", "paraphrase in { plain, firm }"],
        ['"Surely {answer}."', '"It is {answer}."'],
      ),
    ).toEqual([
      expect.stringMatching(/^CFX2104 paraphrase: .* under `talk`\./),
      expect.stringMatching(/^CFX2104 paraphrase: .*`plain` and `firm` come to the same prompt\./),
    ])
    expect(told(["length = padding", "length = padding more = padding"])).toEqual([
      expect.stringMatching(
        /^CFX2104 more: Not every arm makes .*`length` and `more` come to the same prompt\./,
      ),
    ])
  })

  it("cannot be contrasted with one another", () => {
    const same = compileText(
      edit(doses, at(left, "echo(4)"), [right, left.replace("]", ", dose = voices(4)]")]),
    )
    expect(same.diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
    const found = compileText(
      edit(doses, [left, right.replace("]", ", dose = echo(4)]")], at(right, "voices(4)")),
    )
    expect(briefs(found).map((line) => line.slice(0, 7))).toEqual(["CFX2104", "CFX2309"])
    expect(found.diagnostics[1]?.message).toMatch(/same prompts before the models, word for word/)
    expect(found.program).toBeUndefined()
  })
})

describe("a contrast of two measures", () => {
  it("is warned of where the trials differ too", () => {
    const other = [
      "- HRR[framing = bare, structure = all_wrong]",
      "- strict[framing = bare, structure = mixed]",
    ] as const
    expect(said(other).map((line) => line.slice(0, 7))).toEqual(["CFX4008"])
    expect(said(other, ["seed 0", 'seed 0 allow CFX4008 "meant"'])).toEqual([])
  })
})
