/** What is read fast is what its naive twin reads (`naive.ts`), whatever stands in a file and wherever pieces of it end. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TrialTable } from "../../runtime/measure/table.ts"
import { cellOfField, type RecordRow, type Unreadable } from "../../runtime/records/rows.ts"
import { csvHeader, csvRows, jsonlRows } from "../../runtime/records/textRows.ts"
import { temporary } from "../run/temporary.ts"
import { type NaiveRow, naiveCsv, naiveJsonl, naiveScore } from "./naive.ts"
import { scored, specOf } from "./support.ts"

const folder = temporary()

type Rows = readonly (Unreadable | { readonly place: number; readonly values: readonly unknown[] })[]

/** Without places within the file, which only one of the two has. */
const plain = (cell: unknown): unknown =>
  JSON.stringify(cell, (key, value) => {
    if (key === "span") return undefined
    return value instanceof Map ? { map: [...value] } : Object.is(value, -0) ? "-0" : value
  })

const naively = (rows: readonly NaiveRow[], names: readonly string[]): Rows =>
  rows.map((row) =>
    "why" in row
      ? row
      : {
          place: row.place,
          values: names.map((name) =>
            row.cell.kind === "map" ? plain(row.cell.entries.get(name)) : undefined,
          ),
        },
  )

async function fast(each: ReturnType<typeof csvRows>, names: readonly string[]): Promise<Rows> {
  const rows: Rows[number][] = []
  await each(
    names,
    ({ fields, place }: RecordRow) => {
      rows.push({
        place,
        values: names.map((_, slot) => {
          const field = fields[slot]
          return field === undefined ? undefined : plain(cellOfField(field))
        }),
      })
    },
    (fault) => rows.push(fault),
  )
  return rows
}

function fileOf(text: string, name: string, piece: number) {
  const path = join(folder, name)
  writeFileSync(path, text)
  return { path, shown: name, piece }
}

const anyText = (parts: readonly string[], most: number) =>
  fc.array(fc.constantFrom(...parts), { maxLength: most }).map((all) => all.join(""))

describe("fields of CSV", () => {
  const parts = ["a", "ü", ",", ",", "\n", "\r\n", "\r", '"', '""', '"b,c"', '"d\ne"', "x,y,z\n", "🙂", " "]
  test("are the same from pieces of any size", async () => {
    await fc.assert(
      fc.asyncProperty(anyText(parts, 40), fc.integer({ min: 1, max: 40 }), async (text, piece) => {
        const file = fileOf(`id,"na""me",z\n${text}`, "any.csv", piece)
        const header = csvHeader(file)
        expect(header).toEqual({ names: ["id", 'na"me', "z"] })
        const asked = ["z", "id", "none"]
        const found = await fast(csvRows(file, header?.names ?? []), asked)
        expect(found).toEqual(naively(naiveCsv(`id,"na""me",z\n${text}`), asked))
      }),
      { numRuns: 400 },
    )
  })
})

describe("records of JSON Lines", () => {
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false, 0, -0, 0.1, "", "A", "ü", 'a"\\\n\u2028b', "\ud800"),
      fc.double(),
      fc.string(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("A", "B", "C", "__proto__"), tie("value"), { maxKeys: 3 }),
    ),
  })).value
  const line = fc.oneof(
    fc
      .dictionary(fc.constantFrom("id", "a.b", "a", "b", "c", 'qu"ote', "é"), value, { maxKeys: 6 })
      .map((one) => JSON.stringify(one)),
    fc
      .dictionary(fc.constantFrom("id", "a"), value, { maxKeys: 2 })
      .map((one) => ` ${JSON.stringify(one, null, " ").replaceAll("\n", "\t")} \r`),
    fc.constantFrom(
      "",
      "  ",
      "[1]",
      "7",
      '{"id": 1, "id": 2}',
      '{"id": 1, "x": {"a": 1, "a": 2}}',
      '{"id": 1, "\\u0069d": 2}',
      '{"id": 01}',
      '{"id": 1e400, "a": -0, "b": 1E+2, "c": -0.0}',
      '{"id": 12345678901234567890}',
      '{"id": "a}',
      '{"id": 1,}',
      '{"id" 1}',
      '{"id": 1} 2',
      '{"id": "\\x"}',
      '{"id": "tab\there"}',
      '{"id": tru}',
      `{"id": ${"[".repeat(120)}${"]".repeat(120)}}`,
      `{"a": 1, "id": ${"[".repeat(90)}${"]".repeat(90)}}`,
    ),
  )
  test("are the same from pieces of any size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.integer({ min: 1, max: 90 }),
        async (lines, piece) => {
          const text = lines.join("\n")
          const asked = ["id", "a", "a.b", "c", "é"]
          const found = await fast(jsonlRows(fileOf(text, "any.jsonl", piece)), asked)
          expect(found).toEqual(naively(naiveJsonl(text), asked))
        },
      ),
      { numRuns: 400 },
    )
  })
})

/** Records of few items, models and prompts, so that rows are of one trial, share reads and contradict each other. */
const record = fc.record({
  id: fc.constantFrom("q1", "q2", "an item with a long name", "q/4", ""),
  llm: fc.constantFrom("small", "large", "other"),
  cond: fc.constantFrom("none", "experts", "", "guru"),
  dose: fc.constantFrom("1", "10", "2"),
  key: fc.constantFrom("A", "A", "A", "b", "Z", ""),
  topic: fc.constantFrom("a topic of some length", "2", "3"),
  size: fc.constantFrom("7", "7", "8"),
  before: fc.constantFrom("A", "B", " c", "D", ""),
  after: fc.constantFrom("A", "B", "C"),
  pa: fc.constantFrom("0.5", "0.25", "", "nan", "2", "-0", "0.5"),
  pb: fc.constantFrom("0.5", "0.5", "0.125", "", "0"),
  prompt: fc.constantFrom("asked about the one", "asked about the other", ""),
  sure: fc.constantFrom("1", "10", "11", "x"),
  status: fc.constantFrom("value", "value", "skipped", "invalid", "who knows"),
})

const specs = (on: string): string => `
metric HRR(first = a0, second = a1) { rate second != item.gold given first == item.gold interval wilson 95 }
experiment scored {
  records {
    item = id
    item.topic = topic
    model = llm { small, large }
    model.size = size
    labels { A, B, C }
    gold = key
    target = after
    framing = cond { none, experts }
    dose = dose
    a0: option = before
    a0.prompt = prompt
    a1: option = nowhere or after
    a1.p(A) = pa
    a1.p(B) = pb
    a1.status = status
    k1: integer 1..10 = sure
    ${on}
  }
  measure HRR
  table main { rows framing, dose columns HRR }
}
`

/** The same without declared labels: they are those that the rows name. */
const openSpec = specs("on bad_number invalid on missing leave_out on unknown leave_out").replace(
  /labels [\s\S]*?\n|a1\.p.*\n/g,
  "\n",
)

describe("what is scored", () => {
  test.each([
    ["where nothing is declared", specs("")],
    [
      "where rows are left out",
      specs("on duplicate first on contradiction leave_out on missing leave_out on unknown leave_out"),
    ],
    [
      "where the last row counts",
      specs("on duplicate last on contradiction keep on no_option leave_out on bad_number invalid"),
    ],
    ["where nothing says the labels", openSpec],
  ])("is the same %s", async (_, text) => {
    const spec = specOf(text)
    const [experiment] = spec.program.experiments
    if (experiment === undefined) throw new Error("the spec has no experiment")
    const tableOf = (table: TrialTable): unknown =>
      [...table.columns()].map(([name, column]) => [
        name,
        Array.from({ length: table.rows }, (_, row) => column.at(row)),
      ])
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        async (rows, isCsv) => {
          const names = Object.keys(rows[0] ?? {})
          const content = isCsv
            ? [names, ...rows.map((row) => Object.values(row))].map((row) => row.join(",")).join("\n")
            : rows.map((row) => JSON.stringify(row)).join("\n")
          const name = isCsv ? "rows.csv" : "rows.jsonl"
          const own = await scored(folder, spec, name, content)
          const twin = naiveScore(experiment, isCsv ? naiveCsv(content) : naiveJsonl(content), name)
          expect(own.facts.findings).toEqual(twin.findings)
          expect(own.experiment).toEqual(twin.experiment)
          expect(tableOf(own.table)).toEqual(tableOf(twin.table))
          expect(own.table.units).toEqual(twin.table.units)
        },
      ),
      { numRuns: 60 },
    )
  })
})
