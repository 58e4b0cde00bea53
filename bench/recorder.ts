/** A recording of what an engine was asked, so that it can be evaluated again with nothing around it. */
import type { Evaluator, Part } from "../runtime/backend/evaluator.ts"

export interface Recording {
  /** One batch each, in order. */
  readonly steps: (readonly Part[])[]
  /** Milliseconds of the process's clock: when the model was opened, when its first batch began, and when its last answer was given. */
  readonly span: { ready: number; first: number; done: number }
  /** Milliseconds within the engine's batches. */
  batches: number
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
        recording.batches += performance.now() - start
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
  batches: 0,
})

/** Milliseconds to evaluate the same chunks at the same depths, reading nothing. */
export async function replay(evaluator: Evaluator, { steps }: Pick<Recording, "steps">): Promise<number> {
  const start = performance.now()
  for (const parts of steps) await evaluator.evaluate(parts.map((part) => ({ ...part, keep: [] })))
  return performance.now() - start
}

export const tokensOf = ({ steps }: Pick<Recording, "steps">): number =>
  steps.flat().reduce((sum, { chunk }) => sum + chunk.length, 0)

/** Milliseconds from the model's being ready to its last answer. */
export const wallOf = ({ span }: Recording): number => span.done - span.ready

/** What the run does besides the engine's batches, as a share of them. */
export const overheadOf = (recording: Recording): number => wallOf(recording) / recording.batches - 1

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
