/** What a row of records alone has of its reads, and of the columns of its item and model. */
import type { ExperimentIR, HoleIR, RecordsIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { Alternatives } from "./places.ts"
import { integersOf, readingOf, type Say } from "./reading.ts"
import { type MappedRow, valueIn } from "./values.ts"

export function readingsOf(
  row: MappedRow,
  { protocol }: ExperimentIR,
  records: RecordsIR,
  labels: readonly string[],
  say: Say,
): Readonly<Record<string, Reading>> | undefined {
  const readings: Record<string, Reading> = {}
  let isWhole = true
  for (const hole of protocol.holes) {
    const read = records.reads.find((one) => one.hole === hole.name)
    if (read === undefined) continue
    const reading = readingOf(row, read, hole, alternativesOf(hole, labels), say)
    if (reading === undefined) isWhole = false
    else readings[hole.name] = reading
  }
  return isWhole ? readings : undefined
}

/** What a read may come out as, of an item with these labels. */
function alternativesOf(hole: HoleIR, labels: readonly string[]): Alternatives | undefined {
  switch (hole.type) {
    case "option":
      return { labels }
    case "label":
      return { labels: hole.labels }
    case "integer":
      return { labels: integersOf(hole) }
    default:
      return undefined
  }
}

/** `numbers`: which of them are numbers in every row, as `item.size` and `model.size`. */
export function columnsOf(
  row: MappedRow,
  of: "item" | "model",
  columns: RecordsIR["items"],
  numbers: ReadonlySet<string>,
  say: Say,
): Readonly<Record<string, string | number>> | undefined {
  const found: Record<string, string | number> = {}
  for (const [name, column] of Object.entries(columns)) {
    const value = valueIn(row, column)
    if (value.kind === "text") found[name] = numbers.has(`${of}.${name}`) ? Number(value.text) : value.text
    else if (value.kind !== "empty") {
      say("missing", `it has no ${of}.${name}${value.kind === "unfit" ? `: ${value.why}` : ""}`)
      return undefined
    }
  }
  return found
}
