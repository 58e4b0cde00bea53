/**
 * Answers reads on one sequence of an engine: carries out the steps of a walk and folds what it finds at each place into one answer per read. The
 * naive twin walks from scratch for every place, behind the same interface.
 */
import { Stream } from "effect"
import type { EnvironmentFailure } from "../failure.ts"
import { chunkRule } from "../read/chunks.ts"
import { OpenRead } from "../read/fold.ts"
import { type Chunk, heldAfter, type Order, type Step, tokensOf, withoutRewinds } from "../read/steps.ts"
import { walkTokens, walkTokensNaively } from "../read/tokenWalk.ts"
import { walk, walkNaively } from "../read/trie.ts"
import type { ReadAnswer, ReadRequest, TokenModel } from "./backend.ts"
import type { Evaluator } from "./evaluator.ts"

/**
 * `exact`: prefixes are shared, and batches cut, at canonical chunks, so that an answer is the same to the bit whatever was read before it. `fast`: at any
 * token and as it comes; kernels round otherwise in other batches, so an answer is the same to within what they round.
 */
export type Mode = "exact" | "fast"

/** What a fingerprint says of it; `batchSize` in tokens. */
export const modeMark = (mode: Mode, batchSize: number): string =>
  mode === "exact" ? `exact ${chunkRule}/${batchSize}` : `fast/${batchSize}`

export interface ScorerOptions {
  readonly mode: Mode
  /** False: the naive twin. */
  readonly sharing: boolean
  readonly order: Order
  /** Tokens of a batch, at most. */
  readonly batchSize: number
  /** False: the sequence forgets all or nothing. */
  readonly rewinds: boolean
  readonly onFailure: (error: unknown) => EnvironmentFailure
}

/** Answers that wait for a slow reader, at most, while the engine goes on. */
const waiting = 64

export interface Scorer extends Pick<TokenModel, "count" | "steps" | "coldSteps" | "score" | "scoreCold"> {
  /** Resolves once no step is being carried out. */
  readonly idle: () => Promise<void>
}

export function scorer(evaluator: Evaluator, options: ScorerOptions): Scorer {
  let held: readonly Chunk[] = []
  let busy: Promise<void> = Promise.resolve()
  const shared = stepsOf(options)
  const cold = stepsOf({ ...options, sharing: false })

  async function* answers(
    reads: readonly ReadRequest[],
    steps: TokenModel["steps"],
  ): AsyncGenerator<ReadAnswer> {
    const before = busy
    let release = (): void => {}
    busy = new Promise((resolve) => {
      release = resolve
    })
    await before
    const open = new Map(reads.map((read) => [read, new OpenRead(read)]))
    let evaluated = 0
    evaluator.working?.(true)
    try {
      for (const step of steps(reads, held)) {
        const { at, chunk, visits } = step
        const after = heldAfter(held, step)
        // Should it fail, nothing is known of what the sequence holds.
        held = []
        const keep = [...new Set(visits.map(({ offset }) => offset))].sort((a, b) => a - b)
        await evaluator.evaluate([{ sequence: 0, at, chunk, keep }])
        held = after
        evaluated += chunk.length
        for (const { read, place, offset } of visits) {
          const reading = open.get(read)!
          await reading.take(place, (tokens) => evaluator.choose({ part: 0, offset }, tokens), evaluated)
          evaluated = 0
          if (reading.complete) yield reading.answer()
        }
      }
    } finally {
      evaluator.working?.(false)
      release()
    }
  }

  const scored = (reads: readonly ReadRequest[], steps: TokenModel["steps"]) =>
    Stream.fromAsyncIterable({ [Symbol.asyncIterator]: () => answers(reads, steps) }, options.onFailure).pipe(
      Stream.buffer({ capacity: waiting }),
    )

  return {
    count: (reads) => tokensOf(shared(reads, held)),
    steps: shared,
    coldSteps: (reads) => cold(reads, []),
    score: (reads) => scored(reads, shared),
    scoreCold: (reads) => scored(reads, cold),
    idle: () => busy,
  }
}

/** The steps of reads from what a sequence holds. */
function stepsOf({
  mode,
  sharing,
  order,
  batchSize,
  rewinds,
}: Omit<ScorerOptions, "onFailure">): TokenModel["steps"] {
  const walked = (reads: readonly ReadRequest[], held: readonly Chunk[]): Iterable<Step> => {
    if (mode === "exact") return sharing ? walk(reads, held, order) : walkNaively(reads, order)
    return sharing ? walkTokens(reads, held, batchSize, order) : walkTokensNaively(reads, batchSize, order)
  }
  return rewinds ? walked : (reads, held) => withoutRewinds(walked(reads, held), held)
}
