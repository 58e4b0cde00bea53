/** Work of promises inside an effect, which waits for it even where it is interrupted: locks are given back and files closed before anything else happens. */
import { Effect } from "effect"

/** Fails with what the promise rejects with. The signal tells the work that it is to stop. */
export const settled = <A>(work: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.callback((resume) => {
    const controller = new AbortController()
    const done = work(controller.signal).then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(Effect.fail(error)),
    )
    return Effect.promise(() => {
      controller.abort()
      return done
    })
  })
