/**
 * The append-only file of answers. One fiber writes, fed by a bounded queue: a slow disk holds the engine back instead of filling the
 * memory, and an interruption waits for the queue to be written, so that everything answered is kept.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs"
import { Effect, Fiber, Queue, type Scope } from "effect"
import type { Done } from "effect/Cause"
import { diskFailure, diskWork, writeAll } from "../disk/disk.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { Answers } from "./answers.ts"
import { encodeLine, type LedgerLine } from "./ledgerLine.ts"
import { enter, readLedger } from "./readLedger.ts"

export interface Ledger extends Answers {
  /**
   * Takes a line at once into what is known, and into the file soon. Fails once writing has failed.
   * A line that contradicts what is known is a defect of the caller.
   */
  readonly append: (line: LedgerLine) => Effect.Effect<void, EnvironmentFailure>
  /** Waits until everything is on disk. No line can be appended afterwards. */
  readonly close: Effect.Effect<void, EnvironmentFailure>
}

/** Lines that may wait for the disk. */
const WAITING = 256

/**
 * Opens the ledger at `path` for as long as the scope lasts, cuts off a torn last line, and reads what stands there.
 * `write` is node's `writeSync` but for tests.
 */
export const openLedger = (
  path: string,
  write: typeof writeSync = writeSync,
): Effect.Effect<Ledger, EnvironmentFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const state = yield* diskWork(() => readLedger(path), "read the ledger", path)
    const file = yield* Effect.acquireRelease(
      diskWork(() => openForAppend(path, state.end), "open the ledger", path),
      (descriptor) => Effect.sync(() => closeSync(descriptor)),
    )
    const queue = yield* Queue.bounded<string, Done>(WAITING)
    let failure: EnvironmentFailure | undefined

    const put = (lines: readonly string[]): void => {
      if (failure !== undefined) return
      const bytes = Buffer.from(lines.join(""), "utf8")
      try {
        writeAll(file, bytes, write)
        state.end += bytes.length
      } catch (cause) {
        failure = diskFailure(cause, "write the ledger", path)
        // What is half-written goes; if even that fails, the torn line is cut off when the run continues.
        try {
          ftruncateSync(file, state.end)
        } catch {}
      }
    }
    // Goes on taking after a failure, so that nobody waits for a queue that nothing empties.
    const writer = yield* Queue.takeAll(queue).pipe(
      Effect.tap((lines) => Effect.sync(() => put(lines))),
      Effect.forever,
      Effect.catch(() => Effect.void),
      Effect.forkDetach({ startImmediately: true }),
    )
    const settle = Queue.end(queue).pipe(Effect.andThen(Fiber.await(writer)), Effect.uninterruptible)
    yield* Effect.addFinalizer(() => settle)

    return {
      fingerprints: state.fingerprints,
      byPrompt: state.byPrompt,
      byKey: state.byKey,
      readOf: state.readOf,
      readAt: state.readAt,
      audits: state.audits,
      append: (line) =>
        Effect.suspend(() => {
          if (failure !== undefined) return Effect.fail(failure)
          // Here and not in the writer: what cannot be encoded is the caller's defect, and nobody waits for the writer's.
          const text = `${encodeLine(line)}\n`
          const problem = enter(state, line)
          if (problem !== undefined)
            return Effect.die(new Error(`a line for the ledger contradicts it: ${problem}`))
          return Queue.offer(queue, text).pipe(
            Effect.flatMap((taken) => (taken ? Effect.void : Effect.die(new Error("the ledger is closed")))),
          )
        }),
      close: settle.pipe(
        Effect.andThen(Effect.suspend(() => (failure === undefined ? Effect.void : Effect.fail(failure)))),
        Effect.andThen(diskWork(() => fsyncSync(file), "write the ledger", path)),
      ),
    }
  })

/** A descriptor that writes at the end of the whole lines. */
function openForAppend(path: string, end: number): number {
  const file = openSync(path, "a")
  try {
    ftruncateSync(file, end)
    return file
  } catch (cause) {
    closeSync(file)
    throw cause
  }
}
