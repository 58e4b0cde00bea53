/** The disk as the compiler sees it. */
import { readFileSync } from "node:fs"
import { isAbsolute, relative, resolve, sep } from "node:path"
import type { Files } from "../../compiler/files.ts"

export interface DiskOptions {
  /** Where the command runs: paths under it are shown relative to it. */
  readonly here: string
  /** Folder of the standard library. */
  readonly stdlib: string
}

/** Paths go in and out with `/`, on every system. Text is UTF-8, without a byte order mark. */
export function diskFiles({ here, stdlib }: DiskOptions): Files {
  const library = slashed(resolve(stdlib))
  return {
    stdlib: library,
    read: (path) => {
      try {
        return { text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) }
      } catch (error) {
        return { problem: problem(error as NodeJS.ErrnoException) }
      }
    },
    show: (path) => {
      const within = slashed(relative(library, path))
      if (!within.startsWith("..") && !isAbsolute(within)) return `std/${within}`
      const near = slashed(relative(here, path))
      return near.startsWith("..") || isAbsolute(near) ? slashed(path) : near
    },
  }
}

/** An absolute path with `/`, from one that a person wrote. */
export const absolute = (path: string, here: string = process.cwd()): string => slashed(resolve(here, path))

/** On Windows `\` becomes `/`; elsewhere a backslash may be part of a name. */
const slashed = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path)

/** Why a file cannot be read, in words. */
function problem(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return "no such file"
    case "EISDIR":
      return "it is a folder"
    case "EACCES":
    case "EPERM":
      return "no permission to read it"
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return "it is not UTF-8 text"
    default:
      return error.message
  }
}
