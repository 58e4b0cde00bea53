import type { Analysis } from "./analysis.ts"
import type { Location } from "./definition.ts"
import { namesIn } from "./nodes.ts"
import { meaningAt, mentionsOf } from "./symbols.ts"

const reserved = ["and", "or", "not", "in", "is"]

export type Renaming = { readonly edits: readonly Location[] } | { readonly problem: string }

/**
 * The places to change when what stands at an offset gets another name, over the files of these analyses (the one that is asked first). A read,
 * turn or slot is renamed in its declaration alone.
 */
export const renameAt = (
  analyses: readonly [Analysis, ...Analysis[]],
  offset: number,
  name: string,
): Renaming => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { problem: `\`${name}\` is no name` }
  if (reserved.includes(name)) return { problem: `\`${name}\` is a word of the language` }
  const meaning = meaningAt(analyses[0], offset)
  if (meaning === undefined) return { problem: "there is no name here that could be changed" }
  if (meaning.kind === "part") {
    const { inside } = meaning
    if (inside.module !== analyses[0].module)
      return {
        problem: `\`${meaning.at.text}\` is declared in ${inside.module.source.name}: change it there`,
      }
    const spans = namesIn(inside.declaration).filter(({ text }) => text === meaning.at.text)
    return { edits: spans.map(({ span }) => ({ path: inside.module.path, span })) }
  }
  const { bound } = meaning
  if (bound.module.source.name.startsWith("std/"))
    return { problem: `\`${meaning.at.text}\` belongs to the standard library` }
  const taken = bound.module.file.declarations.some((other) => other.name.text === name)
  if (taken) return { problem: `${bound.module.source.name} declares a \`${name}\` already` }
  return {
    edits: mentionsOf(bound, analyses).map(({ module, name: { span } }) => ({ path: module.path, span })),
  }
}
