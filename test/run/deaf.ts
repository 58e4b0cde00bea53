import { Effect } from "effect"
import type { Hooks } from "../../runtime/run/execute.ts"

/** Hears of nothing, and lets everything pass. */
export const deaf: Hooks = {
  opening: () => {},
  loaded: () => Effect.void,
  asking: () => {},
  answered: () => {},
  writing: () => {},
  unreadable: () => {},
  failed: () => Effect.void,
  walked: () => {},
  auditing: () => {},
  audited: () => {},
}
