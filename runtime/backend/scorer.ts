/**
 * Answers reads on one sequence of an engine: carries out the steps of the trie's walk and folds what it finds at each place into
 * one answer per read. The naive twin walks from scratch for every place, over the same chunks, behind the same interface.
 */
import { Stream } from "effect"
import type { EnvironmentFailure } from "../failure.ts"
import type { LabelTree } from "../read/labels.ts"
import {
  buildTrie,
  type Chunk,
  countTokens,
  type Order,
  placesOf,
  type Step,
  tokensOf,
  walk,
  walkNaively,
} from "../read/trie.ts"
import type { ReadAnswer, ReadRequest, TokenModel } from "./backend.ts"
import type { Choice, Evaluator } from "./evaluator.ts"

export interface ScorerOptions {
  /** False: the naive twin. */
  readonly sharing: boolean
  readonly order: Order
  readonly onFailure: (error: unknown) => EnvironmentFailure
}

/** Answers that wait for a slow reader, at most, while the engine goes on. */
const waiting = 64

export interface Scorer extends Pick<TokenModel, "count" | "score" | "scoreCold"> {
  /** Resolves once no step is being carried out. */
  readonly idle: () => Promise<void>
}

export function scorer(evaluator: Evaluator, options: ScorerOptions): Scorer {
  let held: readonly Chunk[] = []
  let busy: Promise<void> = Promise.resolve()

  const steps = (reads: readonly ReadRequest[], sharing: boolean): Iterable<Step> =>
    sharing ? walk(buildTrie(reads), held, options.order) : walkNaively(reads, options.order)

  async function* answers(reads: readonly ReadRequest[], sharing: boolean): AsyncGenerator<ReadAnswer> {
    const before = busy
    let release = (): void => {}
    busy = new Promise((resolve) => {
      release = resolve
    })
    await before
    const open = reads.map((read) => new OpenRead(read))
    let evaluated = 0
    try {
      for (const step of steps(reads, sharing)) {
        const kept = held.slice(0, step.depth)
        held = []
        const last = step.chunk.length - 1
        const keep = step.visits.length > 0 ? [last] : []
        await evaluator.evaluate([{ sequence: 0, at: step.at, chunk: step.chunk, keep }])
        held = [...kept, step.chunk]
        evaluated += step.chunk.length
        for (const { read, place } of step.visits) {
          const reading = open[read]!
          const tokens = place.branches.map((branch) => branch.token)
          reading.take(place, await evaluator.choose({ part: 0, offset: last }, tokens), evaluated)
          evaluated = 0
          if (reading.complete) yield reading.answer()
        }
      }
    } finally {
      release()
    }
  }

  const scored = (reads: readonly ReadRequest[], sharing: boolean) =>
    Stream.fromAsyncIterable(
      { [Symbol.asyncIterator]: () => answers(reads, sharing) },
      options.onFailure,
    ).pipe(Stream.buffer({ capacity: waiting }))

  return {
    count: (reads) => (options.sharing ? countTokens(held, reads) : tokensOf(walkNaively(reads))),
    score: (reads) => scored(reads, options.sharing),
    scoreCold: (reads) => scored(reads, false),
    idle: () => busy,
  }
}

/** A read of which some places may still be open. */
class OpenRead {
  readonly request: ReadRequest
  readonly choices = new Map<LabelTree, Choice>()
  readonly places: number
  evaluated = 0

  constructor(request: ReadRequest) {
    this.request = request
    this.places = placesOf(request.labels).length
  }

  get complete(): boolean {
    return this.choices.size === this.places
  }

  take(place: LabelTree, choice: Choice, evaluated: number): void {
    this.choices.set(place, choice)
    this.evaluated += evaluated
  }

  answer(): ReadAnswer {
    const { key, labels } = this.request
    const weights: number[] = []
    const fold = (place: LabelTree, reached: number): number => {
      const choice = this.choices.get(place)!
      const here = place.respelt === true ? reached * choice.mass : reached
      let below = 0
      for (const [index, { leadsTo }] of place.branches.entries()) {
        const q = choice.probabilities[index]!
        if (typeof leadsTo === "number") weights[leadsTo] = (weights[leadsTo] ?? 0) + here * q
        below += q * (typeof leadsTo === "number" ? 1 : fold(leadsTo, here * q))
      }
      return choice.mass * below
    }
    const mass = fold(labels, 1)
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const probabilities = weights.map((weight) => weight / sum)
    const numbers = [...probabilities, mass]
    if (numbers.some((value) => !Number.isFinite(value)))
      return {
        key,
        probabilities: [],
        mass: 0,
        invalid: "the engine gave a probability that is not a number",
        evaluated: this.evaluated,
      }
    return { key, probabilities, mass, evaluated: this.evaluated }
  }
}
