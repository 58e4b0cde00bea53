/** Lists of reads: of which it can be said whether they differ, in metrics and in gates. */
import { describe, expect, it } from "vitest"
import { briefs, compileText } from "./files.ts"

/** A list of each kind that a repeated turn can have, and first reads to compare with; with a gate behind them and a measure. */
const spec = (when: string, measured: string): string => `
model m = gguf "m.gguf"
items pool = "items.jsonl" { question = question options = options gold = gold }
judge sound(reply) { user "{reply} Sound?" assistant "{verdict: label(yes, no)}" }
protocol p {
  draw past = 2 others
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option} {k0: integer 0..9} {v0: label(no, yes)}"
  }
  turn press[t] repeat 2 continues first {
    user "{past[t].question}\\n{past[t].options}"
    assistant "{w[t]: option of past[t]} {a[t]: option} {k[t]: integer 1..9} {v[t]: label(yes, no)} {r[t]: text}"
    read r { max 9 }
  }
  extract e: option from r matching "(\\w)" last
  judge j = sound(r) by m
  turn last continues press when ${when} { user "And now?" assistant "{z: option}" }
}
metric changing(first = a0, steps = a) { mean ${measured} interval bootstrap 95 }
experiment study {
  protocol p
  models { m }
  items { pool }
  seed 0
  measure changing
}
`

/** Errors alone: the design of so small a study is warned of. */
const errors = (text: string): readonly string[] =>
  briefs(compileText(text)).filter((one) => !one.startsWith("CFX4"))

const messages = (text: string): readonly string[] =>
  compileText(text).diagnostics.flatMap(({ severity, message }) => (severity === "error" ? message : []))

describe("a list of reads", () => {
  const inGate = (when: string) => errors(spec(when, "changes(first, steps)"))

  it.each(["changes(a)", "changes(k)", "changes(v)", "changes(e)", "changes(j)", "changes(k0, k)"])(
    "%s can be looked at",
    (call) => {
      expect(inGate(`${call} > 0`)).toEqual([])
    },
  )
  it.each([
    ["texts are another wherever they differ by a word", "changes(r) > 0", "CFX2301 r"],
    ["places among options of several items tell nothing", "changes(w) > 0", "CFX2301 w"],
    ["an option is no label", "first_change(a0, v) > 1", "CFX2301 a0"],
    ["a label is no option", "changes(v0, a) > 0", "CFX2301 v0"],
    ["an integer is no option", "changes(k0, e) > 0", "CFX2301 k0"],
  ])("%s", (_, when, found) => {
    expect(inGate(when)).toEqual([found])
  })
  it("of labels goes with one label, in whatever order each has them", () => {
    expect(inGate("changes(v0, v) > 0 and first_change(v0, j) > 1")).toEqual([])
  })
})

describe("a list that a metric is given", () => {
  const measuring = (given: string, measured: string) =>
    spec("a0 == item.gold", measured).replace("measure changing", `measure x = changing(${given})`)

  it.each([
    ["first = k0, steps = k", []],
    ["first = v0, steps = j", []],
    ["first = a0, steps = e", []],
    ["first = v0, steps = a", ["CFX2301 changing"]],
    ["first = a0, steps = r", ["CFX2301 changing"]],
    ["first = a0, steps = w", ["CFX2301 changing"]],
  ])("%s", (given, found) => {
    expect(errors(measuring(given, "changes(first, steps)"))).toEqual(found)
  })
  it("is named in what is said of it", () => {
    expect(messages(measuring("first = v0, steps = a", "first_change(first, steps)"))).toEqual([
      "`first` of `changing`, the read `v0`, must be an option read, and this is a label read.",
    ])
    expect(messages(measuring("first = a0, steps = r", "changes(first, steps)"))).toEqual([
      "`steps` of `changing`, the read `r`, must be a list of option, label or integer reads, and this is a list of text reads.",
    ])
    expect(messages(measuring("first = a0, steps = w", "changes(first, steps)"))).toEqual([
      "`steps` of `changing`, the read `w`, must be a list of option, label or integer reads, and this is a list of reads of another item.",
    ])
  })
})
