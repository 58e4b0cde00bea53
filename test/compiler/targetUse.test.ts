/** Which option trials are about: that an experiment says so where anything asks, and in time. */
import { describe, expect, it } from "vitest"
import { briefs, compileText } from "./files.ts"

interface Parts {
  /** Fields of the protocol. */
  readonly protocol?: string
  readonly gate?: string
  readonly first?: string
  readonly second?: string
  /** In place of both turns. */
  readonly turns?: string
  readonly metric?: string
  /** Fields of the experiment. */
  readonly design?: string
  /** Other declarations. */
  readonly rest?: string
}

/** Two turns, of which the second may be gated; nothing asks for the target. */
const spec = ({
  protocol = "",
  gate = "",
  first = "",
  second = "Sure?",
  turns = `turn first { user "${first} {item.question} {item.options}" assistant "{a0: option}" }
  turn second continues first ${gate} { user "${second}" assistant "{a1: option}" }`,
  metric = "rate second == item.gold",
  design = "",
  rest = "",
}: Parts): string => `
model m = gguf "m.gguf" { bytes 10 family "Llama" size 0.1 }
items pool = "items.jsonl" { id = id question = question options = options gold = gold }
block plain { text "Think." }
block hint { text "It is {pushed.label}." }
${rest}
protocol ask {
  ${protocol}
  options "{label}) {text}" join "\\n"
  ${turns}
}
metric right(second = a1) { ${metric} interval bootstrap 95 }
experiment e {
  protocol ask
  models { m }
  items { pool }
  seed 0
  ${design}
  measure right
}
`

const said = (parts: Parts): readonly string[] => briefs(compileText(spec(parts)))

describe("an experiment without a target", () => {
  it("is sound where nothing asks for one", () => {
    expect(said({})).toEqual([])
  })

  it.each<[string, Parts]>([
    ["the text of a turn", { second: "Not {target.label}?" }],
    ["the system message of the protocol", { protocol: 'system "It is {pushed.label}."' }],
    ["the condition of a turn", { gate: "when a0 != pushed" }],
    [
      "the text of a judge",
      {
        protocol: "judge v = same(reply)",
        second:
          '?" assistant "{reply: text}" read reply { max 9 } } turn third continues second { user "Sure?',
        rest: 'judge same(reply) { user "Is it {target.text}? {reply}" assistant "{v: label(yes, no)}" }',
      },
    ],
    ["what a measure is of", { metric: "rate second == pushed" }],
    ["the condition of a measure", { metric: "rate second == item.gold given second != target" }],
    ["the weight of a measure", { metric: "rate second == item.gold weight 1 - second.p(pushed)" }],
    ["the condition of a table", { design: "table t { rows model columns right where a0 != target }" }],
    ["the condition of a figure", { design: "figure t { bar right by model where a0 != pushed }" }],
    ["the condition of a summary", { design: "summary s = mean right over model where a0 != target" }],
  ])("is reported where %s asks for one", (_, parts) => {
    expect(said(parts)).toContain("CFX2010 e")
    const gold = said({ ...parts, design: `target gold ${parts.design ?? ""}` })
    expect(gold).not.toContain("CFX2010 e")
  })
})

describe("a target", () => {
  const hinted = (design: string): Parts => ({
    protocol: "slot hint_of",
    first: "{hint_of}",
    design,
  })
  const arms = "arms { none_given = plain hinted = hint }"

  it("comes too late for an arm that puts it before the read that it is taken from", () => {
    expect(said(hinted(`target top_wrong(a0) ${arms}`))).toEqual(["CFX2108 a0"])
    expect(said(hinted(`target gold ${arms}`))).toEqual([])
    expect(said(hinted("target top_wrong(a0) arms { none_given = plain }"))).toEqual([])
  })

  it("comes too late for a level of a factor that does", () => {
    const factor = "factor hint_of in { none, hint }"
    expect(said(hinted(`target top_wrong(a0) ${factor}`))).toEqual(["CFX2108 a0"])
    expect(said(hinted(`target top_wrong(a0) factor hint_of in { none, "It is {target.text}." }`))).toEqual([
      "CFX2108 a0",
    ])
  })

  it("may be kept from such an arm by what carves the grid", () => {
    const both = `target in { top_wrong(a0), random_wrong } ${arms}`
    const doubted = (design: string) => said({ ...hinted(design), second: "Not {target.label}?" })
    expect(doubted(both)).toEqual(["CFX2108 a0"])
    expect(doubted(`${both} except when arm == hinted and target == top_wrong(a0)`)).toEqual([])
  })

  it("comes too late for the system message of the protocol, and for the gate of the turn that reads it", () => {
    expect(said({ protocol: 'system "It is {pushed.label}."', design: "target top_wrong(a0)" })).toEqual([
      "CFX2108 a0",
    ])
    expect(said({ gate: "when a0 != pushed", design: "target top_wrong(a1)" })).toEqual(["CFX2108 a1"])
    expect(said({ gate: "when a0 != pushed", design: "target top_wrong(a0)" })).toEqual([])
  })

  it("is in time for a later step of a repeated turn", () => {
    const steps = (first: string, second: string): readonly string[] =>
      said({
        protocol: "slot nudge",
        turns: `turn press[t] repeat 2 { user "{nudge[t]} {item.question} {item.options}" assistant "{a[t]: option}" }`,
        rest: `block nudges { texts "${first}" "${second}" }`,
        design: "target top_wrong(a1) arms { nudged = nudges }",
      })
    expect(steps("Think.", "It is {pushed.label}.")).toEqual([])
    expect(steps("It is {pushed.label}.", "Think.")).toEqual(["CFX2108 a1"])
  })
})
