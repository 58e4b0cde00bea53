/** The naive twin of a simulation: a record for every trial, as a run would have it, from which measures are taken as a run takes them. */
import { sha256 } from "../../compiler/hash.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Design } from "../../runtime/diagnose/design.ts"
import type { Drawn } from "../../runtime/diagnose/draw.ts"
import type { Sized } from "../../runtime/diagnose/sized.ts"
import { measure } from "../../runtime/measure/measure.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { tablesOf } from "../../runtime/measure/table.ts"
import type { TrialRecord } from "../../runtime/record.ts"

/** In the order in which trials are drawn. `ends`: the record of each leaf. The sizes must be the design's own. */
export function* recordsIn(
  { design, places }: Sized,
  { leaves }: Pick<Drawn, "leaves">,
  ends: readonly TrialRecord[],
): Generator<TrialRecord> {
  const { experiment, itemKinds, pools } = design
  let drawn = 0
  for (const { pool, items } of pools) {
    for (const { item, kind } of items) {
      for (const { model, ending } of itemKinds[kind]!.rows) {
        const end = ends[leaves[places[drawn++]!]!]!
        const prompts = Object.entries(end.prompts).map(([hole, prompt]) => [
          hole,
          sha256(`${item.id} ${prompt}`),
        ])
        yield {
          ...end,
          trial: `${experiment.name}/${model}/${pool}/${item.id}/${ending}`,
          item: item.id,
          columns: item.columns,
          prompts: Object.fromEntries(prompts),
        }
      }
    }
  }
}

/** Contrasts, then expectations, of a run with these records. */
export function naively(
  program: Program,
  { experiment }: Design,
  records: Iterable<TrialRecord>,
): readonly Result[] {
  const own = { ...program, experiments: [experiment] }
  return measure(own, tablesOf(own, records)).filter(({ kind }) => kind === "contrast" || kind === "expect")
}
