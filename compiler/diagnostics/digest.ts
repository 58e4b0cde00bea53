import type { Diagnostic } from "./diagnostic.ts"

export interface Digest {
  readonly shown: readonly Diagnostic[]
  /** One line for each kind that is cut short: `and 2490 more of CFX3009 in items.yaml`. */
  readonly left: readonly string[]
}

/**
 * What a person is shown of many diagnostics: of one code in one file the first few. A column that was mapped wrongly makes every row
 * of a pool wrong, and the thousandth frame says no more than the tenth.
 */
export const digest = (diagnostics: readonly Diagnostic[], most = 10): Digest => {
  const kinds = new Map<string, number>()
  const shown = diagnostics.filter(({ code, source }) => {
    const kind = `${code} in ${source.name}`
    const before = kinds.get(kind) ?? 0
    kinds.set(kind, before + 1)
    return before < most
  })
  const left = [...kinds].flatMap(([kind, count]) =>
    count > most ? [`and ${count - most} more of ${kind}`] : [],
  )
  return { shown, left }
}
