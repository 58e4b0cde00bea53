import { describe, expect, it } from "vitest"
import { readBy } from "./support.ts"

const rest = "question = q options = a, b gold = g"
const csv = (...years: readonly string[]): string =>
  ["q,a,b,g,subject,year", ...years.map((year, n) => `Q${n},x,y,A,s${n % 2},${year}`)].join("\n")

describe("a column of items", () => {
  it("keeps what the row has, numbers as numbers", () => {
    const row = '{"q": "?", "a": "x", "b": "y", "g": "A", "m": {"year": 1999, "hard": true}}'
    const { items } = readBy(`${rest} year = m.year hard = m.hard`, { "p.jsonl": row })
    expect(items[0]?.columns).toEqual({ year: 1999, hard: "true" })
  })
  it("of a CSV file is of numbers where every row has one in its usual spelling", () => {
    const of = (...years: readonly string[]) =>
      readBy(`${rest} year = year`, { "p.csv": csv(...years) }).items.map(({ columns }) => columns.year)
    expect(of("1999", "-2.5")).toEqual([1999, -2.5])
    expect(of("1999", "n.d.")).toEqual(["1999", "n.d."])
    expect(of("007", "12")).toEqual(["007", "12"])
  })
  it("keeps the spelling of numbers that would be printed otherwise, and is of texts then", () => {
    const yaml = (...years: readonly string[]) =>
      readBy(`${rest} year = year`, {
        "p.yaml": years.map((year) => `- {q: "?", a: x, b: y, g: A, year: ${year}}`).join("\n"),
      })
    const json = (...years: readonly string[]) =>
      readBy(`${rest} year = year`, {
        "p.jsonl": years
          .map((year) => `{"q": "?", "a": "x", "b": "y", "g": "A", "year": ${year}}`)
          .join("\n"),
      })
    for (const of of [yaml, json]) {
      const years = (...given: readonly string[]) => of(...given).items.map(({ columns }) => columns.year)
      expect(years("3.1", "-2", "0")).toEqual([3.1, -2, 0])
      expect(years("3.10", "2.5")).toEqual(["3.10", "2.5"])
      expect(years("12345678901234567890", "1")).toEqual(["12345678901234567890", "1"])
      expect(years("1.0")).toEqual(["1.0"])
      expect(years("1e3")).toEqual(["1e3"])
      expect(years("1999", '"n.d."')).toEqual([1999, "n.d."])
    }
    expect(yaml("0x1F", ".inf").items.map(({ columns }) => columns.year)).toEqual(["0x1F", ".inf"])
  })
  it("is compared with numbers and with texts where its texts spell numbers", () => {
    const of = (condition: string, ...years: readonly string[]) => {
      const rows = years.map((year) => `{"q": "?", "a": "x", "b": "y", "g": "A", "year": ${year}}`)
      const found = readBy(`${rest} year = year where ${condition}`, { "p.jsonl": rows.join("\n") })
      return [found.kinds.get("year"), found.items.map(({ columns }) => columns.year)]
    }
    expect(of("year > 3", "3.10", "2.50")).toEqual(["both", ["3.10"]])
    expect(of("year == 2.5", "3.10", "2.50")).toEqual(["both", ["2.50"]])
    expect(of("year in { 2.5, 4 }", "3.10", "2.50")).toEqual(["both", ["2.50"]])
    expect(of("year in { 2.50 }", "3.1", "2.5")).toEqual(["numbers", [2.5]])
    expect(of('year in { "2.5" }', "3.10", "2.50")).toEqual(["both", []])
    expect(of('year == "3.10"', "3.10", "3.1")).toEqual(["both", ["3.10"]])
    expect(of("year > 3", "3.1", "2.5")).toEqual(["numbers", [3.1]])
    expect(of('year != "x"', '"n.d."', '"3.10"')).toEqual(["texts", ["n.d.", "3.10"]])
  })
  it("is missed at the row that lacks it, and named where no row has it", () => {
    const rows = '{"q": "?", "a": "x", "b": "y", "g": "A", "s": 1}\n{"q": "?", "a": "x", "b": "y", "g": "A"}'
    const { problems, items } = readBy(`${rest} s = s`, { "p.jsonl": rows })
    expect(problems).toMatchObject([{ kind: "missing_field", field: "s", span: { start: 49 } }])
    expect(items).toHaveLength(1)
    expect(readBy(`${rest} t = t`, { "p.jsonl": rows }).problems).toMatchObject([
      { kind: "missing_column", field: "t", column: "t" },
    ])
  })
  it("is one value", () => {
    const row = '{"q": "?", "a": "x", "b": "y", "g": "A", "s": [1, 2]}'
    expect(readBy(`${rest} s = s`, { "p.jsonl": row }).problems).toMatchObject([
      { kind: "wrong_type", field: "s", expected: "a text or a number", found: "a list" },
    ])
  })
})

describe("a condition", () => {
  const kept = (condition: string, text = csv("1990", "2000", "2010", "2020")) =>
    readBy(`${rest} subject = subject year = year where ${condition}`, { "p.csv": text }).items.map(
      ({ id }) => id,
    )

  it("is over the columns of a row", () => {
    expect(kept('subject == "s1"')).toEqual(["2", "4"])
    expect(kept('subject != "s1" and year > 1990')).toEqual(["3"])
    expect(kept('not (subject == "s1" or year <= 1990)')).toEqual(["3"])
  })
  it("takes what is wrong with a row out with it", () => {
    const text = `${csv("1990", "2000")}\nQ9,x,x,Z,s9,2030`
    expect(readBy(`${rest} subject = subject year = year`, { "p.csv": text }).problems).toHaveLength(2)
    const found = readBy(`${rest} subject = subject year = year where subject != "s9"`, { "p.csv": text })
    expect(found.problems).toEqual([])
    expect(found.items.map(({ id }) => id)).toEqual(["1", "2"])
  })
  it("leaves out rows with an empty cell, and only where it is false of them", () => {
    const of = (condition: string, ...years: string[]) => {
      const found = readBy(`${rest} subject = subject year = year where ${condition}`, {
        "p.csv": csv(...years),
      })
      return [found.items.map(({ id }) => id), found.problems.map(({ kind }) => kind)]
    }
    expect(of('year != ""', "1990", "", "2010")).toEqual([["1", "3"], []])
    expect(of('subject == "s1"', "1990", "2000", "")).toEqual([["2"], []])
    expect(of('subject == "s1"', "1990", "", "2010")).toEqual([[], ["empty_text"]])
    // Whether an empty year is late is not known.
    expect(of("year > 1990", "1990", "", "2010")).toEqual([["3"], ["empty_text"]])
  })
})

describe("a condition over the number of options", () => {
  const fields = "id = id question = q options = o gold = g"
  const line = (id: string, o: unknown) => JSON.stringify({ id, q: "?", o, g: "A" })
  const rows = [line("four", ["a", "b", "c", "d"]), line("five", ["a", "b", "c", "d", "e"])].join("\n")
  const kept = (condition: string, text = rows, mapping = fields, name = "p.jsonl", published = false) => {
    const { items, problems } = readBy(`${mapping} where ${condition}`, { [name]: text }, published)
    return [items.map(({ id }) => id), problems.map(({ kind }) => kind)]
  }

  it("counts those of each row", () => {
    expect(kept("item.choices < 5")).toEqual([["four"], []])
    expect(kept("item.choices == 4")).toEqual([["four"], []])
    expect(kept("item.choices > 4")).toEqual([["five"], []])
  })
  it("counts those of a record, of a list in a cell, and of a column each", () => {
    expect(kept("item.choices == 2", line("r", { A: "x", B: "y" }))).toEqual([["r"], []])
    expect(kept("item.choices == 2", 'id,q,o,g\nr,?,"[""x"", ""y""]",A\n', fields, "p.csv")).toEqual([
      ["r"],
      [],
    ])
    const table = "question = column(1) options = column(2), column(3), column(4) gold = column(5)"
    expect(kept("item.choices == 3", "?,x,y,z,A\n", table, "p.csv")).toEqual([["1"], []])
    const mixed = "id = id question = q options = o or a, b gold = g"
    expect(kept("item.choices == 2", '{"id": 1, "q": "?", "a": "x", "b": "y", "g": "A"}', mixed)).toEqual([
      ["1"],
      [],
    ])
  })
  it("does not count an empty option that is left out", () => {
    const text = [line("three", ["a", "", "c", "d"]), line("four", ["a", "b", "c", "d"])].join("\n")
    expect(kept("item.choices == 3", text, fields, "p.jsonl", true)).toEqual([["three"], []])
  })
  it("takes what is wrong with a row out with it, but not with options that cannot be counted", () => {
    expect(kept("item.choices < 5", `${rows}\n${line("bad", ["a", "a", "b", "c", "d"])}`)).toEqual([
      ["four"],
      [],
    ])
    expect(kept("item.choices < 5", `${rows}\n${line("bad", "a, b")}`)).toEqual([["four"], ["wrong_type"]])
    // The first of two rows with an id is none of the items.
    expect(kept("item.choices < 5", `${line("four", ["a", "b", "c", "d", "e"])}\n${rows}`)).toEqual([
      ["four"],
      [],
    ])
  })
})
