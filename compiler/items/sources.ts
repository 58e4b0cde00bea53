/** The files of a pool: those that are named, and of each folder those that stand directly in it and are of a kind that is read. */
import { posix } from "node:path"
import type { Source } from "../../grammar/source.ts"
import type { Files } from "../files.ts"
import { readerOf } from "./formats.ts"

export type Opened =
  | { readonly source: Source }
  | { readonly path: string; readonly problem: string }
  /** A folder without a file that can be read. */
  | { readonly empty: string }

/** Opens files and folders in the order given; files of a folder are in the order of their names. Paths are absolute. */
export const openSources = (paths: readonly string[], files: Files): readonly Opened[] =>
  paths.flatMap((path): readonly Opened[] => {
    const listed = files.list(path)
    if ("problem" in listed) return [open(path, files)]
    const own = itemFilesIn(listed.names)
    if (own.length === 0) return [{ empty: files.show(path) }]
    return own.map((name) => open(posix.join(path, name), files))
  })

/** Those of a folder's files that hold items. Hidden ones are none: systems and editors leave such files beside the data, under names that end alike. */
export const itemFilesIn = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !name.startsWith(".") && readerOf(name) !== undefined)

const open = (path: string, files: Files): Opened => {
  const read = files.read(path)
  const name = files.show(path)
  return "problem" in read ? { path: name, problem: read.problem } : { source: { name, text: read.text } }
}
