/**
 * How often Wald's intervals at 95 % hold the coefficient that small designs were made with, seeded: 92 to 97 % where CFX_COVERAGE asks for 500 designs or
 * more, and in the usual run no further off than so few designs can be by chance.
 */
import { expect, test } from "vitest"
import { fitMixed } from "../../runtime/mixed/fit.ts"
import { generate, problemOf, type Spec } from "./generate.ts"

const designs = Number(process.env.CFX_COVERAGE ?? 60)

test("intervals of coefficients hold what the data were made with", () => {
  const effect = 0.8
  let [held, made] = [0, 0]
  for (let seed = 1; seed <= designs; seed++) {
    const spec: Spec = {
      name: "coverage",
      seed: 1000 + seed,
      pools: 2,
      items: 25,
      models: 4,
      framings: 2,
      intercept: -0.3,
      framing: [0, effect],
      sd: { model: 0.4, pool: 0.3, item: 1.0 },
      fixed: ["framing"],
      random: ["model", "pool", "item"],
    }
    const { estimate, standardError } = fitMixed(problemOf(spec, generate(spec))).fixed[1]!
    made += 1
    if (Math.abs(estimate! - effect) < 1.959963984540054 * standardError!) held += 1
  }
  // Four standard errors of a share of 0.95.
  const slack = designs >= 500 ? 0 : 4 * Math.sqrt((0.95 * 0.05) / designs)
  expect(held / made).toBeGreaterThan(0.92 - slack)
  expect(held / made).toBeLessThan(Math.min(1.001, 0.97 + slack))
}, 600_000)
