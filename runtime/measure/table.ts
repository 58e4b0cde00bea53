/**
 * The trial table: one row per trial, as measures, `trials.csv` and the report read it.
 *
 * Columns: `experiment model pool item trial`, each factor under its own name, `gold target pushed` as displayed labels with the option's index
 * (from 0) beside them, and for each hole its status, the number of its prompt, answer, option index, confidence, mass, near tie and one
 * probability per alternative. Rows of one model and item with the same number share one read: they are one observation of it, not several.
 * What has no value is null: never 0, false or NaN.
 */
import { type ColumnTable, table } from "arquero"
import type { HoleIR } from "../../compiler/ir.ts"
import type { Reading, Target } from "../../compiler/trial.ts"
import type { TrialRecord } from "../record.ts"

export type Cell = string | number | boolean | null
export type Columns = ReadonlyMap<string, readonly Cell[]>

/** Two alternatives closer than this in probability are a near tie: numbers of two engines may differ by as much. */
const NEAR_TIE = 0.001

const OWN = ["experiment", "model", "pool", "item", "trial", "gold", "target", "pushed"]

/** The column of a factor: its own name, unless the table has a column of that name itself. `model` and `pool` are columns already. */
export function factorColumn(factor: string): string {
  if (factor === "model" || factor === "pool") return factor
  return OWN.includes(factor) ? `level:${factor}` : factor
}

/** The probability column of an alternative: an option by its index from 0, an integer by itself. */
export function probabilityColumn(hole: HoleIR, index: number): string {
  return `${hole.name}.p${hole.type === "integer" ? hole.low + index : index}`
}

/** How many alternatives a hole has: options of the longest item, or integers. */
export function alternatives(hole: HoleIR, records: readonly TrialRecord[]): number {
  if (hole.type === "integer") return hole.high - hole.low + 1
  return records.reduce((most, record) => Math.max(most, record.labels.length), 0)
}

/** Columns in the order of `trials.csv`, rows in the order of the records. */
export function columnsOf(
  records: readonly TrialRecord[],
  factors: readonly string[],
  holes: readonly HoleIR[],
): Columns {
  const columns = new Map<string, readonly Cell[]>()
  const add = (name: string, value: (record: TrialRecord) => Cell) => columns.set(name, records.map(value))

  add("experiment", (record) => record.experiment)
  add("model", (record) => record.model)
  add("pool", (record) => record.pool)
  add("item", (record) => record.item)
  for (const factor of factors) {
    if (factor !== "model" && factor !== "pool")
      add(factorColumn(factor), (record) => record.levels[factor] ?? null)
  }
  add("gold", (record) => record.labels[record.gold] ?? null)
  add("gold.option", (record) => record.gold)
  for (const name of ["target", "pushed"] as const) {
    add(name, (record) => labelOf(record[name], record.labels))
    add(`${name}.option`, (record) => (record[name].kind === "option" ? record[name].index : null))
    add(`${name}.kind`, (record) => record[name].kind)
    add(`${name}.why`, (record) => (record[name].kind === "none" ? record[name].why : null))
  }
  for (const hole of holes) addHole(hole)
  add("trial", (record) => record.trial)
  return columns

  function addHole(hole: HoleIR) {
    const of = (value: (reading: Read) => Cell) => (record: TrialRecord) => {
      const reading = record.readings[hole.name]
      return reading?.status === "value" ? value(reading) : null
    }
    add(`${hole.name}.status`, (record) => record.readings[hole.name]?.status ?? "skipped")
    add(`${hole.name}.why`, (record) => whyOf(record.readings[hole.name]))
    columns.set(`${hole.name}.prompt`, promptNumbers(hole.name, records))
    add(
      `${hole.name}.answer`,
      of((reading) => reading.value),
    )
    add(
      `${hole.name}.option`,
      of((reading) => reading.index),
    )
    add(
      `${hole.name}.confidence`,
      of((reading) => finite(reading.probabilities[reading.index])),
    )
    add(
      `${hole.name}.mass`,
      of((reading) => finite(reading.mass)),
    )
    add(
      `${hole.name}.near_tie`,
      of((reading) => nearTie(reading.probabilities)),
    )
    for (let index = 0; index < alternatives(hole, records); index++) {
      add(
        probabilityColumn(hole, index),
        of((reading) => finite(reading.probabilities[index])),
      )
    }
  }
}

/** Which prompt of its model and item each trial read, counted from 1 in the order of the records; null where none was put together. */
function promptNumbers(hole: string, records: readonly TrialRecord[]): readonly Cell[] {
  const items = new Map<string, Map<string, number>>()
  return records.map(({ model, pool, item, prompts }) => {
    const prompt = prompts[hole]
    if (prompt === undefined) return null
    const key = JSON.stringify([model, pool, item])
    const numbers = items.get(key) ?? new Map<string, number>()
    items.set(key, numbers)
    const number = numbers.get(prompt) ?? numbers.size + 1
    numbers.set(prompt, number)
    return number
  })
}

type Read = Extract<Reading, { status: "value" }>

/** The same as an Arquero table. */
export function trialTable(
  records: readonly TrialRecord[],
  factors: readonly string[],
  holes: readonly HoleIR[],
): ColumnTable {
  return table(
    Object.fromEntries([...columnsOf(records, factors, holes)].map(([name, column]) => [name, [...column]])),
  )
}

function labelOf(target: Target, labels: readonly string[]): string | null {
  if (target.kind === "option") return labels[target.index] ?? null
  return target.kind === "placebo" ? target.label : null
}

function whyOf(reading: Reading | undefined): string | null {
  if (reading === undefined) return "this trial's protocol has no such read"
  return reading.status === "value" ? null : reading.why
}

function nearTie(probabilities: readonly number[]): boolean {
  const [first, second] = [...probabilities].sort((a, b) => b - a)
  return first !== undefined && second !== undefined && first - second < NEAR_TIE
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
