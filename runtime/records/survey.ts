/** What a file of records has: its models, pools, levels, items and labels, and which crossings of them. */
import type { ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import { ONLY_OUTER } from "../../compiler/lower/recorded.ts"
import type { Crossing, Crossings } from "./crossings.ts"
import { cellKey } from "./design.ts"
import { declaredLabels } from "./labels.ts"
import { namesIn } from "./names.ts"
import { isAnswered, type Say } from "./reading.ts"
import { detached, type MappedRow, numberIn, type Value, valueIn } from "./values.ts"

/** Goes through the rows. */
export type EachRow = (take: (row: MappedRow) => void) => Promise<void>

const silent: Say = () => "keep"

export interface Survey {
  readonly models: readonly string[]
  readonly pools: readonly string[]
  readonly levels: ReadonlyMap<string, readonly string[]>
  /** Distinct crossings of levels, in the order in which they are met. */
  readonly cells: readonly Readonly<Record<string, string>>[]
  /** By model and pool, the cells that it has. */
  readonly crossed: readonly Crossing[]
  /** How many items each pool has. */
  readonly items: ReadonlyMap<string, number>
  /** Labels by pool and item, where nothing declares them. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** Columns of items and attributes of models in which every row has a number, as tables spell it: `item.size`, `model.size`. */
  readonly numbers: ReadonlySet<string>
}

export async function survey(
  experiment: ExperimentIR,
  records: RecordsIR,
  crossings: Crossings,
  each: EachRow,
): Promise<Survey> {
  const factors = experiment.factors.map(({ name }) => name)
  const models = new Set(experiment.models)
  const pools = new Set(experiment.pools.map(({ pool }) => pool))
  const levels = new Map(experiment.factors.map(({ name, levels }) => [name, new Set(levels)]))
  const cells = new Map<string, Readonly<Record<string, string>>>()
  const crossed = new Set<Crossing>()
  const items = new Map<string, Set<string>>()
  const labels = new Map<string, Map<string, Set<string>>>()
  const texts = new Set<string>()
  const open = records.labels === undefined && declaredLabels(records, experiment) === undefined
  const additional = [
    ...Object.entries(records.items).map(([name, column]) => [`item.${name}`, column] as const),
    ...Object.entries(records.attributes).map(([name, column]) => [`model.${name}`, column] as const),
  ]
  await each((row) => {
    const names = namesIn(row, records, factors, silent)
    if (names === undefined) return
    const { item, model = ONLY_OUTER, pool = ONLY_OUTER } = names
    const crossing = crossings.of(model, pool, names.levels)
    if (!crossed.has(crossing)) {
      crossed.add(crossing)
      models.add(model)
      pools.add(pool)
      for (const [factor, level] of Object.entries(names.levels)) levels.get(factor)?.add(level)
      cells.set(cellKey("", "", crossing.levels), crossing.levels)
    }
    const own = items.get(pool) ?? new Set()
    items.set(pool, own.add(item))
    for (const [name, column] of additional) {
      const value = valueIn(row, column)
      if (value.kind === "text" && !isSpeltNumber(value.text)) texts.add(name)
    }
    if (!open) return
    const ofPool = labels.get(pool) ?? new Map<string, Set<string>>()
    labels.set(pool, ofPool)
    const known = ofPool.get(item) ?? new Set<string>()
    ofPool.set(item, known)
    for (const label of labelsIn(row, records, experiment)) known.add(label)
  })
  return {
    models: [...models],
    pools: [...pools],
    levels: new Map([...levels].map(([name, own]) => [name, inOrder([...own], experiment, name)])),
    cells: [...cells.values()],
    crossed: [...crossed],
    items: new Map([...items].map(([pool, own]) => [pool, own.size])),
    labels: new Map([...labels].map(([pool, own]) => [pool, inNames(own)])),
    numbers: new Set(additional.flatMap(([name]) => (texts.has(name) ? [] : [name]))),
  }
}

/** Items with the same labels share them. */
function inNames(labels: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  return new Map(
    [...labels].map(([item, own]) => {
      const names = [...own].sort(byName)
      const key = JSON.stringify(names)
      const shared = known.get(key) ?? names
      known.set(key, shared)
      return [item, shared]
    }),
  )
}

/** `007` stays a text. */
export const isSpeltNumber = (text: string): boolean => String(numberIn(text)) === text

/** Declared levels as declared; others by number where all are numbers, else as met. */
export function inOrder(
  levels: readonly string[],
  { factors }: ExperimentIR,
  name: string,
): readonly string[] {
  const declared = factors.find((factor) => factor.name === name)?.levels ?? []
  if (declared.length > 0 || !levels.every((level) => numberIn(level) !== undefined)) return levels
  return [...levels].sort((a, b) => Number(a) - Number(b))
}

const byName = (a: string, b: string): number => {
  const [x, y] = [numberIn(a), numberIn(b)]
  if (x !== undefined && y !== undefined) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}

/** What a row names of its item's labels. What stands in the place of an answer that was not given is none: why a model refused, or what it wrote instead. */
export function labelsIn(row: MappedRow, records: RecordsIR, { protocol }: ExperimentIR): readonly string[] {
  const found: string[] = []
  const note = (value: Value): void => {
    if (value.kind === "text" && value.option === undefined) found.push(detached(value.text.trim()))
  }
  for (const name of ["gold", "target", "pushed"]) {
    const column = records.columns[name]
    if (column !== undefined) note(valueIn(row, column))
  }
  for (const read of records.reads) {
    if (protocol.holes.find(({ name }) => name === read.hole)?.type !== "option") continue
    if (!isAnswered(row, read)) continue
    if (read.answer !== undefined) note(valueIn(row, read.answer))
    if (read.probabilities === undefined || !("list" in read.probabilities)) continue
    const value = valueIn(row, read.probabilities.list)
    if (value.kind === "map" && value.cell.kind === "map")
      found.push(...[...value.cell.entries.keys()].map(detached))
  }
  return found.filter((label) => label !== "")
}
