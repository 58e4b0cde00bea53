/** The canonical layout of a file: one way to write each thing, with every comment where it was. */

import { placeComments } from "./format/comments.ts"
import { print } from "./format/doc.ts"
import { layoutFile } from "./format/layout.ts"
import { parseTree } from "./parse.ts"
import type { Problem } from "./problem.ts"
import type { Source } from "./source.ts"

const columns = 100

/** A text with problems is not laid out: what it means is not known. */
export const format = (
  source: Source,
): { readonly text: string } | { readonly problems: readonly Problem[] } => {
  const { lexed, tree, problems } = parseTree(source.text)
  if (problems.length > 0) return { problems }
  const comments = placeComments(source.text, lexed.tokens, lexed.comments)
  return { text: print(layoutFile(source.text, tree, comments), columns) }
}
