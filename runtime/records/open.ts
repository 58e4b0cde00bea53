/** A records file on the disk: which format it is in, and its rows. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { basename, extname } from "node:path"
import type { RecordsFormat } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { parseJson } from "../../compiler/items/json.ts"
import { columnsOf } from "../../compiler/items/path.ts"
import { EnvironmentFailure } from "../failure.ts"
import { inspectArchive, inspectSamples, isInspectLog } from "./inspect.ts"
import { isLmEval, lmEvalRow } from "./lmEval.ts"
import { parquetRows } from "./parquetRows.ts"
import type { RecordRow, RecordsFile } from "./rows.ts"
import { csvHeader, csvRows, jsonlRows } from "./textRows.ts"

/** Rows that hints are taken from. */
const LOOKED_AT = 20

const todo =
  "give a file with --records FILE: a table (csv, parquet), records of JSON (jsonl, json), samples of lm-eval or a log of Inspect"

/** `shown`: the path as a person wrote it. @throws EnvironmentFailure where it cannot be read, or not as its format */
export async function openRecords(
  path: string,
  shown: string,
  format: RecordsFormat | undefined,
): Promise<RecordsFile> {
  const bytes = bytesOf(path, shown)
  const file = { name: basename(path), shown, sha256: createHash("sha256").update(bytes).digest("hex") }
  const rows = await rowsOf(bytes, shown, format)
  const columns = new Set<string>()
  let count = 0
  for (const row of firstRows(rows.each)) {
    count += 1
    for (const column of columnsOf(row.cell)) columns.add(column)
  }
  if (count === 0) throw failure(shown, "it holds no records")
  return { ...file, ...rows, columns: [...columns] }
}

type Rows = Pick<RecordsFile, "format" | "counts" | "each">

function bytesOf(path: string, shown: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === "ENOENT" || code === "ENOTDIR"
        ? "no such file"
        : code === "EISDIR"
          ? "it is a folder"
          : code === "EACCES" || code === "EPERM"
            ? "no permission to read it"
            : message
    throw failure(shown, why)
  }
}

const failure = (where: string, why: string): EnvironmentFailure =>
  new EnvironmentFailure({ what: `the records cannot be read: ${why}`, where, todo })

async function rowsOf(bytes: Buffer, shown: string, format: RecordsFormat | undefined): Promise<Rows> {
  const ending = extname(shown).toLowerCase()
  if (bytes.length === 0) throw failure(shown, "it is empty")
  if (format === "parquet" || ending === ".parquet" || bytes.subarray(0, 4).toString("latin1") === "PAR1")
    return parquet(bytes, shown, format)
  if (ending === ".eval" || bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004")
    return archive(bytes, shown)
  const text = textOf(bytes, shown)
  if (ending === ".csv" || (format === "csv" && ending !== ".jsonl" && ending !== ".json"))
    return csv(text, shown, format)
  if (ending === ".json" || /^\s*\[/.test(text.slice(0, 1000)) || isWhole(text))
    return json(text, shown, format)
  if (ending === ".jsonl" || ending === ".ndjson" || format === "jsonl" || format === "lm_eval")
    return jsonl(text, shown, format)
  const known = "csv, jsonl, ndjson, json, parquet, eval"
  throw failure(shown, `the ending of its name says no format (${known}), and the spec says none`)
}

/** A single record that takes more than a line. */
const isWhole = (text: string): boolean => /^\s*\{\s*\n/.test(text.slice(0, 1000))

function textOf(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw failure(shown, "it is not UTF-8 text")
  }
}

async function parquet(bytes: Buffer, shown: string, format: RecordsFormat | undefined): Promise<Rows> {
  try {
    return {
      format: format === "inspect" ? "inspect" : "parquet",
      counts: "row",
      each: await parquetRows(bytes),
    }
  } catch (error) {
    throw failure(shown, `it is no whole Parquet file (${clause((error as Error).message)})`)
  }
}

async function archive(bytes: Buffer, shown: string): Promise<Rows> {
  const { unzipSync } = await import("fflate")
  let files: Record<string, Uint8Array>
  try {
    files = unzipSync(bytes, {
      filter: ({ name }) => /^(header|samples\/.*|_journal\/start)\.json$/.test(name),
    })
  } catch (error) {
    const why = clause((error as Error).message)
    throw failure(
      shown,
      `it is no archive that can be opened (${why}); \`inspect log convert --to json\` writes one that can`,
    )
  }
  const cells = Object.entries(files).map(([name, own]) => {
    const parsed = whole(new TextDecoder().decode(own))
    if (!("cell" in parsed)) throw failure(shown, `${name} in it is not JSON: ${parsed.why}`)
    return [name, parsed.cell] as const
  })
  return listed(inspectArchive(new Map(cells)), "inspect", "sample")
}

function csv(text: string, shown: string, format: RecordsFormat | undefined): Rows {
  const header = csvHeader(text)
  if (header === undefined) throw failure(shown, "it is empty")
  if (header.problem !== undefined) throw failure(shown, `in its header ${header.problem}`)
  return {
    format: format === "inspect" ? "inspect" : "csv",
    counts: "line",
    each: csvRows(text, header.names),
  }
}

function jsonl(text: string, _shown: string, format: RecordsFormat | undefined): Rows {
  const each = jsonlRows(text)
  if (format === "jsonl") return { format, counts: "line", each }
  const isSamples = format === "lm_eval" || firstRows(each).some(({ cell }) => isLmEval(cell))
  if (!isSamples) return { format: "jsonl", counts: "line", each }
  return {
    format: "lm_eval",
    counts: "line",
    each: (take, fault) => each(({ cell, place }) => take({ cell: lmEvalRow(cell), place }), fault),
  }
}

const whole = (text: string) => {
  const start = text.startsWith("\uFEFF") ? 1 : 0
  return parseJson(text, { start, end: text.length })
}

/** A list of records, or a log of Inspect's. */
function json(text: string, shown: string, format: RecordsFormat | undefined): Rows {
  const parsed = whole(text)
  if (!("cell" in parsed)) {
    const line = text.slice(0, parsed.span.start).split("\n").length
    throw failure(`${shown}:${line}`, `it is not JSON: ${parsed.why}`)
  }
  if (isInspectLog(parsed.cell)) return listed(inspectSamples(parsed.cell), "inspect", "sample")
  if (parsed.cell.kind !== "list")
    throw failure(shown, "it is neither a list of records nor a log of Inspect's with samples")
  const isSamples = format === "lm_eval" || parsed.cell.items.slice(0, LOOKED_AT).some(isLmEval)
  const rows = isSamples ? parsed.cell.items.map(lmEvalRow) : parsed.cell.items
  return listed(rows, isSamples ? "lm_eval" : "jsonl", "row")
}

const listed = (
  rows: readonly Cell[],
  format: RecordsFile["format"],
  counts: RecordsFile["counts"],
): Rows => ({
  format,
  counts,
  each: (take, fault) => {
    for (const [index, cell] of rows.entries()) {
      const place = index + 1
      if (cell.kind === "map") take({ cell, place })
      else fault({ place, why: "it is no record" })
    }
  },
})

class Enough extends Error {}

function firstRows(each: RecordsFile["each"]): readonly RecordRow[] {
  const rows: RecordRow[] = []
  try {
    each(
      (row) => {
        rows.push(row)
        if (rows.length >= LOOKED_AT) throw new Enough()
      },
      () => {},
    )
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return rows
}

const clause = (message: string): string => {
  const first = message.split("\n")[0]?.replace(/\.$/, "") ?? ""
  return first.charAt(0).toLowerCase() + first.slice(1)
}
