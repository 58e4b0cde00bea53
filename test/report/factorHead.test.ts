/** What heads the column of a factor. */
import { expect, test } from "vitest"
import { factorHead } from "../../runtime/report/factorHead.ts"

test("is its name, unless tables head another column so", () => {
  expect(["framing", "k", "n", "estimate", "roles"].map(factorHead)).toEqual([
    ...["framing", "k", "level:n", "level:estimate", "roles"],
  ])
})
