/** What an engine does for those who read distributions and write texts on it: batches, and what is found at their tokens. */
import type { Chunk } from "../read/steps.ts"
import type { Token } from "./backend.ts"

/** Calls are made one at a time. */
export interface Evaluator {
  /** Conversations that it can hold at the same time, numbered from 0. */
  readonly sequences: number
  /** Evaluates one batch; what the batch before kept is gone. Parts are of different sequences. */
  readonly evaluate: (parts: readonly Part[]) => Promise<void>
  /** The distribution over these tokens at a place of the last batch. */
  readonly choose: (place: Place, tokens: readonly Token[]) => Promise<Choice>
  /** Where batches are shared (`sharedBatches.ts`): steps begin, or are over. */
  readonly working?: (now: boolean) => void
  /** Something that draws tokens, one after the other, from a stream of its own. To be closed. */
  readonly drawer: (sampling: Sampling) => Drawer
}

/** Of one sequence: forgets all positions from `at` on, then puts a chunk there. */
export interface Part {
  readonly sequence: number
  readonly at: number
  readonly chunk: Chunk
  /** Offsets in the chunk at which something will be chosen or drawn, ascending. */
  readonly keep: readonly number[]
}

/** A token of the last batch: an offset that its part kept. */
export interface Place {
  /** Index into the batch's parts. */
  readonly part: number
  readonly offset: number
}

export interface Choice {
  /** Over the tokens asked for, in their order; sums to 1. */
  readonly probabilities: readonly number[]
  /** Probability of all of them together. */
  readonly mass: number
}

/** At temperature 0 the most probable token; nothing else bends the distribution: no penalty, no other cut. */
export interface Sampling {
  readonly temperature: number
  readonly topP: number
  /** 32 bits. */
  readonly seed: number
}

export interface Drawer {
  /** Undefined where the engine has no number to draw by. */
  readonly draw: (place: Place) => Promise<Token | undefined>
  readonly close: () => void
}

/** Nothing was forgotten and nothing evaluated: the sequence can only go on, or start anew. */
export class CannotRewind extends Error {
  constructor(length: number, at: number) {
    super(`the engine could not rewind from token ${length} to ${at}`)
  }
}
