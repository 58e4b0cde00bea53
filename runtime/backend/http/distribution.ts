/**
 * A distribution over labels from what a server lists. Tokens are known by their bytes alone. A label is read where one of the listed tokens spells
 * it out. Where only a beginning of it is listed and it takes several tokens, the server is asked on behind that beginning. What is not listed is *censored*: its
 * probability is somewhere from 0 to that of the least probable token of the list, and is never taken for 0.
 *
 * As with the embedded engine (`read/labels.ts`), labels that begin alike are told apart at the place where they part, by the probabilities
 * there, renormalised.
 */
import { Effect } from "effect"
import type { ReadAnswer } from "../backend.ts"
import { bytesOf, type Listed } from "./listed.ts"

export interface LabelQuestion {
  readonly labels: readonly string[]
  /** Labels besides, whose raw probabilities are recorded. */
  readonly also: readonly string[]
  /** What the assistant has said before, and what follows the label in its turn; nothing: the turn ends. */
  readonly opening: string
  readonly follow: string
}

export interface Asked<E> {
  /** What may come next behind these bytes of the hole; a problem in words where the server cannot say. */
  readonly listed: (forced: string) => Effect.Effect<readonly Listed[] | { readonly problem: string }, E>
  /** Whether a label is one token, so that a listed beginning of it is the beginning of something else. */
  readonly isOneToken: (label: string) => Effect.Effect<boolean, E>
}

export type Distribution = Pick<ReadAnswer, "probabilities" | "mass" | "also" | "censored" | "invalid">

/** A label that is looked for. */
interface Wanted {
  readonly index: number
  readonly label: string
  readonly bytes: string
}

/** Of a place: the weight of each label below it, the probability of all of them, and the labels that were not listed. */
interface Place {
  readonly weights: ReadonlyMap<number, number>
  readonly mass: number
  readonly censored: readonly number[]
  readonly below: number
}

class Unusable {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

export const distributionOf = <E>(question: LabelQuestion, ask: Asked<E>): Effect.Effect<Distribution, E> =>
  Effect.gen(function* () {
    const wanted = question.labels.map((label, index) => ({ index, label, bytes: bytesOf(label) }))
    const root = yield* listAt("", ask)
    if (root instanceof Unusable) return invalid(root.why)
    const place = yield* placeAt("", wanted, root, question, ask)
    if (place instanceof Unusable) return invalid(place.why)
    const { weights, mass, censored, below } = place
    if (weights.size === 0)
      return invalid(
        `none of the labels is among the ${root.length} most probable tokens, which is all that the server lists`,
      )
    const sum = [...weights.values()].reduce((total, weight) => total + weight, 0)
    if (!(sum > 0)) return invalid("the server gives all labels a probability of 0")
    const also = question.also.map((label) => spelt(root, bytesOf(label), "", question))
    return {
      probabilities: question.labels.map((_, index) => (weights.get(index) ?? 0) / sum),
      mass,
      ...(also.length > 0 && also.every((one) => one > 0) ? { also } : {}),
      ...(censored.length === 0 ? {} : { censored: { labels: [...censored].sort((a, b) => a - b), below } }),
    }
  })

const invalid = (why: string): Distribution => ({ probabilities: [], mass: 0, invalid: why })

/** Logarithms are rounded, some to two digits. */
const mostListed = 1.02

const listAt = <E>(forced: string, ask: Asked<E>): Effect.Effect<readonly Listed[] | Unusable, E> =>
  Effect.map(ask.listed(forced), (listed) => {
    if ("problem" in listed) return new Unusable(listed.problem)
    if (listed.length === 0) return new Unusable("the server lists no token at the place of the answer")
    const sum = listed.reduce((total, { probability }) => total + probability, 0)
    if (Number.isNaN(sum)) return new Unusable("the server gave a probability that is not a number")
    return sum > mostListed
      ? new Unusable(
          `the probabilities that the server lists at the place of the answer come to ${sum.toFixed(3)}, more than 1`,
        )
      : listed
  })

/** Labels that go on in one way from a place: they have a token in common. */
interface Branch {
  readonly forced: string
  readonly probability: number
  readonly labels: Wanted[]
}

/** `forced`: bytes since the hole. */
const placeAt = <E>(
  forced: string,
  wanted: readonly Wanted[],
  listed: readonly Listed[],
  question: LabelQuestion,
  ask: Asked<E>,
): Effect.Effect<Place | Unusable, E> =>
  Effect.gen(function* () {
    const branches = new Map<string, Branch>()
    const censored: number[] = []
    const weights = new Map<number, number>()
    let below = Math.min(...listed.map(({ probability }) => probability))
    let mass = 0
    const hidden = yield* hiddenAt(forced, wanted, listed, question, ask)
    for (const label of wanted) {
      if (hidden.has(label)) {
        censored.push(label.index)
        continue
      }
      const whole = spelt(listed, label.bytes, forced, question)
      // "1" is spelt out by its token, and is the beginning of "10" all the same.
      const isAlone = !wanted.some(
        (other) => !hidden.has(other) && isOpen(label, other, listed, forced, question),
      )
      const begun = beginning(listed, label.bytes, forced, question)
      if (whole > 0 && isAlone) {
        weights.set(label.index, whole)
        mass += whole
      } else if (begun !== undefined) {
        const branch = branches.get(begun.forced) ?? { ...begun, labels: [] }
        branches.set(begun.forced, branch)
        branch.labels.push(label)
      } else censored.push(label.index)
    }
    for (const { forced: further, probability, labels } of branches.values()) {
      const next = yield* listAt(further, ask)
      if (next instanceof Unusable) return next
      const inner = yield* placeAt(further, labels, next, question, ask)
      if (inner instanceof Unusable) return inner
      const sum = [...inner.weights.values()].reduce((total, weight) => total + weight, 0)
      const several = labels.length > 1
      for (const [index, weight] of inner.weights)
        weights.set(index, probability * (several ? weight / sum : weight))
      mass += probability * inner.mass
      censored.push(...inner.censored)
      if (inner.censored.length > 0) below = Math.max(below, probability * inner.below)
    }
    return { weights, mass, censored, below }
  })

/** Labels that are one token, which is not listed, though a beginning of them is. */
const hiddenAt = <E>(
  forced: string,
  wanted: readonly Wanted[],
  listed: readonly Listed[],
  question: LabelQuestion,
  ask: Asked<E>,
): Effect.Effect<ReadonlySet<Wanted>, E> =>
  Effect.gen(function* () {
    const hidden = new Set<Wanted>()
    if (forced !== "") return hidden
    for (const label of wanted) {
      const isBegun =
        spelt(listed, label.bytes, forced, question) === 0 &&
        beginning(listed, label.bytes, forced, question) !== undefined
      if (isBegun && (yield* ask.isOneToken(label.label))) hidden.add(label)
    }
    return hidden
  })

/** Whether a longer label may begin with the token that spells this one out: none of its own is listed. */
function isOpen(
  { bytes }: Wanted,
  other: Wanted,
  listed: readonly Listed[],
  forced: string,
  question: LabelQuestion,
): boolean {
  return (
    other.bytes.length > bytes.length &&
    other.bytes.startsWith(bytes) &&
    forced.length < bytes.length &&
    spelt(listed, other.bytes, forced, question) === 0
  )
}

/**
 * The probability of all listed tokens that spell the rest of a label out, with a part of what follows it or without. Where the label is spelt out
 * already, of those that show that it ends there.
 */
function spelt(listed: readonly Listed[], bytes: string, forced: string, question: LabelQuestion): number {
  const follow = bytesOf(question.follow)
  return listed.reduce((sum, token) => {
    const text = forced + own(token, forced, question)
    const ends =
      forced.length >= bytes.length
        ? follow === ""
          ? isEnd(token)
          : text !== forced && (startsWith(bytes + follow, text) || startsWith(text, bytes + follow))
        : text.length >= bytes.length && startsWith(bytes + follow, text)
    return ends ? sum + token.probability : sum
  }, 0)
}

/** The longest listed token that a label begins with, from here on. */
function beginning(
  listed: readonly Listed[],
  bytes: string,
  forced: string,
  question: LabelQuestion,
): Pick<Branch, "forced" | "probability"> | undefined {
  let longest: Pick<Branch, "forced" | "probability"> | undefined
  for (const token of listed) {
    const text = forced + own(token, forced, question)
    if (text.length <= (longest ?? { forced }).forced.length || !startsWith(bytes, text)) continue
    longest = { forced: text, probability: token.probability }
  }
  return longest
}

const startsWith = (text: string, beginning: string): boolean => text.startsWith(beginning)

/**
 * The token's own bytes. Where the assistant has said nothing yet, or has ended in a blank that the tokenizer takes into the next token, a blank
 * before the label is none of the model's choice.
 */
function own({ bytes }: Listed, forced: string, { opening }: LabelQuestion): string {
  const blank = forced === "" && (opening === "" || /\s$/.test(opening))
  return blank && bytes.startsWith(" ") ? bytes.slice(1) : bytes
}

/** Control tokens come as an empty text or in their own spelling: `<|im_end|>`, `</s>`, `<end_of_turn>`. */
const isEnd = ({ bytes }: Listed): boolean => bytes === "" || /^<[|/]?[\w| /-]+>$/.test(bytes)
