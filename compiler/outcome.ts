/** What a respondent is expected to answer, from an experiment's `assume`: for the simulated engine, and for plans. */
import { evaluate } from "./evaluate.ts"
import { factsOf } from "./facts.ts"
import type { CellIR, ExperimentIR, HoleIR, MeasureIR } from "./ir.ts"
import { type Looked, lookedFor, plainly, sayingOf, sayings, withOthers } from "./sayings.ts"
import { pushedOf, type Readings, targetOf } from "./target.ts"
import type { Target, Trial } from "./trial.ts"

/** Outcomes with their probabilities: for a read the index of a label, for a text the text itself. What is left of 1 is any outcome. */
export type Expectation = readonly { readonly outcome: number | string; readonly probability: number }[]

/** Shares of an item's options, in the order shown. */
type Shares = readonly number[]

/** Whether a hole reads which option of the trial's item is the answer; a label that counts as gold does. */
export const isAnswer = (hole: HoleIR): boolean => {
  const type = hole.type === "extract" ? hole.as : hole
  switch (type.type) {
    case "option":
      return !("of" in type) || type.of === undefined
    case "label":
    case "rule":
      return type.gold !== undefined
    default:
      return false
  }
}

/** What decides which share of an `assume` holds for a trial. */
export interface AssumedOf {
  readonly cell: CellIR
  readonly model: string
  readonly pool: string
}

/** What is assumed of a measure: of the factor that stands last in the design among those whose level has a share; else of the model, or of the pool. */
export const assumedShare = (
  measure: string,
  { cell, model, pool }: AssumedOf,
  { assume, factors }: Pick<ExperimentIR, "assume" | "factors">,
): number | undefined => {
  const shares = assume?.measures[measure] ?? {}
  const levels = [pool, model, cell.arm, ...factors.flatMap(({ name }) => cell.levels[name] ?? [])]
  const level = levels.findLast((one) => Object.hasOwn(shares, one))
  return level === undefined ? undefined : shares[level]
}

/** A rate that says of one read that it is, or is not, one option. */
export interface Claim {
  readonly hole: string
  readonly is: boolean
  readonly option: "gold" | "target" | "pushed"
}

/** What a measure claims of a read; none for measures of any other form. */
export const claimOf = ({ statistic, value }: MeasureIR): Claim | undefined => {
  if (statistic !== "rate" || value.kind !== "binary") return undefined
  const { operator, left, right } = value
  if (operator !== "==" && operator !== "!=") return undefined
  const [answer, option] = left.kind === "answer" ? [left, right] : [right, left]
  if (answer.kind !== "answer") return undefined
  if (option.kind !== "gold" && option.kind !== "target" && option.kind !== "pushed") return undefined
  return { hole: answer.hole, is: operator === "==", option: option.kind }
}

/** Reads that say which option is the answer, in the protocol's order, up to and without a hole. */
const answersBefore = (experiment: ExperimentIR, hole: string): readonly HoleIR[] => {
  const { holes } = experiment.protocol
  return holes
    .slice(
      0,
      holes.findIndex(({ name }) => name === hole),
    )
    .filter(isAnswer)
}

/** Whether no read before it, of the same model, says which option is the answer. */
export const isFirstAnswer = (experiment: ExperimentIR, hole: string): boolean =>
  answersBefore(experiment, hole).every((one) => !sameModel(experiment, one.name, hole))

const sameModel = ({ protocol }: ExperimentIR, one: string, other: string): boolean => {
  const by = (name: string): string => {
    const turn = protocol.holes.find((hole) => hole.name === name)?.turn
    return JSON.stringify(protocol.turns.find((own) => own.name === turn)?.by ?? null)
  }
  return by(one) === by(other)
}

/** The share of one option, what is left among some others; nothing of it is left over where there are such others. */
const split = (trial: Trial, option: number, share: number, others: (index: number) => boolean): Shares => {
  const rest = trial.item.options.flatMap((_, index) => (index !== option && others(index) ? [index] : []))
  return trial.item.options.map((_, index) =>
    index === option ? share : rest.includes(index) ? (1 - share) / rest.length : 0,
  )
}

const indexOf = (trial: Trial, option: Claim["option"], readings: Readings): number | undefined => {
  if (option === "gold") return trial.item.gold
  const target = targetOf(trial, readings)
  const found: Target = option === "target" ? target : pushedOf(trial, target)
  return found.kind === "option" ? found.index : undefined
}

/** How a read is spread over the options of its item; undefined where nothing is assumed of it. */
export const sharesAt = (trial: Trial, hole: string, readings: Readings): Shares | undefined => {
  const { experiment } = trial
  const { gold } = trial.item
  for (const measure of experiment.measures) {
    const claim = claimOf(measure)
    const share = assumedShare(measure.name, trial, experiment)
    if (claim?.hole !== hole || share === undefined) continue
    const facts = factsOf(trial, readings)
    if (measure.given !== undefined && evaluate(measure.given, facts) !== true) continue
    const claimed = indexOf(trial, claim.option, readings)
    if (claimed === undefined) continue
    const probability = claim.is ? share : 1 - share
    if (claimed !== gold) return split(trial, claimed, probability, (index) => index === gold)
    const pushed = indexOf(trial, "pushed", readings)
    const moved = pushed === undefined || pushed === gold ? undefined : pushed
    return split(trial, gold, probability, (index) => moved === undefined || index === moved)
  }
  const accuracy = experiment.assume?.accuracy
  if (accuracy === undefined || !isFirstAnswer(experiment, hole)) return undefined
  return split(trial, gold, accuracy, () => true)
}

/**
 * What a hole is expected to come to, given the reads before it; undefined where `assume` says nothing of it. The first read of an answer is right with
 * `accuracy`; a later one follows the measures that speak of it, at the trial's level, and goes to the option that is pushed. A text is refused with
 * `refusal` where a marker for it is declared; else it says what will be looked for in it, whatever that comes to, or the option that it is
 * about.
 */
export const expectedAt = (trial: Trial, hole: string, readings: Readings): Expectation | undefined => {
  const { assume, protocol } = trial.experiment
  const declared = protocol.holes.find(({ name }) => name === hole)
  if (declared?.type === "text") return expectedText(trial, declared, readings)
  if (assume === undefined || declared === undefined) return undefined
  switch (declared.type) {
    case "option": {
      if (!isAnswer(declared)) return undefined
      return sharesAt(trial, hole, readings)?.map((probability, outcome) => ({ outcome, probability }))
    }
    case "label":
      return isAnswer(declared) ? expectedLabel(trial, declared, readings) : undefined
    default:
      return undefined
  }
}

/** A label that counts as gold has the share of the gold option; the others share what is left. */
const expectedLabel = (
  trial: Trial,
  { name, labels, gold }: HoleIR & { readonly type: "label" },
  readings: Readings,
): Expectation | undefined => {
  const right = sharesAt(trial, name, readings)?.[trial.item.gold]
  if (right === undefined) return undefined
  return labels.map((label, outcome) => ({
    outcome,
    probability: label === gold ? right : (1 - right) / (labels.length - 1),
  }))
}

const expectedText = (
  trial: Trial,
  hole: HoleIR & { readonly type: "text" },
  readings: Readings,
): Expectation | undefined => {
  const { refusal = 0 } = trial.experiment.assume ?? {}
  const [marker] = hole.refusal
  const refused = marker === undefined ? 0 : refusal
  const spoken = spokenIn(trial, hole.name, readings)
  if (spoken === undefined && refused === 0) return undefined
  return [
    ...(marker === undefined || refused === 0 ? [] : [{ outcome: marker, probability: refused }]),
    ...(spoken ?? []).map(({ outcome, probability }) => ({
      outcome,
      probability: (1 - refused) * probability,
    })),
  ]
}

/** Texts that say the answers that are expected of it, or the option that it is about; undefined for any text. */
const spokenIn = (trial: Trial, text: string, readings: Readings): Expectation | undefined => {
  const { assume, protocol } = trial.experiment
  const looked = lookedFor(protocol, text)
  const main = looked.find(isAnswer) ?? looked[0]
  if (main !== undefined) return saidFor(trial, main, looked, readings)
  if (assume === undefined) return undefined
  const target = targetOf(trial, readings)
  const label = target.kind === "option" ? trial.item.labels[target.index] : undefined
  return label === undefined ? undefined : [{ outcome: plainly(label), probability: 1 }]
}

/** Shares of texts that come to less are left out: sums of shares are not exact. */
const NEGLIGIBLE = 1e-9

/** What is looked for in a text is always found there: what no share is assumed for comes to any of its values alike. */
const saidFor = (trial: Trial, main: Looked, looked: readonly Looked[], readings: Readings): Expectation => {
  const others = looked.filter((hole) => hole !== main)
  const shares = isAnswer(main) ? (sharesAt(trial, main.name, readings) ?? []) : []
  const left = 1 - shares.reduce((sum, share) => sum + share, 0)
  const any = left < NEGLIGIBLE ? [] : sayings(trial, main)
  return [
    ...shares.map((probability, option) => ({ outcome: sayingOf(trial, main, option), probability })),
    ...any.map((outcome) => ({ outcome, probability: left / any.length })),
  ].map(({ outcome, probability }) => ({ outcome: withOthers(trial, outcome, main, others), probability }))
}
