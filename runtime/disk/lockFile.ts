/**
 * A lock between processes: a file that names its process. A lock whose process is gone (killed, or the machine was restarted) is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { readIfThere } from "./disk.ts"

export interface Holder {
  readonly pid: number
  readonly host: string
  /** When the process started, in the system's own ticks; tells a process from a later one of the same number. Null where unknown. */
  readonly started: string | null
}

/** Locks that this process holds: its own number says nothing about them. */
const held = new Set<string>()

/** Takes the lock that stands at `path`; or says who has it, as far as the file tells. */
export function take(path: string): "taken" | { readonly holder: Holder | undefined } {
  const own = `${path}.${process.pid}`
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) }
  try {
    // On a full disk an empty file is left of it.
    writeFileSync(own, `${JSON.stringify(me)}\n`)
    // A link appears with its content in one step, and only where nothing stands yet.
    while (!linked(own, path)) {
      const text = readIfThere(path)
      if (text === undefined) continue
      const holder = holderOf(text)
      if (holder === undefined || isAlive(holder, path)) return { holder }
      setAside(path, text)
    }
    held.add(path)
    return "taken"
  } finally {
    rmSync(own, { force: true })
  }
}

export function release(path: string): void {
  held.delete(path)
  rmSync(path, { force: true })
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
function isAlive({ pid, host, started }: Holder, path: string): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid && started === startOf(pid)) return held.has(path)
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
