/** How long to wait before a request is sent again: exponentially longer, with full jitter (Brooker 2015, "Exponential Backoff And Jitter"). */
import { createHash } from "node:crypto"
import { Duration, Effect, Schedule } from "effect"
import type { Trouble } from "./trouble.ts"

/** Milliseconds: the bound of the first wait, which doubles each time, and the highest bound. */
const FIRST = 500
const HIGHEST = 60_000

/**
 * Tries again, so many times, what may pass. The waits follow from the request's key: two runs of one spec wait alike. `waiting` hears of each
 * before it begins.
 */
export const patience = (
  key: string,
  retries: number,
  waiting: (trouble: Trouble, milliseconds: number) => void = () => {},
): Schedule.Schedule<Duration.Duration, Trouble> =>
  Schedule.exponential(FIRST).pipe(
    Schedule.setInputType<Trouble>(),
    Schedule.modifyDelay(({ attempt, input }) =>
      Effect.sync(() => {
        const wait = waitOf(key, attempt, input)
        waiting(input, wait)
        return Duration.millis(wait)
      }),
    ),
    Schedule.upTo({ times: retries }),
  )

/** Milliseconds before the next try; `attempt` is that of the one that failed, from 1. The server's own wish is the least. */
export function waitOf(key: string, attempt: number, { after = 0 }: Pick<Trouble, "after">): number {
  const bound = Math.min(HIGHEST, FIRST * 2 ** (attempt - 1))
  return Math.ceil(after + share(`${key} ${attempt}`) * bound)
}

/** Over [0, 1), by hash. */
const share = (text: string): number =>
  createHash("sha256").update(`wait ${text}`).digest().readUIntBE(0, 6) / 2 ** 48
