/** Records to trials to numbers: a pure function of the program, the items and the files. */

import { suggest } from "../../compiler/diagnostics/suggest.ts"
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { printColumn } from "../../compiler/items/column.ts"
import { TrialTable } from "../measure/table.ts"
import type { TrialRecord } from "../record.ts"
import { designOfRecords } from "./alone.ts"
import { Consistency } from "./consistency.ts"
import type { PlacedTrial, RecordedDesign } from "./design.ts"
import type { MissingTrials, ScoredFacts } from "./facts.ts"
import { Lookups, type MappedColumn, mappedColumns } from "./lookups.ts"
import { plannedDesign } from "./planned.ts"
import { Problems } from "./problems.ts"
import { ReadCount } from "./readCount.ts"
import type { Say } from "./reading.ts"
import { placeIn, type RecordsFile, type Unreadable } from "./rows.ts"
import { Seen } from "./seen.ts"
import type { EachRow } from "./survey.ts"
import { unseenLevels } from "./unseen.ts"
import { type MappedRow, valueIn } from "./values.ts"

/** What became of the records of an experiment. */
export interface Scored {
  /** Completed by what the records have. */
  readonly experiment: ExperimentIR
  readonly table: TrialTable
  readonly facts: ScoredFacts
}

/** A mapping that does not fit its file: each line says what, and what to do. */
export class UnfitMapping extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join("\n"))
    this.lines = lines
  }
}

/** Told how many rows of the file were gone through, in each pass over it. */
type Watch = (rows: number) => void

/**
 * Reads the records of one experiment. Findings whose policy is `stop` are for the caller to stop at: the table then lacks their rows.
 * @throws UnfitMapping where a mapped column stands in no row
 * @throws UnfinishedMapping where rows cannot be told apart
 */
export async function scoreRecords(
  experiment: ExperimentIR,
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  file: RecordsFile,
  watch: Watch = () => {},
): Promise<Scored> {
  const { records } = experiment
  if (records === undefined) throw new Error(`internal: experiment ${experiment.name} has no records`)
  const stem = file.name.replace(/\.[^.]*$/, "")
  const mapped = mappedColumns(records)
  const lookups = new Lookups(mapped, stem)
  const each = async (
    take: (row: MappedRow) => void,
    fault: (fault: Unreadable) => void = () => {},
  ): Promise<void> => {
    let gone = 0
    await file.each(
      lookups.names,
      (row) => {
        gone += 1
        watch(gone)
        take(lookups.row(row))
      },
      fault,
    )
  }
  await checkColumns(experiment, mapped, file, each)
  const design: RecordedDesign = records.alone
    ? await designOfRecords(experiment, records, each)
    : plannedDesign(experiment, records, program, items)
  const problems = new Problems(records)
  const last =
    problems.policyOf("duplicate") === "last" ? await lastPlaces(design, problems, each) : undefined
  const table = new TrialTable(design.experiment)
  const consistency = new Consistency(design.experiment, records)
  const met = new Seen()
  const reads = new ReadCount(design.experiment)
  const counts = new Map<string, number>()
  let rows = 0
  const take = (row: MappedRow): void => {
    rows += 1
    const say: Say = (problem, what) => problems.add(problem, what, placeIn(file, row.place))
    const trial = design.trialOf(row, say)
    if (trial === undefined || isDuplicate(trial, row, say)) return
    const record = trial.record()
    if (record === undefined || contradicts(record, row)) return
    met.note(trial, row.place)
    consistency.keep(record, row.place)
    table.take(record)
    reads.take(record)
    counts.set(trial.cell, (counts.get(trial.cell) ?? 0) + 1)
  }
  /** Whether a row is none of the trials for it: one that is kept all the same is noted. */
  const contradicts = (record: TrialRecord, { place }: MappedRow): boolean => {
    const found = consistency.contradictions(record)
    const policies = found.map(({ what, place: earlier }) =>
      problems.add("contradiction", what, `${placeIn(file, place)} against ${placeIn(file, earlier)}`),
    )
    return policies.some((policy) => policy !== "keep")
  }
  /** Whether another row of the trial counts: one that was taken, or the last that can be. */
  const isDuplicate = (trial: PlacedTrial, { place }: MappedRow, say: Say): boolean => {
    if (last !== undefined) {
      const isEarlier = place < (last.placeOf(trial) ?? place)
      if (isEarlier) say("duplicate", "a later row is of the same trial")
      return isEarlier
    }
    const isTaken = met.placeOf(trial) !== undefined
    if (isTaken) say("duplicate", "another row is of the same trial (the same item, model and levels)")
    return isTaken
  }
  await each(take, ({ place, why }) => {
    rows += 1
    problems.add("unreadable", why, placeIn(file, place))
  })
  return {
    experiment: design.experiment,
    table,
    facts: {
      experiment: experiment.name,
      file: file.name,
      sha256: file.sha256,
      format: file.format,
      rows,
      trials: table.rows,
      reads: reads.found,
      findings: problems.all,
      missing: missingOf(design, counts),
      unseen: records.alone ? unseenLevels(design.experiment) : [],
    },
  }
}

/** Of rows of one trial, the place of the last that nothing is wrong with which leaves it out. */
async function lastPlaces({ trialOf }: RecordedDesign, problems: Problems, each: EachRow): Promise<Seen> {
  const places = new Seen()
  const silent: Say = (problem) => problems.policyOf(problem)
  await each((row) => {
    const trial = trialOf(row, silent)
    if (trial?.record() !== undefined) places.note(trial, row.place)
  })
  return places
}

function missingOf({ expected }: RecordedDesign, counts: ReadonlyMap<string, number>): MissingTrials {
  let [missing, of] = [0, 0]
  const cells: MissingTrials["cells"][number][] = []
  for (const { key, model, pool, levels, count } of expected()) {
    const lacks = Math.max(0, count - (counts.get(key) ?? 0))
    missing += lacks
    of += count
    if (lacks > 0) cells.push({ model, pool, levels, missing: lacks, of: count })
  }
  return { count: missing, of, cells }
}

/** Enough rows to say that a column is nowhere. */
class Found extends Error {}

/** @throws UnfitMapping */
async function checkColumns(
  { name }: ExperimentIR,
  columns: readonly MappedColumn[],
  file: RecordsFile,
  each: EachRow,
): Promise<void> {
  let missing = columns
  try {
    await each((row) => {
      missing = missing.filter(({ column }) => valueIn(row, column).kind === "absent")
      if (missing.length === 0) throw new Found()
    })
  } catch (error) {
    if (!(error instanceof Found)) throw error
    return
  }
  throw new UnfitMapping(
    missing.map(({ target, column }) => {
      const written = printColumn(column)
      const near = suggest(written, file.columns)
      const hint = file.columns.includes(written)
        ? "it stands within another one: write it without quotes"
        : near === undefined
          ? `its columns are ${file.columns.slice(0, 20).join(", ")}${file.columns.length > 20 ? ", ..." : ""}`
          : `did you mean \`${near}\`?`
      return `${file.shown}: no row has the column \`${written}\`, to which ${target} of experiment ${name} is mapped; ${hint}`
    }),
  )
}
