/**
 * A made-up respondent to one trial, as a tree: at each read an event that may come about, after which the next read follows, down to the trial's
 * readings. What reads come to, and with which probability, is what the simulated engine answers too (`compiler/outcome.ts`); what the
 * trial's turns say, which gates open and what targets are is the compiler's own. Here each probability is a mean over random intercepts.
 *
 * An event is one of three kinds, each with intercepts of its own: that a `first` answer is right, that a `later` one is not, that a text is
 * refused (`refusal`). So an intercept of later answers says how easily an item, a model or a pool is moved off the gold option.
 */
import { assumed } from "../../compiler/assume.ts"
import type { ExperimentIR, HoleIR } from "../../compiler/ir.ts"
import { type Expectation, expectedAt, isAnswer, isFirstAnswer, sharesAt } from "../../compiler/outcome.ts"
import { askAt, conversationAt, derivedAt, modelOf, type Readings } from "../../compiler/prompt.ts"
import { sayings } from "../../compiler/sayings.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { promptId } from "../read/key.ts"

/** What an event's intercepts are of. */
export type Kind = "first" | "later" | "refusal" | `measure ${string}`

export type Node =
  | { readonly kind: "leaf"; readonly readings: Readings; readonly prompts: Prompts }
  /** It comes about with this share, over all intercepts. */
  | {
      readonly kind: "event"
      readonly of: Kind
      /** The read that decides, and what of it. */
      readonly hole: string
      /** The model that is asked. */
      readonly asked: string
      /** Trials that ask the same have one answer. */
      readonly read: string
      readonly share: number
      readonly yes: readonly Branch[]
      readonly no: readonly Branch[]
    }
  /** Nothing is assumed of it. */
  | { readonly kind: "unknown"; readonly hole: string; readonly branches: readonly Node[] }

/** One of several things that are then as likely as their shares say; these sum to 1. */
export interface Branch {
  readonly share: number
  readonly node: Node
}

type Prompts = Readonly<Record<string, string>>

/** Shares of outcomes that come to less are rounding. */
const NEGLIGIBLE = 1e-9

/** What a trial's reads may come to. `order`: its holes by wave; `looked`: those that matter for what is asked; others come to anything. */
export function respondent(trial: Trial, order: readonly HoleIR[], looked: ReadonlySet<string>): Node {
  return goOn(0, {}, {})

  function goOn(at: number, readings: Readings, prompts: Prompts): Node {
    const hole = order[at]
    if (hole === undefined) return { kind: "leaf", readings, prompts }
    const { name } = hole
    const settled = (reading: Reading, prompt?: string): Node =>
      goOn(
        at + 1,
        {
          ...readings,
          [name]: prompt === undefined ? reading : ownText(trial, hole, reading, prompt, readings),
        },
        prompt === undefined ? prompts : { ...prompts, [name]: prompt },
      )
    const derived = derivedAt(trial, name, readings)
    if (derived !== undefined) return settled(derived, "from" in hole ? prompts[hole.from] : undefined)
    const conversation = conversationAt(trial, name, readings)
    if ("skipped" in conversation) return settled({ status: "skipped", why: conversation.skipped })
    const asked = modelOf(trial, hole.turn)
    const prompt = promptId(asked, conversation, askAt(trial, name))
    if (!looked.has(name)) return settled(assumed(trial, name), prompt)
    const answer = answerIn(trial.experiment, hole)
    const outcomes = expectedAt(trial, name, readings)
    const isKnown = !isAnswer(answer) || sharesAt(trial, answer.name, readings) !== undefined
    if (!isKnown || outcomes === undefined || sum(outcomes) < 1 - NEGLIGIBLE) {
      const values = valuesOf(trial, hole, answer)
      if (values.length < 2) return settled(values[0] ?? assumed(trial, name), prompt)
      const branches = values.map((value) => settled(value, prompt))
      return { kind: "unknown", hole: answer.name, branches }
    }
    const possible = outcomes
      .filter(({ probability }) => probability > 0)
      .map(({ outcome, probability }) => {
        const reading = readingOf(trial, hole, outcome)
        return { reading, probability, isRight: isRight(trial, reading, { hole, answer }, readings) }
      })
    const branchesOf = (some: typeof possible): readonly Branch[] => {
      const total = some.reduce((all, { probability }) => all + probability, 0)
      return some.map(({ reading, probability }) => ({
        share: probability / total,
        node: settled(reading, prompt),
      }))
    }
    const refused = possible.filter(({ reading }) => reading.status === "refused")
    const given = possible.filter(({ reading }) => reading.status !== "refused")
    if (refused.length > 0 && given.length > 0) {
      return {
        ...{ kind: "event", of: "refusal", hole: name, asked, read: prompt },
        share: weight(refused) / weight(possible),
        yes: branchesOf(refused),
        no: [{ share: 1, node: answered(given) }],
      }
    }
    return answered(possible)

    function answered(some: typeof possible): Node {
      const right = some.filter((one) => one.isRight === true)
      const wrong = some.filter((one) => one.isRight !== true)
      if (right.length === 0 || wrong.length === 0) return split(branchesOf(some))
      const isFirst = isFirstAnswer(trial.experiment, answer.name)
      const share = weight(right) / weight(some)
      const event = { kind: "event", hole: name, asked, read: prompt } as const
      return isFirst
        ? { ...event, of: "first", share, yes: branchesOf(right), no: branchesOf(wrong) }
        : { ...event, of: "later", share: 1 - share, yes: branchesOf(wrong), no: branchesOf(right) }
    }

    /** Without an event: only which of several. */
    function split(branches: readonly Branch[]): Node {
      const [only] = branches
      if (branches.length === 1 && only !== undefined) return only.node
      return { kind: "event", of: "later", hole: name, asked, read: prompt, share: 1, yes: branches, no: [] }
    }
  }
}

const sum = (outcomes: Expectation): number => outcomes.reduce((all, { probability }) => all + probability, 0)

const weight = (some: readonly { readonly probability: number }[]): number =>
  some.reduce((all, { probability }) => all + probability, 0)

/** The read that says which option a text means; the read itself where it is no text. */
function answerIn({ protocol }: ExperimentIR, hole: HoleIR): HoleIR {
  const looking = protocol.holes.filter((one) => "from" in one && one.from === hole.name)
  return looking.find(isAnswer) ?? hole
}

/** Whether a read is answered with the gold option; undefined where it is about none. */
function isRight(
  trial: Trial,
  reading: Reading,
  { hole, answer }: { readonly hole: HoleIR; readonly answer: HoleIR },
  readings: Readings,
): boolean | undefined {
  const found =
    answer === hole ? reading : derivedAt(trial, answer.name, { ...readings, [hole.name]: reading })
  if (found?.status !== "value" && found?.status !== "answer") return undefined
  const type = answer.type === "extract" ? answer.as : answer
  if (type.type === "label" || type.type === "rule") return found.value === type.gold
  return type.type === "option" ? found.index === trial.item.gold : undefined
}

/** A read as it comes to an outcome of an expectation: the place of a label, or a text. */
function readingOf(trial: Trial, hole: HoleIR, outcome: number | string): Reading {
  if (typeof outcome === "string") {
    const marker = hole.type === "text" ? hole.refusal.find((one) => outcome.includes(one)) : undefined
    return marker === undefined
      ? { status: "text", text: outcome, tokens: 0, stop: "end" }
      : { status: "refused", text: outcome, tokens: 0, marker }
  }
  return certain(namesOf(trial, hole), outcome)
}

/** What a read may come to that nothing is assumed of: all its labels, or texts that say each answer; none where that is no matter of labels. */
function valuesOf(trial: Trial, hole: HoleIR, answer: HoleIR): readonly Reading[] {
  if (hole.type === "text") {
    if (answer.type !== "extract" && answer.type !== "rule") return []
    return [...new Set(sayings(trial, answer))].map((outcome) => readingOf(trial, hole, outcome))
  }
  if (hole.type === "integer") return []
  const names = namesOf(trial, hole)
  return names.map((_, at) => certain(names, at))
}

function namesOf({ item, others }: Trial, hole: HoleIR): readonly string[] {
  if (hole.type === "label") return hole.labels
  if (hole.type !== "option") throw new Error(`internal: ${hole.name} is over no labels`)
  const read = hole.of === undefined ? item : others[hole.of.draw]?.[hole.of.index - 1]
  return (hole.score === undefined ? read?.labels : read?.options) ?? []
}

/** Two bits of a prompt's name each: marks that no answer is made of, and that rules leave out at the end of a text. */
const MARKS = [".", ",", ";", ":"] as const

/**
 * A text as it is written behind its own prompt. What is made up says no more than an answer, and the same one behind any prompt: a model that reads it would
 * be told the same in all arms, and its reads would be one. What is looked for in it stays what it is; where no mark leaves it so, none is made.
 */
function ownText(trial: Trial, hole: HoleIR, reading: Reading, prompt: string, readings: Readings): Reading {
  if (hole.type !== "text" || reading.status !== "text") return reading
  const marks = [...prompt.slice(0, 16)].flatMap((digit) => {
    const bits = Number.parseInt(digit, 16)
    return [MARKS[bits >> 2]!, MARKS[bits & 3]!]
  })
  const marked: Reading = { ...reading, text: `${reading.text} ${marks.join("")}` }
  const looking = trial.experiment.protocol.holes.filter((one) => "from" in one && one.from === hole.name)
  const found = (text: Reading, name: string): string => {
    const read = derivedAt(trial, name, { ...readings, [hole.name]: text })
    return JSON.stringify(read?.status === "answer" ? read.index : read?.status)
  }
  return looking.every(({ name }) => found(marked, name) === found(reading, name)) ? marked : reading
}

const certain = (names: readonly string[], index: number): Reading => ({
  status: "value",
  value: names[index] ?? "",
  index,
  probabilities: names.map((_, at) => (at === index ? 1 : 0)),
  mass: 1,
})
