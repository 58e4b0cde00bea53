/** Who hears of what while a program is carried out: `run.json`, the person who waits, and the prompts that are kept. */
import { Effect } from "effect"
import type { Hooks } from "./execute.ts"
import { kindOf } from "./failureKinds.ts"
import type { Progress } from "./progress.ts"
import { ReadFailure } from "./readFailure.ts"
import { renderingBy, type Samples } from "./samples.ts"
import type { Session } from "./session.ts"
import { variableNotes } from "./templateNotes.ts"

export interface Hearing {
  readonly session: Session
  readonly progress: Progress
  readonly samples: Samples
  /** Whether the run stops at the first read that has no usable answer. */
  readonly failFast: boolean
}

export function hooksOf({ session, progress, samples, failFast }: Hearing): Hooks {
  const named = new Set<string>()
  // A model may be opened more than once.
  const noted = new Set<string>()
  return {
    opening: progress.opening,
    loaded: (model) => {
      progress.opened()
      for (const note of variableNotes(model)) {
        const line = `${model.name}: ${note}`
        if (!noted.has(line)) progress.note(line)
        noted.add(line)
      }
      return session.opened(model)
    },
    asking: progress.asking,
    answered: (tokens) => {
      session.answered(tokens)
      progress.answered(tokens)
    },
    writing: progress.writing,
    // Of each kind the first is told at once; how many there are is told at the end.
    unreadable: ({ about }, problem) => {
      const kind = kindOf(problem)
      if (!named.has(kind)) progress.note(`${about}: ${problem}`)
      named.add(kind)
    },
    failed: (about, why) => (failFast ? Effect.fail(new ReadFailure({ about, why })) : Effect.void),
    walked: (walk) => {
      samples.take(walk, renderingBy(walk.model))
      progress.walked()
    },
    auditing: progress.auditing,
    audited: (tokens) => {
      session.audited(tokens)
      progress.audited()
    },
  }
}
