/**
 * What rows say of the same thing should be the same: of an item its gold answer, options and columns, of a model its attributes, and of a prompt that
 * rows share what was read under it. Where the design is planned, its pools and models say the former, and rows are not held to each other.
 */
import { hash } from "node:crypto"
import type { ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { integers } from "../compact/grown.ts"
import { Ids } from "../compact/ids.ts"
import { Pairs } from "../compact/pairs.ts"
import { promptHole } from "../measure/readColumns.ts"
import type { TrialRecord } from "../record.ts"
import { isOwnPrompt } from "./prompts.ts"
import { numbered } from "./seen.ts"

export interface Contradiction {
  /** In a sentence without a place. */
  readonly what: string
  /** Place of the row that said it otherwise. */
  readonly place: number
}

/** What was said of things of one kind, and where first: some twenty bytes each, and each text that says it once. */
class Said {
  readonly otherwise: string
  readonly #things = new Pairs()
  readonly #says = integers()
  readonly #places = integers()

  constructor(otherwise: string) {
    this.otherwise = otherwise
  }

  /** The place of the row that said another thing of it than this; `says`: a number that is the same for the same. */
  against(of: number, thing: number, says: number): number | undefined {
    const number = this.#things.add(of, thing)
    // What is known now for the first time was said by nobody: -1, until a row is kept that says it.
    if (number === this.#says.length) {
      this.#says.push(-1)
      this.#places.push(0)
    }
    const before = this.#says.at(number)
    return before < 0 || before === says ? undefined : this.#places.at(number)
  }

  keep(of: number, thing: number, says: number, place: number): void {
    const number = this.#things.add(of, thing)
    if (number < this.#says.length && this.#says.at(number) >= 0) return
    if (number === this.#says.length) {
      this.#says.push(says)
      this.#places.push(place)
      return
    }
    this.#says.set(number, says)
    this.#places.set(number, place)
  }
}

/** What a record says: of a thing by two numbers, a number that is the same for the same. */
interface Statement {
  readonly said: Said
  readonly of: number
  readonly thing: number
  readonly says: number
}

export class Consistency {
  readonly #isAlone: boolean
  readonly #gold: Said | undefined
  readonly #labels: Said | undefined
  readonly #items = new Map<string, Said>()
  readonly #attributes = new Map<string, Said>()
  /** Reads whose prompt a column tells, and the read whose prompt it is. */
  readonly #reads: readonly { readonly hole: string; readonly source: string; readonly said: Said }[]
  readonly #pools = new Map<string, number>()
  readonly #models = new Map<string, number>()
  readonly #ids = new Map<string, number>()
  readonly #texts = new Map<string, number>()
  readonly #outer = new Pairs()
  readonly #asked = new Pairs()
  readonly #prompts = new Ids(16)
  /** Of readings; of a million million the odds that two that differ count as the same are one in 10^14 (`Ids`). */
  readonly #readings = new Ids(16)
  #last: { readonly record: TrialRecord; readonly statements: readonly Statement[] } | undefined
  #lastReading = ""
  #lastSum = -1
  #lastLabels: readonly string[] = []
  #lastLabelsText = "[]"

  constructor({ protocol }: ExperimentIR, { alone, columns, labels, reads }: RecordsIR) {
    this.#isAlone = alone
    const ofItem = "than in an earlier row of its item"
    if (columns.gold !== undefined) this.#gold = new Said(`the gold answer is another ${ofItem}`)
    if (labels !== undefined && "list" in labels) this.#labels = new Said(`the labels are others ${ofItem}`)
    const told = new Set(
      reads.flatMap(({ hole: name, prompt }) => {
        const hole = protocol.holes.find((one) => one.name === name)
        return prompt === undefined || hole === undefined ? [] : [promptHole(hole, protocol)]
      }),
    )
    this.#reads = protocol.holes
      .map((hole) => ({ hole: hole.name, source: promptHole(hole, protocol) }))
      .filter(({ source }) => told.has(source))
      .map(({ hole, source }) => {
        const what = `${hole} came out otherwise in an earlier row with the same ${source}.prompt, though both should be one read`
        return { hole, source, said: new Said(what) }
      })
  }

  /** In what a record differs from those that were kept before it. */
  contradictions(record: TrialRecord): readonly Contradiction[] {
    let found: Contradiction[] | undefined
    for (const { said, of, thing, says } of this.#statements(record)) {
      const place = said.against(of, thing, says)
      if (place === undefined) continue
      found ??= []
      found.push({ what: said.otherwise, place })
    }
    return found ?? NONE
  }

  /** Holds later records to this one. */
  keep(record: TrialRecord, place: number): void {
    for (const { said, of, thing, says } of this.#statements(record)) said.keep(of, thing, says, place)
  }

  #statements(record: TrialRecord): readonly Statement[] {
    // A record is asked about, and then kept.
    if (this.#last?.record === record) return this.#last.statements
    const statements: Statement[] = []
    const visit = (said: Said, of: number, thing: number, says: number): void => {
      statements.push({ said, of, thing, says })
    }
    const { model, pool, labels, readings, prompts } = record
    const ofPool = numbered(this.#pools, pool)
    const item = numbered(this.#ids, record.item)
    const ofModel = numbered(this.#models, model)
    if (this.#isAlone) {
      if (this.#gold !== undefined) visit(this.#gold, ofPool, item, this.#text(labels[record.gold] ?? ""))
      if (this.#labels !== undefined) visit(this.#labels, ofPool, item, this.#text(this.#labelsText(labels)))
      for (const name of Object.keys(record.columns)) {
        const said = saidOf(this.#items, name, `item.${name} is another than in an earlier row of its item`)
        visit(said, ofPool, item, this.#text(String(record.columns[name])))
      }
      for (const name of Object.keys(record.attributes)) {
        const what = `model.${name} is another than in an earlier row of its model`
        visit(saidOf(this.#attributes, name, what), ofModel, 0, this.#text(String(record.attributes[name])))
      }
    }
    for (const { hole, source, said } of this.#reads) {
      const prompt = prompts[source]
      // What no other trial shares can contradict none.
      if (prompt === undefined || isOwnPrompt(prompt)) continue
      const says = this.#reading(readings[hole])
      if (says === undefined) continue
      const asked = this.#asked.add(this.#outer.add(ofModel, ofPool), item)
      visit(said, asked, this.#prompts.add(prompt), says)
    }
    this.#last = { record, statements }
    return statements
  }

  #text(text: string): number {
    return numbered(this.#texts, text)
  }

  #labelsText(labels: readonly string[]): string {
    if (labels !== this.#lastLabels) {
      this.#lastLabels = labels
      this.#lastLabelsText = JSON.stringify(labels)
    }
    return this.#lastLabelsText
  }

  /** None of what was put to nobody. */
  #reading(reading: Reading | undefined): number | undefined {
    if (reading === undefined || reading.status === "skipped") return undefined
    const text = JSON.stringify(reading.status === "invalid" ? { status: reading.status } : reading)
    if (text !== this.#lastReading) {
      this.#lastReading = text
      this.#lastSum = this.#readings.add(hash("sha256", text))
    }
    return this.#lastSum
  }
}

const NONE: readonly Contradiction[] = []

function saidOf(known: Map<string, Said>, name: string, otherwise: string): Said {
  const said = known.get(name) ?? new Said(otherwise)
  known.set(name, said)
  return said
}
