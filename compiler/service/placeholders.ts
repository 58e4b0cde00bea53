/** Placeholders that the texts of a declaration may hold. */
import type { Declaration } from "../../grammar/ast.ts"
import { readsOf } from "../lower/reads.ts"
import type { Bound, DeclarationOf, Names } from "../resolve.ts"
import type { Completion } from "./completion.ts"
import { partsOf } from "./symbols.ts"

const ofItem = ["item.question", "item.options", "item.gold.label", "item.gold.text"]
const ofTarget = ["target.label", "target.text", "pushed.label", "pushed.text"]

const byKind: Partial<Record<Declaration["kind"], readonly string[]>> = {
  framing: ["assertion", "answer", "i", "speaker", ...ofItem, ...ofTarget],
  paraphrase: ["answer", "answer.label", "answer.text", ...ofItem, ...ofTarget],
  block: [...ofItem, ...ofTarget],
  protocol: [...ofItem, ...ofTarget],
  judge: ofItem,
}

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
