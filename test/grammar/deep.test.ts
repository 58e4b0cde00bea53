/** What nests far deeper than anyone means is told quickly: recovery takes no look at all that was read for each bracket of it. */
import { performance } from "node:perf_hooks"
import { expect, it } from "vitest"
import { parse } from "../../grammar/parse.ts"

const TRIES = 3
const LONGEST_MS = 2000

const open = (sign: string, times: number, close = ""): string =>
  `${sign.repeat(times)}x${close.repeat(times)}`

it.each([
  ["lists", `experiment e {\n  contrast c = x - ${open("[", 600, "]")}\n    by pooled\n}`],
  ["lists that stay open", `experiment e {\n  contrast c = x - ${open("[", 600)}\n    by pooled\n}`],
  ["calls that stay open", `experiment e {\n  only when a == ${open("f(", 250)}\n}`],
  ["brackets in calls", `experiment e {\n  only when a == ${"f(".repeat(60)}${open("(", 1500)}\n}`],
])("%s", (_, text) => {
  let fastest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && fastest > LONGEST_MS; tries++) {
    const started = performance.now()
    expect(parse({ name: "deep", text }).problems).not.toEqual([])
    fastest = Math.min(fastest, performance.now() - started)
  }
  expect(fastest).toBeLessThan(LONGEST_MS)
})
