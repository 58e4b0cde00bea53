/** What a run may ask of a server: at a time, in a minute, and in all. */
import { Clock, Effect, Semaphore } from "effect"
import type { ServedIR } from "../../../compiler/ir.ts"
import { lasting, type Trouble } from "./trouble.ts"

/** Requests at a time where nothing is declared. */
export const CONCURRENCY = 4

/** What has been asked of a model in this session, over all times that it was opened. */
export interface Spent {
  /** Requests that were sent, those among them that failed. */
  calls: number
  /** Of prompts and answers, as the server counts them. */
  tokens: number
}

export const nothingSpent = (): Spent => ({ calls: 0, tokens: 0 })

export interface Limits {
  /** Holds a place for a request with all its tries. */
  readonly place: <A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Waits for its turn and counts a call; fails where the budget is spent. */
  readonly begin: Effect.Effect<void, Trouble>
  /** Lets nothing begin for so many milliseconds: the server has asked for it. */
  readonly hold: (milliseconds: number) => Effect.Effect<void>
  readonly count: (tokens: number) => void
}

/** `spent` is counted up. Starts are spread evenly over a minute, so that a rate holds over any minute. */
export function limitsOf(served: ServedIR, spent: Spent): Limits {
  const { concurrency = CONCURRENCY, rate, maxCalls, maxTokens } = served
  const places = Semaphore.makeUnsafe(concurrency)
  const apart = rate === undefined ? 0 : 60_000 / rate
  let next = 0
  let held = 0
  return {
    place: (request) => places.withPermits(1)(request),
    begin: Effect.gen(function* () {
      let start: number
      do {
        // A place in the queue is taken before the wait, so that nobody takes it twice.
        const now = yield* Clock.currentTimeMillis
        start = Math.max(now, next)
        next = start + apart
        if (start > now) yield* Effect.sleep(start - now)
        // The server may have asked for a pause meanwhile. A place within it is lost, lest all that waited begin at once when the pause ends.
      } while (start < held)
      if (maxCalls !== undefined && spent.calls >= maxCalls)
        return yield* exhausted(`${spent.calls} requests`, "max_calls")
      if (maxTokens !== undefined && spent.tokens >= maxTokens)
        return yield* exhausted(`${spent.tokens} tokens`, "max_tokens")
      spent.calls += 1
    }),
    hold: (milliseconds) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        held = Math.max(held, now + milliseconds)
        next = Math.max(next, held)
      }),
    count: (tokens) => {
      spent.tokens += tokens
    },
  }
}

const exhausted = (much: string, setting: string): Trouble =>
  lasting(
    `the budget is spent: ${much} since the run was started, and ${setting} of the model's declaration allows no more`,
    `go on with cfx resume DIR, which may spend as much again (what was answered is kept), or raise ${setting} and run the spec again`,
  )
