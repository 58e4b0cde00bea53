/** A recording of what an engine was asked, so that it can be evaluated again with nothing around it. */
import type { Token } from "../runtime/backend/backend.ts"
import type { Evaluator } from "../runtime/backend/scorer.ts"

export interface Recording {
  /** One batch each, in order. */
  readonly steps: { readonly at: number; readonly chunk: readonly Token[] }[]
  /** Milliseconds of the process's clock: when the model was ready, and when its last answer was given. */
  readonly span: { ready: number; done: number }
}

/** For `LlamaOptions.wrap`: records into `recording`. */
export const recordInto =
  (recording: Recording) =>
  (evaluator: Evaluator): Evaluator => {
    recording.span.ready = performance.now()
    return {
      evaluate: (at, chunk, keepLogits) => {
        recording.steps.push({ at, chunk })
        return evaluator.evaluate(at, chunk, keepLogits)
      },
      choose: async (tokens) => {
        const choice = await evaluator.choose(tokens)
        recording.span.done = performance.now()
        return choice
      },
    }
  }

export const newRecording = (): Recording => ({ steps: [], span: { ready: 0, done: 0 } })

/** Milliseconds to evaluate the same chunks at the same depths, reading nothing. */
export async function replay(evaluator: Evaluator, { steps }: Recording): Promise<number> {
  const start = performance.now()
  for (const { at, chunk } of steps) await evaluator.evaluate(at, chunk, false)
  return performance.now() - start
}

export const tokensOf = ({ steps }: Recording): number =>
  steps.reduce((sum, { chunk }) => sum + chunk.length, 0)
