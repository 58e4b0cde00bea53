/**
 * Samples that lm-eval logs (`--log_samples`: `samples_*.jsonl`), with what cfx makes of them beside what stands there: `labels`, `gold`, `answer`, and
 * for multiple choice `p` (the softmax of the choices' log-likelihoods, by label) and `mass` (the sum of their likelihoods).
 *
 * A request of multiple choice has one response for each choice, the log-likelihood and whether it is greedy; `target` is the place of the right choice,
 * or its text. Labels are the choices themselves where each is a letter or a number, as in tasks that list their options, else A, B, C, ...
 */
import type { Cell } from "../../compiler/items/cell.ts"
import { listCell, mapOf, numberCell, textCell } from "./cells.ts"

/** What is made of a sample, and what of it that is made from. */
export const derivedNames: readonly string[] = ["labels", "gold", "answer", "p", "mass"]
export const sampleNames: readonly string[] = ["target", "filtered_resps", "resps", "arguments"]

/** Whether a row is one of lm-eval's. */
export const isLmEval = (row: Cell): boolean =>
  row.kind === "map" &&
  row.entries.has("doc") &&
  row.entries.has("target") &&
  (row.entries.has("filtered_resps") || row.entries.has("resps"))

/** What is derived never takes the place of a column that the row has. */
export function lmEvalRow(row: Cell): Cell {
  if (row.kind !== "map") return row
  const { entries } = row
  const derived = derivedOf(entries)
  return { ...row, entries: new Map([...derived, ...entries]) }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

function derivedOf(entries: ReadonlyMap<string, Cell>): readonly (readonly [string, Cell])[] {
  const responses = responsesOf(entries)
  const target = entries.get("target")
  const likelihoods = responses.map(logLikelihood)
  const choices = continuationsOf(entries)
  // Of several continuations some have no likelihood: which was chosen cannot be said, and what was right can.
  if (choices.length > 1 && (responses.length < choices.length || likelihoods.includes(undefined))) {
    const labels = labelsOf(choices, choices.length)
    const gold = goldOf(target, labels, choices)
    return [
      ["labels", listCell(labels.map(textCell))],
      ...(gold === undefined ? [] : [["gold", textCell(gold)] as const]),
    ]
  }
  if (likelihoods.length < 2 || likelihoods.some((one) => one === undefined)) {
    const [first] = responses
    const answer = first === undefined ? undefined : scalarText(first)
    const gold = target === undefined ? undefined : scalarText(target)
    return [
      ...(answer === undefined ? [] : [["answer", textCell(answer)] as const]),
      ...(gold === undefined ? [] : [["gold", textCell(gold)] as const]),
    ]
  }
  const logs = likelihoods as readonly number[]
  const labels = labelsOf(choices, logs.length)
  const most = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - most))
  const all = weights.reduce((sum, one) => sum + one, 0)
  const gold = goldOf(target, labels, choices)
  return [
    ["labels", listCell(labels.map(textCell))],
    ["answer", textCell(labels[logs.indexOf(most)] ?? "")],
    ["p", mapOf(labels.map((label, at) => [label, numberCell((weights[at] ?? 0) / all)]))],
    ["mass", numberCell(logs.reduce((sum, log) => sum + Math.exp(log), 0))],
    ...(gold === undefined ? [] : [["gold", textCell(gold)] as const]),
  ]
}

/** One for each request. What a filter has left goes before what came back. */
function responsesOf(entries: ReadonlyMap<string, Cell>): readonly Cell[] {
  const filtered = entries.get("filtered_resps")
  if (filtered?.kind === "list" && filtered.items.length > 0) return filtered.items
  const raw = entries.get("resps")
  if (raw?.kind !== "list") return []
  return raw.items.flatMap((one) => (one.kind === "list" ? one.items.slice(0, 1) : [one]))
}

/** Of a pair of a log-likelihood and a truth value, numbers or texts; none of anything else. */
function logLikelihood(response: Cell): number | undefined {
  if (response.kind !== "list" || response.items.length !== 2) return undefined
  const [log, greedy] = response.items
  if (log?.kind !== "scalar" || greedy?.kind !== "scalar") return undefined
  if (!/^(true|false)$/i.test(greedy.text)) return undefined
  const value = Number(log.text)
  return log.text.trim() === "" || Number.isNaN(value) ? undefined : value
}

/** What each request continues with: of `arguments`, a list of pairs or a record by number. */
function continuationsOf(entries: ReadonlyMap<string, Cell>): readonly string[] {
  const given = entries.get("arguments")
  const requests =
    given?.kind === "list" ? given.items : given?.kind === "map" ? [...given.entries.values()] : []
  return requests.flatMap((request) => {
    const parts =
      request.kind === "list" ? request.items : request.kind === "map" ? [...request.entries.values()] : []
    const text = parts[1] === undefined ? undefined : scalarText(parts[1])
    return text === undefined ? [] : [text.trim()]
  })
}

function labelsOf(choices: readonly string[], count: number): readonly string[] {
  const isLabel = (text: string): boolean => /^[A-Za-z]$|^\d{1,2}$/.test(text)
  if (choices.length === count && choices.every(isLabel) && new Set(choices).size === count) return choices
  if (count <= letters.length) return [...letters.slice(0, count)]
  return Array.from({ length: count }, (_, index) => String(index + 1))
}

function goldOf(
  target: Cell | undefined,
  labels: readonly string[],
  choices: readonly string[],
): string | undefined {
  const text = target === undefined ? undefined : scalarText(target)?.trim()
  if (text === undefined) return undefined
  const byText = choices.indexOf(text)
  if (byText >= 0) return labels[byText]
  if (/^\d+$/.test(text)) return labels[Number(text)]
  return labels.includes(text) ? text : undefined
}

function scalarText(cell: Cell): string | undefined {
  if (cell.kind === "list") return cell.items[0] === undefined ? undefined : scalarText(cell.items[0])
  return cell.kind === "scalar" && cell.value !== null ? cell.text : undefined
}
