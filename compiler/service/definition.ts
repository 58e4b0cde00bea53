import type { Span } from "../../grammar/source.ts"
import type { Analysis } from "./analysis.ts"
import { pathAt } from "./nodes.ts"
import { meaningAt } from "./symbols.ts"

export interface Location {
  /** Absolute path of the file. */
  readonly path: string
  readonly span: Span
}

/** Where what stands at an offset is declared; of the path of an import, the library's start. */
export const definitionAt = (analysis: Analysis, offset: number): Location | undefined => {
  const meaning = meaningAt(analysis, offset)?.meaning
  if (meaning?.kind === "declaration") {
    const { declaration, module } = meaning.bound
    return { path: module.path, span: declaration.name.span }
  }
  if (meaning !== undefined) return { path: meaning.module.path, span: meaning.name.span }
  const path = pathAt(analysis.module.file, offset)
  const brought = analysis.module.file.imports.find((declaration) => path.includes(declaration))
  if (brought === undefined || !path.includes(brought.from)) return undefined
  const library = analysis.module.imports.get(brought)
  return library === undefined ? undefined : { path: library.path, span: { start: 0, end: 0 } }
}
