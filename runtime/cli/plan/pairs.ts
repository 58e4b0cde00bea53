/**
 * Minimal pairs whose two sides differ in tokens. Texts of equally many words are meant to differ in a word or two; whether they are as long for a model
 * only its tokenizer knows, so this is found when a plan is made.
 */
import type { Diagnostic } from "../../../compiler/diagnostics/diagnostic.ts"
import { report } from "../../../compiler/diagnostics/report.ts"
import { expander, unitsOf } from "../../../compiler/expand.ts"
import type { CellIR, ContrastIR, ExperimentIR, Origin, Program } from "../../../compiler/ir.ts"
import type { Item } from "../../../compiler/item.ts"
import { askAt, conversationAt, modelOf } from "../../../compiler/prompt.ts"
import type { Trial } from "../../../compiler/trial.ts"
import { wavesOf } from "../../../compiler/waves.ts"
import { wordsIn } from "../../../compiler/wording.ts"
import type { Source } from "../../../grammar/source.ts"
import type { TokenModel } from "../../backend/backend.ts"
import { textOf } from "../../read/key.ts"
import { prepare } from "../../read/prepare.ts"
import { isAsked } from "../../run/asked.ts"
import { told } from "../../show.ts"

export interface UnequalPair {
  readonly contrast: string
  readonly origin: Origin
  readonly model: string
  readonly item: string
  readonly words: number
  readonly left: Side
  readonly right: Side
}

interface Side {
  /** The levels that tell it from the other. */
  readonly levels: string
  readonly tokens: number
}

const CODE = "CFX4030"

/** Items that are looked at, of each pool. */
const ITEMS = 3

/** The first pair of each contrast that has as many words on both sides, and not as many tokens, as a model counts them. */
export function unequalPairs(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  model: TokenModel,
): readonly UnequalPair[] {
  return program.experiments.flatMap((experiment) => {
    const isAllowed = experiment.allows.some(({ code }) => code === CODE)
    if (isAllowed || !experiment.models.includes(model.name)) return []
    const options = { limit: ITEMS, models: program.models }
    const trialsOf = expander(experiment, items, options)
    const units = unitsOf(experiment, items, options).filter((unit) => unit.model === model.name)
    const measured = new Map<Trial, Measured | undefined>()
    const measure = (trial: Trial): Measured | undefined => {
      if (!measured.has(trial)) measured.set(trial, measuredBy(trial, model))
      return measured.get(trial)
    }
    const perItem = units.map((unit) => new Map(trialsOf(unit).map((trial) => [trial.cell, trial])))
    return experiment.contrasts.flatMap((contrast) => {
      const pairs = pairsOf(experiment, contrast)
      for (const trials of perItem) {
        for (const { cells, differing } of pairs) {
          const [left, right] = cells.map((cell) => trials.get(cell))
          if (left === undefined || right === undefined) continue
          const [one, other] = [measure(left), measure(right)]
          if (one === undefined || other === undefined) continue
          if (one.words !== other.words || one.tokens === other.tokens) continue
          const side = ({ cell }: Trial, { tokens }: Measured): Side => ({
            levels: differing.map((factor) => cell.levels[factor] ?? "-").join(", "),
            tokens,
          })
          const { name, origin } = contrast
          const about = { contrast: name, origin, model: model.name, item: left.item.id, words: one.words }
          return [{ ...about, left: side(left, one), right: side(right, other) }]
        }
      }
      return []
    })
  })
}

interface Pair {
  readonly cells: readonly [CellIR, CellIR]
  /** The factors in which they differ. */
  readonly differing: readonly string[]
}

/** Cells of the two sides of a contrast that differ only in what the contrast is about. */
function pairsOf({ cells }: ExperimentIR, { terms }: ContrastIR): readonly Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at + 1 < terms.length; at += 2) {
    const [left, right] = [terms[at], terms[at + 1]]
    if (left === undefined || right === undefined) continue
    const factors = [...new Set([...Object.keys(left.levels), ...Object.keys(right.levels)])]
    const differing = factors.filter((factor) => left.levels[factor] !== right.levels[factor])
    if (differing.length === 0) continue
    const within = (levels: Readonly<Record<string, string>>): readonly CellIR[] =>
      cells.filter((cell) =>
        Object.entries(levels).every(([factor, level]) => (cell.levels[factor] ?? level) === level),
      )
    const rest = ({ levels }: CellIR): string =>
      JSON.stringify(Object.entries(levels).filter(([factor]) => !differing.includes(factor)))
    for (const one of within(left.levels)) {
      const other = within(right.levels).find((cell) => cell !== one && rest(cell) === rest(one))
      if (other !== undefined) pairs.push({ cells: [one, other], differing })
    }
  }
  return pairs
}

interface Measured {
  readonly words: number
  readonly tokens: number
}

/** The prompt up to the last read of the studied model, earlier answers assumed; undefined where it cannot be asked. */
function measuredBy(trial: Trial, model: TokenModel): Measured | undefined {
  const hole = wavesOf(trial.experiment)
    .flat()
    .findLast((one) => isAsked(one) && modelOf(trial, one.turn) === model.name)
  if (hole === undefined) return undefined
  const conversation = conversationAt(trial, hole.name, told(trial).readings)
  if ("skipped" in conversation) return undefined
  const prepared = prepare(model, conversation, askAt(trial, hole.name))
  if ("problem" in prepared) return undefined
  return { words: wordsIn(textOf(prepared.rendered)), tokens: prepared.tokens }
}

/** The same as diagnostics, at the contrasts in their sources. */
export const pairWarnings = (
  pairs: readonly UnequalPair[],
  sources: ReadonlyMap<string, Source>,
): readonly Diagnostic[] =>
  pairs.flatMap(({ origin, ...pair }) => {
    const source = [...sources.values()].find(({ name }) => name === origin.file)
    return source === undefined ? [] : [report(CODE, pair, { source, span: lineIn(source, origin.line) })]
  })

/** A line of a source, from its first character that is no white space. */
function lineIn({ text }: Source, line: number): { readonly start: number; readonly end: number } {
  const lines = text.split("\n")
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  const own = lines[line - 1] ?? ""
  return { start: before + own.search(/\S|$/), end: before + own.trimEnd().length }
}
