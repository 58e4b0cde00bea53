/** Files as an editor has them: what is open there counts before what is on the disk. */
import { fileURLToPath, pathToFileURL } from "node:url"
import type { TextDocument } from "vscode-languageserver-textdocument"
import type { Files } from "../../compiler/files.ts"
import { slashed } from "../disk/paths.ts"

/** The absolute path of a document, with `/`; nothing for one that is no file. */
export const pathOf = (uri: string): string | undefined =>
  uri.startsWith("file:") ? slashed(fileURLToPath(uri)) : undefined

export const uriOf = (path: string): string => pathToFileURL(path).href

/** The disk under the open documents. A document's own line ends and byte order mark stay as they are. */
export function openFiles(disk: Files, open: () => readonly TextDocument[]): Files {
  return {
    ...disk,
    read: (path) => {
      const document = open().find(({ uri }) => pathOf(uri) === path)
      return document === undefined ? disk.read(path) : { text: document.getText() }
    },
  }
}
