/** The designs of the two seed papers as their specs have them: what a plan must count. */
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { countsOf } from "../../compiler/counts/counts.ts"
import { countPools } from "../../compiler/items/count.ts"
import { diskFiles } from "../../runtime/disk/files.ts"

const root = resolve(import.meta.dirname, "../..")

const experimentsOf = (spec: string) => {
  const files = diskFiles({ here: root, stdlib: `${root}/stdlib` })
  const { program, items, diagnostics } = compile(`${root}/specs/${spec}`, files)
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([])
  if (program === undefined) throw new Error(`${spec} does not compile`)
  return countsOf(program, countPools(program.pools, items), { items }).experiments
}

describe("Who Flips?", () => {
  it("is expected to take 1,731,149 calls with everything crossed", () => {
    const [everything] = experimentsOf("who-flips/exhaustive.cfx")
    expect(everything?.items).toEqual({ mmlu: 2_052 })
    expect(Math.round(everything?.expected ?? 0)).toBe(1_731_149)
  })
  it("is expected to take 572,836 in the design that was run", () => {
    const [challenge] = experimentsOf("who-flips/stability.cfx")
    expect(challenge?.turns.map(({ turn, calls }) => [turn, calls])).toEqual([
      ["argue", 2_052 * 84],
      ["baseline", 2_052 * 7],
      ["challenge", 2_052 * (168 + 126)],
    ])
    expect(Math.round(challenge?.expected ?? 0)).toBe(572_836)
  })
})

describe("The Speaker-Free Floor", () => {
  it("has 14 conditions for 2,500 items and 6 models: 210,000 revisions, and 15,000 first reads", () => {
    const [main] = experimentsOf("floor/main.cfx")
    expect(main).toMatchObject({ cells: 14, trials: 210_000, collapsed: 0 })
    expect(Object.values(main?.items ?? {}).reduce((sum, count) => sum + count, 0)).toBe(2_500)
    expect(main?.turns.map(({ turn, calls, expected }) => [turn, calls, expected])).toEqual([
      ["first", 15_000, 15_000],
      ["second", 210_000, 210_000],
    ])
  })
})
