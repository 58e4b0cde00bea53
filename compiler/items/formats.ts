/** How a file is read: by the ending of its name, never by guessing at its content. */
import type { Source } from "../../grammar/source.ts"
import type { ColumnIR, ItemFields, LookupIR } from "../ir.ts"
import type { Rows } from "./cell.ts"
import { readBareCsv, readCsv } from "./csv.ts"
import { readJson } from "./jsonFile.ts"
import { readJsonl } from "./jsonl.ts"
import { readYaml } from "./yaml.ts"

type Read = (source: Source, fields: ItemFields) => Rows

const readTable: Read = (source, fields) => (isBare(fields) ? readBareCsv(source) : readCsv(source))

const formats: ReadonlyMap<string, Read> = new Map<string, Read>([
  [".yaml", readYaml],
  [".yml", readYaml],
  [".json", (source, { records }) => readJson(source, records)],
  [".jsonl", readJsonl],
  [".ndjson", readJsonl],
  [".csv", readTable],
])

export const endings: readonly string[] = [...formats.keys()]

/** The reader for a file of this name; none where its ending is not known. */
export const readerOf = (name: string): Read | undefined =>
  formats.get(/\.[^./\\]*$/.exec(name)?.[0].toLowerCase() ?? "")

/** Whether a mapping names columns by their place, so that its CSV files have no header. */
export const isBare = (fields: ItemFields): boolean =>
  columnsIn(fields).some((column) => column.some((one) => innermost(one).kind === "column"))

const innermost = (one: LookupIR): LookupIR => (one.kind === "before" ? innermost(one.of) : one)

const columnsIn = ({ id, question, options, labels, gold, columns }: ItemFields): readonly ColumnIR[] => [
  ...(id === undefined ? [] : [id]),
  question,
  ...("each" in options ? options.each : [options.list]),
  ...(labels === undefined ? [] : [labels]),
  gold,
  ...Object.values(columns),
]
