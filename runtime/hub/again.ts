/** Sends a request again where its failure may pass. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Watch } from "./watch.ts"
import { Passing, Unreachable } from "./wire.ts"

export interface Again {
  /** Milliseconds to wait before each try again; one more failure in a row ends it. */
  readonly pauses: readonly number[]
  readonly watch: Watch
  readonly signal: AbortSignal
  /** Whether the try that just failed has brought the work forward: failures are then counted anew. */
  readonly advanced?: () => boolean
  /** How often a host that does not answer at all is asked again; as any other failure where left out. */
  readonly unreachable?: number
}

/** Longest that a server is waited for because it asks to; beyond it the failure is said, with the time. */
const LONGEST_WAIT = 10 * 60_000

/** @throws Passing the last of them, when the tries are used up; anything else at once */
export async function again<A>(
  attempt: () => Promise<A>,
  { pauses, watch, signal, advanced = () => false, unreachable = pauses.length }: Again,
): Promise<A> {
  for (let failures = 0; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Passing) || signal.aborted) throw error
      failures = advanced() ? 1 : failures + 1
      const most = error instanceof Unreachable ? Math.min(unreachable, pauses.length) : pauses.length
      if (failures > most) throw error
      const pause = error.wait ?? pauses[failures - 1] ?? 0
      if (pause > LONGEST_WAIT) throw error
      watch.note(`${error.message}: again in ${Math.max(1, Math.ceil(pause / 1000))} s`)
      await sleep(pause, undefined, { signal })
    }
  }
}
