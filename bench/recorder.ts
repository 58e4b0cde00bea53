/** A recording of what an engine was asked, so that it can be evaluated again with nothing around it. */
import type { Evaluator, Part } from "../runtime/backend/evaluator.ts"
import { type Round, sum } from "./leastTimes.ts"

export interface Recording {
  /** One batch each, in order. */
  readonly steps: (readonly Part[])[]
  /** Milliseconds of the process's clock: when the model was opened, when its first batch began, and when its last answer was given. */
  readonly span: { ready: number; first: number; done: number }
  /** Milliseconds of each batch. */
  readonly times: number[]
}

/** For `LlamaOptions.wrap`: records into `recording`. */
export const recordInto =
  (recording: Recording) =>
  (evaluator: Evaluator): Evaluator => {
    recording.span.ready = performance.now()
    return {
      ...evaluator,
      evaluate: async (parts) => {
        recording.steps.push(parts)
        const start = performance.now()
        recording.span.first ||= start
        await evaluator.evaluate(parts)
        recording.times.push(performance.now() - start)
      },
      choose: async (place, tokens) => {
        const choice = await evaluator.choose(place, tokens)
        recording.span.done = performance.now()
        return choice
      },
    }
  }

export const newRecording = (): Recording => ({
  steps: [],
  span: { ready: 0, first: 0, done: 0 },
  times: [],
})

/** Milliseconds of each batch, where the same chunks are evaluated at the same depths and nothing is read. */
export async function replay(
  evaluator: Evaluator,
  { steps }: Pick<Recording, "steps">,
): Promise<readonly number[]> {
  const times: number[] = []
  for (const parts of steps) {
    const again = parts.map((part) => ({ ...part, keep: [] }))
    const start = performance.now()
    await evaluator.evaluate(again)
    times.push(performance.now() - start)
  }
  return times
}

export const tokensOf = ({ steps }: Pick<Recording, "steps">): number =>
  steps.flat().reduce((sum, { chunk }) => sum + chunk.length, 0)

/** Milliseconds from the model's being ready to its last answer. */
export const wallOf = ({ span }: Recording): number => span.done - span.ready

/** What the run does besides the engine's batches, as a share of them. */
export const overheadOf = (recording: Recording): number => wallOf(recording) / sum(recording.times) - 1

/** A run as a round of several. */
export const roundOf = (recording: Recording): Round => ({
  batches: recording.times,
  beyond: wallOf(recording) - sum(recording.times),
})

/** Tokens of the trie of all that the sequences held: no engine evaluates less for it, whatever it shares. */
export function idealTokens({ steps }: Pick<Recording, "steps">): number {
  type Node = Map<number, Node>
  const root: Node = new Map()
  /** By sequence, the nodes from the root down. */
  const held = new Map<number, Node[]>()
  let nodes = 0
  for (const { sequence, at, chunk } of steps.flat()) {
    const path = held.get(sequence) ?? [root]
    held.set(sequence, path)
    path.length = at + 1
    for (const token of chunk) {
      const above = path.at(-1) ?? root
      let node = above.get(token)
      if (node === undefined) {
        node = new Map()
        above.set(token, node)
        nodes += 1
      }
      path.push(node)
    }
  }
  return nodes
}
