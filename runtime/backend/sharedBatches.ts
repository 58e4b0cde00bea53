/**
 * Sequences of one engine as engines of one sequence each: what several of them evaluate at the same time is one batch. Each lane of a run walks the items that
 * it is given on its own sequence, so that a long prefix is evaluated once, and the batches are filled by what other lanes evaluate. For fast mode
 * alone: what else is in a batch changes how kernels round.
 */
import type { Choice, Evaluator, Part, Place } from "./evaluator.ts"

/** A part that waits for its batch. */
interface Waiting {
  readonly part: Part
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** One for each sequence. `batchSize`: tokens of a batch, at most. */
export function sharedBatches(evaluator: Evaluator, batchSize: number): readonly Evaluator[] {
  const working = new Set<number>()
  /** In the order in which they came, so that none waits for ever. */
  const waiting = new Map<number, Waiting>()
  /** Lanes that look at what the last batch kept, and which of its parts is theirs: it is gone with the next batch. */
  const looking = new Map<number, number>()
  let running = false
  /** Choices one at a time: lanes that ask for the same tokens share a sampler. */
  let chosen: Promise<unknown> = Promise.resolve()

  const run = async (): Promise<void> => {
    if (running || looking.size > 0 || waiting.size === 0) return
    const tokens = [...waiting.values()].reduce((sum, { part }) => sum + part.chunk.length, 0)
    if (tokens < batchSize && [...working].some((lane) => !waiting.has(lane))) return
    running = true
    const taken = takeBatch(waiting, batchSize)
    try {
      await evaluator.evaluate(taken.map(([sequence, { part }]) => ({ ...part, sequence })))
      for (const [index, [lane]] of taken.entries()) looking.set(lane, index)
      for (const [, { done }] of taken) done()
    } catch (error) {
      for (const [, { failed }] of taken) failed(error)
    } finally {
      running = false
    }
    soon()
  }
  /** Once those that begin at the same time have come. */
  const soon = (): void => {
    setImmediate(() => void run())
  }

  const laneOf = (lane: number): Evaluator => ({
    ...evaluator,
    sequences: 1,
    evaluate: ([part]) =>
      new Promise<void>((done, failed) => {
        if (part === undefined) return done()
        looking.delete(lane)
        waiting.set(lane, { part, done, failed })
        soon()
      }),
    choose: (place: Place, tokens): Promise<Choice> => {
      const choice = chosen.then(() => {
        const part = looking.get(lane)
        if (part === undefined) throw new Error("nothing that was kept is there any more")
        return evaluator.choose({ ...place, part }, tokens)
      })
      chosen = choice.catch(() => {})
      return choice
    },
    working: (now) => {
      if (now) working.add(lane)
      else {
        working.delete(lane)
        looking.delete(lane)
        soon()
      }
    },
  })
  return Array.from({ length: evaluator.sequences }, (_, lane) => laneOf(lane))
}

/** Takes parts out, first come first served, as many as have room. */
function takeBatch(
  waiting: Map<number, Waiting>,
  batchSize: number,
): readonly (readonly [number, Waiting])[] {
  const taken: (readonly [number, Waiting])[] = []
  let room = batchSize
  for (const [lane, one] of waiting) {
    const { length } = one.part.chunk
    if (taken.length > 0 && length > room) continue
    room -= length
    taken.push([lane, one])
  }
  for (const [lane] of taken) waiting.delete(lane)
  return taken
}
