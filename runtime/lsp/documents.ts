/** Files as an editor has them: what is open there counts before what is on the disk, and is called as the editor calls it. */
import { fileURLToPath, pathToFileURL } from "node:url"
import type { TextDocument } from "vscode-languageserver-textdocument"
import type { Files } from "../../compiler/files.ts"
import { slashed } from "../disk/paths.ts"

/** The absolute path of a document, with `/`; nothing for one that is no file. Editors spell one path in several ways: `(1)` and `%281%29`. */
export const pathOf = (uri: string): string | undefined =>
  uri.startsWith("file:") ? slashed(fileURLToPath(uri)) : undefined

export const documentAt = (path: string, open: readonly TextDocument[]): TextDocument | undefined =>
  open.find(({ uri }) => pathOf(uri) === path)

/** The URI of a file: the editor's own spelling where it has it open, since to an editor another spelling is another file. */
export const uriOf = (path: string, open: readonly TextDocument[]): string =>
  documentAt(path, open)?.uri ?? pathToFileURL(path).href

/** The disk under the open documents. A document's own line ends and byte order mark stay as they are. */
export function openFiles(disk: Files, open: () => readonly TextDocument[]): Files {
  return {
    ...disk,
    read: (path) => {
      const document = documentAt(path, open())
      return document === undefined ? disk.read(path) : { text: document.getText() }
    },
  }
}
