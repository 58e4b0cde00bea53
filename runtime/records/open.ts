/** A records file on the disk: which format it is in, and its rows. */
import { createHash } from "node:crypto"
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs"
import { basename, extname } from "node:path"
import type { RecordsFormat } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { parseJson } from "../../compiler/items/json.ts"
import { columnsOf } from "../../compiler/items/path.ts"
import { inspectArchive, inspectSamples, isInspectLog } from "./inspect.ts"
import { derivedNames, isLmEval, lmEvalRow, sampleNames } from "./lmEval.ts"
import { openParquet } from "./parquetRows.ts"
import { readFailure as failure } from "./readFailure.ts"
import {
  cellOfField,
  type EachRecord,
  fieldsOf,
  placeIn,
  type RecordRow,
  type RecordsFile,
  type Unreadable,
} from "./rows.ts"
import { csvHeader, csvRows, firstOfJsonl, jsonlRows, type TextFile } from "./textRows.ts"

/** Rows that hints are taken from. */
const LOOKED_AT = 20

/** Bytes that tell a format. */
const HEAD = 4096

/** What can be read at once: twice as many characters are more than a text can have. */
const WHOLE = 1 << 28

/** `shown`: the path as a person wrote it. @throws EnvironmentFailure where it cannot be read, or not as its format */
export async function openRecords(
  path: string,
  shown: string,
  format: RecordsFormat | undefined,
): Promise<RecordsFile> {
  const { head, sha256, state } = lookedAt(path, shown)
  if (head.length === 0) throw failure(shown, "it is empty")
  const rows = await rowsOf({ path, shown }, head, format)
  const columns = new Set<string>(rows.names)
  const first = await firstRows(rows)
  if (first.length === 0) throw await noRecords(rows, shown)
  for (const row of first) for (const column of columnsOf(row)) columns.add(column)
  return {
    name: basename(path),
    shown,
    sha256,
    format: rows.format,
    counts: rows.counts,
    columns: [...columns],
    each: async (names, take, fault) => {
      await rows.each(names, take, fault)
      if (stateOf(path) !== state) throw failure(shown, "it was changed while it was read; run this again")
    },
  }
}

/** Where something stands in their place, it says what is wrong with the first. */
async function noRecords({ each, ...rows }: Rows, shown: string): Promise<Error> {
  let first: Unreadable | undefined
  await each(
    [],
    () => {},
    (fault) => {
      first ??= fault
    },
  )
  return first === undefined
    ? failure(shown, "it holds no records")
    : failure(placeIn({ ...rows, shown }, first.place), `it holds no records: ${first.why}`)
}

interface Rows extends Pick<RecordsFile, "format" | "counts" | "each"> {
  /** Of its columns, where the file names them. */
  readonly names?: readonly string[]
  /** Its first records, whole, where it does not. */
  readonly first?: readonly Cell[]
}

/** What changes when somebody writes to a file: rows are gone through more than once, and must be the same ones. */
function stateOf(path: string): string {
  const { size, mtimeMs, ino } = statSync(path)
  return `${size} ${mtimeMs} ${ino}`
}

/** How a file begins, its sum and its state; it may be larger than memory. */
function lookedAt(path: string, shown: string) {
  try {
    const stats = statSync(path)
    if (!stats.isFile() && !stats.isDirectory())
      throw new Error("it is a pipe or device; records are read more than once: save them to a file")
    const state = stateOf(path)
    const file = openSync(path, "r")
    try {
      const sum = createHash("sha256")
      const buffer = Buffer.allocUnsafe(1 << 20)
      let head: Buffer | undefined
      for (;;) {
        const read = readSync(file, buffer, 0, buffer.length, null)
        const bytes = buffer.subarray(0, read)
        head ??= Buffer.from(bytes.subarray(0, HEAD))
        if (read === 0) return { head, sha256: sum.digest("hex"), state }
        sum.update(bytes)
      }
    } finally {
      closeSync(file)
    }
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

async function rowsOf(file: TextFile, head: Buffer, format: RecordsFormat | undefined): Promise<Rows> {
  const { path, shown } = file
  const ending = extname(shown).toLowerCase()
  const magic = head.subarray(0, 4).toString("latin1")
  if (format === "parquet" || ending === ".parquet" || magic === "PAR1") return parquet(path, shown, format)
  if (ending === ".eval" || magic === "PK\u0003\u0004") return archive(wholeFile(path, shown), shown)
  const start = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .slice(0, 1000)
  if (ending === ".csv" || (format === "csv" && ending !== ".jsonl" && ending !== ".json"))
    return csv(file, format)
  if (ending === ".json" || /^\s*\[/.test(start) || isWhole(start))
    return json(textOf(wholeFile(path, shown), shown), shown, format)
  if (ending === ".jsonl" || ending === ".ndjson" || format === "jsonl" || format === "lm_eval")
    return jsonl(file, format)
  const known = "csv, jsonl, ndjson, json, parquet, eval"
  throw failure(shown, `the ending of its name says no format (${known}), and the spec says none`)
}

function wholeFile(path: string, shown: string): Buffer {
  const { size } = statSync(path)
  if (size <= WHOLE) return readFileSync(path)
  throw failure(
    shown,
    `it is one value of ${Math.round(size / 1e6)} megabytes, and what is no table and no JSON Lines is read up to ${Math.round(WHOLE / 1e6)}: write a record a line (.jsonl)`,
  )
}

/** A single record that takes more than a line. */
const isWhole = (start: string): boolean => /^\s*\{\s*\n/.test(start)

function textOf(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw failure(shown, "it is not UTF-8 text")
  }
}

async function parquet(path: string, shown: string, format: RecordsFormat | undefined): Promise<Rows> {
  const { names, each } = await openParquet(path, shown)
  return { format: format === "inspect" ? "inspect" : "parquet", counts: "row", each, names }
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

function csv(file: TextFile, format: RecordsFormat | undefined): Rows {
  const { shown } = file
  const header = csvHeader(file)
  if (header === undefined) throw failure(shown, "it is empty")
  if (header.problem !== undefined) throw failure(shown, `in its header ${header.problem}`)
  const { names } = header
  return {
    format: format === "inspect" ? "inspect" : "csv",
    counts: "line",
    each: csvRows(file, names),
    names,
  }
}

function jsonl(file: TextFile, format: RecordsFormat | undefined): Rows {
  const each = jsonlRows(file)
  const first = firstOfJsonl(file, LOOKED_AT)
  const isSamples = format === "lm_eval" || (format !== "jsonl" && first.some(isLmEval))
  if (!isSamples) return { format: "jsonl", counts: "line", each, first }
  return { format: "lm_eval", counts: "line", each: samples(each), first: first.map(lmEvalRow) }
}

/** Rows of lm-eval with what is derived from some of their keys, where that is looked at. */
const samples =
  (each: EachRecord): EachRecord =>
  (names, take, fault) => {
    if (!names.some((name) => derivedNames.includes(name))) return each(names, take, fault)
    const needed = [...new Set([...names, ...sampleNames])]
    return each(
      needed,
      ({ fields, place }) => {
        const entries = needed.flatMap((name, slot) => {
          const field = fields[slot]
          return field === undefined ? [] : [[name, cellOfField(field)] as const]
        })
        const row = lmEvalRow({ kind: "map", entries: new Map(entries), span: { start: 0, end: 0 } })
        take({ fields: fieldsOf(row, names), place })
      },
      fault,
    )
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
  first: rows.filter((row) => row.kind === "map").slice(0, LOOKED_AT),
  each: async (names, take, fault) => {
    for (const [index, row] of rows.entries()) {
      const place = index + 1
      if (row.kind === "map") take({ fields: fieldsOf(row, names), place })
      else fault({ place, why: "it is no record" })
    }
  },
})

class Enough extends Error {}

async function firstRows({ each, names = [], first }: Rows): Promise<readonly Cell[]> {
  if (first !== undefined) return first
  const rows: Cell[] = []
  const take = ({ fields }: RecordRow): void => {
    const entries = names.flatMap((name, slot) => {
      const field = fields[slot]
      return field === undefined ? [] : [[name, cellOfField(field)] as const]
    })
    rows.push({ kind: "map", entries: new Map(entries), span: { start: 0, end: 0 } })
    if (rows.length >= LOOKED_AT) throw new Enough()
  }
  try {
    await each(names, take, () => {})
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return rows
}

const clause = (message: string): string => {
  const first = message.split("\n")[0]?.replace(/\.$/, "") ?? ""
  return first.charAt(0).toLowerCase() + first.slice(1)
}
