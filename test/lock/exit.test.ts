import { expect, test } from "vitest"
import { exit, gravest } from "../../runtime/cli/exit.ts"

test("of several exit codes the environment's counts first, then a drift, then reads, then expectations", () => {
  const all = [exit.expect, exit.reads, exit.drift, exit.environment]
  expect(all).toEqual([100, 4, 5, 3])
  expect(gravest(all)).toBe(3)
  expect(gravest(all.slice(0, 3))).toBe(5)
  expect(gravest(all.slice(0, 2))).toBe(4)
  expect(gravest([])).toBe(0)
})
