/** The disk as the compiler sees it. */
import { readdirSync, readFileSync } from "node:fs"
import { isAbsolute, relative, resolve } from "node:path"
import type { Files } from "../../compiler/files.ts"
import { packaged } from "./packages.ts"
import { slashed } from "./paths.ts"

export interface DiskOptions {
  /** Where the command runs: paths under it are shown relative to it. */
  readonly here: string
  /** Folder of the standard library. */
  readonly stdlib: string
}

export interface DiskFiles extends Files {
  /** Files that were read and are no text: their content is at fault, and not the disk. */
  readonly garbled: ReadonlySet<string>
}

/** Paths go in and out with `/`, on every system. Text is UTF-8, without a byte order mark. */
export function diskFiles({ here, stdlib }: DiskOptions): DiskFiles {
  const library = slashed(resolve(stdlib))
  const garbled = new Set<string>()
  return {
    garbled,
    stdlib: library,
    read: (path) => {
      let bytes: Buffer
      try {
        bytes = readFileSync(path)
      } catch (error) {
        return { problem: problem(error as NodeJS.ErrnoException) }
      }
      try {
        return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
      } catch {
        garbled.add(path)
        return { problem: notText(bytes) }
      }
    },
    list: (path) => {
      try {
        const found = readdirSync(path, { withFileTypes: true })
        const names = found.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
        return { names: names.sort() }
      } catch (error) {
        return { problem: listProblem(error as NodeJS.ErrnoException) }
      }
    },
    packaged,
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

/** Names the first byte that no UTF-8 text has in its place: there, what is decoded with replacements and encoded again differs. */
function notText(bytes: Buffer): string {
  const again = Buffer.from(bytes.toString("utf8"), "utf8")
  const at = bytes.findIndex((byte, index) => byte !== again[index])
  const line = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1
  return `it is not UTF-8 text: byte 0x${bytes[at]!.toString(16).toUpperCase().padStart(2, "0")} in line ${line}`
}

/** Why a folder cannot be listed, in words. */
function listProblem(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
      return "no such folder"
    case "ENOTDIR":
      return "it is no folder"
    case "EACCES":
    case "EPERM":
      return "no permission to list it"
    default:
      return error.message
  }
}

/** Why a file cannot be read, in words. */
function problem(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return "no such file"
    case "EISDIR":
      return "it is a folder"
    case "ERR_INVALID_ARG_VALUE":
      return "no path holds a zero character"
    case "EACCES":
    case "EPERM":
      return "no permission to read it"
    default:
      return error.message
  }
}
