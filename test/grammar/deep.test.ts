/** What nests far deeper than anyone means is told quickly: recovery takes no look at all that was read for each bracket of it. Long runs of comments are laid out quickly. */
import { performance } from "node:perf_hooks"
import { expect, it } from "vitest"
import { format } from "../../grammar/format.ts"
import { parse } from "../../grammar/parse.ts"

const TRIES = 3
const LONGEST_MS = 2000

const isQuick = (act: () => void): void => {
  let fastest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && fastest > LONGEST_MS; tries++) {
    const started = performance.now()
    act()
    fastest = Math.min(fastest, performance.now() - started)
  }
  expect(fastest).toBeLessThan(LONGEST_MS)
}

const open = (sign: string, times: number, close = ""): string =>
  `${sign.repeat(times)}x${close.repeat(times)}`

it.each([
  ["lists", `experiment e {\n  contrast c = x - ${open("[", 600, "]")}\n    by pooled\n}`],
  ["lists that stay open", `experiment e {\n  contrast c = x - ${open("[", 600)}\n    by pooled\n}`],
  ["calls that stay open", `experiment e {\n  only when a == ${open("f(", 250)}\n}`],
  ["brackets in calls", `experiment e {\n  only when a == ${"f(".repeat(60)}${open("(", 1500)}\n}`],
])("%s", (_, text) => {
  isQuick(() => expect(parse({ name: "deep", text }).problems).not.toEqual([]))
})

it.each([
  ["before a declaration", 20_000, (run: string) => `${run}block b {\n  text "x"\n}\n`],
  ["in a body", 20_000, (run: string) => `block b {\n${run}  text "x"\n}\n`],
  ["at the end of a body", 20_000, (run: string) => `block b {\n  text "x"\n${run}}\n`],
  ["at the end", 20_000, (run: string) => `block b {\n  text "x"\n}\n${run}`],
])("comments %s, %i in a row", (_, count, within) => {
  const text = within("// a note\n".repeat(count))
  isQuick(() => {
    const laidOut = format({ name: "deep", text })
    expect("text" in laidOut && laidOut.text.split("// a note\n").length).toBe(count + 1)
  })
})
