/** From what an engine found at the places of a read to its answer. */
import { once } from "../../compiler/memo.ts"
import type { ReadAnswer, ReadRequest, Token } from "../backend/backend.ts"
import type { Choice } from "../backend/evaluator.ts"
import type { LabelTree } from "./labels.ts"
import { placesOf } from "./steps.ts"

/**
 * What is asked at a place. The labels besides have a question of their own, so that the distribution among the others is, to the bit, what it is without
 * them.
 */
interface Questions {
  /** Branches that a label of the answer's goes by. */
  readonly own: readonly Token[]
  /** Branches that only labels besides go by. */
  readonly besides: readonly Token[]
}

/** What was found at a place. */
interface Found {
  readonly own?: Choice
  readonly besides?: Choice
}

/** A read of which some places may still be open. */
export class OpenRead {
  readonly request: ReadRequest
  readonly #found = new Map<LabelTree, Found>()
  readonly #places: ReadonlyMap<LabelTree, Questions>
  #evaluated = 0

  constructor(request: ReadRequest) {
    this.request = request
    this.#places = questionsOf(request)
  }

  get complete(): boolean {
    return this.#found.size === this.#places.size
  }

  /** Asks at a place what the read has to know there; `evaluated`: tokens that were evaluated to get there. */
  async take(
    place: LabelTree,
    choose: (tokens: readonly Token[]) => Promise<Choice>,
    evaluated: number,
  ): Promise<void> {
    const { own, besides } = this.#places.get(place)!
    this.#evaluated += evaluated
    this.#found.set(place, {
      ...(own.length === 0 ? {} : { own: await choose(own) }),
      ...(besides.length === 0 ? {} : { besides: await choose(besides) }),
    })
  }

  answer(): ReadAnswer {
    const { key, score } = this.request
    const { weights, mass, also } = score === undefined ? this.#byPlaces() : this.#byWholeTexts(score)
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const evaluated = this.#evaluated
    const invalid = (why: string): ReadAnswer => ({
      key,
      probabilities: [],
      mass: 0,
      invalid: why,
      evaluated,
    })
    if (![...weights, mass, ...also].every(Number.isFinite))
      return invalid("the engine gave a probability that is not a number")
    if (sum === 0) return invalid("none of the labels has a probability that can be told from 0")
    const probabilities = weights.map((weight) => weight / sum)
    return { key, probabilities, mass, ...(also.length === 0 ? {} : { also }), evaluated }
  }

  /** By deciding tokens (`labels.ts`). */
  #byPlaces(): Folded {
    const { labels } = this.request
    const own = ownLabels(this.request)
    const weights: number[] = []
    const also: number[] = new Array<number>(this.request.also ?? 0).fill(0)
    /** Gives the share of a place's mass that goes on to labels of the answer's. `raw`: the probability of coming here. */
    const fold = (place: LabelTree, reached: number, raw: number): number => {
      const found = this.#found.get(place)!
      const asked = this.#places.get(place)!
      // A place that only tells a label from those besides decides nothing among the others, nor do tokens that all of a single spelling share.
      const decides =
        place === labels || asked.own.length > 1 || (place.respelt === true && ownSpellings(place, own) > 1)
      const mass = decides ? (found.own?.mass ?? 0) : 1
      const here = place.respelt === true ? reached * mass : reached
      let below = 0
      for (const { token, leadsTo } of place.branches) {
        const index = asked.own.indexOf(token)
        if (index === -1) {
          const p = raw * massAt(found.besides, asked.besides.indexOf(token))
          if (typeof leadsTo === "number") also[leadsTo - own]! += p
          else fold(leadsTo, 0, p)
          continue
        }
        const q = decides ? found.own!.probabilities[index]! : 1
        if (typeof leadsTo === "number") weights[leadsTo] = (weights[leadsTo] ?? 0) + here * q
        below +=
          q * (typeof leadsTo === "number" ? 1 : fold(leadsTo, here * q, raw * massAt(found.own, index)))
      }
      return mass * below
    }
    const mass = fold(labels, 1, 1)
    return { weights, mass, also }
  }

  /**
   * By all tokens of each label, in logarithms: products of some hundred small numbers are too small for a double. The mass is that of texts which begin
   * with any of the labels: where one begins another, the longer is among what the shorter says already.
   */
  #byWholeTexts(score: "sum" | "mean"): Folded {
    const logs: number[] = []
    const lengths: number[] = []
    let mass = 0
    const own = ownLabels(this.request)
    /** `begun`: a text of the answer's has ended on the way, so that its probability takes in what follows. */
    const fold = (place: LabelTree, log: number, begun: boolean): void => {
      const found = this.#found.get(place)!
      const asked = this.#places.get(place)!
      for (const { token, leadsTo, ends } of place.branches) {
        const index = asked.own.indexOf(token)
        const p =
          index === -1 ? massAt(found.besides, asked.besides.indexOf(token)) : massAt(found.own, index)
        const label = typeof leadsTo === "number" ? leadsTo : ends
        if (label !== undefined) {
          logs[label] = log + Math.log(p)
          lengths[label] = place.forced.length + 1
        }
        const ended = label !== undefined && label < own
        if (ended && !begun) mass += Math.exp(log + Math.log(p))
        if (typeof leadsTo !== "number") fold(leadsTo, log + Math.log(p), begun || ended)
      }
    }
    fold(this.request.labels, 0, false)
    const scores = logs.slice(0, own).map((log, label) => (score === "sum" ? log : log / lengths[label]!))
    const best = scores.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)
    return {
      weights: scores.map((one) => (one === Number.NEGATIVE_INFINITY ? 0 : Math.exp(one - best))),
      mass,
      also: logs.slice(own).map(Math.exp),
    }
  }
}

interface Folded {
  readonly weights: readonly number[]
  readonly mass: number
  readonly also: readonly number[]
}

/** The raw probability of a token of a question. */
const massAt = (choice: Choice | undefined, index: number): number =>
  (choice?.mass ?? Number.NaN) * (choice?.probabilities[index] ?? Number.NaN)

/** Labels of the answer's; those besides come after them. */
const ownLabels = ({ labels, also = 0 }: ReadRequest): number => 1 + lastLabel(labels) - also

/** How many ways lead from a place to labels of the answer's, which are the first `own`. */
const ownSpellings = (place: LabelTree, own: number): number =>
  place.branches.reduce(
    (count, { leadsTo }) =>
      count + (typeof leadsTo === "number" ? Number(leadsTo < own) : ownSpellings(leadsTo, own)),
    0,
  )

/** Trees are shared by many reads: by the number of labels besides. */
const questions = once((_: LabelTree) => new Map<number, ReadonlyMap<LabelTree, Questions>>())

function questionsOf({ labels, also = 0 }: ReadRequest): ReadonlyMap<LabelTree, Questions> {
  const known = questions(labels).get(also)
  if (known !== undefined) return known
  const own = 1 + lastLabel(labels) - also
  const isOwn = (label: number | LabelTree | undefined): boolean =>
    typeof label === "object"
      ? label.branches.some(({ leadsTo, ends }) => isOwn(leadsTo) || isOwn(ends))
      : label !== undefined && label < own
  const made = new Map(
    placesOf(labels).map((place): [LabelTree, Questions] => {
      const tokens = { own: [] as Token[], besides: [] as Token[] }
      for (const { token, leadsTo, ends } of place.branches)
        (isOwn(leadsTo) || isOwn(ends) ? tokens.own : tokens.besides).push(token)
      return [place, tokens]
    }),
  )
  questions(labels).set(also, made)
  return made
}

/** The highest index of a tree's labels; -1 where it has none. */
const lastLabel = once((tree: LabelTree): number =>
  tree.branches.reduce(
    (most, { leadsTo, ends = -1 }) =>
      Math.max(most, ends, typeof leadsTo === "number" ? leadsTo : lastLabel(leadsTo)),
    -1,
  ),
)
