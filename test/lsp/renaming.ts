/** Renaming in files in memory: `|` marks the cursor. */
import type { Files } from "../../compiler/files.ts"
import { analyse } from "../../compiler/service/analysis.ts"
import type { Location } from "../../compiler/service/definition.ts"
import { renameAt } from "../../compiler/service/rename.ts"
import { questions } from "../compiler/files.ts"
import { inMemory } from "../diagnostics/examples.ts"

export type Texts = Readonly<Record<string, string>>

/** The text with the places of a file changed. */
export const changed = (text: string, places: readonly Location[], to: string): string =>
  [...places]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((whole, { span }) => whole.slice(0, span.start) + to + whole.slice(span.end), text)

const folder = "/spec/"

export const filesOf = (texts: Texts): Files => inMemory({ "items.jsonl": questions(40), ...texts })

/** What becomes of the files, `main.cfx` among them, or why nothing does. `open`: specs besides the one with the cursor. */
export const renamed = (
  marked: Texts,
  to: string,
  open: readonly string[] = [],
): { readonly texts: Texts } | { readonly problem: string } => {
  const [name, text] = Object.entries(marked).find(([, one]) => one.includes("|"))!
  const offset = text.indexOf("|")
  const texts = { ...marked, [name]: text.slice(0, offset) + text.slice(offset + 1) }
  const files = filesOf(texts)
  const analysis = (one: string) => analyse(`${folder}${one}`, files)!
  const importersOf = (path: string) =>
    open.map(analysis).filter(({ modules }) => modules.some((module) => module.path === path))
  const renaming = renameAt(analysis(name), offset, to, { files, importersOf })
  if ("problem" in renaming) return renaming
  return {
    texts: Object.fromEntries(
      Object.entries(texts).map(([one, whole]) => [
        one,
        changed(
          whole,
          renaming.edits.filter(({ path }) => path === `${folder}${one}`),
          to,
        ),
      ]),
    ),
  }
}
