/**
 * Logs of Inspect: a `.json` file, or a `.eval` file, which is a zip of them. Each sample is a row, with what its log says of all of them beside it: `model`,
 * `task` and `dataset`, and as `labels`, `gold` and `answer` what its choices, target and first answered score come to.
 *
 * A data frame of samples (`samples_df`), saved as CSV or Parquet, is read as any other table.
 */
import type { Cell } from "../../compiler/items/cell.ts"
import { listCell, mapOf, textCell } from "./cells.ts"

/** Whether a JSON value is a log of Inspect's. */
export const isInspectLog = (value: Cell): boolean =>
  value.kind === "map" && value.entries.get("eval")?.kind === "map" && value.entries.has("samples")

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** The samples of a log, in their order. */
export function inspectSamples(log: Cell): readonly Cell[] {
  const samples = entryOf(log, "samples")
  return samples?.kind === "list"
    ? samples.items.map((sample) => inspectSample(sample, entryOf(log, "eval")))
    : []
}

export function inspectSample(sample: Cell, about: Cell | undefined): Cell {
  if (sample.kind !== "map") return sample
  return { ...sample, entries: new Map([...derivedOf(sample, about), ...sample.entries]) }
}

function derivedOf(sample: Cell, about: Cell | undefined): readonly (readonly [string, Cell])[] {
  const of = (name: string, cell: Cell | undefined) => (cell === undefined ? [] : [[name, cell] as const])
  const choices = entryOf(sample, "choices")
  const labels =
    choices?.kind === "list" && choices.items.length <= letters.length
      ? listCell([...letters.slice(0, choices.items.length)].map(textCell))
      : undefined
  return [
    ...of("model", entryOf(about, "model")),
    ...of("task", entryOf(about, "task")),
    ...of("dataset", entryOf(entryOf(about, "dataset"), "name")),
    ...of("labels", labels),
    ...of("gold", firstText(entryOf(sample, "target"))),
    ...of("answer", answerOf(sample)),
  ]
}

/** Of the first score that has one; else what the model wrote. */
function answerOf(sample: Cell): Cell | undefined {
  const scores = entryOf(sample, "scores")
  for (const score of scores?.kind === "map" ? scores.entries.values() : []) {
    const answer = firstText(entryOf(score, "answer"))
    if (answer !== undefined) return answer
  }
  return firstText(entryOf(entryOf(sample, "output"), "completion"))
}

function entryOf(cell: Cell | undefined, name: string): Cell | undefined {
  const found = cell?.kind === "map" ? cell.entries.get(name) : undefined
  return found?.kind === "scalar" && found.value === null ? undefined : found
}

/** A target may be a list, of which the first is meant. */
function firstText(cell: Cell | undefined): Cell | undefined {
  if (cell?.kind === "list") return firstText(cell.items[0])
  return cell?.kind === "scalar" && cell.value !== null ? cell : undefined
}

/** A log out of the files of a `.eval`: its header, and each sample in a file of its own. Names tell samples apart and order them. */
export function inspectArchive(files: ReadonlyMap<string, Cell>): readonly Cell[] {
  const about = entryOf(files.get("header.json") ?? files.get("_journal/start.json") ?? mapOf([]), "eval")
  return [...files]
    .filter(([name]) => /^samples\/.*\.json$/.test(name))
    .sort(([a], [b]) => compareNames(a, b))
    .map(([, sample]) => inspectSample(sample, about))
}

/** Numbers in names go by their size. */
const compareNames = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true })
