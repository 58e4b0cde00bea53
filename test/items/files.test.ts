import { describe, expect, it } from "vitest"
import { openSources } from "../../compiler/items/sources.ts"
import { readBy } from "./support.ts"

const rest = "question = q options = o gold = g"
const rows = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ q: `Q${n + from}`, o: ["x", "y"], g: "A" })).join(
    "\n",
  )

describe("several files of a pool", () => {
  it("are read in order, items named by file and row", () => {
    const { items } = readBy(rest, { "a/one.jsonl": rows(2), "b/two.jsonl": rows(1, 2) })
    expect(items.map(({ id, question }) => `${id} ${question}`)).toEqual(["one:1 Q0", "one:2 Q1", "two:1 Q2"])
  })
  it("share their ids, and each problem knows its file", () => {
    const found = readBy("id = q question = q options = o gold = g", {
      "one.jsonl": rows(2),
      "two.jsonl": rows(2, 1),
      "bad.jsonl": "{",
      "notes.txt": "",
    })
    expect(found.problems.map(({ kind, source }) => `${kind} ${source.name}`)).toEqual([
      "duplicate_id two.jsonl",
      "unreadable bad.jsonl",
      "unknown_format notes.txt",
    ])
    expect(found.problems[0]).toMatchObject({ first: { source: { name: "one.jsonl" } } })
  })
  it("may not have one name where their rows have no id", () => {
    const { problems } = readBy(rest, { "a/x.jsonl": rows(1), "b/x.jsonl": rows(1) })
    expect(problems).toMatchObject([{ kind: "duplicate_id", id: "x:1" }])
  })
})

describe("a JSON file", () => {
  const json = (value: unknown, records = ""): readonly string[] => {
    const { items, problems } = readBy(`${records} ${rest}`, { "p.json": JSON.stringify(value, null, 2) })
    return [...items.map(({ question }) => question), ...problems.map(({ kind }) => kind)]
  }
  const list = [{ q: "Q0", o: ["x", "y"], g: "A" }]

  it("is a list of records, or holds one at a path", () => {
    expect(json(list)).toEqual(["Q0"])
    expect(json({ note: "", data: { rows: list } }, "records data.rows")).toEqual(["Q0"])
  })
  it("without a list says where there is one", () => {
    const of = (value: unknown, records = "") =>
      readBy(`${records} ${rest}`, { "p.json": JSON.stringify(value) }).problems
    expect(of({ data: { rows: list }, tags: ["a"] })).toMatchObject([
      { kind: "no_rows", found: "a record", lists: ["data.rows"] },
    ])
    expect(of({ rows: list }, "records row")).toMatchObject([
      { kind: "no_records", path: "row", lists: ["rows"] },
    ])
    expect(of({ rows: "x" }, "records rows")).toMatchObject([{ kind: "no_records", found: "a text" }])
    expect(json("x")).toEqual(["no_rows"])
    expect(json([])).toEqual(["empty_pool"])
  })
  it("shows where it breaks off", () => {
    const { problems } = readBy(rest, { "p.json": '[{"q": 1},\n {"q": ]' })
    expect(problems).toMatchObject([{ kind: "unreadable", format: "JSON", span: { start: 18, end: 19 } }])
  })
})

describe("a folder", () => {
  const disk: Readonly<Record<string, string>> = {
    "/d/b.csv": "b",
    "/d/a.JSON": "a",
    "/d/c.md": "c",
    "/f.csv": "f",
  }
  const files = {
    read: (path: string) => (disk[path] === undefined ? { problem: "no such file" } : { text: disk[path] }),
    list: (path: string) =>
      path === "/d"
        ? { names: ["a.JSON", "b.csv", "c.md"] }
        : path === "/e"
          ? { names: ["c.md"] }
          : { problem: "no such folder" },
    packaged: () => ({ problem: "no packages" }),
    stdlib: "/std",
    show: (path: string) => path.slice(1),
  }

  it("stands for the files in it that can be read", () => {
    expect(openSources(["/d", "/f.csv"], files)).toEqual([
      { source: { name: "d/a.JSON", text: "a" } },
      { source: { name: "d/b.csv", text: "b" } },
      { source: { name: "f.csv", text: "f" } },
    ])
  })
  it("may have none, and may not be there", () => {
    expect(openSources(["/e", "/g"], files)).toEqual([{ empty: "e" }, { path: "g", problem: "no such file" }])
  })
})
