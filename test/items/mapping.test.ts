import { describe, expect, it } from "vitest"
import { readBy } from "./support.ts"

const rest = "question = q options = o gold = g"
const line = (row: object): string => JSON.stringify(row)
const row = { q: "?", o: ["x", "y", "z"], g: "A" }

/** The one item of a row under a mapping, or the kinds of its problems. */
const one = (fields: string, given: object, name = "p.jsonl") => {
  const { items, problems } = readBy(fields, { [name]: line(given) })
  return items[0] ?? problems.map(({ kind }) => kind)
}

describe("alternatives", () => {
  const fields = "question = q.stem or q options = q.o or o gold = g"

  it("are tried in order, row by row", () => {
    const rows = [
      { ...row, q: "flat" },
      { q: { stem: "nested", o: ["a", "b"] }, g: "B" },
    ]
    const { items } = readBy(fields, { "p.jsonl": rows.map(line).join("\n") })
    expect(items.map(({ question, options }) => [question, options.length])).toEqual([
      ["flat", 3],
      ["nested", 2],
    ])
  })
  it("are all missing where a row has none of them", () => {
    const { problems } = readBy(fields, { "p.jsonl": `${line(row)}\n${line({ o: ["x", "y"], g: "A" })}` })
    expect(problems).toMatchObject([{ kind: "missing_field", field: "question", column: "q.stem or q" }])
  })
  it("go past a null, and past what a function cannot take", () => {
    expect(one(fields, { ...row, q: null })).toEqual(["missing_column"])
    expect(one("question = q options = o gold = index(g) or g", row)).toMatchObject({ gold: 0 })
    expect(one("question = q options = o gold = index(g) or letter(g)", { ...row, g: "(C)" })).toMatchObject({
      gold: 2,
    })
  })
})

describe("a gold answer", () => {
  const gold = (how: string, given: unknown, o: unknown = row.o) =>
    one(`question = q options = o gold = ${how}`, { q: "?", o, g: given })

  it("by place is counted from 0 by `index` and from 1 by `position`", () => {
    expect(gold("index(g)", 1)).toMatchObject({ gold: 1 })
    expect(gold("index(g)", "1")).toMatchObject({ gold: 1 })
    expect(gold("position(g)", 1)).toMatchObject({ gold: 0 })
    expect(gold("index(g)", 3)).toEqual(["gold_out_of_range"])
    expect(gold("position(g)", 0)).toEqual(["wrong_type"])
    expect(gold("index(g)", -1)).toEqual(["wrong_type"])
    expect(gold("index(g)", 1.5)).toEqual(["wrong_type"])
  })
  it("is the first with `first()`", () => {
    expect(gold("first()", "C")).toMatchObject({ gold: 0 })
  })
  it("is what is marked with a 1, in a list by its place and in a record by its key", () => {
    expect(gold("marked(g)", [0, 0, 1])).toMatchObject({ gold: 2 })
    expect(gold("marked(g)", { x: 0, y: 1, z: 0 })).toMatchObject({ gold: 1 })
    expect(gold("marked(g)", { A: 0, B: 0, C: 1 })).toMatchObject({ gold: 2 })
    expect(gold("marked(g)", [0, 0, 0])).toEqual(["wrong_type"])
    expect(gold("marked(g)", [1, 1, 0])).toEqual(["wrong_type"])
    expect(gold("marked(g)", "x")).toEqual(["wrong_type"])
  })
  it("that is marked is an option's text before it is a label", () => {
    expect(gold("marked(g)", { B: 1, A: 0, z: 0 }, ["B", "A", "z"])).toMatchObject({ gold: 0 })
  })
  it("is the letter in parentheses", () => {
    for (const spelt of ["(B)", "B", "B)", " (B) ", "B."])
      expect(gold("letter(g)", spelt), spelt).toMatchObject({ gold: 1 })
    expect(gold("letter(g)", "(BC)")).toEqual(["wrong_type"])
    expect(gold("letter(g)", "(Z)")).toEqual(["gold_not_a_label"])
  })
})

describe("options", () => {
  it("are the keys of a record, in order", () => {
    const given = { q: "?", o: { yes: 0, no: 1, maybe: 0 } }
    expect(one("question = q options = keys(o) gold = marked(o)", given)).toMatchObject({
      options: ["yes", "no", "maybe"],
      labels: ["A", "B", "C"],
      gold: 1,
    })
    expect(one("question = q options = keys(o) gold = first()", row)).toEqual(["wrong_type"])
  })
  it("are listed in a text by letters, which are their labels", () => {
    const q = "Which?\nOptions:\n(A) one\n(B)  two (2)\nof them\n(C)\tthree"
    const fields = 'question = before(q, "Options:") options = lettered(q) gold = letter(g)'
    expect(one(fields, { q, g: "(B)" })).toMatchObject({
      question: "Which?",
      options: ["one", "two (2)", "three"],
      labels: ["A", "B", "C"],
      gold: 1,
    })
    const spaced = "Which?\nOptions:\n(A) \u3000one\u00A0 \t\n(B) two\u2028lines"
    expect(one(fields, { q: spaced, g: "(B)" })).toMatchObject({
      options: ["\u3000one\u00A0", "two\u2028lines"],
      gold: 1,
    })
    expect(one(fields, { q: "Which? (A) x", g: "(A)" })).toEqual(["wrong_type"])
    expect(one(fields, { q: "Which?\n(A) x\n(A) y", g: "(A)" })).toEqual(["wrong_type"])
  })
  it("in a list of the first of several columns are all of them", () => {
    const fields = "question = q options = o or a, b gold = g"
    expect(one(fields, row)).toMatchObject({ options: ["x", "y", "z"] })
    expect(one(fields, { q: "?", a: "one", b: "two", g: "B" })).toMatchObject({ options: ["one", "two"] })
    expect(one(fields, { q: "?", a: "one", g: "B" })).toEqual(["missing_column"])
  })
})

describe("texts by function", () => {
  it("are what stands before a marker, or all where there is none", () => {
    const cut = (q: string) => one('question = before(q, "::") options = o gold = g', { ...row, q })
    expect(cut(" a b :: c :: d")).toMatchObject({ question: "a b" })
    expect(cut(" a b ")).toMatchObject({ question: "a b" })
    expect(cut(":: c")).toEqual(["empty_text"])
  })
  it("are the name of the file and the place of the row", () => {
    const { items } = readBy(`id = row() ${rest} where_from = file() subject = before(file(), "_test")`, {
      "some/folder/birds.v2_test.jsonl": `${line(row)}\n${line(row)}`,
    })
    expect(items.map(({ id, columns }) => [id, columns])).toEqual([
      ["1", { where_from: "birds.v2_test", subject: "birds.v2" }],
      ["2", { where_from: "birds.v2_test", subject: "birds.v2" }],
    ])
  })
})

describe("a table without a header", () => {
  const fields = "question = column(1) options = column(2), column(3) gold = column(4)"

  it("has its columns by place, from the first line on", () => {
    const { items, problems } = readBy(fields, { "p.csv": 'Q1,"a, b",c,B\n\nQ2,"[1, 2]",d,A\n' })
    expect(problems).toEqual([])
    expect(items.map(({ id, options, gold }) => [id, options, gold])).toEqual([
      ["1", ["a, b", "c"], 1],
      ["2", ["[1, 2]", "d"], 0],
    ])
  })
  it("has as many fields in each row as in the first", () => {
    const { problems } = readBy(fields, { "p.csv": "Q,a,b,A\nQ,a,b\n" })
    expect(problems).toMatchObject([
      { kind: "unreadable", why: "this row has 3 fields and the first row has 4" },
    ])
  })
  it("has no more columns than it has", () => {
    const { problems } = readBy(fields.replace("4", "5"), { "p.csv": "Q,a,b,A\n" })
    expect(problems).toMatchObject([{ kind: "missing_column", field: "gold", column: "column(5)" }])
  })
  it("can be a list of lists, and no list where columns have names", () => {
    expect(readBy(fields, { "p.jsonl": '["Q", "a", "b", "B"]' }).items).toMatchObject([{ gold: 1 }])
    expect(readBy(rest, { "p.jsonl": '["Q", "a", "b", "B"]' }).problems).toMatchObject([
      { kind: "not_a_row", found: "a list" },
    ])
  })
})
