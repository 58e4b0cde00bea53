/** What is simulated: a design with so many items, as it is assumed or with one contrast's effect put in another's place. */
import { claimOf } from "../../compiler/outcome.ts"
import { needsOf } from "../measure/needs.ts"
import type { Design } from "./design.ts"
import type { Shift } from "./draw.ts"
import { isDrawnApart } from "./scope.ts"

export interface Point {
  readonly items: number
  /** The trials of the contrast's first term get so many logits more where its measure is decided. */
  readonly moved?: { readonly contrast: number; readonly by: number }
}

/** The trials and events that are moved; none where the point moves nothing. */
export function shiftOf(design: Design, { moved }: Point): Shift | undefined {
  if (moved === undefined) return undefined
  const contrast = design.experiment.contrasts[moved.contrast]!
  const [first] = contrast.terms
  const measure = design.told.find((one) => one.measure.name === first!.measure)!.measure
  const rows = new Set(
    design.itemKinds.flatMap((kind) => kind.rows.filter(({ about }) => about.has(`${moved.contrast}:0`))),
  )
  const claim = claimOf(measure)
  const { holes, states } = needsOf(measure.value)
  const { holes: known } = design.experiment.protocol
  const read = claim === undefined ? [...holes, ...states].slice(-1) : [claim.hole]
  const from = known.flatMap((hole) => ("from" in hole && read.includes(hole.name) ? [hole.from] : []))
  return {
    rows,
    decides: new Set(isDrawnApart(measure) ? [measure.name] : [...read, ...from, measure.name]),
    by: moved.by,
  }
}
