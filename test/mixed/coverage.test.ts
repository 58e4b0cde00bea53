/**
 * How often Wald's intervals at 95 % hold the coefficient that small designs were made with, seeded: 92 to 97 % where CFX_COVERAGE asks for 500 designs or
 * more, and in the usual run no further off than so few designs can be by chance. Standard errors half as large again, or two thirds as large, fail either.
 */
import { expect, test } from "vitest"
import { fitMixed } from "../../runtime/mixed/fit.ts"
import { generate, problemOf, type Spec } from "./generate.ts"

const designs = Number(process.env.CFX_COVERAGE ?? 60)

const EFFECT = 0.8

interface Coverage {
  /** The share of designs whose interval holds the effect that they were made with. */
  readonly share: number
  /** The mean of squared z: how far the estimate is off, in standard errors. */
  readonly square: number
}

/** `longer`: what standard errors are multiplied by. */
function coverage(parts: Partial<Spec>): (longer?: number) => Coverage {
  const off: number[] = []
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
    off.push((estimate! - EFFECT) / standardError!)
  }
  return (longer = 1) => ({
    share: off.filter((z) => Math.abs(z / longer) < 1.959963984540054).length / designs,
    square: off.reduce((sum, z) => sum + (z / longer) ** 2, 0) / designs,
  })
}

/** Within chance: of a share of 0.95 four standard errors, of the mean of squared normal numbers two and a half. */
function isRight({ share, square }: Coverage): boolean {
  const slack = designs >= 500 ? 0 : 4 * Math.sqrt((0.95 * 0.05) / designs)
  const apart = designs >= 500 ? 0.2 : 2.5 * Math.sqrt(2 / designs)
  return share > 0.92 - slack && share < Math.min(1, 0.97 + slack) && Math.abs(square - 1) < apart
}

test("intervals of coefficients hold what the data were made with", () => {
  const found = coverage({})
  expect([found(), isRight(found())]).toEqual([found(), true])
  // So many designs tell wrong standard errors, on either side.
  for (const longer of [2 / 3, 3 / 2]) expect([longer, isRight(found(longer))]).toEqual([longer, false])
}, 600_000)

test.runIf(designs >= 500)(
  "with slopes by 12 models they hold it less often, as the caution of a model says",
  () => {
    const { share } = coverage({
      models: 12,
      sd: { model: 0.4, pool: 0.3, item: 1.0, modelSlope: 0.5 },
      random: ["model", "item"],
      slopes: [{ factor: "framing", by: "model" }],
    })()
    expect(share).toBeGreaterThan(0.87)
    expect(share).toBeLessThan(0.92)
  },
  600_000,
)
