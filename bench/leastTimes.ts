/**
 * The time that the same work takes, less what the machine took away meanwhile. A virtual machine loses time to others at moments that have
 * nothing to do with the work: a measurement is never less than the work takes, and often more. The same batches are evaluated in every round, and
 * a batch is short, so that in some round it is undisturbed: the least of its times is nearest to what it takes.
 */

export interface Round {
  /** Milliseconds of each batch, in order. */
  readonly batches: readonly number[]
  /** Milliseconds of the round outside its batches; none in a raw replay. */
  readonly beyond: number
}

export interface LeastTimes {
  /** Sum of each batch's least time over the rounds. */
  readonly batches: number
  /** The least over the rounds: it is no part of a batch, and so taken whole. */
  readonly beyond: number
}

/** Only figures of equally many rounds may be compared: each least time falls with their number. @throws Error where rounds differ in their batches */
export function leastTimes(rounds: readonly Round[]): LeastTimes {
  const [first] = rounds
  if (first === undefined) throw new Error("nothing was measured")
  const other = rounds.find(({ batches }) => batches.length !== first.batches.length)
  if (other !== undefined)
    throw new Error(`a round has ${first.batches.length} batches, another ${other.batches.length}`)
  return {
    batches: first.batches.reduce(
      (sum, _, index) => sum + Math.min(...rounds.map(({ batches }) => batches[index]!)),
      0,
    ),
    beyond: Math.min(...rounds.map(({ beyond }) => beyond)),
  }
}

/** Milliseconds of the whole. */
export const wholeOf = ({ batches, beyond }: LeastTimes): number => batches + beyond

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
