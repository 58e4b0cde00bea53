/** The labels of an item's options as records have them, and which of them is gold, target or pushed. */
import type { ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { opened } from "../../compiler/items/path.ts"
import type { Target } from "../../compiler/trial.ts"
import type { Say } from "./reading.ts"
import type { Survey } from "./survey.ts"
import { detached, type MappedRow, type Value, valueIn } from "./values.ts"

/** Labels of every item, where the spec or the probabilities of options say them. */
export function declaredLabels(
  { labels, reads }: RecordsIR,
  { protocol }: ExperimentIR,
): readonly string[] | undefined {
  if (labels !== undefined) return "all" in labels ? labels.all : undefined
  const options = protocol.holes.flatMap(({ name, type }) => (type === "option" ? [name] : []))
  const by = reads.flatMap(({ hole, probabilities }) =>
    options.includes(hole) && probabilities !== undefined && "by" in probabilities
      ? Object.keys(probabilities.by)
      : [],
  )
  return by.length === 0 ? undefined : [...new Set(by)]
}

export function labelsBy(found: Survey, experiment: ExperimentIR, records: RecordsIR) {
  const all = declaredLabels(records, experiment)
  const { labels } = records
  return (row: MappedRow, pool: string, item: string, say: Say): readonly string[] | undefined => {
    if (all !== undefined) return all
    if (labels === undefined || !("list" in labels)) return found.labels.get(pool)?.get(item) ?? NONE
    const value = valueIn(row, labels.list)
    const own = value.kind === "text" ? listIn(value.text) : "cell" in value ? namesOf(value.cell) : undefined
    if (own !== undefined && own.length > 0 && new Set(own).size === own.length) return own
    say("missing", "its labels are no list of different texts")
    return undefined
  }
}

const NONE: readonly string[] = []

/** `["A", "B"]`, or names with commas or blanks between. */
function listIn(text: string): readonly string[] | undefined {
  const cell = opened({ kind: "scalar", value: text, text, spelt: true, span: { start: 0, end: 0 } })
  return cell.kind === "scalar" ? text.split(/[\s,;|]+/).filter((name) => name !== "") : namesOf(cell)
}

/** The texts of a list, or the keys of a record. */
function namesOf(cell: Cell): readonly string[] | undefined {
  if (cell.kind === "map") return [...cell.entries.keys()].map(detached)
  if (cell.kind === "scalar") return undefined
  return cell.items.every((one) => one.kind === "scalar" && one.text !== "")
    ? cell.items.map((one) => (one.kind === "scalar" ? detached(one.text) : ""))
    : undefined
}

const placeOf = (value: Value, labels: readonly string[]): number => {
  if (value.kind !== "text") return -1
  if (value.option !== undefined) return value.option < labels.length ? value.option : -1
  const exact = labels.indexOf(value.text)
  return exact >= 0
    ? exact
    : labels.findIndex((label) => label.toLowerCase() === value.text.trim().toLowerCase())
}

/** Index of the gold option, -1 where the records have none at all. */
export function goldOf(
  row: MappedRow,
  { columns }: RecordsIR,
  labels: readonly string[],
  say: Say,
): number | undefined {
  if (columns.gold === undefined) return -1
  const value = valueIn(row, columns.gold)
  const index = placeOf(value, labels)
  if (index >= 0) return index
  if (value.kind === "text")
    say("unknown", `the gold answer ${JSON.stringify(value.text)} is none of ${labels.join(", ")}`)
  else say("missing", value.kind === "unfit" ? `the gold answer: ${value.why}` : "it has no gold answer")
  return undefined
}

export function targetOf(
  row: MappedRow,
  { columns }: RecordsIR,
  name: "target" | "pushed",
  labels: readonly string[],
): Target {
  const column = columns[name]
  if (column === undefined) return { kind: "none", why: `the records have no ${name}` }
  const value = valueIn(row, column)
  if (value.kind !== "text") return { kind: "none", why: `the record has no ${name}` }
  const index = placeOf(value, labels)
  return index >= 0 ? { kind: "option", index } : { kind: "placebo", label: value.text }
}
