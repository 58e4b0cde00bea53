import { expect, test } from "vitest"
import { sized, watch } from "../../runtime/hub/watch.ts"

/** A watch on a terminal or a plain stream, at a clock that is set by hand. */
const at = (redraw: boolean) => {
  const clock = { now: 0 }
  const written: string[] = []
  const write = (text: string): void => void written.push(text)
  return { clock, written, watch: watch({ write, redraw, now: () => clock.now }) }
}

const work = { doing: "fetching", name: "c.gguf", done: 1e9, total: 4e9 } as const

test("a line every few seconds says how much came, how fast, and how long it takes still", () => {
  const { clock, written, watch } = at(false)
  watch.begin(work)
  clock.now = 4000
  watch.passed(1e8)
  expect(written).toEqual([])
  clock.now = 10_000
  watch.passed(9e8)
  expect(written).toEqual(["fetching c.gguf: 2.00 GB of 4.00 GB, 100 MB/s, 20 s left\n"])
})

test("a terminal's line is drawn again, and gone in the end", () => {
  const { clock, written, watch } = at(true)
  watch.begin({ doing: "checking the sum of", name: "c.gguf", done: 0 })
  for (clock.now = 200; clock.now <= 600; clock.now += 200) watch.passed(1e6)
  watch.end()
  expect(written).toEqual([
    "\r\u001b[2Kchecking the sum of c.gguf: 1.00 MB",
    "\r\u001b[2Kchecking the sum of c.gguf: 2.00 MB",
    "\r\u001b[2Kchecking the sum of c.gguf: 3.00 MB",
    "\r\u001b[2K",
  ])
})

test("reads are counted, not measured", () => {
  const { clock, written, watch } = at(false)
  watch.begin({ doing: "asking", name: "m", unit: "reads", done: 0, total: 24 })
  clock.now = 6000
  watch.passed(1)
  expect(written).toEqual(["asking m: 1 of 24 reads, 2 min 18 s left\n"])
})

test("what a terminal would act on is made visible", () => {
  const written: string[] = []
  const write = (text: string): void => void written.push(text)
  watch({ write, redraw: false, now: () => 0 }).note("\u001b[31mred")
  expect(written).toEqual(["\u241b[31mred\n"])
})

test.each([
  [812, "812 bytes"],
  [999_600, "1.00 MB"],
  [23_400_000, "23.4 MB"],
  [4_370_000_000, "4.37 GB"],
])("%d bytes are %s", (bytes, text) => expect(sized(bytes)).toBe(text))
