/** Writing to disk so that a file is there in full or not at all, and so that a failure says what to do. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { EnvironmentFailure } from "../failure.ts"

/** Temporary files of atomic writes end so; one that is left over was never finished and holds nothing. */
const UNFINISHED = ".unfinished"

const advice: Readonly<Record<string, { readonly what: string; readonly todo: string }>> = {
  ENOSPC: {
    what: "the disk is full",
    todo: "free some space, then run the same command again: a run goes on where it was",
  },
  EDQUOT: {
    what: "the disk quota is used up",
    todo: "free some space, then run the same command again: a run goes on where it was",
  },
  EFBIG: {
    what: "the file may not grow further (a limit on file sizes)",
    todo: "raise the limit (ulimit -f), then run the same command again: a run goes on where it was",
  },
  EROFS: { what: "the file system is read-only", todo: "choose another folder with -o" },
  EACCES: { what: "no permission", todo: "choose another folder with -o, or change the permissions" },
  EPERM: { what: "no permission", todo: "choose another folder with -o, or change the permissions" },
  ENOTDIR: { what: "a part of the path is a file, not a folder", todo: "choose another folder with -o" },
  EEXIST: { what: "there is a file of that name", todo: "choose another folder with -o" },
  EISDIR: { what: "there is a folder where a file should be", todo: "choose another folder with -o" },
  ENOENT: { what: "no such file or folder", todo: "check the path" },
}

/** What a failed system call means to a person. `doing` completes "cannot ...". */
export function diskFailure(cause: unknown, doing: string, where: string): EnvironmentFailure {
  if (cause instanceof EnvironmentFailure) return cause
  const error = cause as NodeJS.ErrnoException
  const known = error.code === undefined ? undefined : advice[error.code]
  return new EnvironmentFailure({
    what: `cannot ${doing}: ${known?.what ?? error.message}`,
    where,
    todo:
      known?.todo ??
      "check the disk and the path, then run the same command again: a run goes on where it was",
  })
}

/** Runs file work. What the system refuses, and what is an `EnvironmentFailure` already, fails; anything else is a defect. */
export const diskWork = <A>(
  work: () => A,
  doing: string,
  where: string,
): Effect.Effect<A, EnvironmentFailure> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (cause) {
      const refused =
        cause instanceof EnvironmentFailure || (cause as NodeJS.ErrnoException).syscall !== undefined
      return refused ? Effect.fail(diskFailure(cause, doing, where)) : Effect.die(cause)
    }
  })

/** Writes all of `bytes`; a disk that is nearly full may take less at a time. */
export function writeAll(file: number, bytes: Uint8Array, write: typeof writeSync = writeSync): void {
  let done = 0
  while (done < bytes.length) done += write(file, bytes, done, bytes.length - done)
}

/** A file in pieces, one after another. */
type Content = string | Uint8Array | Iterable<string | Uint8Array>

/**
 * Puts a text, bytes, or pieces of either, at `path` in one step: readers see the old file or the new one. Makes the folders. Throws
 * `EnvironmentFailure`, also where something else than a file stands.
 */
export function writeFileAtomic(given: string, content: Content): void {
  const path = placeOf(given)
  const temporary = `${path}.${process.pid}${UNFINISHED}`
  try {
    makeAll(dirname(path))
    const file = openSync(temporary, "w")
    try {
      const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content
      for (const piece of pieces)
        writeAll(file, typeof piece === "string" ? Buffer.from(piece, "utf8") : piece)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (cause) {
    // Where a part of the path is a file, there is nothing to remove, and removing it would fail in its own words.
    if (existsSync(temporary)) rmSync(temporary, { force: true })
    throw diskFailure(cause, "write the file", path)
  }
}

/** Where a file is to be put: what a link leads to. Nothing is put in the place of a device or a pipe. */
function placeOf(given: string): string {
  let path = given
  try {
    if (lstatSync(given, { throwIfNoEntry: false })?.isSymbolicLink()) path = realpathSync(given)
    const there = lstatSync(path, { throwIfNoEntry: false })
    if (there === undefined || there.isFile() || there.isDirectory()) return path
  } catch (cause) {
    // A part of the path is a file, or may not be looked into: writing says so.
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") return given
    throw diskFailure(cause, "follow the link", given)
  }
  throw new EnvironmentFailure({
    what: "cannot write the file: what is there is a device or a pipe, and no file",
    where: path,
    todo: "choose another place with -o",
  })
}

/** Whether a file is there that holds just these pieces. Throws `EnvironmentFailure` when it is there and cannot be read. */
export function saysSame(path: string, pieces: Iterable<string>): boolean {
  let file: number
  try {
    file = openSync(path, "r")
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return false
    throw diskFailure(cause, "read the file", path)
  }
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece, "utf8")
      if (!bytes.equals(readUpTo(file, bytes.length))) return false
    }
    return readUpTo(file, 1).length === 0
  } catch (cause) {
    throw diskFailure(cause, "read the file", path)
  } finally {
    closeSync(file)
  }
}

/** The next bytes of a file: so many, or fewer where it ends. */
function readUpTo(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let done = 0
  while (done < size) {
    const read = readSync(file, bytes, done, size - done, null)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

/** The text of a file; undefined when there is none. Throws `EnvironmentFailure` when it is there and cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw diskFailure(cause, "read the file", path)
  }
}

/** Removes what atomic writes of killed processes left in a folder and below it. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (isUnfinished(name)) rmSync(join(folder, name), { force: true })
  }
}

export const isUnfinished = (name: string): boolean => name.endsWith(UNFINISHED)

/** Names in a folder, sorted; none when there is no such folder. Throws `EnvironmentFailure`. */
export function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw diskFailure(cause, "read the folder", folder)
  }
}

/** Removes a folder in which nothing stands; leaves any other alone. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody has put something into it, or it is gone: both are as good.
  }
}

/** Makes a folder with all above it; false where it is there. Throws `EnvironmentFailure`. */
export function makeFolder(folder: string): boolean {
  try {
    return makeAll(folder)
  } catch (cause) {
    throw diskFailure(cause, "make the folder", folder)
  }
}

/** Node's own recursive `mkdir` never ends where a file system has no room for folders, such as /proc. */
function makeAll(folder: string): boolean {
  try {
    mkdirSync(folder)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
    if (code !== "ENOENT" || dirname(folder) === folder) throw cause
    makeAll(dirname(folder))
    mkdirSync(folder)
  }
  return true
}
