/** The labels of an item's options as records have them, and which of them is gold, target or pushed. */
import type { ColumnIR, ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { opened } from "../../compiler/items/path.ts"
import { placeboOf } from "../../compiler/target.ts"
import type { Target } from "../../compiler/trial.ts"
import { placeAmong, targetAmong, tellNone } from "./places.ts"
import type { Say } from "./reading.ts"
import type { Survey } from "./survey.ts"
import { detached, type MappedRow, valueIn } from "./values.ts"

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

/** Index of the gold option, -1 where the records have none at all. */
export function goldOf(
  row: MappedRow,
  { columns }: RecordsIR,
  labels: readonly string[],
  say: Say,
): number | undefined {
  if (columns.gold === undefined) return -1
  const value = valueIn(row, columns.gold)
  const index = placeAmong(value, { labels })
  if (index >= 0) return index
  tellNone(value, "gold answer", { labels }, say)
  return undefined
}

export interface RowTargets {
  readonly target: Target
  readonly pushed: Target
}

/** What is pushed is the target where no column says it. Undefined where an option is none of the labels, which was told. */
export function targetsOf(
  row: MappedRow,
  { columns }: RecordsIR,
  labels: readonly string[],
  say: Say,
): RowTargets | undefined {
  const named = (column: ColumnIR | undefined, what: "target" | "pushed option"): Target | undefined =>
    column === undefined
      ? { kind: "none", why: `the records have no ${what}` }
      : targetAmong(valueIn(row, column), what, { labels }, () => placeboOf(labels), say)
  const target = named(columns.target, "target")
  const pushed = columns.pushed === undefined ? target : named(columns.pushed, "pushed option")
  return target === undefined || pushed === undefined ? undefined : { target, pushed }
}
