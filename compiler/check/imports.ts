/** Imports that pin what they bring. */
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { report } from "../diagnostics/report.ts"
import { type Module, plainText } from "../load.ts"
import { importMeaning } from "../meaning.ts"
import type { Names } from "../resolve.ts"

/** Reports each import whose names mean something else than its sum says. An import that brings nothing whole was reported. */
export const checkImports = (module: Module, names: Names): readonly Diagnostic[] =>
  module.file.imports.flatMap((declaration): readonly Diagnostic[] => {
    const { sum, from } = declaration
    if (sum === undefined) return []
    const place = { source: module.source, span: sum.span }
    const found = importMeaning(declaration, module, names)
    const pinned = sum.digits.toLowerCase()
    // A sum of other than 64 digits is a syntax error.
    if (found === undefined || found === pinned || pinned.length !== 64) return []
    const brought = declaration.names.map(({ name }) => name.text)
    return [report("CFX2550", { names: brought, path: plainText(from) ?? "", pinned, found }, place)]
  })
