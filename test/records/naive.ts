/**
 * The naive twin of `scoreRecords` for records alone: the whole text at once by the compiler's own readers of CSV and JSON, a cell for every value, every
 * column looked up in the whole row, every key and statement a JSON text. The same must come out.
 */
import { sha256 } from "../../compiler/hash.ts"
import type { ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { type Field, scanCsv } from "../../compiler/items/csv.ts"
import { parseJson } from "../../compiler/items/json.ts"
import { ONLY_ARM } from "../../compiler/lower/columns.ts"
import { ONLY_OUTER } from "../../compiler/lower/recorded.ts"
import type { Reading } from "../../compiler/trial.ts"
import { promptHole } from "../../runtime/measure/readColumns.ts"
import { TrialTable } from "../../runtime/measure/table.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { completedBy } from "../../runtime/records/alone.ts"
import { cellKey } from "../../runtime/records/design.ts"
import { goldOf, labelsBy, targetsOf } from "../../runtime/records/labels.ts"
import { namesIn } from "../../runtime/records/names.ts"
import { type Finding, Problems } from "../../runtime/records/problems.ts"
import type { Say } from "../../runtime/records/reading.ts"
import { columnsOf, readingsOf } from "../../runtime/records/row.ts"
import type { Survey } from "../../runtime/records/survey.ts"
import { inOrder, isSpeltNumber, labelsIn } from "../../runtime/records/survey.ts"
import { type MappedRow, valueIn, wholeValue } from "../../runtime/records/values.ts"

export type NaiveRow = { readonly place: number } & ({ readonly cell: Cell } | { readonly why: string })

/** Rows of a CSV text, each a map by the header's names. */
export function naiveCsv(text: string): readonly NaiveRow[] {
  const records: (readonly Field[])[] = []
  const problems = scanCsv(text, (record) => records.push(record))
  const [header = [], ...rows] = records
  const breaks = [...text.matchAll(/\r\n?|\n/g)].map(({ index }) => index)
  let [line, next] = [0, 0]
  return rows.map((record, index): NaiveRow => {
    const after = rows[index + 1]?.[0]?.span.start ?? text.length
    const start = record[0]?.span.start ?? 0
    while (line < breaks.length && breaks[line]! < start) line += 1
    const place = line + 1
    const end = record.at(-1)?.span.end ?? 0
    while (next < problems.length && problems[next]!.span.start < start) next += 1
    const problem = (problems[next]?.span.start ?? after) < after ? problems[next] : undefined
    if (problem?.kind === "unreadable") {
      const lines = text
        .slice(problem.span.start, Math.max(end, problem.span.end))
        .trimEnd()
        .split("\n").length
      const taken =
        lines === 1 ? "" : `, and what stands in it takes ${lines} lines, which are one row to CSV`
      return { place, why: `${problem.why}${taken}` }
    }
    if (record.length !== header.length)
      return { place, why: `this row has ${record.length} fields and the header has ${header.length}` }
    const entries = record.map(
      ({ text: value, span }, index) =>
        [
          header[index]?.text ?? "",
          { kind: "scalar", value, text: value, spelt: true, span } as Cell,
        ] as const,
    )
    return { place, cell: { kind: "map", entries: new Map(entries), span: { start, end } } }
  })
}

/** Lines of JSON. */
export function naiveJsonl(text: string): readonly NaiveRow[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((line, index): readonly NaiveRow[] => {
      const place = index + 1
      if (line.trim() === "") return []
      const parsed = parseJson(line, { start: 0, end: line.length })
      if (!("cell" in parsed)) return [{ place, why: `it is not JSON: ${parsed.why}` }]
      return [parsed.cell.kind === "map" ? { place, cell: parsed.cell } : { place, why: "it is no record" }]
    })
}

type Levels = Readonly<Record<string, string>>

/** Of which trial a row is: `own` are the levels that it says itself. */
interface Placed {
  readonly item: string
  readonly model: string
  readonly pool: string
  readonly levels: Levels
  readonly own: Levels
  readonly key: string
}

export interface NaiveScore {
  readonly table: TrialTable
  readonly experiment: ExperimentIR
  readonly findings: readonly Finding[]
}

/** `shown`: the file's name, as places have it. */
export function naiveScore(experiment: ExperimentIR, rows: readonly NaiveRow[], shown: string): NaiveScore {
  const { records } = experiment
  if (records?.alone !== true) throw new Error("the twin takes records alone")
  const file = shown.replace(/\.[^.]*$/, "")
  const byRow = rows.map((row): MappedRow | undefined => {
    if (!("cell" in row)) return undefined
    const whole = { cell: row.cell, file, place: row.place }
    return { place: row.place, value: (column) => wholeValue(whole, column) }
  })
  const mapped = byRow.filter((row) => row !== undefined)
  const factors = experiment.factors.map(({ name }) => name)
  const found = naiveSurvey(experiment, records, factors, mapped)
  const completed = completedBy(found, experiment)
  const labelsFor = labelsBy(found, experiment, records)
  const problems = new Problems(records)
  const placed = (row: MappedRow, say: Say): Placed | undefined => {
    const names = namesIn(row, records, factors, say)
    if (names === undefined) return undefined
    const { item, model = ONLY_OUTER, pool = ONLY_OUTER } = names
    const levels = { ...(factors.includes("arm") ? {} : { arm: ONLY_ARM }), ...names.levels }
    const key = JSON.stringify([cellKey(model, pool, levels), item])
    return { item, model, pool, levels, key, own: names.levels }
  }
  /** What a row comes to as the record of its trial; undefined where it is left out. */
  const recordedAs = (own: MappedRow, trial: Placed, say: Say): TrialRecord | undefined => {
    const { item, model, pool, levels, key } = trial
    const labels = labelsFor(own, pool, item, say)
    if (labels === undefined) return undefined
    const gold = goldOf(own, records, labels, say)
    const readings = readingsOf(own, experiment, records, labels, say)
    const columns = columnsOf(own, "item", records.items, found.numbers, say)
    const attributes = columnsOf(own, "model", records.attributes, found.numbers, say)
    const targets = targetsOf(own, records, labels, say)
    if (gold === undefined || readings === undefined || columns === undefined || attributes === undefined)
      return undefined
    if (targets === undefined) return undefined
    const escaped = (name: string): string => name.replace(/[\\/:]/g, "\\$&")
    const cell = factors.flatMap((factor) => escaped(trial.own[factor] ?? "") || []).join(":")
    const id = [...[experiment.name, model, pool, item].map(escaped), cell || ONLY_ARM].join("/")
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
      ...targets,
      readings,
      prompts: promptsOf(own, records, experiment, readings, key),
    }
  }
  const isLast = problems.policyOf("duplicate") === "last"
  const last = new Map<string, number>()
  const silent: Say = (problem) => problems.policyOf(problem)
  for (const row of isLast ? mapped : []) {
    const trial = placed(row, silent)
    if (trial !== undefined && recordedAs(row, trial, silent) !== undefined) last.set(trial.key, row.place)
  }
  const table = new TrialTable(completed)
  const met = new Set<string>()
  const said = new Map<string, { readonly says: string; readonly place: number }>()
  const at = (place: number): string => `${shown}:${place}`

  for (const [index, row] of rows.entries()) {
    if ("why" in row) problems.add("unreadable", row.why, at(row.place))
    const own = byRow[index]
    if (own === undefined) continue
    const say: Say = (problem, what) => problems.add(problem, what, at(row.place))
    const trial = placed(own, say)
    if (trial === undefined) continue
    const { key } = trial
    if (isLast && row.place < (last.get(key) ?? 0)) {
      say("duplicate", "a later row is of the same trial")
      continue
    }
    if (!isLast && met.has(key)) {
      say("duplicate", "another row is of the same trial (the same item, model and levels)")
      continue
    }
    const record = recordedAs(own, trial, say)
    if (record === undefined) continue
    const statements = statementsOf(record, experiment, records)
    const policies = statements.flatMap(({ about, says, otherwise }) => {
      const earlier = said.get(about)
      return earlier === undefined || earlier.says === says
        ? []
        : [problems.add("contradiction", otherwise, `${at(row.place)} against ${at(earlier.place)}`)]
    })
    if (policies.some((policy) => policy !== "keep")) continue
    for (const { about, says } of statements)
      if (!said.has(about)) said.set(about, { says, place: row.place })
    met.add(key)
    table.take(record)
  }
  return { table, experiment: completed, findings: problems.all }
}

function naiveSurvey(
  experiment: ExperimentIR,
  records: RecordsIR,
  factors: readonly string[],
  rows: readonly MappedRow[],
): Survey {
  const models = new Set(experiment.models)
  const pools = new Set(experiment.pools.map(({ pool }) => pool))
  const levels = new Map(experiment.factors.map(({ name, levels: own }) => [name, new Set(own)]))
  const cells = new Map<string, Readonly<Record<string, string>>>()
  const crossed = new Map<string, Survey["crossed"][number]>()
  const items = new Map<string, Set<string>>()
  const labels = new Map<string, Map<string, Set<string>>>()
  const texts = new Set<string>()
  const additional = new Map([
    ...Object.entries(records.items).map(([name, column]) => [`item.${name}`, column] as const),
    ...Object.entries(records.attributes).map(([name, column]) => [`model.${name}`, column] as const),
  ])
  for (const row of rows) {
    const names = namesIn(row, records, factors, () => "keep")
    if (names === undefined) continue
    const { item, model = ONLY_OUTER, pool = ONLY_OUTER } = names
    models.add(model)
    pools.add(pool)
    for (const [factor, level] of Object.entries(names.levels)) levels.get(factor)?.add(level)
    const whole = { ...(factors.includes("arm") ? {} : { arm: ONLY_ARM }), ...names.levels }
    const key = cellKey(model, pool, whole)
    if (!crossed.has(key)) crossed.set(key, { model, pool, levels: whole, key })
    cells.set(cellKey("", "", whole), cells.get(cellKey("", "", whole)) ?? whole)
    items.set(pool, (items.get(pool) ?? new Set()).add(item))
    for (const [name, column] of additional) {
      const value = valueIn(row, column)
      if (value.kind === "text" && !isSpeltNumber(value.text)) texts.add(name)
    }
    const ofPool = labels.get(pool) ?? new Map<string, Set<string>>()
    labels.set(pool, ofPool)
    const known = ofPool.get(item) ?? new Set<string>()
    ofPool.set(item, known)
    for (const label of labelsIn(row, records, experiment)) known.add(label)
  }
  return {
    models: [...models],
    pools: [...pools],
    levels: new Map([...levels].map(([name, own]) => [name, inOrder([...own], experiment, name)])),
    cells: [...cells.values()],
    crossed: [...crossed.values()],
    items: new Map([...items].map(([pool, own]) => [pool, own.size])),
    labels: new Map(
      [...labels].map(([pool, own]) => [
        pool,
        new Map([...own].map(([item, names]) => [item, [...names].sort((a, b) => (a < b ? -1 : 1))])),
      ]),
    ),
    numbers: new Set([...additional.keys()].filter((name) => !texts.has(name))),
  }
}

function promptsOf(
  row: MappedRow,
  { reads }: RecordsIR,
  { protocol }: ExperimentIR,
  readings: Readonly<Record<string, Reading>>,
  trial: string,
): Readonly<Record<string, string>> {
  const prompts: Record<string, string> = {}
  for (const { hole: name, prompt } of reads) {
    const hole = protocol.holes.find((one) => one.name === name)
    const source = hole === undefined ? name : promptHole(hole, protocol)
    const value = prompt === undefined ? undefined : valueIn(row, prompt)
    const reading = readings[name]
    if (value?.kind === "text") prompts[source] = sha256(`shared ${value.text}`)
    else if (reading !== undefined && reading.status !== "skipped") prompts[source] ??= sha256(`own ${trial}`)
  }
  return prompts
}

interface Statement {
  readonly about: string
  readonly says: string
  readonly otherwise: string
}

function statementsOf(
  record: TrialRecord,
  { protocol }: ExperimentIR,
  { columns, labels, reads }: RecordsIR,
): readonly Statement[] {
  const { model, pool, item, readings, prompts } = record
  const found: Statement[] = []
  const add = (about: readonly string[], says: string, otherwise: string): void => {
    found.push({ about: JSON.stringify(about), says, otherwise })
  }
  const ofItem = "than in an earlier row of its item"
  if (columns.gold !== undefined)
    add(["gold", pool, item], record.labels[record.gold] ?? "", `the gold answer is another ${ofItem}`)
  if (labels !== undefined && "list" in labels)
    add(["labels", pool, item], JSON.stringify(record.labels), `the labels are others ${ofItem}`)
  for (const [name, value] of Object.entries(record.columns))
    add(["item", pool, item, name], String(value), `item.${name} is another ${ofItem}`)
  for (const [name, value] of Object.entries(record.attributes))
    add(["model", model, name], String(value), `model.${name} is another than in an earlier row of its model`)
  const told = new Set(
    reads.flatMap(({ hole: name, prompt }) => {
      const hole = protocol.holes.find((one) => one.name === name)
      return prompt === undefined || hole === undefined ? [] : [promptHole(hole, protocol)]
    }),
  )
  for (const hole of protocol.holes) {
    const source = promptHole(hole, protocol)
    const reading = readings[hole.name]
    const prompt = prompts[source]
    if (!told.has(source) || reading === undefined || reading.status === "skipped" || prompt === undefined)
      continue
    add(
      ["read", model, pool, item, hole.name, prompt],
      JSON.stringify(reading.status === "invalid" ? { status: "invalid" } : reading),
      `${hole.name} came out otherwise in an earlier row with the same ${source}.prompt, though both should be one read`,
    )
  }
  return found
}
