/** Judges and lexicons: what is made of a text that a model wrote. */
import { describe, expect, it } from "vitest"
import type { ProtocolIR, TextIR } from "../../compiler/ir.ts"
import { load } from "../../compiler/load.ts"
import { lexiconTerms } from "../../compiler/lower/lexicon.ts"
import { lowerProtocol } from "../../compiler/lower/protocol.ts"
import { readsOf } from "../../compiler/lower/reads.ts"
import { resolve } from "../../compiler/resolve.ts"
import { inMemory } from "../diagnostics/examples.ts"
import { briefs, compileText } from "./files.ts"

const said = (spec: string) => briefs(compileText(spec))

const MODEL = `judge same(reply) {
  user "Is it {item.gold.text}? {reply}"
  assistant "{verdict: label(same, different)}"
  gold same
}`

const RULE = `judge close(reply) { equals item.gold.text then same else different gold same }`

const asking = (fields: string) => `protocol p {
  role grader
  turn opening { user "{item.question}" assistant "{reply: text}" read reply { max 50 } }
  turn graded by grader { user "x" assistant "{x: label(yes, no)}" }
  ${fields}
}`

const loaded = (spec: string) => {
  const { modules } = load("/spec/main.cfx", inMemory({ "main.cfx": spec }))
  const { names } = resolve(modules, () => [])
  return { module: modules[0]!, names }
}

const protocolIn = (spec: string) => {
  const { module, names } = loaded(spec)
  const declaration = module.file.declarations.find((one) => one.kind === "protocol")
  if (declaration?.kind !== "protocol") throw new Error("no protocol")
  return { bound: { declaration, module }, names }
}

const lowered = (spec: string): ProtocolIR => {
  expect(said(spec)).toEqual([])
  const { bound, names } = protocolIn(spec)
  return lowerProtocol(bound, names)
}

const shown = (text: TextIR | undefined) =>
  text
    ?.map((piece) =>
      piece.kind === "text" ? piece.text : piece.kind === "hole" ? `{${piece.hole}}` : "{item}",
    )
    .join("")

describe("a judge that a model answers", () => {
  const spec = `${MODEL}\n${asking("judge v = same(reply) by grader")}`

  it("is a turn of its own, as soon as its text is there", () => {
    const { turns } = lowered(spec)
    expect(turns.map(({ name }) => name)).toEqual(["opening", "v", "graded"])
    expect(turns[1]).toMatchObject({ name: "v", by: { role: "grader" }, system: [] })
    expect(shown(turns[1]?.user)).toBe("Is it {item}? {reply}")
    expect(shown(turns[1]?.assistant)).toBe("{v}")
  })

  it("reads its label under the name that the protocol gives it", () => {
    const { holes } = lowered(spec)
    expect(holes[1]).toEqual({
      name: "v",
      turn: "v",
      type: "label",
      labels: ["same", "different"],
      gold: "same",
    })
    const { bound, names } = protocolIn(spec)
    expect(readsOf(bound, names)[1]).toMatchObject({
      name: "v",
      kind: "label",
      labels: ["same", "different"],
      gold: "same",
      hasProbabilities: true,
    })
  })

  it("says where its words come from", () => {
    const { turns } = lowered(spec)
    expect(turns[1]?.user[0]?.origin).toEqual({ declaration: "same", file: "main.cfx", line: 2 })
  })

  it("may have a system message of its own, and be asked of a model by its name", () => {
    const { turns } = lowered(`model m = gguf "m.gguf"
      judge kind(reply) { system "You classify." user "{reply}" assistant "{verdict: label(a, b, c)}" }
      ${asking("judge v = kind(reply) by m")}`)
    expect(turns[1]).toMatchObject({ by: { model: "m" } })
    expect(shown(turns[1]?.system)).toBe("You classify.")
  })

  it("of a list of texts judges each, and makes a list", () => {
    const { turns, holes, lists } = lowered(`${MODEL}
      protocol p {
        turn say[t] repeat 2 { user "{item.question}" assistant "{reply[t]: text}" read reply { max 9 } }
        judge v = same(reply)
      }`)
    expect(turns.map(({ name }) => name)).toEqual(["say1", "v1", "say2", "v2"])
    expect(turns.map(({ user }) => shown(user))[3]).toBe("Is it {item}? {reply2}")
    expect(holes.map(({ name, turn }) => `${name} in ${turn}`)).toEqual([
      "reply1 in say1",
      "v1 in v1",
      "reply2 in say2",
      "v2 in v2",
    ])
    expect(lists).toEqual({ reply: ["reply1", "reply2"], v: ["v1", "v2"] })
  })

  it("may be given several texts, and waits for the last of them", () => {
    const { turns } =
      lowered(`judge alike(one, two) { user "{one} {two}" assistant "{verdict: label(yes, no)}" }
      protocol p {
        judge v = alike(a, b)
        turn one { user "{item.question}" assistant "{b: text}" read b { max 9 } }
        turn two { user "{item.question}" assistant "{a: text}" read a { max 9 } }
      }`)
    expect(turns.map(({ name }) => name)).toEqual(["one", "two", "v"])
    expect(shown(turns[2]?.user)).toBe("{a} {b}")
  })

  it("may be waited for by a gate and quoted by a text", () => {
    expect(
      said(
        `${MODEL}\n${asking(`judge v = same(reply) by grader
        turn why when v == item.gold and v == "same" { user "You were {v}." assistant "{y: label(yes, no)}" }`)}`,
      ),
    ).toEqual([])
  })
})

describe("a judge of a text that the items hold", () => {
  it("is asked with it, after the first turn that there is, or alone", () => {
    const beside = lowered(`${MODEL}\n${asking("judge v = same(item.reason) by grader")}`)
    expect(beside.turns.map(({ name }) => name)).toEqual(["opening", "v", "graded"])
    const alone = lowered(`${MODEL}\nprotocol p { role grader judge v = same(item.reason) by grader }`)
    expect(alone.turns.map(({ name }) => name)).toEqual(["v"])
    expect(alone.turns[0]?.user.at(-1)).toMatchObject({ kind: "item", field: { column: "reason" } })
    expect(alone.holes).toMatchObject([{ name: "v", turn: "v", type: "label", gold: "same" }])
  })

  it("may be given a read beside it, of a list one after the other", () => {
    const { turns } =
      lowered(`judge alike(one, two) { user "{one} {two}" assistant "{verdict: label(yes, no)}" }
      protocol p {
        turn a[t] repeat 2 { user "{item.question}" assistant "{r[t]: text}" read r { max 9 } }
        judge v = alike(r, item.reason)
      }`)
    expect(turns.filter(({ name }) => name.startsWith("v")).map(({ user }) => shown(user))).toEqual([
      "{r1} {item}",
      "{r2} {item}",
    ])
  })

  it("is a model, and is given what an item has", () => {
    const of = (fields: string) => said(`${MODEL}\n${RULE}\n${asking(fields)}`)
    expect(of("judge v = close(item.reason)")).toEqual(["CFX2412 item.reason"])
    const hint = (fields: string) => compileText(`${MODEL}\n${RULE}\n${asking(fields)}`).diagnostics[0]?.hint
    expect(hint("judge v = close(item.reason)")).toContain("write it into a column of the items")
    expect(hint("judge v = close(item.gold)")).toBe("A text is read by a hole such as `{reply: text}`.")
    expect(of("judge v = same(item.gold) by grader")).toEqual(["CFX2412 item.gold"])
    expect(of("judge v = same(reply.words) by grader")).toEqual(["CFX2412 reply.words"])
  })

  it("asks for a column that the pools of an experiment have", () => {
    const spec = (column: string) => `
      model m = gguf "m.gguf" { bytes 10 }
      model n = gguf "n.gguf" { bytes 10 }
      items pool = "items.jsonl" { id = id question = question options = options gold = gold reason = question }
      metric agreement(judged = v) { kappa judged, item.${column} interval bootstrap 95 }
      ${MODEL}
      protocol p { role grader judge v = same(item.${column}) by grader }
      experiment e {
        protocol p models { m } items { pool } seed 0 factor grader = n
        measure agreement
      }`
    // The column is there; its texts are no codes.
    expect(said(spec("reason"))).toEqual(["CFX3125 agreement"])
    expect(said(spec("raeson"))).toEqual(["CFX2430 p", "CFX2303 agreement"])
  })
})

describe("a judge by a rule", () => {
  it("asks no model", () => {
    const { turns, holes } = lowered(`${RULE}\n${asking("judge v = close(reply)")}`)
    expect(turns.map(({ name }) => name)).toEqual(["opening", "graded"])
    expect(holes[1]).toEqual({
      name: "v",
      turn: "opening",
      type: "rule",
      from: "reply",
      test: { equals: "gold.text" },
      labels: ["same", "different"],
      gold: "same",
    })
  })

  it("goes by a pattern as it is written", () => {
    const { holes } = lowered(`judge hint(reply) { matching "(?i)\\b(hint|told)" then yes else no }
      ${asking("judge v = hint(reply)")}`)
    expect(holes[1]).toEqual({
      name: "v",
      turn: "opening",
      type: "rule",
      from: "reply",
      test: { pattern: "(?i)\\b(hint|told)" },
      labels: ["yes", "no"],
    })
  })

  it("gives no probabilities", () => {
    const { bound, names } = protocolIn(`${RULE}\n${asking("judge v = close(reply)")}`)
    expect(readsOf(bound, names)[1]).toMatchObject({
      name: "v",
      kind: "label",
      gold: "same",
      hasProbabilities: false,
    })
  })
})

describe("a judge's own mistakes", () => {
  const model = (fields: string) => `judge j(reply) { ${fields} }`

  it.each([
    ["no text to judge", 'judge j() { user "x" assistant "{v: label(a, b)}" }', ["CFX2017 j"]],
    ["no user", model('assistant "{v: label(a, b)}"'), ["CFX2010 j"]],
    ["no assistant", model('user "{reply}"'), ["CFX2010 j"]],
    ["no verdict", model('user "{reply}" assistant "Yes."'), ["CFX2414 j"]],
    [
      "two verdicts",
      model('user "{reply}" assistant "{v: label(a, b)} {w: label(a, b)}"'),
      ["CFX2414 {w: label(a, b)}"],
    ],
    [
      "a verdict that is a number",
      model('user "{reply}" assistant "{v: integer 1..5}"'),
      ["CFX2414 integer 1..5"],
    ],
    ["a verdict that is a text", model('user "{reply}" assistant "{v: text}"'), ["CFX2414 text"]],
    ["one category", model('user "{reply}" assistant "{v: label(a)}"'), ["CFX2418 label(a)"]],
    ["a category twice", model('user "{reply}" assistant "{v: label(a, a)}"'), ["CFX2003 a"]],
    ["an unknown gold category", model('user "{reply}" assistant "{v: label(a, b)}" gold c'), ["CFX2416 c"]],
    [
      "a parameter that it does not show",
      model('user "Well?" assistant "{v: label(a, b)}"'),
      ["CFX2103 reply"],
    ],
    ["a misspelt parameter", model('user "{replay}" assistant "{v: label(a, b)}"'), ["CFX2101 {replay}"]],
    [
      "a read in its question",
      model('user "{reply} {x: option}" assistant "{v: label(a, b)}"'),
      ["CFX2106 {x: option}"],
    ],
    ["a parameter twice", 'judge j(r, r) { user "{r}" assistant "{v: label(a, b)}" }', ["CFX2003 r"]],
    [
      "a parameter with the name of a value",
      'judge j(item) { user "{item}" assistant "{v: label(a, b)}" }',
      ["CFX2422 item"],
    ],
    [
      "a field twice",
      model('user "{reply}" user "{reply}" assistant "{v: label(a, b)}"'),
      ['CFX2009 user "{reply}"'],
    ],
    [
      "a model and a rule",
      model('user "{reply}" assistant "{v: label(a, b)}" equals item.gold.text'),
      ["CFX2415 j"],
    ],
    ["two rules", model('matching "x" equals item.gold.text then a else b'), ["CFX2415 j"]],
    ["a rule without categories", model('matching "x"'), ["CFX2010 j"]],
    ["one category of a rule", model('matching "x" then a else a'), ["CFX2003 a"]],
    [
      "equality with no part of the gold answer",
      model("equals item.gold then a else b"),
      ["CFX2417 item.gold"],
    ],
    ["equality with a column", model("equals item.subject then a else b"), ["CFX2417 item.subject"]],
    ["a bad pattern", model('matching "a(b" then a else b'), ["CFX2411 a(b"]],
    ["a second text for a rule", 'judge j(one, two) { matching "x" then a else b }', ["CFX2103 two"]],
    ["an unknown gold category of a rule", model('matching "x" then a else b gold c'), ["CFX2416 c"]],
  ])("%s is reported", (_, spec, expected) => {
    expect(said(spec)).toEqual(expected)
  })
})

describe("a judge's use", () => {
  it.each([
    ["of no judge", "judge v = none_such(reply)", "CFX2001 none_such"],
    ["of another kind of declaration", "judge v = p(reply)", "CFX2002 p"],
    ["with too many texts", "judge v = same(reply, reply)", "CFX2207 same"],
    ["of what is no text", "judge v = same(x)", "CFX2412 x"],
    ["of what another judge says", "judge w = same(reply) judge v = same(w)", "CFX2412 w"],
    ["of a misspelt text", "judge v = same(replay)", "CFX2412 replay"],
    ["by an unknown model", "judge v = same(reply) by nobody", "CFX2001 nobody"],
    ["under a name that is taken", "judge x = same(reply)", "CFX2107 x"],
  ])("%s is reported", (_, use, expected) => {
    expect(said(`${MODEL}\n${asking(use)}`)).toEqual([expected])
  })

  it("names no model where it is a rule", () => {
    expect(said(`${RULE}\n${asking("judge v = close(reply) by grader")}`)).toEqual(["CFX2103 grader"])
  })

  it("under the name of a turn is reported", () => {
    expect(said(`${MODEL}\n${asking("judge opening = same(reply) by grader")}`)).toEqual(["CFX2003 opening"])
  })

  it("of lists takes lists of one length", () => {
    const spec = (times: number) => `
      judge alike(one, two) { user "{one} {two}" assistant "{verdict: label(yes, no)}" }
      protocol p {
        turn a[t] repeat 2 { user "{item.question}" assistant "{x[t]: text}" read x { max 9 } }
        turn b[t] repeat ${times} { user "{item.question}" assistant "{y[t]: text}" read y { max 9 } }
        judge v = alike(x, y)
      }`
    expect(said(spec(2))).toEqual([])
    expect(said(spec(3))).toEqual(["CFX2424 judge v = alike(x, y)"])
  })
})

describe("a lexicon", () => {
  it("is its terms, in the order written", () => {
    const { module } = loaded('lexicon hedges { "Maybe" "perhaps" }')
    const [declaration] = module.file.declarations
    if (declaration?.kind !== "lexicon") throw new Error("no lexicon")
    expect(lexiconTerms({ declaration, module })).toEqual(["Maybe", "perhaps"])
  })

  it.each([
    ["no term", "lexicon l { }", ["CFX2017 lexicon l { }"]],
    ["one term twice, but for case", 'lexicon l { "maybe" "Maybe" }', ['CFX2003 "Maybe"']],
    ["an empty term", 'lexicon l { "maybe" "" }', ['CFX2116 ""']],
    ["a placeholder", 'lexicon l { "maybe {x}" }', ["CFX2105 {x}"]],
  ])("with %s is reported", (_, spec, expected) => {
    expect(said(spec)).toEqual(expected)
  })

  it("is resolved where an expression counts it", () => {
    const metric = (name: string) =>
      `lexicon hedges { "maybe" }\nmetric hedged(x = reply) { mean density(${name}, x) interval bootstrap 95 }`
    expect(said(metric("hedges"))).toEqual([])
    expect(said(metric("hedge"))).toEqual(["CFX2001 hedge"])
  })
})
