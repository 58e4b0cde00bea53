/** Protocols: what the turns of a conversation come to, and what is said where they cannot be. */
import { describe, expect, it } from "vitest"
import { sceneOf } from "../../compiler/check/scene.ts"
import type { ProtocolIR, TextIR } from "../../compiler/ir.ts"
import { load } from "../../compiler/load.ts"
import { lowerProtocol } from "../../compiler/lower/protocol.ts"
import { readsOf } from "../../compiler/lower/reads.ts"
import { resolve } from "../../compiler/resolve.ts"
import { inMemory } from "../diagnostics/examples.ts"
import { briefs, compileText } from "./files.ts"

const LISTING = 'options "{label}. {text}" join "\\n"'

/** A protocol with these fields and turns, among other declarations. */
const protocol = (body: string, others = ""): string => `${others}\nprotocol p {\n${body}\n}\n`

const said = (body: string, others = "") => briefs(compileText(protocol(body, others)))

const boundIn = (spec: string) => {
  const { modules } = load("/spec/main.cfx", inMemory({ "main.cfx": spec }))
  const { names, diagnostics } = resolve(modules, () => [])
  const module = modules[0]!
  const declaration = module.file.declarations.find(({ kind }) => kind === "protocol")
  if (declaration?.kind !== "protocol") throw new Error("no protocol")
  expect(diagnostics.map(({ code }) => code)).toEqual([])
  expect(sceneOf(declaration, module, names, []).torn).toBe(false)
  return { bound: { declaration, module }, names }
}

const lowered = (body: string, others = ""): ProtocolIR => {
  expect(said(body, others)).toEqual([])
  const { bound, names } = boundIn(protocol(body, others))
  return lowerProtocol(bound, names)
}

const reads = (body: string, others = "") => {
  const { bound, names } = boundIn(protocol(body, others))
  return readsOf(bound, names)
}

/** A text with its places between braces. */
const shown = (text: TextIR | undefined): string | undefined =>
  text
    ?.map((piece) => {
      switch (piece.kind) {
        case "text":
          return piece.text
        case "slot":
          return `{${piece.slot}${piece.step === undefined ? "" : `#${piece.step}`}}`
        case "hole":
          return `{${piece.hole}}`
        case "item":
          return `{item ${typeof piece.field === "string" ? piece.field : piece.field.column}}`
        case "other":
          return `{${piece.draw} ${piece.index} ${typeof piece.field === "string" ? piece.field : piece.field.column}}`
        case "push":
          return `{${piece.of} ${piece.field}}`
        default:
          return `{${piece.kind}}`
      }
    })
    .join("")

const FIRST = `turn first { user "{item.question} {item.options}" assistant "{a0: option}" }`
const TEXT = `turn first { user "{item.question}" assistant "{reply: text}" read reply { max 50 } }`

describe("a repeated turn", () => {
  const body = `${LISTING} slot block ${FIRST}
    turn press[t] repeat 3 continues first { user "{t}: {block[t]}" assistant "{a[t]: option}" }
    turn last continues press { user "You said {a0}, then {a3}." assistant "{z: option}" }`

  it("is as many turns, each of which continues the one before", () => {
    expect(lowered(body).turns.map(({ name, continues }) => [name, continues])).toEqual([
      ["first", undefined],
      ["press1", "first"],
      ["press2", "press1"],
      ["press3", "press2"],
      ["last", "press3"],
    ])
  })

  it("has in each step its number, its part of a slot and a read of its own", () => {
    const press = lowered(body).turns.filter(({ name }) => name.startsWith("press"))
    expect(press.map(({ user }) => shown(user))).toEqual(["1: {block#1}", "2: {block#2}", "3: {block#3}"])
    expect(press.map(({ assistant }) => shown(assistant))).toEqual(["{a1}", "{a2}", "{a3}"])
  })

  it("makes a list of its reads", () => {
    const { holes, lists } = lowered(body)
    expect(holes.map(({ name, turn }) => `${name} in ${turn}`)).toEqual([
      "a0 in first",
      "a1 in press1",
      "a2 in press2",
      "a3 in press3",
      "z in last",
    ])
    expect(lists).toEqual({ a: ["a1", "a2", "a3"] })
    expect(reads(body).map(({ name, list }) => [name, list])).toContainEqual(["a2", "a"])
  })

  it("without `continues` is one conversation of its own", () => {
    const { turns } = lowered(
      `turn r[t] repeat 2 { system "Be brief." user "{item.question}" assistant "{x[t]: label(yes, no)}" }`,
    )
    expect(turns.map(({ name, continues, system }) => [name, continues, shown(system)])).toEqual([
      ["r1", undefined, "Be brief."],
      ["r2", "r1", undefined],
    ])
  })

  it("takes a drawn item by its step", () => {
    const body = `${LISTING} draw past = 2 others
      turn r[t] repeat 2 { user "{past[t].question} {past[t].options} {past[t].wrong.label}" assistant "{h[t]: option of past[t]}" }`
    const { turns, holes, draws } = lowered(body)
    expect(shown(turns[1]?.user)).toBe("{past 2 question} {past 2 options} {past 2 wrong.label}")
    expect(holes[1]).toEqual({ name: "h2", turn: "r2", type: "option", of: { draw: "past", index: 2 } })
    expect(draws).toEqual([{ name: "past", count: 2 }])
    expect(reads(body).map(({ other }) => other)).toEqual([true, true])
  })

  it.each([
    ["no number of times", "repeat 0", 'user "x" assistant "{a[t]: label(yes, no)}"', "CFX2208 0"],
    ["half a time", "repeat 1.5", 'user "x" assistant "{a[t]: label(yes, no)}"', "CFX2208 1.5"],
    ["too often", "repeat 101", 'user "x" assistant "{a[t]: label(yes, no)}"', "CFX2208 101"],
    ["one name for all reads", "repeat 2", 'user "x" assistant "{a: label(yes, no)}"', "CFX2401 a"],
    ["another variable in a hole", "repeat 2", 'user "x" assistant "{a[s]: label(yes, no)}"', "CFX2400 s"],
    [
      "the read of a step before it",
      "repeat 2",
      'user "{a[t]}" assistant "{a[t]: label(yes, no)}"',
      "CFX2108 {a[t]}",
    ],
  ])("%s is reported once", (_, repeat, fields, ...expected) => {
    expect(said(`turn r[t] ${repeat} { ${fields} }`)).toEqual(expected)
  })

  it("has steps only in itself", () => {
    expect(said(`slot block turn one { user "{block[t]}" assistant "{x: label(yes, no)}" }`)).toEqual([
      "CFX2400 {block[t]}",
    ])
    expect(said(`turn one { user "{t}" assistant "{x: label(yes, no)}" }`)).toEqual(["CFX2101 {t}"])
    expect(said(`turn one { user "{item.question}" assistant "{x[t]: label(yes, no)}" }`)).toEqual([
      "CFX2400 t",
    ])
  })

  it("cannot read what another turn is called, or reads", () => {
    expect(
      said(`turn press1 { user "x" assistant "{b: label(yes, no)}" }
        turn press[t] repeat 2 { user "x" assistant "{a[t]: label(yes, no)}" }`),
    ).toEqual(["CFX2003 press"])
    expect(
      said(`turn one { user "x" assistant "{a1: label(yes, no)}" }
        turn press[t] repeat 2 { user "x" assistant "{a[t]: label(yes, no)}" }`),
    ).toEqual(["CFX2107 a"])
    expect(
      said(`turn one { user "x" assistant "{a: label(yes, no)}" }
        turn press[t] repeat 2 { user "x" assistant "{a[t]: label(yes, no)}" }`),
    ).toEqual(["CFX2107 a"])
  })

  it("needs as many drawn items as it has steps", () => {
    expect(
      said(
        `draw past = 2 others turn r[t] repeat 3 { user "{past[t].question}" assistant "{a[t]: label(yes, no)}" }`,
      ),
    ).toEqual(["CFX2402 {past[t].question}"])
  })
})

describe("slots, roles and draws", () => {
  it("can be several", () => {
    const { slots, roles, turns } = lowered(`slot block slot tone role source
      turn argue by source { system "{tone}" user "Argue for {target.text}." assistant "{x: label(yes, no)}" }
      turn hear { user "{block} {pushed.label}" assistant "{y: label(yes, no)}" }`)
    expect(slots).toEqual(["block", "tone"])
    expect(roles).toEqual(["source"])
    expect(turns[0]?.by).toEqual({ role: "source" })
    expect(turns[1]?.by).toBeUndefined()
    expect(shown(turns[0]?.system)).toBe("{tone}")
    expect(turns.map(({ user }) => shown(user))).toEqual([
      "Argue for {target text}.",
      "{block} {pushed label}",
    ])
  })

  it("a turn may ask a model by its name", () => {
    const { turns } = lowered(
      `turn one by m { user "{item.question}" assistant "{x: label(yes, no)}" }`,
      'model m = gguf "m.gguf"',
    )
    expect(turns[0]?.by).toEqual({ model: "m" })
    expect(said(`turn one by nobody { user "x" assistant "{x: label(yes, no)}" }`)).toEqual([
      "CFX2001 nobody",
    ])
  })

  it.each([
    ["a slot that no text holds", `slot block ${TEXT}`, ["CFX2111 block"]],
    ["a role that nobody is asked in", `role source ${TEXT}`, ["CFX2409 source"]],
    ["a draw that nothing names", `draw past = 2 others ${TEXT}`, ["CFX2410 past"]],
    ["half an item", `draw past = 0.5 others ${FIRST} ${LISTING}`, ["CFX2410 past", "CFX2208 0.5"]],
    [
      "two slots of one name",
      `slot s slot s turn a { user "{s}" assistant "{x: label(yes, no)}" }`,
      ["CFX2003 s"],
    ],
    [
      "a role with the name of a slot",
      `slot s role s turn a by s { user "{s}" assistant "{x: label(yes, no)}" }`,
      ["CFX2003 s"],
    ],
    [
      "a draw with the name of a read",
      `draw x = 1 others turn a { user "{x.question}" assistant "{x: label(yes, no)}" }`,
      ["CFX2003 x"],
    ],
    [
      "a slot with the name of a value",
      `slot item turn a { user "{item.question}" assistant "{x: label(yes, no)}" }`,
      ["CFX2422 item"],
    ],
    [
      "a read with the name of a column",
      `turn a { user "{item.question}" assistant "{model: label(yes, no)}" }`,
      ["CFX2422 model"],
    ],
  ])("%s is reported", (_, body, expected) => {
    expect([...said(body)].sort()).toEqual([...expected].sort())
  })

  it("a draw is not unread where a stimulus may read it", () => {
    expect(
      said(`slot block draw past = 2 others turn a { user "{block}" assistant "{x: label(yes, no)}" }`),
    ).toEqual([])
  })

  it.each([
    ["a number that is not drawn", "{past[3].question}", "CFX2402 {past[3].question}"],
    ["number 0", "{past[0].question}", "CFX2402 {past[0].question}"],
    ["none of several", "{past.question}", "CFX2402 {past.question}"],
    ["no field", "{past[1]}", "CFX2101 {past[1]}"],
    ["half of a field", "{past[1].gold}", "CFX2101 {past[1].gold}"],
    ["a draw that there is not", "{passed[1].question}", "CFX2101 {passed[1].question}"],
  ])("a text that names %s is reported", (_, place, expected) => {
    const body = `draw past = 2 others turn a { user "{past[2].question} ${place}" assistant "{x: label(yes, no)}" }`
    expect(said(body)).toEqual([expected])
  })

  it("of one drawn item the number can be left out, and a column can be named", () => {
    const { turns, draws } = lowered(
      `draw past = 1 others from exam turn a { user "{past.question} {past.subject} {item.subject}" assistant "{x: label(yes, no)}" }`,
    )
    expect(shown(turns[0]?.user)).toBe("{past 1 question} {past 1 subject} {item subject}")
    expect(draws).toEqual([{ name: "past", count: 1, pool: "exam" }])
  })

  it("reads over options of another item need one that is drawn", () => {
    const over = (of: string) =>
      said(`${LISTING} draw past = 2 others
        turn a { user "{past[1].question} {past[1].options}" assistant "{x: option of ${of}}" }`)
    expect(over("past[2]")).toEqual([])
    expect(over("past[3]")).toEqual(["CFX2402 past[3]"])
    expect(over("past")).toEqual(["CFX2402 past"])
    expect(over("post[1]")).toEqual(["CFX2426 post[1]"])
    expect(over("past[1].gold")).toEqual(["CFX2426 past[1].gold"])
    expect(over("past[t]")).toEqual(["CFX2400 past[t]"])
  })
})

describe("what `{answer}` is", () => {
  it("is the label, or the text where the protocol says so", () => {
    expect(lowered(`${LISTING} ${FIRST}`).answers).toBe("label")
    expect(lowered(`${LISTING} answers text ${FIRST}`).answers).toBe("text")
    expect(said(`${LISTING} answers letters ${FIRST}`)).toEqual(["CFX2407 letters"])
  })
})

describe("system messages", () => {
  it("stand in the turns that open a conversation", () => {
    const { turns, system } = lowered(`slot persona system "{persona} {item.question}"
      turn a { user "x" assistant "{x: label(yes, no)}" }
      turn b { system "Another." user "x" assistant "{y: label(yes, no)}" }`)
    expect(shown(system)).toBe("{persona} {item question}")
    expect(turns.map((turn) => shown(turn.system))).toEqual([undefined, "Another."])
  })

  it("cannot stand in a turn that continues another, nor quote what is read", () => {
    expect(
      said(`turn a { user "x" assistant "{x: label(yes, no)}" }
        turn b continues a { system "Another." user "x" assistant "{y: label(yes, no)}" }`),
    ).toEqual(['CFX2408 system "Another."'])
    expect(said(`system "{x}" turn a { user "x" assistant "{x: label(yes, no)}" }`)).toEqual(["CFX2101 {x}"])
    expect(said(`system " " turn a { user "x" assistant "{x: label(yes, no)}" }`)).toEqual(['CFX2116 " "'])
  })

  it("of one turn may quote what another one read", () => {
    const { turns } = lowered(`turn a { user "x" assistant "{x: label(yes, no)}" }
      turn b { system "It was {x}." user "x" assistant "{y: label(yes, no)}" }`)
    expect(shown(turns[1]?.system)).toBe("It was {x}.")
  })
})

describe("gates", () => {
  const gated = (when: string) => `${LISTING} role source ${FIRST}
    turn argue by source { user "Argue." assistant "{reply: text}" read reply { max 50 refusal "NO" } }
    turn second continues first when ${when} { user "{reply}" assistant "{a1: option}" }`

  it("are conditions over earlier reads and columns", () => {
    const { turns } = lowered(gated("a0 == item.gold and not refused(reply) and source == model"))
    expect(turns.at(-1)?.when).toMatchObject({ kind: "binary", operator: "and" })
    expect(turns[0]?.when).toBeUndefined()
  })

  it.each([
    ["an unknown name", "a9 == item.gold", "CFX2314 a9"],
    ["no condition", "a0", "CFX2301 a0"],
    ["a read that comes later", "a1 == item.gold", "CFX2108 a1"],
  ])("%s is reported", (_, when, expected) => {
    expect(said(gated(when))).toEqual([expected])
  })

  it("of a repeated turn are reported once, and wait for the whole of a list", () => {
    expect(
      said(`${LISTING} ${FIRST}
        turn press[t] repeat 3 continues first when changes(a) > 0 { user "x" assistant "{a[t]: option}" }`),
    ).toEqual(["CFX2108 a"])
    expect(
      said(`${LISTING} ${FIRST}
        turn press[t] repeat 3 continues first { user "x" assistant "{a[t]: option}" }
        turn last continues press when changes(a) > 0 { user "x" assistant "{z: option}" }`),
    ).toEqual([])
  })

  it("over levels are checked where an experiment uses the protocol", () => {
    const spec = (when: string) => `
      model m = gguf "m.gguf"
      items pool = "items.jsonl" { question = question options = options gold = gold }
      block again { text "Think again." }
      metric ok(x = a0) { rate x == item.gold interval wilson 95 }
      ${protocol(`slot block slot tone ${LISTING} ${FIRST}
        turn second continues first when ${when} { user "{block} {tone}" assistant "{a1: option}" }`)}
      experiment e {
        protocol p models { m } items { pool } seed 0 target top_wrong(a0)
        factor tone in { none, "Kindly." }
        arms { reask = again }
        measure ok
      }`
    const codes = (when: string) => briefs(compileText(spec(when))).filter((one) => !one.startsWith("CFX4"))
    expect(codes("arm == reask and tone == none and a0 == item.gold")).toEqual([])
    expect(codes("arm == reasks")).toEqual(["CFX2204 reasks"])
    expect(codes("framing == people")).toEqual(["CFX2203 framing"])
    expect(codes("tones == none")).toEqual(["CFX2314 tones"])
  })
})

describe("labels", () => {
  const rated = 'turn first { user "1.0, 1.5 or 2.0?" assistant "Rating: {r0: label(1.0, 1.5, 2.0)}" }'
  const saying = `${TEXT} extract r2: label(01, 1, 10) from reply matching "(\\d+)"
    judge v = kind(reply) by m`
  const others = `model m = gguf "m.gguf"
    judge kind(reply) { user "{reply}" assistant "{verdict: label(0.50, 2)}" }`

  it("that are numbers are the characters that they are written with", () => {
    expect(lowered(rated).holes).toMatchObject([{ name: "r0", labels: ["1.0", "1.5", "2.0"] }])
    expect(lowered(saying, others).holes).toMatchObject([
      { name: "reply" },
      { name: "r2", as: { labels: ["01", "1", "10"] } },
      { name: "v", labels: ["0.50", "2"] },
    ])
    expect(reads(rated)).toMatchObject([{ labels: ["1.0", "1.5", "2.0"] }])
  })

  it("are compared with texts, also where they are numbers", () => {
    const gated = (when: string) =>
      said(`${rated} turn again when ${when} { user "x" assistant "{x: label(a, b)}" }`)
    expect(gated('r0 == "1.0"')).toEqual([])
    expect(gated('r0 in { "1.0", "2.0" }')).toEqual([])
    expect(gated('r0 == "1"')).toEqual(['CFX2502 "1"'])
    expect(gated("r0 == 1.0")).toEqual(["CFX2302 r0 == 1.0"])
    expect(gated("r0 in { 1.0 }")).toEqual(["CFX2302 1.0"])
  })
})

describe("texts that a model writes", () => {
  it("are written as their turn says", () => {
    const { holes } = lowered(
      `turn a { user "x" assistant "{reply: text}"
        read reply { max 40 until "\\n" "END" temperature 0.7 top_p 0.9 refusal "I_AM_WEAK" } }`,
    )
    expect(holes).toEqual([
      {
        name: "reply",
        turn: "a",
        type: "text",
        max: 40,
        until: ["\n", "END"],
        temperature: 0.7,
        topP: 0.9,
        refusal: ["I_AM_WEAK"],
      },
    ])
  })

  it("are greedy where nothing else is said", () => {
    expect(lowered(TEXT).holes).toMatchObject([{ max: 50, until: [], temperature: 0, topP: 1, refusal: [] }])
  })

  const writing = (assistant: string, read = "read reply { max 9 }") =>
    said(`turn a { user "x" assistant "${assistant}" ${read} }`)

  it.each([
    ["no length", "{reply: text}", "", "CFX2404 reply"],
    ["no `max` among the settings", "{reply: text}", "read reply { temperature 0 }", "CFX2404 reply"],
    ["a read after it", "{reply: text} {x: label(yes, no)}", undefined, "CFX2403 {x: label(yes, no)}"],
    [
      "a second text",
      "{reply: text} {more: text}",
      "read reply { max 9 } read more { max 9 }",
      "CFX2403 {more: text}",
    ],
    ["half a token", "{reply: text}", "read reply { max 0.5 }", "CFX2208 0.5"],
    ["a negative temperature", "{reply: text}", "read reply { max 9 temperature 3 }", "CFX2405 3"],
    ["a share above 1", "{reply: text}", "read reply { max 9 temperature 1 top_p 2 }", "CFX2405 2"],
    ["a share of nothing", "{reply: text}", "read reply { max 9 temperature 1 top_p 0 }", "CFX2405 0"],
    ["a share without drawing", "{reply: text}", "read reply { max 9 top_p 0.5 }", "CFX2103 top_p 0.5"],
    [
      "settings of another name",
      "{reply: text}",
      "read reply { max 9 } read replay { max 9 }",
      "CFX2406 replay",
    ],
    ["an empty text to stop at", "{reply: text}", 'read reply { max 9 until "" }', 'CFX2116 ""'],
    ["a placeholder in a marker", "{reply: text}", 'read reply { max 9 refusal "{x}" }', "CFX2105 {x}"],
    ["one setting twice", "{reply: text}", "read reply { max 9 max 8 }", "CFX2009 max 8"],
    [
      "settings twice",
      "{reply: text}",
      "read reply { max 9 } read reply { max 8 }",
      "CFX2009 read reply { max 8 }",
    ],
  ])("%s is reported", (_, assistant, read, expected) => {
    expect(writing(assistant, read)).toEqual([expected])
  })

  it("may follow other reads, and be followed by characters", () => {
    expect(writing("{x: label(yes, no)} {reply: text}.")).toEqual([])
  })

  it.each([
    ["a length of nothing that is written", "max 9", "CFX2103 max 9"],
    ["a temperature", "temperature 1", "CFX2438 temperature 1"],
    ["texts that nobody would see", 'until "x"', 'CFX2438 until "x"'],
    ["whole texts, which only options have", "score text", "CFX2438 score text"],
    ["a mass above all", "mass 2", "CFX2405 2"],
    ["a comparison of no length", "generate 40", "CFX2404 generate 40"],
    ["a comparison with no trials", "generate 0 max 9", "CFX2405 0"],
  ])("a read of labels has not %s", (_, setting, expected) => {
    expect(said(`turn a { user "x" assistant "{x: label(yes, no)}" read x { ${setting} } }`)).toEqual([
      expected,
    ])
  })

  it("labels must leave a choice", () => {
    expect(said(`turn a { user "x" assistant "{x: label(yes)}" }`)).toEqual(["CFX2418 label(yes)"])
    expect(said(`turn a { user "x" assistant "{x: label(yes, yes)}" }`)).toEqual(["CFX2003 yes"])
  })
})

describe("extracts", () => {
  it("are reads after the turn of their text, in the order written", () => {
    const body = `${LISTING} ${TEXT}
      turn next continues first { user "{item.options}" assistant "{z: option}" }
      extract k: integer 1..5 from reply matching "SURE: (\\d)" first
      extract a0: option from reply matching "ANSWER: \\"(\\w)\\"" last
      extract yes: label(yes, no) from reply matching "(?i)yes|no"`
    const { holes } = lowered(body)
    expect(holes.map(({ name, turn }) => `${name} in ${turn}`)).toEqual([
      "reply in first",
      "k in first",
      "a0 in first",
      "yes in first",
      "z in next",
    ])
    expect(holes[1]).toMatchObject({
      type: "extract",
      from: "reply",
      which: "first",
      as: { type: "integer", low: 1, high: 5 },
    })
    expect(holes[2]).toMatchObject({ type: "extract", from: "reply", which: "last", as: { type: "option" } })
    expect(new RegExp((holes[2] as { pattern: string }).pattern).exec('ANSWER: "B"')?.[1]).toBe("B")
    expect(holes[3]).toMatchObject({ as: { type: "label", labels: ["yes", "no"] } })
    expect(reads(body).map(({ name, kind, hasProbabilities }) => [name, kind, hasProbabilities])).toEqual([
      ["reply", "text", false],
      ["k", "integer", false],
      ["a0", "option", false],
      ["yes", "label", false],
      ["z", "option", true],
    ])
  })

  it("of a repeated turn's texts are a list", () => {
    const { holes, lists } = lowered(`${LISTING}
      turn say[t] repeat 2 { user "{item.question} {item.options}" assistant "{reply[t]: text}" read reply { max 9 } }
      extract a: option from reply matching "[A-Z]"`)
    expect(holes.map(({ name, turn }) => `${name} in ${turn}`)).toEqual([
      "reply1 in say1",
      "a1 in say1",
      "reply2 in say2",
      "a2 in say2",
    ])
    expect(lists).toEqual({ reply: ["reply1", "reply2"], a: ["a1", "a2"] })
  })

  it("can be quoted and asked after in a later turn", () => {
    expect(
      said(`${LISTING} ${TEXT}
        extract a0: option from reply matching "[A-Z]"
        turn next continues first when a0 == item.gold { user "{item.options} You said {a0}." assistant "{z: option}" }`),
    ).toEqual([])
  })

  it.each([
    ["from what is no text", 'extract k: integer 1..5 from z matching "x"', "CFX2412 z"],
    ["from no read", 'extract k: integer 1..5 from replay matching "x"', "CFX2412 replay"],
    ["of a range that is none", 'extract k: integer 5..1 from reply matching "x"', "CFX2115 integer 5..1"],
    [
      "of another item's options",
      'extract k: option of item from reply matching "x"',
      "CFX2413 option of item",
    ],
    ["of labels that differ in case only", 'extract k: label(No, no) from reply matching "x"', "CFX2419 no"],
    ["by a pattern that is not closed", 'extract k: integer 1..5 from reply matching "a(b"', "CFX2411 a(b"],
    ["by a pattern that looks ahead", 'extract k: integer 1..5 from reply matching "x(?=y)"', "CFX2411 (?="],
    ["by a range of no characters", 'extract k: integer 1..5 from reply matching "ab[z-a]"', "CFX2411 z-a"],
    ["under a name that is taken", 'extract reply: integer 1..5 from reply matching "x"', "CFX2107 reply"],
  ])("%s are reported", (_, extract, expected) => {
    const next = 'turn next continues first { user "x" assistant "{z: label(yes, no)}" }'
    expect(said(`${TEXT} ${next} ${extract}`)).toEqual([expected])
  })

  it("that a turn waits for before their text is written are too late", () => {
    expect(
      said(`${LISTING}
        turn early { user "{item.options} You will say {k}." assistant "{z: option}" }
        ${TEXT} extract k: integer 1..5 from reply matching "x"`),
    ).toEqual(["CFX2108 {k}"])
  })
})

describe("turns that wait for one another", () => {
  it("in a circle are reported, and nothing else about their order", () => {
    expect(
      said(`turn a continues b { user "{y}" assistant "{x: label(yes, no)}" }
        turn b continues a { user "{x}" assistant "{y: label(yes, no)}" }`),
    ).toEqual(["CFX2109 b"])
  })

  it("by their texts are reported at the one that cannot be said yet", () => {
    expect(
      said(`turn a { user "{y}" assistant "{x: label(yes, no)}" }
        turn b { user "{x}" assistant "{y: label(yes, no)}" }`),
    ).toEqual(["CFX2108 {y}"])
  })
})
