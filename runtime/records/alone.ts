/** Records alone: their models, pools, levels and labels are those that the file turns out to have. */
import { sha256 } from "../../compiler/hash.ts"
import type { CellIR, ExperimentIR, HoleIR, ProtocolIR, RecordsIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { opened } from "../../compiler/items/path.ts"
import { emptyBlock } from "../../compiler/lower/block.ts"
import { ONLY_ARM } from "../../compiler/lower/columns.ts"
import { ONLY_OUTER } from "../../compiler/lower/recorded.ts"
import { NO_TARGET } from "../../compiler/lower/target.ts"
import type { Reading, Target } from "../../compiler/trial.ts"
import { promptHole } from "../measure/readColumns.ts"
import type { TrialRecord } from "../record.ts"
import { cellKey, type ExpectedCell, type RecordedDesign } from "./design.ts"
import { namesIn } from "./names.ts"
import { type Alternatives, readingOf, type Say } from "./reading.ts"
import { type MappedRow, numberIn, type Value, valueIn } from "./values.ts"

/** Goes through the rows. */
type EachRow = (take: (row: MappedRow) => void) => void

const silent: Say = () => "keep"

export function designOfRecords(experiment: ExperimentIR, records: RecordsIR, each: EachRow): RecordedDesign {
  const factors = experiment.factors.map(({ name }) => name)
  const found = survey(experiment, records, factors, each)
  const completed = completedBy(found, experiment)
  const labelsFor = labelsBy(found, experiment, records)
  return {
    experiment: completed,
    trialOf: (row, say) => {
      const names = namesIn(row, records, factors, say)
      if (names === undefined) return undefined
      const { item, model = ONLY_OUTER, pool = ONLY_OUTER } = names
      const levels = { ...(factors.includes("arm") ? {} : { arm: ONLY_ARM }), ...names.levels }
      const cell = factors.flatMap((factor) => names.levels[factor] ?? []).join(":")
      const id = [experiment.name, model, pool, item, cell === "" ? ONLY_ARM : cell].join("/")
      return {
        id,
        cell: cellKey(model, pool, levels),
        record: () => {
          const labels = labelsFor(row, pool, item, say)
          if (labels === undefined) return undefined
          const gold = goldOf(row, records, labels, say)
          const readings = readingsOf(row, experiment, records, labels, say)
          const columns = columnsOf(row, records.items, found.numbers, say)
          const attributes = columnsOf(row, records.attributes, found.numbers, say)
          if (
            gold === undefined ||
            readings === undefined ||
            columns === undefined ||
            attributes === undefined
          )
            return undefined
          const target = targetOf(row, records, "target", labels)
          return {
            trial: id,
            experiment: experiment.name,
            model,
            pool,
            item,
            levels,
            labels,
            shown: labels,
            gold,
            columns,
            attributes,
            roles: {},
            target,
            pushed: records.columns.pushed === undefined ? target : targetOf(row, records, "pushed", labels),
            readings,
            prompts: promptsOf(row, records, experiment.protocol, readings, id),
          } satisfies TrialRecord
        },
      }
    },
    expected: () => expectedOf(found),
  }
}

// ---------------------------------------------------------------- what there is

interface Survey {
  readonly models: readonly string[]
  readonly pools: readonly string[]
  readonly levels: ReadonlyMap<string, readonly string[]>
  /** Distinct crossings of levels, in the order in which they are met. */
  readonly cells: readonly Readonly<Record<string, string>>[]
  /** By model and pool, the cells that it has. */
  readonly crossed: readonly {
    readonly model: string
    readonly pool: string
    readonly levels: Readonly<Record<string, string>>
  }[]
  /** How many items each pool has. */
  readonly items: ReadonlyMap<string, number>
  /** Labels by pool and item, where nothing declares them. */
  readonly labels: ReadonlyMap<string, readonly string[]>
  /** Mapped columns in which every row has a number, as tables spell it. */
  readonly numbers: ReadonlySet<string>
}

function survey(
  experiment: ExperimentIR,
  records: RecordsIR,
  factors: readonly string[],
  each: EachRow,
): Survey {
  const models = new Set(experiment.models)
  const pools = new Set(experiment.pools.map(({ pool }) => pool))
  const levels = new Map(experiment.factors.map(({ name, levels }) => [name, new Set(levels)]))
  const cells = new Map<string, Readonly<Record<string, string>>>()
  const crossed = new Map<string, Survey["crossed"][number]>()
  const items = new Map<string, Set<string>>()
  const labels = new Map<string, Set<string>>()
  const texts = new Set<string>()
  const open = records.labels === undefined && declaredLabels(records, experiment) === undefined
  const additional = { ...records.items, ...records.attributes }
  each((row) => {
    const names = namesIn(row, records, factors, silent)
    if (names === undefined) return
    const { item, model = ONLY_OUTER, pool = ONLY_OUTER } = names
    models.add(model)
    pools.add(pool)
    for (const [factor, level] of Object.entries(names.levels)) levels.get(factor)?.add(level)
    const whole = { ...(factors.includes("arm") ? {} : { arm: ONLY_ARM }), ...names.levels }
    const key = cellKey(model, pool, whole)
    if (!crossed.has(key)) {
      crossed.set(key, { model, pool, levels: whole })
      cells.set(cellKey("", "", whole), whole)
    }
    const own = items.get(pool) ?? new Set()
    items.set(pool, own.add(item))
    for (const [name, column] of Object.entries(additional)) {
      const value = valueIn(row, column)
      if (value.kind === "text" && !isSpeltNumber(value.text)) texts.add(name)
    }
    if (!open) return
    const key2 = JSON.stringify([pool, item])
    const known = labels.get(key2) ?? new Set<string>()
    labels.set(key2, known)
    for (const label of labelsIn(row, records, experiment)) known.add(label)
  })
  return {
    models: [...models],
    pools: [...pools],
    levels: new Map([...levels].map(([name, own]) => [name, inOrder([...own], experiment, name)])),
    cells: [...cells.values()],
    crossed: [...crossed.values()],
    items: new Map([...items].map(([pool, own]) => [pool, own.size])),
    labels: new Map([...labels].map(([key, own]) => [key, [...own].sort(byName)])),
    numbers: new Set(Object.keys(additional).filter((name) => !texts.has(name))),
  }
}

/** `007` stays a text. */
const isSpeltNumber = (text: string): boolean => String(numberIn(text)) === text

/** Declared levels as declared; others by number where all are numbers, else as met. */
function inOrder(levels: readonly string[], { factors }: ExperimentIR, name: string): readonly string[] {
  const declared = factors.find((factor) => factor.name === name)?.levels ?? []
  if (declared.length > 0 || !levels.every((level) => numberIn(level) !== undefined)) return levels
  return [...levels].sort((a, b) => Number(a) - Number(b))
}

const byName = (a: string, b: string): number => {
  const [x, y] = [numberIn(a), numberIn(b)]
  if (x !== undefined && y !== undefined) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}

/** What a row names of its item's labels. */
function labelsIn(row: MappedRow, records: RecordsIR, { protocol }: ExperimentIR): readonly string[] {
  const found: string[] = []
  const note = (value: Value): void => {
    if (value.kind === "text" && value.option === undefined) found.push(value.text.trim())
  }
  for (const name of ["gold", "target", "pushed"]) {
    const column = records.columns[name]
    if (column !== undefined) note(valueIn(row, column))
  }
  for (const read of records.reads) {
    if (protocol.holes.find(({ name }) => name === read.hole)?.type !== "option") continue
    if (read.answer !== undefined) note(valueIn(row, read.answer))
    if (read.probabilities === undefined || !("list" in read.probabilities)) continue
    const value = valueIn(row, read.probabilities.list)
    if (value.kind === "map" && value.cell.kind === "map") found.push(...value.cell.entries.keys())
  }
  return found.filter((label) => label !== "")
}

// ---------------------------------------------------------------- the design

const identity = { kind: "identity" } as const

function completedBy(found: Survey, experiment: ExperimentIR): ExperimentIR {
  const { levels: levelsBy } = found
  const factors = experiment.factors.map(({ name }) => ({ name, levels: levelsBy.get(name) ?? [] }))
  const rank = (levels: Readonly<Record<string, string>>): readonly number[] =>
    factors.map(({ name, levels: known }) => known.indexOf(levels[name] ?? ""))
  const cells = found.cells
    .map((levels) => ({ levels, rank: rank(levels) }))
    .sort((a, b) => compare(a.rank, b.rank))
    .map(
      ({ levels }): CellIR => ({
        arm: levels.arm ?? ONLY_ARM,
        levels,
        stimulus: emptyBlock,
        fills: {},
        roles: {},
        seed: experiment.seed,
        target: NO_TARGET,
        options: identity,
        replicate: replicateOf(levels.replicate),
      }),
    )
  return { ...experiment, models: found.models, pools: found.pools.map((pool) => ({ pool })), factors, cells }
}

const replicateOf = (level: string | undefined): number => {
  const value = Number(level ?? 1)
  return Number.isSafeInteger(value) && value >= 1 ? value : 1
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) if (rank !== b[at]) return rank - (b[at] ?? 0)
  return 0
}

/** Every cell that a model and pool have should have each of the pool's items. */
const expectedOf = ({ crossed, items }: Survey): readonly ExpectedCell[] =>
  crossed.map(({ model, pool, levels }) => ({
    key: cellKey(model, pool, levels),
    model,
    pool,
    levels,
    count: items.get(pool) ?? 0,
  }))

// ---------------------------------------------------------------- labels, gold, target

/** Labels of every item, where the spec or the probabilities of options say them. */
function declaredLabels(
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

function labelsBy(found: Survey, experiment: ExperimentIR, records: RecordsIR) {
  const all = declaredLabels(records, experiment)
  const { labels } = records
  return (row: MappedRow, pool: string, item: string, say: Say): readonly string[] | undefined => {
    if (all !== undefined) return all
    if (labels === undefined || !("list" in labels))
      return found.labels.get(JSON.stringify([pool, item])) ?? []
    const value = valueIn(row, labels.list)
    const own = value.kind === "text" ? listIn(value.text) : "cell" in value ? namesOf(value.cell) : undefined
    if (own !== undefined && own.length > 0 && new Set(own).size === own.length) return own
    say("missing", "its labels are no list of different texts")
    return undefined
  }
}

/** `["A", "B"]`, or names with commas or blanks between. */
function listIn(text: string): readonly string[] | undefined {
  const cell = opened({ kind: "scalar", value: text, text, spelt: true, span: { start: 0, end: 0 } })
  return cell.kind === "scalar" ? text.split(/[\s,;|]+/).filter((name) => name !== "") : namesOf(cell)
}

/** The texts of a list, or the keys of a record. */
function namesOf(cell: Cell): readonly string[] | undefined {
  if (cell.kind === "map") return [...cell.entries.keys()]
  if (cell.kind === "scalar") return undefined
  return cell.items.every((one) => one.kind === "scalar" && one.text !== "")
    ? cell.items.map((one) => (one.kind === "scalar" ? one.text : ""))
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
function goldOf(
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

function targetOf(
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

// ---------------------------------------------------------------- the rest of a row

function readingsOf(
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

export const integersOf = ({
  low,
  high,
}: {
  readonly low: number
  readonly high: number
}): readonly string[] => Array.from({ length: high - low + 1 }, (_, index) => String(low + index))

function columnsOf(
  row: MappedRow,
  columns: RecordsIR["items"],
  numbers: ReadonlySet<string>,
  say: Say,
): Readonly<Record<string, string | number>> | undefined {
  const found: Record<string, string | number> = {}
  for (const [name, column] of Object.entries(columns)) {
    const value = valueIn(row, column)
    if (value.kind === "text") found[name] = numbers.has(name) ? Number(value.text) : value.text
    else if (value.kind !== "empty") {
      say("missing", `it has no ${name}${value.kind === "unfit" ? `: ${value.why}` : ""}`)
      return undefined
    }
  }
  return found
}

/**
 * By read, what rows have in common that share it: where no column says it nothing, so that every trial is an observation of its own. Each is a sum,
 * as prompts of runs are.
 */
export function promptsOf(
  row: MappedRow,
  { reads }: RecordsIR,
  protocol: ProtocolIR,
  readings: Readonly<Record<string, Reading>>,
  trial: string,
): Readonly<Record<string, string>> {
  const prompts: Record<string, string> = {}
  for (const { hole: name, prompt } of reads) {
    const hole = protocol.holes.find((one) => one.name === name)
    const source = hole === undefined ? name : promptHole(hole, protocol)
    const value = prompt === undefined ? undefined : valueIn(row, prompt)
    if (value?.kind === "text") prompts[source] = promptName("shared", value.text)
    else if (isRead(readings[name])) prompts[source] ??= promptName("own", trial)
  }
  return prompts
}

/** What was skipped was put to nobody. */
const isRead = (reading: Reading | undefined): boolean =>
  reading !== undefined && reading.status !== "skipped"

const promptName = (kind: "shared" | "own", what: string): string => sha256(`${kind} ${what}`)
