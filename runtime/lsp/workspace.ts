/** The folders that an editor has open, and the kinds of files in them that specs rest on. */
import { type Dirent, readdirSync } from "node:fs"
import { join } from "node:path"
import type { InitializeParams } from "vscode-languageserver/node"
import { endings } from "../../compiler/items/formats.ts"
import { slashed } from "../disk/paths.ts"
import { pathOf } from "./documents.ts"

/** What an editor is asked to watch: specs, libraries, and files of items. */
export const watchedFiles = `**/*.{${[".cfx", ...endings].map((ending) => ending.slice(1)).join(",")}}`

/** The absolute paths of the folders that an editor has open. */
export const foldersOf = ({ workspaceFolders, rootUri }: InitializeParams): readonly string[] => {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri])
  return uris.flatMap((uri) => pathOf(uri) ?? [])
}

/** The absolute paths of the `.cfx` files in a folder, at any depth but those of packages and of hidden folders. */
export function specsIn(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = slashed(join(folder, entry.name))
    if (entry.isDirectory())
      return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : specsIn(path)
    return entry.name.endsWith(".cfx") ? [path] : []
  })
}

/** What a folder holds; nothing where it cannot be listed, as then the editor cannot change a file in it either. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
