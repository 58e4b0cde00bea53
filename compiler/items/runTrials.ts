/** The trials of a finished run, as facts that an expression can be evaluated over. Columns are those of `trials.csv`. */
import type { Facts } from "../evaluate.ts"
import type { ExperimentIR } from "../ir.ts"
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

/**
 * Takes the trials of one experiment of a run one by one, in the order of its grid. Gives whether the run was stopped before it had asked
 * everything.
 */
export const readTrials = (run: RunFolder, name: string, take: (trial: RunTrial) => void): boolean => {
  const experiment = experimentOf(run, name)
  const items = new Map(
    [...run.items].flatMap(([pool, all]) => all.map((item) => [keyOf(pool, item.id), item] as const)),
  )
  const attributes = new Map(run.program.models.map((model) => [model.name, model.attributes]))
  let unfinished = false
  let places: ReadonlyMap<string, number> | undefined
  scanCsv(run.trials, (record) => {
    if (places === undefined) {
      places = new Map(record.map(({ text }, index) => [text, index]))
      return
    }
    const columns = places
    /** An empty field has no value. An empty text, which stands in quotes, is one. */
    const field = (column: string): string | undefined => {
      const cell = record[columns.get(column) ?? -1]
      return cell === undefined || cell.span.start === cell.span.end ? undefined : cell.text
    }
    if (experiment === undefined || field("experiment") !== name) return
    const model = field("model") ?? ""
    const pool = field("pool") ?? ""
    const item = items.get(keyOf(pool, field("item") ?? ""))
    if (item === undefined) return
    unfinished ||= experiment.protocol.holes.some((hole) => field(`${hole.name}.why`) === NOT_ASKED)
    take({
      model,
      pool,
      item,
      text: (hole) => (field(`${hole}.status`) === "text" ? (field(`${hole}.text`) ?? "") : undefined),
      prompt: (hole) => field(`${hole}.prompt`),
      facts: factsOf(experiment, item, attributes.get(model) ?? {}, field),
    })
  })
  return unfinished
}

const keyOf = (pool: string, item: string): string => JSON.stringify([pool, item])

type FieldOf = (column: string) => string | undefined

/** Columns that a table has by itself: a factor of the same name stands as `level:NAME`. */
const own = ["experiment", "item", "trial", "gold", "target", "pushed"]

const factsOf = (
  experiment: ExperimentIR,
  item: Item,
  attributes: Readonly<Record<string, string | number>>,
  field: FieldOf,
): Facts => ({
  level: (factor) => field(own.includes(factor) ? `level:${factor}` : factor),
  role: (role) => field(role),
  item,
  reading: (name) => readingOf(name, lowestOf(experiment, name), field),
  attribute: (name) => attributes[name],
  hole: (name) => experiment.protocol.holes.find((hole) => hole.name === name),
  target: () => targetOf("target", field),
  pushed: () => targetOf("pushed", field),
})

const numberOf = (text: string | undefined): number | undefined => {
  const number = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** Where the numbers of a read's alternatives begin: integers at the lowest, options at 0. */
const lowestOf = ({ protocol }: ExperimentIR, name: string): number => {
  const hole = protocol.holes.find((one) => one.name === name)
  return hole?.type === "integer" ? hole.low : 0
}

const readingOf = (hole: string, lowest: number, field: FieldOf): Reading | undefined => {
  const why = field(`${hole}.why`) ?? ""
  const text = field(`${hole}.text`) ?? ""
  const tokens = numberOf(field(`${hole}.tokens`)) ?? 0
  const value = field(`${hole}.answer`) ?? ""
  const index = numberOf(field(`${hole}.option`)) ?? -1
  switch (field(`${hole}.status`)) {
    case "value":
      return {
        status: "value",
        value,
        index,
        probabilities: probabilitiesOf(hole, lowest, field),
        mass: numberOf(field(`${hole}.mass`)) ?? 0,
      }
    case "answer":
      return { status: "answer", value, index }
    case "text": {
      const stop = field(`${hole}.stop`)
      return { status: "text", text, tokens, stop: stop === "until" || stop === "max" ? stop : "end" }
    }
    case "refused":
      return { status: "refused", text, tokens, marker: field(`${hole}.marker`) ?? "" }
    case "invalid":
      return { status: "invalid", why }
    case "skipped":
      return { status: "skipped", why }
    default:
      return undefined
  }
}

/** The columns `HOLE.pN` in order. */
const probabilitiesOf = (hole: string, lowest: number, field: FieldOf): readonly number[] => {
  const probabilities: number[] = []
  for (let number = lowest; ; number += 1) {
    const probability = numberOf(field(`${hole}.p${number}`))
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
