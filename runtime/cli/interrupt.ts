/** Runs what takes long so that a signal stops it with everything kept, and a second one stops it at once. */
import { Effect, type Exit } from "effect"
import { exit } from "./exit.ts"

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/**
 * One press of Ctrl-C can arrive twice: from the terminal, which signals every process in the foreground, and from `npm run`, which
 * passes on what it got itself. What follows within this many milliseconds is the same press.
 */
const SAME_PRESS = 500

/** Ends the process with 130 at the second signal. `onSignal` is told of the first. */
export async function interruptible<A, E>(
  effect: Effect.Effect<A, E>,
  onSignal: () => void,
): Promise<Exit.Exit<A, E>> {
  const controller = new AbortController()
  let first: number | undefined
  const stop = (): void => {
    const now = Date.now()
    if (first === undefined) {
      first = now
      onSignal()
      controller.abort()
    } else if (now - first > SAME_PRESS) {
      process.exit(exit.interrupted)
    }
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await Effect.runPromiseExit(effect, { signal: controller.signal })
  } finally {
    // After a press its second signal may still come while the last words are printed, and must not end the process without them.
    if (first === undefined) for (const signal of SIGNALS) process.off(signal, stop)
  }
}
