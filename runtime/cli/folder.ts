import { existsSync, statSync } from "node:fs"
import { dirname, isAbsolute, relative } from "node:path"
import { diskFailure } from "../disk/disk.ts"
import { absolute } from "../disk/files.ts"
import { EnvironmentFailure } from "../failure.ts"

export const todo = { elsewhere: "choose another folder with -o", other: "give the folder of a run" } as const

/**
 * The folder of a run, absolute, which may or may not be there.
 * @throws EnvironmentFailure when a file stands in its place; `todo` says what to do then
 */
export function runFolder(given: string, todo: string): string {
  const where = absolute(given)
  let isFile: boolean
  try {
    isFile = statSync(where, { throwIfNoEntry: false })?.isDirectory() === false
  } catch (cause) {
    throw diskFailure(cause, "use the run directory", where)
  }
  if (isFile) throw new EnvironmentFailure({ what: "this is a file; a run has a folder", where, todo })
  return where
}

/**
 * As `newFile`, and none of the run's own: only what was exported before may be written over there.
 * @throws EnvironmentFailure where it is one of them
 */
export function fileBeside(given: string, directory: string, own: readonly string[]): string {
  const where = newFile(given)
  const inside = relative(directory, where)
  if (inside.startsWith("..") || isAbsolute(inside) || own.includes(inside)) return where
  if (!existsSync(where) && dirname(inside) === ".") return where
  throw new EnvironmentFailure({
    what: "the file is one of the run's own, or lies among them",
    where,
    todo: "choose another place with -o",
  })
}

/**
 * Where a single file is to be written, absolute: into a folder that is there, since a mistyped path should not make one.
 * @throws EnvironmentFailure when it is not
 */
export function newFile(given: string): string {
  const where = absolute(given)
  if (existsSync(dirname(where))) return where
  throw new EnvironmentFailure({
    what: "the file cannot be written: its folder is not there",
    where,
    todo: "make the folder first, or choose another place with -o",
  })
}
