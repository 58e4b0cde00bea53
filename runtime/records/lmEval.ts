/**
 * Samples that lm-eval logs (`--log_samples`: `samples_*.jsonl`), with what cfx makes of them beside what stands there: `labels`, `gold`, `answer`, and
 * for multiple choice `p` (the softmax of the choices' log-likelihoods, by label) and `mass` (the sum of their likelihoods).
 *
 * A request of multiple choice has one response for each choice, the log-likelihood and whether it is greedy. Labels are the choices themselves where each
 * is a letter or a number, as in tasks that list their options, else A, B, C, ... A task may put its choices into the contexts and ask for one continuation
 * of them all (`multiple_inputs`, as Winogrande does); its likelihoods are of several prompts, and `mass` is empty. With `acc_mutual_info` every choice is
 * asked a second time, without a context: these requests are no choices.
 *
 * `target` is the place of the right choice, from 0, or its text. Versions write it as the number or the text that it is, or always as a text; so a text of
 * digits may be either, and a text that several choices have is of none of them alone. There the sample's own `acc` says which it was; where that
 * leaves more than one, and where several targets are right, `gold` is empty.
 */
import type { Cell } from "../../compiler/items/cell.ts"
import { cellOf, listCell, mapOf, numberCell, textCell } from "./cells.ts"

/** What is made of a sample, and what of it that is made from. */
export const derivedNames: readonly string[] = ["labels", "gold", "answer", "p", "mass"]
export const sampleNames: readonly string[] = ["target", "filtered_resps", "resps", "arguments", "acc"]

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

/** What cannot be said: the column is there, and the row has nothing in it. */
const NONE = cellOf(null)

type Derived = readonly (readonly [string, Cell])[]

function derivedOf(entries: ReadonlyMap<string, Cell>): Derived {
  const requests = requestsOf(entries)
  const isSecondAsking = asksChoicesAgain(requests)
  const own = <T>(all: readonly T[]): readonly T[] =>
    isSecondAsking ? all.slice(0, requests.length / 2) : all
  const choices = own(requests)
  const responses = own(responsesOf(entries))
  const likelihoods = responses.map(logLikelihood)
  // Of several continuations some have no likelihood: which was chosen cannot be said, and what was right can.
  if (choices.length > 1 && (responses.length < choices.length || likelihoods.includes(undefined))) {
    const labels = labelsOf(choices, choices.length)
    return [
      ["labels", listCell(labels.map(textCell))],
      ["gold", goldOf(entries, labels, choices)],
    ]
  }
  if (likelihoods.length < 2 || likelihoods.some((one) => one === undefined)) {
    return [
      ["answer", writtenIn(responses[0])],
      ["gold", targetText(entries.get("target"))],
    ]
  }
  return chosen(entries, likelihoods as readonly number[], choices)
}

function chosen(
  entries: ReadonlyMap<string, Cell>,
  logs: readonly number[],
  choices: readonly Request[],
): Derived {
  const labels = labelsOf(choices, logs.length)
  const most = Math.max(...logs)
  const best = logs.indexOf(most)
  const weights = logs.map((log) => Math.exp(log - most))
  const all = weights.reduce((sum, one) => sum + one, 0)
  return [
    ["labels", listCell(labels.map(textCell))],
    ["answer", textCell(labels[best] ?? "")],
    ["p", mapOf(labels.map((label, at) => [label, numberCell((weights[at] ?? 0) / all)]))],
    ["mass", isOfContexts(choices) ? NONE : numberCell(logs.reduce((sum, log) => sum + Math.exp(log), 0))],
    ["gold", goldOf(entries, labels, choices, best)],
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

interface Request {
  readonly context: string
  readonly continuation: string
}

/** Of `arguments`, a list of pairs or a record by number; those whose second part is no text ask for a text of the model's own. */
function requestsOf(entries: ReadonlyMap<string, Cell>): readonly Request[] {
  const given = entries.get("arguments")
  const requests =
    given?.kind === "list" ? given.items : given?.kind === "map" ? [...given.entries.values()] : []
  return requests.flatMap((request) => {
    const parts =
      request.kind === "list" ? request.items : request.kind === "map" ? [...request.entries.values()] : []
    const [context, continuation] = parts.map((part) => scalarText(part)?.trim())
    return continuation === undefined ? [] : [{ context: context ?? "", continuation }]
  })
}

/** Whether the second half asks for the choices of the first again, as they are without a context. */
function asksChoicesAgain(requests: readonly Request[]): boolean {
  const half = requests.length / 2
  if (half < 2 || !Number.isInteger(half)) return false
  const [once, again] = [requests.slice(0, half), requests.slice(half)]
  if (once.every(({ context }) => context === "") || again.some(({ context }) => context !== "")) return false
  return isOfContexts(once) || again.every(({ continuation }, at) => continuation === once[at]!.continuation)
}

/** Whether the choices stand in the contexts, and what is asked for is one continuation of them all. */
const isOfContexts = (choices: readonly Request[]): boolean =>
  choices.length > 1 &&
  new Set(choices.map(({ continuation }) => continuation)).size === 1 &&
  new Set(choices.map(({ context }) => context)).size === choices.length

function labelsOf(choices: readonly Request[], count: number): readonly string[] {
  const texts = choices.map(({ continuation }) => continuation)
  const isLabel = (text: string): boolean => /^[A-Za-z]$|^\d{1,2}$/.test(text)
  if (texts.length === count && texts.every(isLabel) && new Set(texts).size === count) return texts
  if (count <= letters.length) return [...letters.slice(0, count)]
  return Array.from({ length: count }, (_, index) => String(index + 1))
}

/** `best`: the place of the most probable choice, where that is known. */
function goldOf(
  entries: ReadonlyMap<string, Cell>,
  labels: readonly string[],
  choices: readonly Request[],
  best?: number,
): Cell {
  const target = entries.get("target")
  const places = target === undefined ? [] : placesOf(target, labels, choices)
  const left = places.length < 2 || best === undefined ? places : settledBy(entries.get("acc"), places, best)
  const gold = left.length === 1 ? labels[left[0]!] : undefined
  return gold === undefined ? NONE : textCell(gold)
}

/** The places that a target may stand for. */
function placesOf(target: Cell, labels: readonly string[], choices: readonly Request[]): readonly number[] {
  const only = onlyOf(target)
  if (only === undefined) return []
  const text = only.text.trim()
  const place = /^\d+$/.test(text) && Number(text) < labels.length ? [Number(text)] : []
  if (typeof only.value === "number") return place
  const named = choices.flatMap(({ continuation }, at) => (continuation === text ? [at] : []))
  const both = [...new Set([...named, ...place])]
  if (both.length > 0) return both
  const listed = listedIn(text)
  if (listed?.length === 1) return placesOf(textCell(listed[0]!), labels, choices)
  return labels.includes(text) ? [labels.indexOf(text)] : []
}

/** Those of some places that agree with whether the most probable choice was the right one. */
function settledBy(acc: Cell | undefined, places: readonly number[], best: number): readonly number[] {
  const share = acc?.kind === "scalar" && acc.value !== null ? Number(acc.text) : Number.NaN
  if (share === 1) return places.filter((place) => place === best)
  return share === 0 ? places.filter((place) => place !== best) : places
}

type Scalar = Cell & { readonly kind: "scalar" }

/** A value, or the one of a list; none of several that differ. */
function onlyOf(cell: Cell): Scalar | undefined {
  if (cell.kind === "scalar") return cell.value === null ? undefined : cell
  if (cell.kind !== "list") return undefined
  const [first, ...others] = cell.items.map(onlyOf)
  return others.every((other) => other?.text === first?.text) ? first : undefined
}

/** What the model wrote; of one request's log-likelihood nothing was written. */
function writtenIn(response: Cell | undefined): Cell {
  if (response === undefined || logLikelihood(response) !== undefined) return NONE
  const first = response.kind === "list" ? response.items[0] : response
  const text = first === undefined ? undefined : scalarText(first)
  return text === undefined ? NONE : textCell(text)
}

/** The right answer of what was written freely. */
function targetText(cell: Cell | undefined): Cell {
  const only = cell === undefined ? undefined : onlyOf(cell)
  if (only === undefined) return NONE
  const listed = listedIn(only.text.trim())
  if (listed === undefined) return textCell(only.text)
  return listed.length === 1 ? textCell(listed[0]!) : NONE
}

/** The parts of a list that Python wrote as a text, as newer versions write several targets: `['a', "b's"]`, `[0, 2]`. */
function listedIn(text: string): readonly string[] | undefined {
  const inner = /^\[(.*)\]$/s.exec(text)?.[1]
  if (inner === undefined) return undefined
  const parts = inner.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,'"]+)/gs)
  return Array.from(parts, ([, single, double, bare]) => single ?? double ?? bare ?? "")
}

function scalarText(cell: Cell): string | undefined {
  return cell.kind === "scalar" && cell.value !== null ? cell.text : undefined
}
