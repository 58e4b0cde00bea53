/** A run's trials in forms for other tools, read back by the tools' own readers. */
import { join } from "node:path"
import { tableFromIPC } from "@uwdata/flechette"
import { Effect } from "effect"
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet"
import { beforeAll, describe, expect, it } from "vitest"
import { arrowOf } from "../../runtime/export/arrow.ts"
import { type ExportedColumn, exportedColumns } from "../../runtime/export/columns.ts"
import { type InspectLog, inspectLogs } from "../../runtime/export/inspect.ts"
import { parquetOf } from "../../runtime/export/parquet.ts"
import { type KeptRun, keptRun } from "../../runtime/run/finished.ts"
import { rowsOf } from "../papers/support.ts"
import { carryOut } from "../run/spec.ts"
import { temporary } from "../run/temporary.ts"

const directory = join(temporary(), "run")

const protocol = (name: string, mixed: string): string => `
protocol ${name} {
  slot block
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option} {k0: integer 1..10}"
  }
  turn second continues first {
    user "{block}"
    assistant "{reply: text}"
    read reply { max 20 }
  }
  extract a1: option from reply matching "ANSWER: (\\w)" last
  extract n: integer 1..9 from reply matching "\\d" first
  extract mixed: ${mixed} from reply matching "\\w+" last
}
`

/** Options, integers and a text, a read that is of another type in each experiment, an item that says dangerous things, and two experiments of which one has a factor that the other lacks. */
const spec = `model respondent = gguf "r.gguf" { family "small"  size 1.4 }
${protocol("asked", "integer 1..9")}
${protocol("asked_too", "label(yes, no)")}
block again { text "Are you sure?" }

metric accuracy(first = a0) { rate first == item.gold  interval wilson 95 }

experiment one { protocol asked  models { respondent }  items { sums }  seed 0  target random_wrong  arms { again = again }  measure accuracy }
experiment two {
  protocol asked_too
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  options in { identity, reversed }
  arms { again = again }
  measure accuracy
}
`

let run: KeptRun
let columns: readonly ExportedColumn[]

beforeAll(async () => {
  await carryOut(directory, spec, { items: 5 })
  run = await Effect.runPromise(keptRun(directory))
  const { tables, floors } = run.gathered()
  columns = exportedColumns(run.plan.program, tables, floors)
})

const kindOf = (name: string) => columns.find((column) => column.name === name)?.kind

/** What trials.csv says of a value: a text, empty where there is none. */
const written = (value: unknown): string => (value === null || value === undefined ? "" : String(value))

describe("columns", () => {
  it("have types that the design decides", () => {
    expect(kindOf("item")).toBe("text")
    expect(kindOf("options")).toBe("text")
    expect(kindOf("a0.answer")).toBe("text")
    expect(kindOf("a0.option")).toBe("integer")
    expect(kindOf("k0.answer")).toBe("integer")
    expect(kindOf("n.answer")).toBe("integer")
    expect(kindOf("mixed.answer")).toBe("text")
    expect(kindOf("a0.confidence")).toBe("number")
    expect(kindOf("a0.p0")).toBe("number")
    expect(kindOf("a0.near_tie")).toBe("truth")
    expect(kindOf("reply.tokens")).toBe("integer")
    expect(kindOf("reply.text")).toBe("text")
    expect(kindOf("gold.option")).toBe("integer")
  })

  it("are those of trials.csv, in its order, value for value", () => {
    const rows = rowsOf(directory)
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(rows[0]!))
    expect(columns.every((column) => column.rows === rows.length)).toBe(true)
    for (const [row, expected] of rows.entries())
      for (const { name, at } of columns) expect(written(at(row)), `${name} ${row}`).toBe(expected[name])
  })
})

describe("a Parquet file", () => {
  it("reads back as trials.csv, with types, and says where it comes from", async () => {
    const bytes = parquetOf(columns, { plan: run.state.plan })
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const metadata = parquetMetadata(file)
    expect(metadata.key_value_metadata).toEqual([{ key: "plan", value: run.state.plan }])
    const types = new Map(
      parquetSchema(metadata).children.map(({ element }) => [
        element.name,
        [element.type, element.converted_type],
      ]),
    )
    expect(types.get("a0.p0")).toEqual(["DOUBLE", undefined])
    expect(types.get("a0.option")).toEqual(["INT32", undefined])
    expect(types.get("k0.answer")).toEqual(["INT32", undefined])
    expect(types.get("a0.near_tie")).toEqual(["BOOLEAN", undefined])
    expect(types.get("item")).toEqual(["BYTE_ARRAY", "UTF8"])
    const back = await parquetReadObjects({ file, metadata })
    for (const [row, expected] of rowsOf(directory).entries())
      for (const { name } of columns) expect(written(back[row]![name]), name).toBe(expected[name])
  })

  it("is the same bytes each time", () => {
    expect(Buffer.from(parquetOf(columns, {})).equals(Buffer.from(parquetOf(columns, {})))).toBe(true)
  })
})

describe("an Arrow file", () => {
  it("reads back as trials.csv, with types", () => {
    const table = tableFromIPC(arrowOf(columns))
    expect(table.numRows).toBe(columns[0]!.rows)
    for (const [row, expected] of rowsOf(directory).entries())
      for (const { name } of columns)
        expect(written(table.getChild(name)?.at(row)), name).toBe(expected[name])
  })

  it("holds an integer that 32 bits cannot, and a column without any value", () => {
    const made = (name: string, kind: ExportedColumn["kind"], values: readonly (number | null)[]) => ({
      name,
      kind,
      rows: values.length,
      at: (row: number) => values[row] ?? null,
    })
    const table = tableFromIPC(
      arrowOf([made("big", "integer", [2 ** 40, null]), made("none", "number", [null, null])]),
    )
    expect([table.getChild("big")?.at(0), table.getChild("big")?.at(1)]).toEqual([2 ** 40, null])
    expect(table.getChild("none")?.at(0)).toBe(null)
  })
})

describe("Inspect's logs", () => {
  interface Log {
    readonly version: number
    readonly eval: {
      readonly task: string
      readonly model: string
      readonly dataset: { readonly samples: number }
    }
    readonly samples: readonly {
      readonly id: string
      readonly input: string
      readonly choices: readonly string[]
      readonly target: string
      readonly scores: Readonly<Record<string, { readonly value: unknown; readonly answer: string }>>
      readonly metadata: Readonly<Record<string, unknown>>
    }[]
  }
  const logs = (records: KeptRun["records"] = run.records): readonly InspectLog[] =>
    inspectLogs({
      program: run.plan.program,
      items: run.items,
      records,
      fingerprints: {},
      started: "2026-01-01T00:00:00.000Z",
      version: "0.1.0",
    })
  const read = (log: InspectLog): Log => JSON.parse([...log.pieces].join("")) as Log

  it("are one for each experiment and model, with a sample for each trial", () => {
    expect(logs().map(({ name }) => name)).toEqual(["one_respondent.json", "two_respondent.json"])
    const [one, two] = logs().map(read)
    expect(one?.eval).toMatchObject({ task: "one", model: "respondent", dataset: { samples: 5 } })
    expect(one?.samples).toHaveLength(5)
    expect(two?.samples).toHaveLength(10)
    expect(two?.samples.map(({ metadata }) => metadata.options)).toContain("reversed")
  })

  it("keep a factor apart that has the name of something else of the trial", () => {
    const [record] = run.records
    const levels = { arm: "again", roles: "judge", item: "first", k: "3" }
    const [log] = logs([{ ...record!, levels }]).map(read)
    expect(log?.samples[0]?.metadata).toMatchObject({
      ...{ item: record!.item, roles: {}, arm: "again", k: "3" },
      ...{ "level:roles": "judge", "level:item": "first" },
    })
  })

  it("score options as right or wrong by the gold label, and numbers as numbers", () => {
    const rows = new Map(rowsOf(directory).map((row) => [row.trial, row]))
    for (const sample of logs().flatMap((log) => read(log).samples)) {
      const row = rows.get(sample.id)!
      expect(sample.target).toBe(row.gold)
      expect(sample.scores.a0).toMatchObject({
        value: row["a0.answer"] === row.gold ? "C" : "I",
        answer: row["a0.answer"],
      })
      expect(sample.scores.k0?.value).toBe(Number(row["k0.answer"]))
      expect(sample.scores.reply?.answer).toBe(row["reply.text"])
      expect(sample.input.length).toBeGreaterThan(0)
      expect(sample.choices.length).toBeGreaterThan(1)
    }
  })
})
