import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { inventItems } from "../../compiler/items/invent.ts"
import { designOf } from "../../runtime/diagnose/design.ts"
import { drawTrials } from "../../runtime/diagnose/draw.ts"
import { resultsOf } from "../../runtime/diagnose/estimates.ts"
import { scopeOf } from "../../runtime/diagnose/scope.ts"
import { itemsIn, sizedTo } from "../../runtime/diagnose/sized.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { naively, recordsIn } from "./naive.ts"
import { designed, type Parts } from "./support.ts"

const root = join(import.meta.dirname, "../..")

/** Every estimator, over a pool where first answers may be wrong and models differ. */
const all: Parts = {
  models: 3,
  pools: 2,
  items: 60,
  measures: "measure HRR\n  measure BenR\n  measure revision_rate",
  contrasts: `
  contrast harm = HRR[arm = length] - HRR[arm = reask] by paired(item), pooled, cells(model, pool)
  contrast good = BenR[arm = length] - BenR[arm = reask] by permutation(item), signs(model, pool)
  contrast any = revision_rate[arm = length] - revision_rate[arm = reask] by paired(item)
  contrast within = HRR[arm = length, model = m0] - HRR[arm = length, model = m1] by pooled
  family both = harm, good by holm
  expect harm > 0
  expect good equivalent within 5 pp`,
  assume: "accuracy 0.7  HRR { reask 0.2  length 0.4 }  BenR { reask 0.3  length 0.35 }",
}

describe("contrasts of simulated columns equal those of a run with the same records", () => {
  it.each([0, 1, 2])("with every estimator, simulation %i", (simulation) => {
    // What follows from answers alone has no draw of its own: a second answer that differs from the first.
    const { program, design, ends } = designed(all)
    const sized = sizedTo(design, itemsIn(design))
    const drawn = drawTrials(sized, 3, simulation)
    const { contrasts, expects } = resultsOf(sized, drawn.outcomes)
    expect([...contrasts, ...expects]).toEqual(naively(program, design, recordsIn(sized, drawn, ends)))
    expect(contrasts.map(({ estimate }) => typeof estimate)).toEqual(contrasts.map(() => "number"))
  })

  it("of a protocol whose texts are refused, shared and pushed at every wrong option", () => {
    const path = "specs/who-flips/stability.cfx"
    const { program } = compile(join(root, path), diskFiles({ here: root, stdlib: join(root, "stdlib") }))
    const [experiment] = program!.experiments
    const pools = program!.pools.map((pool) => ({ ...pool, published: { ...pool.published, size: 2 } }))
    const items = new Map(pools.map((pool) => [pool.name, inventItems(pool, [experiment!])]))
    const ends: TrialRecord[] = []
    const design = designOf(
      { scope: scopeOf(experiment!, false), models: program!.models, items },
      (leaf, record) => {
        ends[leaf] = record
      },
    )
    if ("missing" in design) throw new Error(JSON.stringify(design))
    const sized = sizedTo(design, itemsIn(design))
    const drawn = drawTrials(sized, 0, 0)
    const { contrasts, expects } = resultsOf(sized, drawn.outcomes)
    expect([...contrasts, ...expects]).toEqual(naively(program!, design, recordsIn(sized, drawn, ends)))
  })
})
