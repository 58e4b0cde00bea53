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
