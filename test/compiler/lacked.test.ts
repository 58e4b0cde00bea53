/** Columns that some pools have and others have not, and attributes of models: who may ask for them, and of whom. */
import { describe, expect, it } from "vitest"
import { briefs, compileText } from "./files.ts"

interface Parts {
  readonly fields?: string
  readonly user?: string
  readonly when?: string
  readonly conditions?: string
  readonly block?: string
  readonly pools?: string
}

/** Of two pools `years` has a year; of two models `large` has a size. */
const spec = ({
  fields = "",
  user = "{item.question}",
  when = "a0 == item.gold",
  conditions = "",
  block = "Sure?",
  pools = "bare, years",
}: Parts): string => `
model small = gguf "small.gguf"
model large = gguf "large.gguf" { size 7 }
items bare = "items.jsonl" { id = id question = question options = options gold = gold }
items years = "items.jsonl" { id = id question = question options = options gold = gold year = question }
block again { text "${block}" }
block plain { text "Again." }
protocol p {
  slot block
  ${fields}
  options "{label}. {text}" join "\\n"
  turn first { user "${user}\\n{item.options}" assistant "{a0: option}" }
  turn second continues first when ${when} { user "{block}" assistant "{a1: option}" }
}
metric right(x = a0) { rate x == item.gold interval wilson 95 }
experiment e {
  protocol p
  models { small, large }
  items { ${pools} }
  seed 0
  target random_wrong
  arms { again = again  plain = plain }
  measure right
  ${conditions}
}
`

const errors = (parts: Parts): readonly string[] =>
  briefs(compileText(spec(parts))).filter((one) => !one.startsWith("CFX4"))

describe("a place of a drawn item", () => {
  it("is asked of the pool that is drawn from", () => {
    const drawn = { user: "{past[1].year} {item.question}" }
    expect(errors({ ...drawn, fields: "draw past = 1 others from years" })).toEqual([])
    expect(errors({ ...drawn, fields: "draw past = 1 others from bare" })).toEqual(["CFX2430 p"])
  })
  it("is asked of every pool where each item draws from its own", () => {
    const drawn = { user: "{past[1].year} {item.question}", fields: "draw past = 1 others" }
    expect(errors(drawn)).toEqual(["CFX2430 p"])
    expect(errors({ ...drawn, pools: "years" })).toEqual([])
  })
  it("is named as it is written, beside one of the item", () => {
    const parts = {
      fields: "draw past = 1 others from bare",
      user: "{past[1].year} {item.question}",
      block: "In {item.year}?",
      pools: "years, bare",
    }
    const { diagnostics } = compileText(spec(parts))
    expect(diagnostics.flatMap(({ code, message }) => (code === "CFX2430" ? message : []))).toEqual([
      "The protocol `p` reads `{past[1].year}`, and the pool `bare` has no such column.",
    ])
    const stimulus = compileText(spec({ ...parts, user: "{item.question}" }))
    expect(stimulus.diagnostics.map(({ message }) => message)).toContain(
      "The block `again` reads `{item.year}`, and the pool `bare` has no such column.",
    )
  })
})

describe("a condition that hangs on a column or an attribute", () => {
  it.each([
    ["of a gate", { when: 'item.year == "x" and a0 == item.gold' }, ["CFX2430 item.year"]],
    ["of a gate, of the model", { when: "model.size > 5" }, ["CFX2439 model.size"]],
    ["of `only when`", { conditions: 'only when item.year == "x"' }, ["CFX2430 item.year"]],
    ["of `except when`", { conditions: 'except when item.year == "x"' }, ["CFX2430 item.year"]],
    ["of `except when`, of the model", { conditions: "except when model.size > 5" }, ["CFX2439 model.size"]],
    ["once", { when: 'item.year == "x" or item.year == "y"' }, ["CFX2430 item.year"]],
    ["behind another level", { when: 'arm == again and item.year == "x"' }, ["CFX2430 item.year"]],
  ])("%s is a mistake where a pool or a model lacks it", (_, parts: Parts, found) => {
    expect(errors(parts)).toEqual(found)
  })

  it.each([
    ["every pool has it", { when: 'item.year == "x"', pools: "years" }],
    ["only the pool that has it is asked", { when: 'pool == years and item.year == "x"' }],
    [
      "the others are let through before",
      { when: '(pool != years or item.year == "x") and a0 == item.gold' },
    ],
    ["only the model that has it is asked", { when: "model == large and model.size > 5" }],
    ["the design leaves the others out", { conditions: 'except when pool == years and item.year == "x"' }],
    [
      "another condition leaves the pool out",
      { when: 'item.year == "x"', conditions: "only when pool == years" },
    ],
    ["it is what every item has", { when: "item.choices > 2 and item.gold == a0" }],
  ])("is none where %s", (_, parts: Parts) => {
    expect(errors(parts)).toEqual([])
  })
})
