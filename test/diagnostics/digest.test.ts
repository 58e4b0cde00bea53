import { expect, test } from "vitest"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { digest } from "../../compiler/diagnostics/digest.ts"
import { report } from "../../compiler/diagnostics/report.ts"

const duplicates = (file: string, count: number): readonly Diagnostic[] =>
  Array.from({ length: count }, (_, index) =>
    report("CFX3012", { id: `q${index}` }, { source: { name: file, text: "" }, span: { start: 0, end: 0 } }),
  )

test("of one code in one file the first few are shown, in their order, and the rest is counted", () => {
  const many = [...duplicates("a.yaml", 25), ...duplicates("b.yaml", 10)]
  const { shown, left } = digest(many)
  expect(shown).toEqual([...many.slice(0, 10), ...many.slice(25)])
  expect(left).toEqual(["and 15 more of CFX3012 in a.yaml"])
})

test("few are shown in full", () => {
  const few = duplicates("a.yaml", 10)
  expect(digest(few)).toEqual({ shown: few, left: [] })
})
