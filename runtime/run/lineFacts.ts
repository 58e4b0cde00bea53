/** What is counted in the lines of an arm: their words, and where among them the answer stands. */
import type { AssertionIR, ProtocolIR } from "../../compiler/ir.ts"
import type { Readings } from "../../compiler/prompt.ts"
import { linesOf } from "../../compiler/settle.ts"
import { assertedOf } from "../../compiler/target.ts"
import type { Open, Template, Trial } from "../../compiler/trial.ts"
import { wordsIn } from "../../compiler/wording.ts"
import type { TrialRecord } from "../record.ts"

type LineFacts = NonNullable<TrialRecord["lines"]>

/** Of lines that are the same for every trial of their arm but for a label, by how the protocol writes answers and by stimulus. */
const fixed: Readonly<Record<ProtocolIR["answers"], WeakMap<AssertionIR, LineFacts>>> = {
  label: new WeakMap(),
  text: new WeakMap(),
}

/**
 * Means over the lines of a trial's arm, with the answers that they assert in place. The answer's place is that of the word in which it begins, from 0;
 * lines that hold none do not count for it, and where no line holds one there is none. Undefined for an arm without lines.
 */
export function lineFacts(trial: Trial, readings: Readings): LineFacts | undefined {
  const { cell, experiment, pool, item, others } = trial
  const { stimulus } = cell
  if (stimulus.kind === "block") return undefined
  const ofProtocol = fixed[experiment.protocol.answers]
  const known = ofProtocol.get(stimulus)
  if (known !== undefined) return known
  const lines = linesOf({ protocol: experiment.protocol, cell, pool, item, others })
  const counted = lines.map((line) => factsOf(line, (open) => writtenFor(open, trial, readings)))
  const places = counted.flatMap(({ place }) => (place === undefined ? [] : [place]))
  const facts = {
    words: mean(counted.map(({ words }) => words)),
    ...(places.length === 0 ? {} : { answerIndex: mean(places) }),
  }
  if (isFixed(stimulus, experiment.protocol)) ofProtocol.set(stimulus, facts)
  return facts
}

interface Counted {
  readonly words: number
  readonly place: number | undefined
}

function factsOf(line: Template, written: (open: Open) => string): Counted {
  let text = ""
  let place: number | undefined
  for (const piece of line) {
    if (piece.kind === "answer" && place === undefined) {
      // In the middle of a word, as after a quotation mark, the answer belongs to the word that has begun.
      place = wordsIn(text) - (/\S$/u.test(text) ? 1 : 0)
    }
    text += piece.kind === "text" ? piece.text : written(piece)
  }
  return { words: wordsIn(text), place }
}

/** The characters of an open place; a word that stands for them where no read has settled them. */
function writtenFor(open: Open, trial: Trial, readings: Readings): string {
  const { labels, options } = trial.item
  if (open.kind === "hole") return "answer"
  const target = assertedOf(trial, open.asserts, readings)
  if (target.kind === "placebo") return target.label
  return (
    (target.kind === "option" ? (open.as === "label" ? labels : options)[target.index] : undefined) ?? "A"
  )
}

/** Whether nothing in the lines hangs on the item, but for labels. */
function isFixed({ lines, wordings }: AssertionIR, { answers }: ProtocolIR): boolean {
  return [...lines, ...wordings].flat().every((piece) => {
    if (piece.kind === "text" || piece.kind === "step") return true
    if (piece.kind === "push") return piece.field === "label"
    if (piece.kind !== "line") return false
    return piece.field !== "answer.text" && !(piece.field === "answer" && answers === "text")
  })
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
