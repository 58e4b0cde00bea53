/** The trials of a finished run, as facts that an expression can be evaluated over. Columns are those of `trials.csv`. */
import type { Facts } from "../evaluate.ts"
import type { ExperimentIR, HoleIR } from "../ir.ts"
import type { Item } from "../item.ts"
import type { Reading, Target } from "../trial.ts"
import { scanCsv } from "./csv.ts"
import { experimentOf, type RunFolder } from "./runFolder.ts"

export interface RunTrial {
  readonly model: string
  readonly pool: string
  readonly item: Item
  /** The text of a read; none where it has none. */
  readonly text: (hole: string) => string | undefined
  /** What a read was asked, as a number that trials of one model and item share; none where it was not asked. */
  readonly prompt: (hole: string) => string | undefined
  readonly facts: Facts
}

/** Why a read was skipped that the run did not come to. */
export const NOT_ASKED = "not asked yet"

/** Whether a run's trials are all there: `unfinished` where it was stopped before it had asked everything, `damaged` where rows or parts of one are missing. */
export type RunState = "finished" | "unfinished" | "damaged"

/** Takes the trials of one experiment of a run one by one, in the order of its grid. */
export const readTrials = (run: RunFolder, name: string, take: (trial: RunTrial) => void): RunState => {
  const experiment = experimentOf(run, name)
  // A pool may have an item of one id for each studied model.
  const items = new Map(
    [...run.items].flatMap(([pool, all]) =>
      all.map((item) => [keyOf(pool, item.id, item.only), item] as const),
    ),
  )
  const attributes = new Map(run.program.models.map((model) => [model.name, model.attributes]))
  let unfinished = false
  let ragged = false
  let rows = 0
  let places: ReadonlyMap<string, number> | undefined
  scanCsv(run.trials, (record) => {
    if (places === undefined) {
      places = new Map(record.map(({ text }, index) => [text, index]))
      return
    }
    const columns = places
    rows += 1
    ragged ||= record.length !== columns.size
    /** An empty field has no value. An empty text, which stands in quotes, is one. */
    const field = (column: string): string | undefined => {
      const cell = record[columns.get(column) ?? -1]
      return cell === undefined || cell.span.start === cell.span.end ? undefined : cell.text
    }
    if (experiment === undefined || field("experiment") !== name) return
    const model = field("model") ?? ""
    const pool = field("pool") ?? ""
    const id = field("item") ?? ""
    const item = items.get(keyOf(pool, id, model)) ?? items.get(keyOf(pool, id))
    if (item === undefined) return
    unfinished ||= experiment.protocol.holes.some((hole) => field(`${hole.name}.why`) === NOT_ASKED)
    take({
      model,
      pool,
      item,
      text: (hole) => (field(`${hole}.status`) === "value" ? field(`${hole}.text`) : undefined),
      prompt: (hole) => field(`${hole}.prompt`),
      facts: factsOf(experiment, item, attributes.get(model) ?? {}, field),
    })
  })
  if (ragged || rows !== (run.rows ?? rows)) return "damaged"
  return unfinished ? "unfinished" : "finished"
}

const keyOf = (pool: string, item: string, only?: string): string => JSON.stringify([pool, item, only])

type FieldOf = (column: string) => string | undefined

/** Columns that a table has by itself: a factor of the same name stands as `level:NAME`. */
const own = ["experiment", "item", "trial", "shown", "gold", "target", "pushed"]

const factsOf = (
  { protocol }: ExperimentIR,
  item: Item,
  attributes: Readonly<Record<string, string | number>>,
  field: FieldOf,
): Facts => {
  const hole = (name: string) => protocol.holes.find((one) => one.name === name)
  return {
    level: (factor) => field(own.includes(factor) ? `level:${factor}` : factor),
    role: (role) => field(role === "model" ? "model" : `${role}.model`),
    item,
    reading: (name) => {
      const read = hole(name)
      return read === undefined ? undefined : readingOf(read, field)
    },
    attribute: (name) => attributes[name],
    hole,
    target: () => targetOf("target", field),
    pushed: () => targetOf("pushed", field),
    lines: () => {
      const words = numberOf(field("line.words"))
      const answerIndex = numberOf(field("line.answer_index"))
      return words === undefined ? undefined : { words, answerIndex }
    },
  }
}

const numberOf = (text: string | undefined): number | undefined => {
  const number = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** A table says of every read that gave something that it has a value; of which kind, its type tells. */
const readingOf = (hole: HoleIR, field: FieldOf): Reading | undefined => {
  const of = (column: string) => field(`${hole.name}.${column}`)
  const tokens = numberOf(of("tokens")) ?? 0
  const why = of("why") ?? ""
  switch (of("status")) {
    case "value": {
      if (hole.type === "text") {
        const stop = of("stop")
        return {
          status: "text",
          text: of("text") ?? "",
          tokens,
          stop: stop === "until" || stop === "max" ? stop : "end",
        }
      }
      const answer = { value: of("answer") ?? "", index: numberOf(of("option")) ?? -1 }
      const mass = numberOf(of("mass"))
      return mass === undefined
        ? { status: "answer", ...answer }
        : { status: "value", ...answer, probabilities: probabilitiesOf(hole, of), mass }
    }
    case "refused":
      return { status: "refused", text: of("text") ?? "", tokens, marker: "" }
    case "invalid":
      return { status: "invalid", why }
    case "skipped":
      return { status: "skipped", why }
    default:
      return undefined
  }
}

/** Of options and integers by number, of labels by their text. */
const probabilitiesOf = (hole: HoleIR, of: FieldOf): readonly number[] => {
  if (hole.type === "label") return hole.labels.map((label) => numberOf(of(`p.${label}`)) ?? 0)
  const probabilities: number[] = []
  for (let number = hole.type === "integer" ? hole.low : 0; ; number += 1) {
    const probability = numberOf(of(`p${number}`))
    if (probability === undefined) return probabilities
    probabilities.push(probability)
  }
}

const targetOf = (name: "target" | "pushed", field: FieldOf): Target | undefined => {
  const index = numberOf(field(`${name}.option`))
  switch (field(`${name}.kind`)) {
    case "option":
      return index === undefined ? undefined : { kind: "option", index }
    case "placebo":
      return { kind: "placebo", label: field(name) ?? "" }
    case "none":
      return { kind: "none", why: field(`${name}.why`) ?? "" }
    default:
      return undefined
  }
}
