/** Stimuli: what is said, what fills it, and whether it fits the protocol that it is used in. */
import { describe, expect, it } from "vitest"
import type { AssertionIR, BlockIR, CellIR, TextIR } from "../../compiler/ir.ts"
import { load } from "../../compiler/load.ts"
import { wholeFraming, wordingsOf } from "../../compiler/lower/inherit.ts"
import { lowerOrder, lowerStructure } from "../../compiler/lower/structure.ts"
import { lowerPlain } from "../../compiler/lower/text.ts"
import { resolve } from "../../compiler/resolve.ts"
import type { Expression, Name } from "../../grammar/ast.ts"
import { inMemory } from "../diagnostics/examples.ts"
import { briefs, compileText } from "./files.ts"

const said = (spec: string) => briefs(compileText(spec))

const loaded = (spec: string) => {
  const { modules } = load("/spec/main.cfx", inMemory({ "main.cfx": spec }))
  const { names } = resolve(modules, () => [])
  return { module: modules[0]!, names }
}

describe("structures", () => {
  const lowered = (value: string, others = "") => {
    const { module, names } = loaded(`structure s = ${value}\n${others}`)
    const [declaration] = module.file.declarations
    if (declaration?.kind !== "structure") throw new Error("no structure")
    return lowerStructure(declaration.value, names)
  }

  it.each([
    ["all_wrong", "all_wrong"],
    ["mixed", "mixed"],
    ["[wrong, other, gold]", { kind: "list", lines: ["target", "other", "gold"] }],
    ["all_wrong except last", { kind: "except", rest: "target", place: -1, as: "gold" }],
    ["all_wrong except first = other", { kind: "except", rest: "target", place: 1, as: "other" }],
    ["all_wrong except 3 = gold", { kind: "except", rest: "target", place: 3, as: "gold" }],
    ["all_correct except last", { kind: "except", rest: "gold", place: -1, as: "target" }],
  ])("%s says what each line asserts", (written, expected) => {
    expect(lowered(written)).toEqual(expected)
    expect(said(`structure s = ${written}`)).toEqual([])
  })

  it("may be another one's name", () => {
    expect(lowered("t", "structure t = [wrong, gold]")).toEqual({ kind: "list", lines: ["target", "gold"] })
    expect(lowered("t", "structure t = s")).toBeUndefined()
  })

  it.each([
    ["an unknown name", "structure s = alll_wrong", "CFX2001 alll_wrong"],
    ["an unknown word for a line", "structure s = [wrong, golden]", "CFX2420 golden"],
    ["a number for a line", "structure s = [wrong, 1]", "CFX2420 1"],
    ["no line", "structure s = []", "CFX2420 []"],
    ["an exception from halves", "structure s = mixed except last", "CFX2420 mixed"],
    ["an exception at no place", "structure s = all_wrong except 0", "CFX2420 0"],
    ["an exception that is none", "structure s = all_wrong except last = wrong", "CFX2420 wrong"],
    ["an unknown exception", "structure s = all_wrong except last = right", "CFX2420 right"],
    ["a number", "structure s = 3", "CFX2420 3"],
    ["a word of the language as a name", "structure mixed = [wrong, gold]", "CFX2422 mixed"],
    ["a circle", "structure s = t\nstructure t = s", "CFX2423 t"],
    ["itself", "structure s = s", "CFX2423 s"],
  ])("%s is reported", (_, spec, expected) => {
    expect(said(spec)).toEqual([expected])
  })
})

describe("orders", () => {
  it.each(["identity", "reversed", "interleaved", "shuffled"])("%s is a word of the language", (word) => {
    const name: Name = { kind: "name", text: word, span: { start: 0, end: 0 } }
    expect(lowerOrder(name, loaded("").names)).toBe(word)
  })

  it("are permutations", () => {
    const { module, names } = loaded("order o = [3, 1, 2]\norder p = o")
    const values = module.file.declarations.map((one) => (one as { value: Expression }).value)
    for (const value of values)
      expect(lowerOrder(value, names)).toEqual({ kind: "permutation", places: [3, 1, 2] })
  })

  it.each([
    ["a place twice", "order o = [1, 2, 2]", "CFX2421 2"],
    ["a place too far", "order o = [1, 2, 4]", "CFX2421 4"],
    ["half a place", "order o = [1, 1.5]", "CFX2421 1.5"],
    ["a word for a place", "order o = [1, last]", "CFX2421 last"],
    ["no place", "order o = []", "CFX2421 []"],
    ["a number", "order o = 3", "CFX2421 3"],
    ["an unknown name", "order o = reverse", "CFX2001 reverse"],
    ["a word of the language as a name", "order shuffled = [1, 2]", "CFX2422 shuffled"],
    ["a circle", "order o = p\norder p = o", "CFX2423 p"],
  ])("%s is reported", (_, spec, expected) => {
    expect(said(spec)).toEqual([expected])
  })
})

describe("framings", () => {
  const spec = `
    framing base_one {
      preamble "Before." line "{assertion}" closing "After."
      wording second { preamble "Earlier." }
      wording third { line "So: {assertion}" closing "Later." }
    }
    framing child extends base_one { line "Person {i}: {assertion}" }`

  const texts = (name: string, wording?: string) => {
    const { module, names } = loaded(spec)
    const declaration = module.file.declarations.find((one) => one.name.text === name)
    if (declaration?.kind !== "framing") throw new Error("no framing")
    const bound = { declaration, module }
    const { preamble, lines, closing } = wholeFraming(bound, names, wording)
    const plain = lines?.node.map((line) =>
      line.parts.map((part) => (part.kind === "chars" ? part.text : "*")).join(""),
    )
    return {
      wordings: wordingsOf(bound, names),
      preamble: preamble && lowerPlain(preamble.node),
      lines: plain,
      closing: closing && lowerPlain(closing.node),
    }
  }

  it("have what they say in a wording instead of their own", () => {
    expect(said(spec)).toEqual([])
    const own = { wordings: ["second", "third"], preamble: "Before.", lines: ["*"], closing: "After." }
    expect(texts("base_one")).toEqual(own)
    expect(texts("base_one", "base")).toEqual(own)
    expect(texts("base_one", "second")).toEqual({ ...own, preamble: "Earlier." })
    expect(texts("base_one", "third")).toEqual({ ...own, lines: ["So: *"], closing: "Later." })
  })

  it("inherit wordings, and what they say themselves stands for what a parent's wording says", () => {
    const own = {
      wordings: ["second", "third"],
      preamble: "Before.",
      lines: ["Person *: *"],
      closing: "After.",
    }
    expect(texts("child")).toEqual(own)
    expect(texts("child", "second")).toEqual({ ...own, preamble: "Earlier." })
    expect(texts("child", "third")).toEqual({ ...own, closing: "Later." })
  })

  const LINE = 'line "{assertion}"'
  it.each([
    [
      "two wordings of one name",
      `framing f { ${LINE} wording a { preamble "x" } wording a { preamble "y" } }`,
      ["CFX2003 a"],
    ],
    [
      "a wording called as the framing itself is",
      `framing f { ${LINE} wording base { preamble "x" } }`,
      ["CFX2422 base"],
    ],
    [
      "a field twice in a wording",
      `framing f { ${LINE} wording a { preamble "x" preamble "y" } }`,
      ['CFX2009 preamble "y"'],
    ],
    [
      "a wording whose line asserts nothing",
      `framing f { ${LINE} wording a { line "Yes." } }`,
      ['CFX2117 "Yes."'],
    ],
    [
      "a wording that names a speaker whom nobody declares",
      `framing f { ${LINE} wording a { line "{speaker}: {assertion}" } }`,
      ["CFX2102 {speaker}"],
    ],
    [
      "an unknown roster in a wording",
      `framing f { ${LINE} wording a { speakers friends line "{speaker}: {assertion}" } }`,
      ["CFX2001 friends"],
    ],
    ["an empty closing", `framing f { ${LINE} closing "" }`, ['CFX2116 ""']],
    [
      "a misspelt place in a closing",
      `framing f { ${LINE} closing "{item.questions}" }`,
      ["CFX2101 {item.questions}"],
    ],
    ["an answer in a closing", `framing f { ${LINE} closing "{answer}" }`, ["CFX2101 {answer}"]],
    ["a hole in a closing", `framing f { ${LINE} closing "{x: option}" }`, ["CFX2106 {x: option}"]],
  ])("%s is reported", (_, spec, expected) => {
    expect(said(spec)).toEqual(expected)
  })

  it("read a roster that only a wording names a speaker from", () => {
    expect(
      said(`roster friends { "Ann" }
        framing f { speakers friends ${LINE} wording a { line "{speaker}: {assertion}" } }`),
    ).toEqual([])
  })
})

describe("what fills a stimulus", () => {
  const line = (place: string) => said(`framing f { line "{assertion} ${place}" }`)
  const block = (place: string) => said(`block b { text "x ${place}" }`)

  it.each([
    "{item.question}",
    "{item.options}",
    "{item.gold.label}",
    "{item.gold.text}",
    "{item.subject}",
    "{pushed.label}",
    "{target.text}",
    "{t}",
    "{past.question}",
    "{past[2].gold.label}",
    "{past[t].wrong.text}",
    "{past[1].subject}",
  ])("can be %s, in a block and in a framing", (place) => {
    expect(block(place)).toEqual([])
    expect(line(place)).toEqual([])
  })

  it.each(["{answer}", "{answer.label}", "{answer.text}", "{i}"])("can be %s in a line only", (place) => {
    expect(line(place)).toEqual([])
    expect(block(place)).toEqual([`CFX2101 ${place}`])
  })

  it.each([
    "{item}",
    "{item.gold}",
    "{item.question.text}",
    "{item.option}",
    "{items.question}",
    "{push.label}",
    "{pushed}",
    "{target.labels}",
    "{past}",
    "{past[s].question}",
    "{past[1].gold}",
    "{item[1].question}",
    "{a0}",
  ])("cannot be %s", (place) => {
    expect(block(place)).toEqual([`CFX2101 ${place}`])
  })

  it("can be a column that looks like a slip of the hand, where a pool of the file has it", () => {
    const pool = (column: string) =>
      `items exam = "items.jsonl" { question = question options = options gold = gold ${column} = gold }
       block b { text "{item.questions}" }`
    expect(said(pool("questions"))).toEqual([])
    expect(said(pool("subject"))).toEqual(["CFX2101 {item.questions}"])
  })

  it("may be another answer than the asserted one, in a wording that asserts it", () => {
    expect(said('paraphrase p { "The answer to {other.question} is {other.gold.text}." }')).toEqual([])
    expect(said('paraphrase p { "It is {pushed.text}." }')).toEqual([])
    expect(said('paraphrase p { "It is about {item.subject}." }')).toEqual([
      'CFX2117 "It is about {item.subject}."',
    ])
  })
})

describe("blocks", () => {
  it.each([
    ["no text", "block b { }", "CFX2010 b"],
    ["a text and texts", 'block b { text "a" texts "a" "b" }', 'CFX2425 texts "a" "b"'],
    ["a text twice", 'block b { text "a" text "b" }', 'CFX2009 text "b"'],
    ["an empty text among others", 'block b { texts "a" " " }', 'CFX2116 " "'],
    ["a misspelt place among others", 'block b { texts "a" "{pushed.lable}" }', "CFX2101 {pushed.lable}"],
  ])("with %s are reported", (_, spec, expected) => {
    expect(said(spec)).toEqual([expected])
  })
})

// ---------------------------------------------------------------- in an experiment

/** An experiment over a protocol with a slot, another slot, and a turn that repeats twice. */
const using = ({
  slot = "{block}",
  tone = "",
  fields = "",
  pool = "",
  arms = "again = same_again",
  factor = "",
  declared = "",
}) => `
model m = gguf "m.gguf"
items pool = "items.jsonl" { question = question options = options gold = gold ${pool} }
metric ok(x = a0) { rate x == item.gold interval wilson 95 }
framing bare { line "{assertion}" }
paraphrase plain { "It is {answer}." }
dose voices(n) { lines n speakers n }
block same_again { text "Think again." }
${declared}
protocol p {
  slot block
  ${tone === "" ? "" : "slot tone"}
  ${fields}
  turn opening { user "{item.question}" assistant "{a0: option}" }
  turn press[t] repeat 2 continues opening { user "${slot}" assistant "{a[t]: option}" }
  turn closing continues press { user "Sure? ${tone}" assistant "{z: option}" }
}
experiment e {
  protocol p models { m } items { pool } seed 0 target top_wrong(a0)
  ${factor}
  arms { ${arms} }
  measure ok
}`

const found = (parts: Parameters<typeof using>[0]) =>
  said(using(parts)).filter((one) => !one.startsWith("CFX4"))

const cells = (parts: Parameters<typeof using>[0]): readonly CellIR[] => {
  expect(found(parts)).toEqual([])
  return compileText(using(parts)).program?.experiments[0]?.cells ?? []
}

/** The one cell of an experiment. */
const only = (parts: Parameters<typeof using>[0]): CellIR => {
  const [cell, ...others] = cells(parts)
  if (cell === undefined || others.length > 0) throw new Error("not one cell")
  return cell
}

const plain = (text: TextIR): string =>
  text.map((piece) => (piece.kind === "text" ? piece.text : "*")).join("")

const assertion = (dose: string, framing = "bare") =>
  `push = assertion(framing = ${framing}, structure = all_wrong, order = identity, dose = ${dose}, paraphrase = plain)`

describe("a stimulus in a repeated turn", () => {
  const growing = 'block growing { texts "One?" "Two?" }'

  it("may say another thing at each step", () => {
    const cell = only({ slot: "{block[t]}", declared: growing, arms: "up = growing" })
    const { text, steps } = cell.stimulus as BlockIR
    expect([plain(text), steps?.map(plain)]).toEqual(["", ["One?", "Two?"]])
  })

  it("goes by the steps of its turn, whether or not the slot is written with the step", () => {
    expect(found({ slot: "{block}", declared: growing, arms: "up = growing" })).toEqual([])
    expect(found({ slot: "{block}" })).toEqual([])
  })

  it("may have a dose at each step", () => {
    const cell = only({ slot: "{block[t]}", arms: assertion("[voices(1), voices(3)]") })
    const { dose, doses } = cell.stimulus as AssertionIR
    expect([dose.lines, doses?.map(({ lines }) => lines)]).toEqual([1, [1, 3]])
  })

  it.each([
    ["too few texts", { declared: 'block up { texts "One?" }', arms: "a = up" }, "CFX2457 up"],
    ["too many texts", { declared: 'block up { texts "1" "2" "3" }', arms: "a = up" }, "CFX2457 up"],
    ["too few doses", { arms: assertion("[voices(1)]") }, "CFX2457 [voices(1)]"],
    ["the same block at every step", {}, "CFX2433 same_again"],
    ["the same dose at every step", { arms: assertion("voices(2)") }, "CFX2433 voices(2)"],
  ])("with %s is reported where the protocol asks for a step", (_, parts, expected) => {
    expect(found({ slot: "{block[t]}", ...parts })).toEqual([expected])
  })

  it("may say which step it is", () => {
    expect(
      found({ slot: "{block[t]}", declared: 'block n { text "For the {t}. time." }', arms: "a = n" }),
    ).toEqual([])
    expect(
      found({
        slot: "{block[t]}",
        declared: 'framing counted { line "{t}: {assertion}" }',
        arms: assertion("voices(2)", "counted"),
      }),
    ).toEqual([])
  })

  it.each([
    ["a text for each step", "growing", growing, "CFX2457 growing"],
    ["the number of the step", "counted", 'block counted { text "For the {t}. time." }', "CFX2432 counted"],
  ])("with %s cannot stand where nothing repeats", (_, level, declared, expected) => {
    expect(found({ tone: "{tone}", declared, factor: `factor tone = ${level}` })).toEqual([expected])
  })

  it.each([
    ["a place that nothing fills", '"Kindly, {pleas}."', "CFX2101 {pleas}"],
    ["a read", '"Kindly, {x: option}."', "CFX2106 {x: option}"],
    ["nothing", '""', 'CFX2116 ""'],
  ])("that is written out with %s is reported where it stands", (_, level, expected) => {
    expect(found({ tone: "{tone}", factor: `factor tone = ${level}` })).toEqual([expected])
  })

  it("that is nothing fits everywhere", () => {
    expect(found({ tone: "{tone}", factor: 'factor tone in { none, "Kindly.", 3 }' })).toEqual([])
  })
})

describe("structures and orders that are written out as levels", () => {
  const levels = (structure: string, order: string) =>
    found({
      arms: `push = assertion(framing = bare, structure = ${structure}, order = ${order}, dose = voices(3), paraphrase = plain)`,
    })

  it("are checked like declared ones", () => {
    expect(levels("[wrong, gold, wrong]", "[3, 1, 2]")).toEqual([])
    expect(levels("all_wrong except last", "shuffled")).toEqual([])
    expect(levels("[wrong, golden, wrong]", "identity")).toEqual(["CFX2420 golden"])
    expect(levels("mixed except last", "identity")).toEqual(["CFX2420 mixed"])
    expect(levels("[wrong, gold, wrong]", "[3, 3, 2]")).toEqual(["CFX2421 3"])
  })
})

describe("a stimulus that names other items", () => {
  const earlier = (place: string) => ({
    declared: `block earlier { text "Before: ${place}" }`,
    arms: "a = earlier",
  })

  it("needs a protocol that draws them", () => {
    expect(found(earlier("{past[1].question}"))).toEqual(["CFX2431 earlier"])
    expect(found({ fields: "draw past = 2 others", ...earlier("{past[2].question}") })).toEqual([])
  })

  it("names none that is not drawn", () => {
    const fields = "draw past = 2 others"
    expect(found({ fields, ...earlier("{past[3].question}") })).toEqual(["CFX2402 earlier"])
    expect(found({ fields, ...earlier("{past.question}") })).toEqual(["CFX2402 earlier"])
    expect(found({ fields: "draw past = 1 others", ...earlier("{past.question}") })).toEqual([])
  })

  it("by the step needs as many as there are steps", () => {
    expect(found({ fields: "draw past = 2 others", ...earlier("{past[t].question}") })).toEqual([])
    expect(found({ fields: "draw past = 1 others", ...earlier("{past[t].question}") })).toEqual([
      "CFX2402 earlier",
    ])
  })

  it("draws from a pool that the experiment names", () => {
    expect(found({ fields: "draw past = 2 others from pool", ...earlier("{past[1].question}") })).toEqual([])
    expect(found({ fields: "draw past = 2 others from poll", ...earlier("{past[1].question}") })).toEqual([
      "CFX2437 p",
    ])
  })

  it("is looked at in each text of an assertion", () => {
    const of = (field: string) =>
      found({ declared: `framing f { line "{assertion}" ${field} }`, arms: assertion("voices(2)", "f") })
    expect(of("")).toEqual([])
    expect(of('preamble "{past[1].question}"')).toEqual(["CFX2431 f"])
    expect(of('closing "{past[1].question}"')).toEqual(["CFX2431 f"])
    expect(of('wording w { preamble "{past[1].question}" }')).toEqual(["CFX2431 f"])
    expect(found({ tone: "{tone}", factor: 'factor tone = "{past[1].question}"' })).toEqual([
      'CFX2431 "{past[1].question}"',
    ])
  })
})

describe("a column that a text names", () => {
  const arms = "a = subject_block"
  const declared = 'block subject_block { text "About {item.subject}." }'

  it("must be one of every pool", () => {
    expect(found({ declared, arms })).toEqual(["CFX2430 subject_block"])
    expect(found({ declared, arms, pool: "subject = gold" })).toEqual([])
  })

  it("is looked for in the protocol's own texts too", () => {
    const fields = 'system "About {item.subject}."'
    expect(found({ fields })).toEqual(["CFX2430 p"])
    expect(found({ fields, pool: "subject = gold" })).toEqual([])
  })

  it("of a drawn item is one as well", () => {
    const drawn = {
      fields: "draw past = 2 others",
      arms: "a = b",
      declared: 'block b { text "{past[1].subject}" }',
    }
    expect(found(drawn)).toEqual(["CFX2430 b"])
    expect(found({ ...drawn, pool: "subject = gold" })).toEqual([])
  })
})

describe("options that a stimulus lists", () => {
  const listing = { declared: 'block listed { text "{item.options}" }', arms: "a = listed" }

  it("need a protocol that says how", () => {
    expect(found(listing)).toEqual(["CFX2436 listed"])
  })
})
