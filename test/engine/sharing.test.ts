/** What sharing prefixes comes to on the floor's main grid; `npm run bench:sharing` prints it for the tokens of real models. */
import { expect, test } from "vitest"
import { sharingOnTheFloor } from "./floorGrid.ts"

test("on the floor's main grid fast mode evaluates at most 1 % more tokens than the trie of all reads has, exact mode 5 %", async () => {
  const fast = await sharingOnTheFloor("fast")
  expect(fast.reads).toBeGreaterThan(200)
  expect(fast.evaluated / fast.ideal).toBeLessThanOrEqual(1.01)
  expect(fast.naive / fast.ideal).toBeGreaterThan(1.5)
  const exact = await sharingOnTheFloor("exact")
  expect(exact.evaluated / exact.ideal).toBeLessThanOrEqual(1.05)
}, 300_000)
