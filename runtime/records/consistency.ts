/**
 * What rows say of the same thing should be the same: of an item its gold answer, options and columns, of a model its attributes, and of a prompt that
 * rows share what was read under it. Where the design is planned, its pools and models say the former, and rows are not held to each other.
 */
import type { ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { promptHole } from "../measure/readColumns.ts"
import type { TrialRecord } from "../record.ts"

export interface Contradiction {
  /** In a sentence without a place. */
  readonly what: string
  /** Place of the row that said it otherwise. */
  readonly place: number
}

interface Statement {
  /** Of whom, and what of it. */
  readonly about: string
  readonly says: string
  readonly otherwise: string
}

export class Consistency {
  readonly #records: RecordsIR
  /** Reads whose prompt a column tells, and the read whose prompt it is. */
  readonly #shared: readonly { readonly hole: string; readonly source: string }[]
  readonly #said = new Map<string, { readonly says: string; readonly place: number }>()

  constructor({ protocol }: ExperimentIR, records: RecordsIR) {
    this.#records = records
    const told = new Set(
      records.reads.flatMap(({ hole: name, prompt }) => {
        const hole = protocol.holes.find((one) => one.name === name)
        return prompt === undefined || hole === undefined ? [] : [promptHole(hole, protocol)]
      }),
    )
    this.#shared = protocol.holes
      .map((hole) => ({ hole: hole.name, source: promptHole(hole, protocol) }))
      .filter(({ source }) => told.has(source))
  }

  /** In what a record differs from those that were kept before it. */
  contradictions(record: TrialRecord): readonly Contradiction[] {
    return this.#statements(record).flatMap(({ about, says, otherwise }) => {
      const before = this.#said.get(about)
      return before === undefined || before.says === says ? [] : [{ what: otherwise, place: before.place }]
    })
  }

  /** Holds later records to this one. */
  keep(record: TrialRecord, place: number): void {
    for (const { about, says } of this.#statements(record)) {
      if (!this.#said.has(about)) this.#said.set(about, { says, place })
    }
  }

  #statements(record: TrialRecord): readonly Statement[] {
    const { model, pool, item, readings, prompts } = record
    const { alone, columns, labels } = this.#records
    const found: Statement[] = []
    const add = (about: readonly string[], says: string, otherwise: string): void => {
      found.push({ about: JSON.stringify(about), says, otherwise })
    }
    if (alone) {
      const ofItem = "is another than in an earlier row of its item"
      if (columns.gold !== undefined)
        add(["gold", pool, item], record.labels[record.gold] ?? "", `the gold answer ${ofItem}`)
      if (labels !== undefined && "list" in labels)
        add(
          ["labels", pool, item],
          JSON.stringify(record.labels),
          "the labels are others than in an earlier row of its item",
        )
      for (const [name, value] of Object.entries(record.columns))
        add(["item", pool, item, name], String(value), `item.${name} ${ofItem}`)
      for (const [name, value] of Object.entries(record.attributes))
        add(
          ["model", model, name],
          String(value),
          `model.${name} is another than in an earlier row of its model`,
        )
    }
    for (const { hole, source } of this.#shared) {
      const says = saidBy(readings[hole])
      const prompt = prompts[source]
      if (says === undefined || prompt === undefined) continue
      add(
        ["read", model, pool, item, hole, prompt],
        says,
        `${hole} came out otherwise in an earlier row with the same ${source}.prompt, though both should be one read`,
      )
    }
    return found
  }
}

/** None of what was put to nobody. */
function saidBy(reading: Reading | undefined): string | undefined {
  if (reading === undefined || reading.status === "skipped") return undefined
  return JSON.stringify(reading.status === "invalid" ? { status: reading.status } : reading)
}
