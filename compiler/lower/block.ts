/** Stimuli that assert nothing. */
import type { Block, BlockField, Text } from "../../grammar/ast.ts"
import type { BlockIR } from "../ir.ts"
import { once } from "../memo.ts"
import type { Bound } from "../resolve.ts"
import { stimulusFill } from "./placeholders.ts"
import { lowerProvenance, lowerText } from "./text.ts"

export const blockField = <F extends BlockField["field"]>(
  block: Block,
  field: F,
): Extract<BlockField, { field: F }> | undefined =>
  block.fields.find((one): one is Extract<BlockField, { field: F }> => one.field === field)

/** A declared block: one text, or one for each step of the turn that it will stand in. */
export const lowerBlock = once((bound: Bound<Block>): BlockIR => {
  const text = blockField(bound.declaration, "text")?.text
  const steps = blockField(bound.declaration, "texts")?.texts
  return {
    kind: "block",
    text: text === undefined ? [] : lowerText(text, bound, stimulusFill),
    ...(steps === undefined ? {} : { steps: steps.map((one) => lowerText(one, bound, stimulusFill)) }),
    provenance: lowerProvenance(bound),
  }
})

/** A text that stands where a block might: a level of a factor. `bound` is the declaration that it is written in. */
export const lowerLevelText = (text: Text, bound: Bound): BlockIR => ({
  kind: "block",
  text: lowerText(text, bound, stimulusFill),
  provenance: [],
})

/** What `none` puts into a slot. */
export const emptyBlock: BlockIR = { kind: "block", text: [], provenance: [] }
