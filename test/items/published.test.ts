import { describe, expect, it } from "vitest"
import { readBy } from "./support.ts"

/** The text of the gold option of a row under a mapping, or the problems of the row. */
const goldOf = (fields: string, text: string, name = "p.jsonl") => {
  const { items, problems } = readBy(fields, { [name]: text }, true)
  const [item] = items
  return item === undefined ? problems.map(({ kind }) => kind) : item.options[item.gold]
}

const fields = "question = q options = o gold = g"
const row = (o: readonly string[], g: unknown): string => JSON.stringify({ q: "?", o, g })

describe("published data are taken as they are:", () => {
  it("two equal options are let pass where gold is no matter of their text", () => {
    const text = row(["x", "y", "x"], "C")
    expect(readBy(fields, { "p.jsonl": text }).problems).toMatchObject([{ kind: "equal_options" }])
    expect(readBy(fields, { "p.jsonl": text }, true)).toMatchObject({
      items: [{ options: ["x", "y", "x"], gold: 2 }],
      problems: [],
      flawed: [{ id: "1", flaws: ["equal options"] }],
    })
    expect(readBy(fields, { "p.jsonl": row(["x", "y", "x"], "x") }, true).problems).toMatchObject([
      { kind: "equal_options" },
    ])
  })
  it("an empty option is left out, and gold goes on meaning what it meant", () => {
    const text = row(["", "x", "y"], 2)
    const placed = "question = q options = o gold = index(g)"
    expect(readBy(placed, { "p.jsonl": text }).problems).toMatchObject([{ kind: "empty_text" }])
    expect(readBy(placed, { "p.jsonl": text }, true)).toMatchObject({
      items: [{ options: ["x", "y"], labels: ["A", "B"], gold: 1 }],
      flawed: [{ flaws: ["empty option"] }],
    })
    expect(readBy(placed, { "p.jsonl": row(["", "x", "y"], 0) }, true).items).toEqual([])
  })
})

describe("where an empty option is left out, gold means what it meant in the row as published:", () => {
  const o = ["red", "", "green", "blue"]
  const by = (how: string, g: unknown, options: unknown = o) =>
    goldOf(`question = q options = o gold = ${how}`, JSON.stringify({ q: "?", o: options, g }))

  it("a label, of a list and of columns of a table", () => {
    expect(by("g", "A")).toBe("red")
    expect(by("g", "C")).toBe("green")
    expect(by("g", "D")).toBe("blue")
    expect(by("letter(g)", "(D)")).toBe("blue")
    const table = "question = column(1) options = column(2), column(3), column(4), column(5) gold = column(6)"
    expect(goldOf(table, "What?,red,,green,blue,C\n", "p.csv")).toBe("green")
    expect(goldOf(table, "What?,red,,green,blue,D\n", "p.csv")).toBe("blue")
    expect(
      goldOf("question = q options = o gold = g", 'q,o,g\n?,"[""red"", """", ""green""]",C\n', "p.csv"),
    ).toBe("green")
  })
  it("a place, counted from 0, from 1, marked in a list, or the first", () => {
    expect(by("index(g)", 2)).toBe("green")
    expect(by("position(g)", 3)).toBe("green")
    expect(by("marked(g)", [0, 0, 1, 0])).toBe("green")
    expect(by("first()", 0)).toBe("red")
  })
  it("a key of a record, which stays the label of its option", () => {
    const record = { A: "red", B: "", C: "green", D: "blue" }
    expect(by("g", "C", record)).toBe("green")
    expect(by("marked(g)", { A: 0, B: 0, C: 1, D: 0 }, record)).toBe("green")
    expect(
      goldOf("question = q options = lettered(q) gold = g", '{"q": "(A) red\\n(B)\\n(C) green", "g": "C"}'),
    ).toBe("green")
    expect(
      goldOf(
        "question = q options = keys(o) gold = marked(o)",
        '{"q": "?", "o": {"x": 0, "": 0, "y": 1, "z": 0}}',
      ),
    ).toBe("y")
  })
  it("the text of an option", () => {
    expect(by("g", "green")).toBe("green")
    expect(by("marked(g)", { red: 0, green: 1, blue: 0 })).toBe("green")
  })
  it("the empty option, which is an error at its place then, and a label that no option had", () => {
    for (const [how, g] of [
      ["g", "B"],
      ["letter(g)", "B)"],
      ["index(g)", 1],
      ["position(g)", 2],
      ["marked(g)", [0, 1, 0, 0]],
    ] as const)
      expect(by(how, g), how).toEqual(["empty_text"])
    expect(by("first()", 0, ["", "x", "y"])).toEqual(["empty_text"])
    expect(by("g", "B", { A: "red", B: "", C: "B" })).toEqual(["empty_text"])
    expect(by("g", "E")).toEqual(["gold_not_a_label"])
    expect(by("index(g)", 4)).toEqual(["gold_out_of_range"])
    const text = "What?,red,,green,blue,B\n"
    const table = "question = column(1) options = column(2), column(3), column(4), column(5) gold = column(6)"
    expect(readBy(table, { "p.csv": text }, true).problems).toMatchObject([
      { kind: "empty_text", field: "options", column: "column(3)", span: { start: 10, end: 10 } },
    ])
  })
  it("and equal options are told by their places in it", () => {
    const { problems } = readBy(fields, { "p.jsonl": row(["", "x", "x"], "x") }, true)
    expect(problems).toMatchObject([{ kind: "equal_options", first: 2, second: 3 }])
  })
})
