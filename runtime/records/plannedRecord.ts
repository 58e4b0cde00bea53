/** The record of a row whose trial is one of a plan: its reads as the trial showed its options, and what it says that the trial is about. */
import { derivedAt } from "../../compiler/derive.ts"
import type { ColumnIR, ExperimentIR, HoleIR, ModelIR, RecordedReadIR, RecordsIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { toShown } from "../../compiler/shown.ts"
import { placeboOf, type Readings } from "../../compiler/target.ts"
import type { Reading, Target, Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import type { TrialRecord } from "../record.ts"
import { readingAsShown, targetAsShown } from "../run/poolOrder.ts"
import { recordOf } from "../run/records.ts"
import { Gates } from "./gates.ts"
import { type Alternatives, placeAmong, targetAmong, tellNone } from "./places.ts"
import { Prompts } from "./prompts.ts"
import { integersOf, isTold, readingOf, type Say } from "./reading.ts"
import { type MappedRow, valueIn } from "./values.ts"

/** Makes records of rows. `item`: that of the trial as its pool has it. */
export type Recorder = (
  row: MappedRow,
  trial: Trial,
  item: Item,
  model: ModelIR | undefined,
  say: Say,
) => TrialRecord | undefined

export function recorderOf(experiment: ExperimentIR, records: RecordsIR): Recorder {
  const { protocol } = experiment
  // In the order in which a model is asked, what is found in texts after the texts.
  const order = wavesOf(experiment).flat()
  const gates = new Gates(protocol)
  const prompts = new Prompts(protocol, records)
  const reads = new Map(records.reads.map((read) => [read.hole, read]))

  /** Undefined where the row is none of the trials for it, which was told. */
  const recordedAt = (
    row: MappedRow,
    read: RecordedReadIR,
    hole: HoleIR,
    { trial, item, told }: { readonly trial: Trial; readonly item: Item; readonly told: Readings },
    say: Say,
  ): Reading | undefined => {
    const closed = gates.whySkipped(trial, hole, told)
    if (closed !== undefined && !isTold(row, read)) return { status: "skipped", why: closed }
    const reading = readingOf(row, read, hole, alternativesOf(hole, trial, item), say)
    if (reading === undefined) return undefined
    if (closed !== undefined && reading.status !== "skipped") {
      const policy = say("contradiction", `${hole.name} was read, though ${closed}`)
      if (policy !== "keep") return undefined
    }
    return readingAsShown(trial, hole, reading)
  }

  return (row, planned, item, model, say) => {
    const isGoldKnown = compareGold(row, item, records, say)
    const written = writtenIn(row, planned, item, records, say)
    const trial = written === undefined ? planned : { ...planned, written }
    let isWhole = isGoldKnown && written !== undefined
    const readings: Record<string, Reading> = {}
    /** Without what the records have no column of: that a gate cannot be judged by. */
    const told: Record<string, Reading> = {}
    for (const hole of order) {
      const { name } = hole
      const read = reads.get(name)
      if (read === undefined) {
        const none: Reading = { status: "skipped", why: `the records have no ${name}` }
        const derived = derivedAt(trial, name, readings)
        readings[name] = derived ?? none
        if (derived !== undefined && "from" in hole && told[hole.from] !== undefined) told[name] = derived
        continue
      }
      // A gate may look at what is wrong with the row.
      if (!isWhole && gates.areBefore(hole)) continue
      const reading = recordedAt(row, read, hole, { trial, item, told }, say)
      if (reading === undefined) isWhole = false
      else {
        readings[name] = reading
        told[name] = reading
      }
    }
    return isWhole ? recordOf(trial, readings, prompts.of(row, readings), model) : undefined
  }
}

/** What a read may come out as, in the order of the pool. */
function alternativesOf(hole: HoleIR, trial: Trial, item: Item): Alternatives | undefined {
  switch (hole.type) {
    case "option": {
      if (hole.of === undefined) return optionsOf(item)
      const other = trial.others[hole.of.draw]?.[hole.of.index - 1]
      return other === undefined ? undefined : { labels: other.labels }
    }
    case "label":
      return { labels: hole.labels }
    case "integer":
      return { labels: integersOf(hole) }
    case "extract":
      if (hole.as.type === "option") return optionsOf(item)
      return { labels: hole.as.type === "label" ? hole.as.labels : integersOf(hole.as) }
    case "rule":
      return { labels: hole.labels }
    default:
      return undefined
  }
}

const optionsOf = ({ labels, options }: Item): Alternatives => ({ labels, texts: options })

/** Whether the gold answer that a row has is any of the item's: the pool's counts. `item`: as the pool has it. */
function compareGold(row: MappedRow, item: Item, { columns }: RecordsIR, say: Say): boolean {
  const value = columns.gold === undefined ? undefined : valueIn(row, columns.gold)
  if (value === undefined || value.kind === "empty" || value.kind === "absent") return true
  const place = placeAmong(value, optionsOf(item))
  if (place < 0) tellNone(value, "gold answer", optionsOf(item), say)
  else if (place !== item.gold) say("gold", "the record's gold answer is not the pool's, which counts")
  return place >= 0
}

/** What a row says that its trial is about and pushes; undefined where that is none of the options, which was told. `item`: as the pool has it. */
function writtenIn(
  row: MappedRow,
  { cell, item: shown }: Trial,
  item: Item,
  { columns }: RecordsIR,
  say: Say,
): Trial["written"] {
  const placebo = () => (cell.target.kind === "placebo_label" ? placeboOf(item.labels) : undefined)
  let isSound = true
  const named = (column: ColumnIR | undefined, what: "target" | "pushed option"): Target | undefined => {
    if (column === undefined) return undefined
    const target = targetAmong(valueIn(row, column), what, optionsOf(item), placebo, say)
    if (target === undefined) isSound = false
    return target === undefined ? undefined : targetAsShown(shown, target)
  }
  const target = named(columns.target, "target")
  const pushed = named(columns.pushed, "pushed option")
  if (!isSound) return undefined
  return { ...(target === undefined ? {} : { target }), ...(pushed === undefined ? {} : { pushed }) }
}

/**
 * The wrong option that a row says its trial is about, by its place among those shown; undefined where it says none, which was told. `item`: as the pool
 * has it.
 */
export function choiceOf(
  row: MappedRow,
  { columns }: RecordsIR,
  item: Item,
  shown: Item,
  say: Say,
): number | undefined {
  const value = columns.target === undefined ? undefined : valueIn(row, columns.target)
  if (value === undefined || value.kind === "empty" || value.kind === "absent") {
    say("missing", "it does not say which wrong option it is about (`target`)")
    return undefined
  }
  const place = placeAmong(value, optionsOf(item))
  if (place < 0) tellNone(value, "target", optionsOf(item), say)
  else if (place === item.gold) say("unknown", "its target is the gold answer, and no trial is about that")
  return place < 0 || place === item.gold ? undefined : toShown(shown, place)
}
