/** Records of a design that could be run too: its plan says which trials there are, its pools have options, gold answers and columns. */
import { derivedAt } from "../../compiler/derive.ts"
import { isMade, nameOf } from "../../compiler/expand.ts"
import type { CellIR, ExperimentIR, HoleIR, Program, RecordsIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { othersOf, type Population, populationOf } from "../../compiler/others.ts"
import { eligible, itemsOf } from "../../compiler/sampled.ts"
import { shownItem, toPool, toShown } from "../../compiler/shown.ts"
import type { Reading, Target, Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import type { TrialRecord } from "../record.ts"
import { readingAsShown } from "../run/poolOrder.ts"
import { recordOf } from "../run/records.ts"
import { cellKey, type ExpectedCell, type RecordedDesign } from "./design.ts"
import { namesIn } from "./names.ts"
import { cellIndex, itemIndex, levelsText, UnfinishedMapping } from "./plannedPlaces.ts"
import { Prompts } from "./prompts.ts"
import { type Alternatives, integersOf, readingOf, type Say } from "./reading.ts"
import { type MappedRow, valueIn } from "./values.ts"

/** @throws UnfinishedMapping where rows could be of several cells, models or pools */
export function plannedDesign(
  experiment: ExperimentIR,
  records: RecordsIR,
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
): RecordedDesign {
  const factors = experiment.factors.map(({ name }) => name)
  const mapped = factors.filter((name) => records.columns[name] !== undefined)
  const cellsBy = cellIndex(experiment, mapped)
  const used = itemsOf(experiment, items)
  const placeOf = itemIndex(used)
  const outerOf = (what: "model" | "pool", known: readonly string[]): string | undefined => {
    if (records.columns[what] !== undefined) return undefined
    const [only] = known
    if (known.length === 1) return only
    // An item of one pool alone says which it is.
    if (what === "pool") return undefined
    throw new UnfinishedMapping(
      `experiment ${experiment.name} has several models (${known.join(", ")}), and its records do not say whose a row is: map \`model\``,
    )
  }
  const onlyModel = outerOf("model", experiment.models)
  const onlyPool = outerOf(
    "pool",
    experiment.pools.map(({ pool }) => pool),
  )
  const models = new Map(program.models.map((model) => [model.name, model]))
  const prompts = new Prompts(experiment.protocol, records)
  const othersFor = drawer(experiment, items)
  const order = wavesOf(experiment).flat()
  const keys = new Map<CellIR, Map<string, Map<string, string>>>()
  /** `cellKey`, worked out once for a cell, a model and a pool. */
  const keyOf = (model: string, pool: string, cell: CellIR): string => {
    const ofCell = keys.get(cell) ?? new Map<string, Map<string, string>>()
    keys.set(cell, ofCell)
    const ofModel = ofCell.get(model) ?? new Map<string, string>()
    ofCell.set(model, ofModel)
    const key = ofModel.get(pool) ?? cellKey(model, pool, cell.levels)
    ofModel.set(pool, key)
    return key
  }

  return {
    experiment,
    trialOf: (row, say) => {
      const names = namesIn(row, records, mapped, say)
      if (names === undefined) return undefined
      const model = names.model ?? onlyModel ?? ""
      if (!experiment.models.includes(model)) {
        say(
          "unknown",
          `${JSON.stringify(model)} is no model of the experiment (${experiment.models.join(", ")})`,
        )
        return undefined
      }
      const found = placeOf(names.item, names.pool ?? onlyPool, model)
      if (typeof found === "string") {
        say("unknown", found)
        return undefined
      }
      const { pool, item } = found
      const cell = cellsBy(names.levels)
      if (cell === undefined) {
        say("unknown", `no cell of the design has ${levelsText(mapped, names.levels)}`)
        return undefined
      }
      const attributes = models.get(model)?.attributes
      if (!isMade(experiment, { model, pool, cell, attributes }, item)) {
        say(
          "unknown",
          `the design has no trial of ${levelsText(mapped, names.levels)} for model ${model}, pool ${pool}`,
        )
        return undefined
      }
      const drawn = { seed: cell.seed, replicate: cell.replicate, pool, item: item.id }
      const shown = shownItem(item, cell.options, drawn)
      const choice = cell.target.kind === "each_wrong" ? choiceOf(row, records, shown) : undefined
      if (cell.target.kind === "each_wrong" && choice === undefined) {
        say("missing", "it does not say which wrong option it is about (`target`)")
        return undefined
      }
      const name = `${experiment.name}/${model}/${pool}/${item.id}/${nameOf(cell, experiment)}`
      const id = choice === undefined ? name : `${name}:option ${toPool(shown, choice) + 1}`
      const key = keyOf(model, pool, cell)
      return {
        id,
        unit: choice === undefined ? key : `${key} ${choice}`,
        item: item.id,
        cell: key,
        record: () => {
          const trial: Trial = {
            id,
            experiment,
            model,
            pool,
            item: shown,
            cell,
            ...(choice === undefined ? {} : { choice }),
            others: othersFor(cell, pool, item, model),
            turns: [],
            ...(attributes === undefined ? {} : { attributes }),
          }
          return recordFrom(row, trial, item, order, models.get(model), records, prompts, say)
        },
      }
    },
    expected: () => expectedOf(experiment, program, used),
  }
}

/** Reads in the order in which a model is asked, what is found in texts after the texts. */
function recordFrom(
  row: MappedRow,
  trial: Trial,
  item: Item,
  order: readonly HoleIR[],
  model: Program["models"][number] | undefined,
  records: RecordsIR,
  prompts: Prompts,
  say: Say,
): TrialRecord | undefined {
  compareGold(row, item, records, say)
  const readings: Record<string, Reading> = {}
  let isWhole = true
  for (const hole of order) {
    const read = records.reads.find((one) => one.hole === hole.name)
    const own =
      read === undefined ? undefined : readingOf(row, read, hole, alternativesOf(hole, trial, item), say)
    if (read !== undefined && own === undefined) isWhole = false
    readings[hole.name] =
      own === undefined
        ? (derivedAt(trial, hole.name, readings) ?? {
            status: "skipped",
            why: `the records have no ${hole.name}`,
          })
        : readingAsShown(trial, hole, own)
  }
  if (!isWhole) return undefined
  const record = recordOf(trial, readings, prompts.of(row, readings), model)
  const target = writtenTarget(row, "target", trial.item, records)
  const pushed = writtenTarget(row, "pushed", trial.item, records)
  return {
    ...record,
    ...(target === undefined ? {} : { target }),
    ...(pushed === undefined ? {} : { pushed }),
  }
}

/** What a read may come out as, in the order of the pool. */
function alternativesOf(hole: HoleIR, trial: Trial, item: Item): Alternatives | undefined {
  switch (hole.type) {
    case "option": {
      if (hole.of === undefined) return { labels: item.labels, texts: item.options }
      const other = trial.others[hole.of.draw]?.[hole.of.index - 1]
      return other === undefined ? undefined : { labels: other.labels }
    }
    case "label":
      return { labels: hole.labels }
    case "integer":
      return { labels: integersOf(hole) }
    case "extract":
      if (hole.as.type === "option") return { labels: item.labels, texts: item.options }
      return { labels: hole.as.type === "label" ? hole.as.labels : integersOf(hole.as) }
    case "rule":
      return { labels: hole.labels }
    default:
      return undefined
  }
}

/** Place of a label, or of an option's text, in the pool's order. */
function optionIn(
  row: MappedRow,
  column: RecordsIR["columns"][string],
  item: Item,
): number | string | undefined {
  const value = valueIn(row, column)
  if (value.kind !== "text") return undefined
  if (value.option !== undefined) return value.option < item.options.length ? value.option : undefined
  const text = value.text.trim()
  const label = item.labels.indexOf(text)
  const place = label >= 0 ? label : item.options.findIndex((option) => option.trim() === text)
  return place >= 0 ? place : text
}

function compareGold(row: MappedRow, item: Item, { columns }: RecordsIR, say: Say): void {
  if (columns.gold === undefined) return
  const place = optionIn(row, columns.gold, item)
  const gold = toPool(item, item.gold)
  if (place !== undefined && place !== gold)
    say("gold", `the record's gold answer is not the pool's, which counts`)
}

/** The option that a record says it is about: what the design would have chosen otherwise. */
function writtenTarget(
  row: MappedRow,
  name: "target" | "pushed",
  item: Item,
  { columns }: RecordsIR,
): Target | undefined {
  const column = columns[name]
  if (column === undefined) return undefined
  const place = optionIn(row, column, item)
  if (place === undefined) return { kind: "none", why: `the record has no ${name}` }
  return typeof place === "string" ? { kind: "placebo", label: place } : { kind: "option", index: place }
}

function choiceOf(row: MappedRow, { columns }: RecordsIR, shown: Item): number | undefined {
  const place = columns.target === undefined ? undefined : optionIn(row, columns.target, shown)
  const choice = typeof place === "number" ? toShown(shown, place) : undefined
  return choice === shown.gold ? undefined : choice
}

/** Other items that a trial's conversation holds, as a run would draw them. */
function drawer(experiment: ExperimentIR, items: ReadonlyMap<string, readonly Item[]>) {
  const { draws } = experiment.protocol
  const populations = new Map<string, Population>(
    draws.length === 0
      ? []
      : experiment.pools.map((use) => [
          use.pool,
          populationOf(use.pool, eligible(use, items.get(use.pool) ?? [])),
        ]),
  )
  return ({ seed, replicate }: CellIR, pool: string, { id }: Item, model: string): Trial["others"] =>
    Object.fromEntries(
      draws.flatMap((draw) => {
        const population = populations.get(draw.pool ?? pool)
        const key = { seed, replicate, pool, item: id }
        return population === undefined ? [] : [[draw.name, othersOf(draw, population, key, model)] as const]
      }),
    )
}

function expectedOf(
  experiment: ExperimentIR,
  { models }: Program,
  used: readonly { readonly pool: string; readonly items: readonly Item[] }[],
): readonly ExpectedCell[] {
  const attributes = new Map(models.map((model) => [model.name, model.attributes]))
  return experiment.models.flatMap((model) =>
    used.flatMap(({ pool, items }) =>
      experiment.cells.flatMap((cell) => {
        const design = { model, pool, cell, attributes: attributes.get(model) }
        let count = 0
        for (const item of items) {
          if (item.only !== undefined && item.only !== model) continue
          if (!isMade(experiment, design, item)) continue
          count += cell.target.kind === "each_wrong" ? item.options.length - 1 : 1
        }
        return count === 0
          ? []
          : [{ key: cellKey(model, pool, cell.levels), model, pool, levels: cell.levels, count }]
      }),
    ),
  )
}
