import { describe, expect, test } from "vitest"
import type { Side } from "../../runtime/diff/prompts.ts"
import { compareSpecs } from "../../runtime/diff/specs.ts"
import { diffText } from "../../runtime/diff/text.ts"
import { base, edit } from "../compiler/base.ts"
import { compileText, questions } from "../compiler/files.ts"

const side = (spec: string, items = questions(40)): Side => {
  const { program, diagnostics, items: read } = compileText(spec, { "items.jsonl": items })
  if (program === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return { program, items: read }
}

const compared = (...changes: readonly (readonly [string, string])[]) =>
  compareSpecs(side(base), side(edit(...changes)))

const told = (...changes: readonly (readonly [string, string])[]): string =>
  diffText(compared(...changes), { color: false })

describe("two specs", () => {
  test("that mean the same differ in nothing", () => {
    const laid = base.replaceAll(/\n\n/g, "\n// a remark\n\n").replace("metric HRR", "/// A doc.\nmetric HRR")
    expect(compareSpecs(side(base), side(laid))).toMatchObject({ same: true, changes: [], items: [] })
  })

  test("differ in a text that no prompt of the first item shows", () => {
    const { same, experiments } = compared([
      '"{speaker}: {answer}!" }',
      '"{speaker}: {answer}!" "{speaker} shrugs, {answer}." "{speaker}? {answer}." "{speaker}: so, {answer}." }',
    ])
    expect(same).toBe(false)
    expect(experiments[0]?.prompts.differences).not.toEqual([])
    const unseen = compareSpecs(
      side(edit(["voices(4)", "voices(2)"], ['{answer}!" }', '{answer}!" "{speaker}, {answer}." }'])),
      side(edit(["voices(4)", "voices(2)"], ['{answer}!" }', '{answer}!" "{speaker}; {answer}." }'])),
    )
    expect(unseen.same).toBe(false)
    expect(unseen.experiments[0]?.prompts.differences).toEqual([])
    expect(unseen.experiments[0]?.elsewhere).toEqual([
      "pressure, framing talk, structure all_wrong",
      "pressure, framing talk, structure mixed",
    ])
  })

  test("are compared on an item that both ask about, or on none", () => {
    const others = questions(40).replaceAll('"id":"q', '"id":"z')
    const { items, experiments } = compareSpecs(side(base), side(base, others))
    expect(items[0]).toMatchObject({ pool: "pool", before: 40, now: 40 })
    expect(items[0]?.added).toHaveLength(40)
    expect(experiments[0]?.prompts).toEqual({ differences: [] })
    expect(diffText(compareSpecs(side(base), side(base, others)), { color: false })).toContain(
      "The two ask about no item in common",
    )
  })

  test("differ in the words of a prompt, told once for all that it stands in", () => {
    const text = told(['"Others say:"', '"Some say:"'])
    expect(text).toContain(
      "prompt of pressure, framing crowd, structure all_wrong; pressure, framing crowd, structure mixed; ",
    )
    expect(text.match(/\[-Others-\]\{\+Some\+\} say:/g)).toHaveLength(1)
  })

  test("differ in what is made of the results, in the language's words", () => {
    const field = (text: string) => [["  figure shape {", `  ${text}\n  figure shape {`]] as const
    const saying = (text: string) => side(edit(...field(text)))
    const between = (one: string, other: string) =>
      diffText(compareSpecs(saying(one), saying(other)), { color: false })
    const summary = between(
      "summary middle = median HRR over model",
      "summary middle = range HRR[framing in { bare, crowd }] over framing by model",
    )
    expect(summary).toContain("median HRR over model")
    expect(summary).toContain("range HRR[framing in { bare, crowd }] over framing by model")
    expect(between("figure all_of_them { forest }", "figure all_of_them { forest who }")).toContain(
      "forest who",
    )
    expect(
      between(
        "expect HRR[arm = reask] equals 10 percent within 1 pp",
        "expect HRR[arm = reask] equals 12 percent within 1 pp",
      ),
    ).toContain("HRR[arm = reask] equals 12 percent within 1 pp")
  })

  test("paint what differs where there is colour", () => {
    const painted = diffText(compared(['"Others say:"', '"Some say:"']), { color: true })
    expect(painted).toContain("\u001b[31mOthers\u001b[39m\u001b[32mSome\u001b[39m say:")
  })

  test("show control characters of texts as signs", () => {
    expect(told(['"Others say:"', '"Others\\u{1b}[2J say:"'])).not.toContain("\u001b")
  })

  test("that are named otherwise are compared where each has one experiment", () => {
    const { experiments, changes } = compared(["experiment e {", "experiment f {"])
    expect(changes).toEqual([])
    expect(experiments).toMatchObject([{ name: "e", renamed: "f", changes: [] }])
  })
})
