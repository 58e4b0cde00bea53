/** A recording of what an engine was asked, so that it can be evaluated again with nothing around it. */
import type { Evaluator, Part } from "../runtime/backend/evaluator.ts"

export interface Recording {
  /** One batch each, in order. */
  readonly steps: (readonly Part[])[]
  /** Milliseconds of the process's clock: when the model was ready, and when its last answer was given. */
  readonly span: { ready: number; done: number }
}

/** For `LlamaOptions.wrap`: records into `recording`. */
export const recordInto =
  (recording: Recording) =>
  (evaluator: Evaluator): Evaluator => {
    recording.span.ready = performance.now()
    return {
      ...evaluator,
      evaluate: (parts) => {
        recording.steps.push(parts)
        return evaluator.evaluate(parts)
      },
      choose: async (place, tokens) => {
        const choice = await evaluator.choose(place, tokens)
        recording.span.done = performance.now()
        return choice
      },
    }
  }

export const newRecording = (): Recording => ({ steps: [], span: { ready: 0, done: 0 } })

/** Milliseconds to evaluate the same chunks at the same depths, reading nothing. */
export async function replay(evaluator: Evaluator, { steps }: Recording): Promise<number> {
  const start = performance.now()
  for (const parts of steps) await evaluator.evaluate(parts.map((part) => ({ ...part, keep: [] })))
  return performance.now() - start
}

export const tokensOf = ({ steps }: Recording): number =>
  steps.flat().reduce((sum, { chunk }) => sum + chunk.length, 0)
