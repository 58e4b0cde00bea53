/** Placeholders that the texts of a declaration may hold. */
import type { Declaration } from "../../grammar/ast.ts"
import { itemFields, lineFields, pushFields, STEP, wordingFields } from "../lower/placeholders.ts"
import { readsOf } from "../lower/reads.ts"
import type { Bound, DeclarationOf, Names } from "../resolve.ts"
import type { Completion } from "./completion.ts"
import { partsOf } from "./parts.ts"

const always = [...itemFields, ...pushFields]

const byKind: Partial<Record<Declaration["kind"], readonly string[]>> = {
  framing: [...lineFields, ...always, STEP],
  paraphrase: [...wordingFields, ...always, STEP],
  block: [...always, STEP],
  protocol: always,
  judge: always,
}

/** Those of the language and those that the declaration itself brings: slots, draws, parameters, reads. */
export const placeholdersAt = (bound: Bound, names: Names): readonly Completion[] => {
  const { declaration } = bound
  const own = partsOf(declaration).filter(
    ({ what }) => what === "slot" || what === "parameter" || what === "draw",
  )
  const reads =
    declaration.kind === "protocol" ? readsOf(bound as Bound<DeclarationOf<"protocol">>, names) : []
  return [
    ...(byKind[declaration.kind] ?? []),
    ...own.map(({ name }) => name.text),
    ...reads.map(({ name }) => name),
  ].map((label) => ({ label, kind: "placeholder", detail: "placeholder" }))
}
