/**
 * One process at a time writes a run directory. The lock is a file that names its process; a lock whose process is gone (killed, or the
 * machine was restarted) is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { EnvironmentFailure } from "../failure.ts"
import { diskWork, readIfThere } from "./disk.ts"

export const LOCK = "run.lock"

interface Holder {
  readonly pid: number
  readonly host: string
  /** When the process started, in the system's own ticks; tells a process from a later one of the same number. Null where unknown. */
  readonly started: string | null
}

/** Directories that this process holds: its own number says nothing about them. */
const held = new Set<string>()

/** Holds the lock of a directory for as long as the scope lasts. */
export const lockDirectory = (directory: string): Effect.Effect<void, EnvironmentFailure, Scope.Scope> =>
  Effect.acquireRelease(
    diskWork(() => acquire(directory), "lock the run directory", directory),
    () => Effect.sync(() => release(directory)),
  )

function acquire(directory: string): void {
  const path = join(directory, LOCK)
  const own = `${path}.${process.pid}`
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) }
  writeFileSync(own, `${JSON.stringify(me)}\n`)
  try {
    // A link appears with its content in one step, and only where nothing stands yet.
    while (!linked(own, path)) {
      const text = readIfThere(path)
      if (text === undefined) continue
      const holder = holderOf(text)
      if (holder === undefined || isAlive(holder, directory)) throw inUse(path, holder)
      setAside(path, text)
    }
    held.add(directory)
  } finally {
    rmSync(own, { force: true })
  }
}

function release(directory: string): void {
  held.delete(directory)
  rmSync(join(directory, LOCK), { force: true })
}

function linked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false
    throw cause
  }
}

/** Removes a lock that nobody holds, unless another process has just put its own there. */
function setAside(path: string, stale: string): void {
  const aside = `${path}.${process.pid}.stale`
  try {
    renameSync(path, aside)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return
    throw cause
  }
  const mistaken = readFileSync(aside, "utf8") !== stale
  if (mistaken) linked(aside, path)
  rmSync(aside, { force: true })
}

function holderOf(text: string): Holder | undefined {
  try {
    const { pid, host, started } = JSON.parse(text)
    return typeof pid === "number" && typeof host === "string"
      ? { pid, host, started: started ?? null }
      : undefined
  } catch {
    return undefined
  }
}

/** A process of another machine cannot be asked, so it counts as alive. */
function isAlive({ pid, host, started }: Holder, directory: string): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid && started === startOf(pid)) return held.has(directory)
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return false
  }
  const now = startOf(pid)
  return started === null || now === null || started === now
}

/** From Linux's process table: the start time is field 22, the 20th after the name, which stands in brackets and may hold anything. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null
  } catch {
    return null
  }
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
