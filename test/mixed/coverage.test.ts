/**
 * How often Wald's intervals at 95 % hold the coefficient that small designs were made with, seeded: 92 to 97 % where CFX_COVERAGE asks for 500 designs or
 * more, and in the usual run no further off than so few designs can be by chance.
 */
import { expect, test } from "vitest"
import { fitMixed } from "../../runtime/mixed/fit.ts"
import { generate, problemOf, type Spec } from "./generate.ts"

const designs = Number(process.env.CFX_COVERAGE ?? 60)

const EFFECT = 0.8

/** The share of designs whose interval holds the effect that they were made with. */
function coverage(parts: Partial<Spec>): number {
  let held = 0
  for (let seed = 1; seed <= designs; seed++) {
    const spec: Spec = {
      name: "coverage",
      seed: 1000 + seed,
      pools: 2,
      items: 25,
      models: 4,
      framings: 2,
      intercept: -0.3,
      framing: [0, EFFECT],
      sd: { model: 0.4, pool: 0.3, item: 1.0 },
      fixed: ["framing"],
      random: ["model", "pool", "item"],
      ...parts,
    }
    const { estimate, standardError } = fitMixed(problemOf(spec, generate(spec))).fixed[1]!
    if (Math.abs(estimate! - EFFECT) < 1.959963984540054 * standardError!) held += 1
  }
  return held / designs
}

test("intervals of coefficients hold what the data were made with", () => {
  const share = coverage({})
  // Four standard errors of a share of 0.95.
  const slack = designs >= 500 ? 0 : 4 * Math.sqrt((0.95 * 0.05) / designs)
  expect(share).toBeGreaterThan(0.92 - slack)
  expect(share).toBeLessThan(Math.min(1.001, 0.97 + slack))
}, 600_000)

test.runIf(designs >= 500)(
  "with slopes by 12 models they hold it less often, as the caution of a model says",
  () => {
    const share = coverage({
      models: 12,
      sd: { model: 0.4, pool: 0.3, item: 1.0, modelSlope: 0.5 },
      random: ["model", "item"],
      slopes: [{ factor: "framing", by: "model" }],
    })
    expect(share).toBeGreaterThan(0.87)
    expect(share).toBeLessThan(0.92)
  },
  600_000,
)
