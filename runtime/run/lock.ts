/** One process at a time writes a run directory. */
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { diskWork } from "../disk/disk.ts"
import { type Holder, release, take } from "../disk/lockFile.ts"
import { EnvironmentFailure } from "../failure.ts"

export const LOCK = "run.lock"

/** Holds the lock of a directory for as long as the scope lasts. */
export const lockDirectory = (directory: string): Effect.Effect<void, EnvironmentFailure, Scope.Scope> =>
  Effect.acquireRelease(
    diskWork(() => acquire(join(directory, LOCK)), "lock the run directory", directory),
    () => Effect.sync(() => release(join(directory, LOCK))),
  )

function acquire(path: string): void {
  const found = take(path)
  if (found !== "taken") throw inUse(path, found.holder)
}

const inUse = (path: string, holder: Holder | undefined): EnvironmentFailure =>
  new EnvironmentFailure({
    what:
      holder === undefined
        ? "the run directory is locked, and the lock does not say by whom"
        : `another cfx writes to this run directory: process ${holder.pid} on ${holder.host}`,
    where: path,
    todo: "wait for it or choose another folder with -o; if no cfx is running, remove the lock file",
  })
