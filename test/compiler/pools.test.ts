import { describe, expect, it } from "vitest"
import { edit } from "./base.ts"
import { asYaml, briefs, compileText, questions } from "./files.ts"

const withPool = (text: string, ...changes: readonly (readonly [string, string])[]) =>
  withFile("items.yaml", text, ...changes)

const withFile = (name: string, text: string, ...changes: readonly (readonly [string, string])[]) =>
  compileText(edit(["sample 40", ""], ['"items.jsonl"', `"${name}"`], ...changes), {
    "items.yaml": text,
    "items.txt": text,
  })

const sound = asYaml(questions(40))
const mapping = "id = id question = question options = options gold = gold"

describe("the mapping of a pool", () => {
  it("has the fields of an item", () => {
    expect(briefs(withPool(sound, [mapping, `${mapping} answer = gold`]))).toEqual(["CFX3005 answer"])
    expect(briefs(withPool(sound, [mapping, "question = question"]))).toEqual(["CFX3006 pool"])
  })

  it("names columns that there are", () => {
    const { diagnostics } = withPool(sound, [
      mapping,
      mapping.replace("options = options", "options = option"),
    ])
    expect(briefs({ diagnostics, items: new Map(), sources: new Map() })).toEqual(["CFX3008 option"])
    expect(diagnostics[0]?.hint).toBe("Did you mean `options`?")
    expect(diagnostics[0]?.related[0]?.source.name).toBe("items.yaml")
  })
})

describe("columns of a CSV file", () => {
  const csv = (rows: number): string =>
    [
      "Question text,A,B,C,Answer",
      ...Array.from({ length: rows }, (_, n) => `Q${n}?,x${n},y${n},z${n},C`),
    ].join("\n")
  const mapped = (columns: string, text = csv(40)) =>
    compileText(edit(["sample 40", ""], ['"items.jsonl"', '"items.csv"'], [mapping, columns]), {
      "items.csv": text,
    })

  it("may be named in quotation marks, and hold an option each", () => {
    const found = mapped('question = "Question text" options = A, B, "C" gold = Answer')
    expect(briefs(found)).toEqual([])
    expect(found.program?.pools[0]?.fields).toEqual({
      question: ["Question text"],
      options: { each: [["A"], ["B"], ["C"]] },
      gold: ["Answer"],
    })
    expect(found.items.get("pool")?.[0]).toMatchObject({ options: ["x0", "y0", "z0"], gold: 2 })
  })

  it("are named where one of them is empty", () => {
    const text = `${csv(40)}\nLast?,x,"",z,C`
    const { diagnostics } = mapped('question = "Question text" options = A, B, C gold = Answer', text)
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "One of the options of this item is empty: there is nothing under `B`.",
    ])
    expect(
      withPool(`${sound}\n- {id: last, question: q, options: [a, ""], gold: A}`).diagnostics,
    ).toMatchObject([{ message: "One of the options of this item is empty." }])
    expect(
      withPool(`${sound}\n- {id: last, question: "", options: [a, b], gold: A}`).diagnostics,
    ).toMatchObject([{ message: "The question of this item is empty." }])
  })

  it("are looked for each", () => {
    const wrong = 'question = "Question" options = A, D gold = Answer'
    expect(briefs(mapped(wrong))).toEqual(['CFX3008 "Question"', "CFX3008 D"])
  })

  it("can be several for options alone, each once, each with a plain name", () => {
    expect(briefs(mapped('question = "Question text", A options = A, B gold = Answer'))).toEqual([
      "CFX3021 A",
    ])
    expect(briefs(mapped('question = "Question text" options = A, A gold = Answer'))[0]).toBe("CFX2003 A")
    expect(briefs(mapped('question = "{x}" options = A, B gold = Answer'))).toEqual(["CFX2105 {x}"])
    expect(briefs(mapped('question = "" options = A, B gold = Answer'))).toEqual(['CFX2116 ""'])
  })

  it("that hold all options in one text say how to write a list", () => {
    const found = mapped('question = "Question text" options = A gold = Answer')
    expect(found.diagnostics.map(({ code, hint }) => `${code} ${hint}`)).toEqual([
      'CFX3010 Write a list such as `["3", "4"]`, in a cell of a CSV file as JSON (there `"[""3"", ""4""]"`), or name a column for each option: `options = A, B, C, D`.',
    ])
  })
})

describe("a mistake that most rows make", () => {
  const rows = (golds: readonly string[]) =>
    golds.map((gold, n) => `- { id: ${n}, question: "Q?", options: [x, y], gold: ${gold} }`).join("\n")

  it("is told once, with its count", () => {
    const found = withPool(rows([...Array.from({ length: 39 }, () => "1"), "A"]))
    expect(found.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        "CFX3011",
        "The gold answer `1` is not a label of this item, which has `A` and `B`. So it is with 39 of the 40 rows; this is the first.",
        expect.stringMatching(
          /^The gold answer is one of the labels, or the text of an option. An index is neither/,
        ),
      ],
    ])
  })

  it("is told row by row where it is not the rule", () => {
    const golds = Array.from({ length: 40 }, (_, n) => (n < 20 ? "1" : "A"))
    expect(withPool(rows(golds)).diagnostics).toHaveLength(20)
    expect(withPool(rows(["1", "1", "1", "A"])).diagnostics).toHaveLength(3)
  })
})

describe("the rows of a pool", () => {
  it("are told apart by their place in the item file, all of them, beside what is wrong with the spec", () => {
    const rows = [
      '- { id: a, question: "Q?", options: [x, y], gold: A }',
      '- { id: a, question: "R?", options: [x, y], gold: C }',
      '- { id: b, question: "", options: [x, x], gold: A }',
      "- { id: c, options: [x, y], gold: A }",
    ].join("\n")
    const found = withPool(rows, ["voices(4)", "voices(0)"])
    expect(found.program).toBeUndefined()
    const codes = found.diagnostics.map(({ code, source, span }) => {
      return `${code} ${source.name}:${source.text.slice(0, span.start).split("\n").length}`
    })
    expect(codes).toEqual([
      "CFX2208 main.cfx:43",
      "CFX3012 items.yaml:2",
      "CFX3011 items.yaml:2",
      "CFX3018 items.yaml:3",
      "CFX3013 items.yaml:3",
      "CFX3009 items.yaml:4",
    ])
  })

  it("must be there", () => {
    expect(briefs(withPool("[]"))).toEqual(['CFX3004 "items.yaml"'])
    expect(briefs(withFile("others.yaml", sound))).toEqual(['CFX3001 "others.yaml"'])
    expect(briefs(withFile("items.txt", sound))).toEqual(['CFX3002 "items.txt"'])
  })
})

describe("a replaced file", () => {
  it("of a pool is read with the pool's own mapping", () => {
    const spec = edit(["sample 40", ""])
    const compiled = compileText(
      spec,
      { "mine.yaml": asYaml(questions(33)) },
      { items: { pool: "/spec/mine.yaml" } },
    )
    expect(briefs(compiled)).toEqual([])
    expect(compiled.items.get("pool")).toHaveLength(33)
    expect(compiled.program?.pools[0]?.file).toBe("/spec/mine.yaml")
  })

  it("of a pool that is not there is laid to the option, and not to the spec's own path", () => {
    const compiledWith = (file: string) =>
      compileText(edit(), { "none.txt": "x", "none.yaml": "[]" }, { items: { pool: `/spec/${file}` } })
    const [missing] = compiledWith("nope.csv").diagnostics
    expect(missing).toMatchObject({ code: "CFX3001", label: "read from `nope.csv` instead" })
    expect(missing?.hint).toBe(
      "The path is that of `--items pool=FILE`, seen from where the command is called.",
    )
    expect(briefs(compiledWith("nope.csv"))).toEqual(["CFX3001 pool"])
    expect(briefs(compiledWith("none.txt"))).toEqual(["CFX3002 pool"])
    expect(briefs(compiledWith("none.yaml"))).toEqual(["CFX3004 pool"])
  })

  it("is not found where none is given, whatever the name of the model or the pool", () => {
    const compiled = compileText(
      edit(
        ["model m =", "model constructor ="],
        ["models { m }", "models { constructor }"],
        ["items pool =", "items valueOf ="],
        ["items { pool sample 40 }", "items { valueOf }"],
      ),
      {},
      { models: {}, items: {} },
    )
    expect(briefs(compiled)).toEqual([])
    expect(compiled.program?.models[0]?.file).toBe("/spec/m.gguf")
    expect(compiled.program?.pools[0]?.file).toBe("/spec/items.jsonl")
  })

  it("of a model makes its declared size and sum void", () => {
    const compiled = compileText(edit(), {}, { models: { m: "/else/other.gguf" } })
    expect(compiled.program?.models[0]).toMatchObject({
      name: "m",
      file: "/else/other.gguf",
      attributes: { size: 0.1 },
    })
    expect(compiled.program?.models[0]).not.toHaveProperty("bytes")
  })
})

describe("a target that goes by the items", () => {
  const rows = (...shapes: readonly (readonly [options: number, gold: string])[]) =>
    shapes
      .map(([options, gold], index) => {
        const texts = Array.from({ length: options }, (_, option) => `o${option}`)
        return `- { id: q${index}, question: "Q?", options: [${texts.join(", ")}], gold: ${gold} }`
      })
      .join("\n")
  const few = 'allow CFX4006 "a test"'
  const of = (target: string, text: string, ...changes: readonly (readonly [string, string])[]) => {
    const found = withPool(text, ["target top_wrong(a0)", `target ${target} ${few}`], ...changes)
    return found.diagnostics.map(({ code, message }) => `${code} ${message}`)
  }

  it("must be in some item", () => {
    expect(of("option(9)", rows([4, "A"], [4, "B"]))).toEqual([
      "CFX2217 No item of `pool` can be asked about `option(9)`: 2 of 2 have fewer options.",
    ])
    expect(of("option(2)", rows([4, "B"], [1 + 1, "B"]))).toEqual([
      "CFX2217 No item of `pool` can be asked about `option(2)`: in 2 of 2 it is the gold answer.",
    ])
    expect(of("option(3)", rows([4, "C"], [2, "B"]))).toEqual([
      "CFX2217 No item of `pool` can be asked about `option(3)`: 1 of 2 have fewer options, and in 1 of 2 it is the gold answer.",
    ])
  })

  it("is noted where some items lack it, or have it as gold", () => {
    expect(of("option(3)", rows([4, "A"], [4, "C"], [2, "A"]))).toEqual([
      "CFX2218 Not every one of the 3 items of `pool` has `option(3)` as a wrong option: 1 of 3 have fewer options, and in 1 of 3 it is the gold answer.",
    ])
  })

  it("may be gold in every item where an arm asserts what is right", () => {
    const structures = [
      "structure in { all_wrong, mixed }",
      "structure in { all_wrong, all_correct }",
    ] as const
    expect(of("option(2)", rows([4, "B"], [4, "B"]), structures).map((line) => line.slice(0, 7))).toEqual([
      "CFX2218",
    ])
  })

  it("may be a label that no option has, where the labels go on", () => {
    const named = "- { id: a, question: Q, options: { yes: x, no: y }, gold: yes }"
    expect(of("placebo_label", named)).toEqual([
      "CFX2217 No item of `pool` can be asked about `placebo_label`: 1 of 1 have no letter or number that follows their labels.",
    ])
    expect(of("placebo_label", rows([4, "A"]))).toEqual([])
  })

  it("is not looked for where every item has it, or in a file with mistakes", () => {
    expect(of("option(1)", rows([4, "B"], [2, "B"]))).toEqual([])
    expect(of("option(9)", rows([4, "B"], [4, "Z"])).map((line) => line.slice(0, 7))).toEqual(["CFX3011"])
  })
})

describe("a file with mistakes", () => {
  it("is not counted against a sample", () => {
    const spec = edit(["options = options", "options = choices"])
    expect(briefs(compileText(spec))).toEqual(["CFX3008 choices"])
    expect(briefs(compileText(edit(["sample 40", "sample 41"])))).toEqual(["CFX3017 41"])
  })
})
