/** How far what a run keeps has been gone through, as a person is told of it. */
import { describe, expect, it } from "vitest"
import { watch, watched } from "../../runtime/run/watch.ts"

/** What is written while so many things are gone through, each in so many milliseconds. */
function written(count: number, milliseconds: number, redraw: boolean, of?: number): readonly string[] {
  let time = 0
  const texts: string[] = []
  const told = watch({ write: (text) => texts.push(text), redraw, now: () => time })
  for (const _ of watched(Array.from({ length: count }), "going through trials:", told, of))
    time += milliseconds
  told.end()
  return texts
}

describe("progress through what a run keeps", () => {
  it("says nothing of what takes less than two seconds", () => {
    expect(written(10_000, 0.19, true)).toEqual([])
  })

  it("is a plain line every five seconds, the first after two", () => {
    expect(written(10_000, 1, false, 10_000)).toEqual([
      "going through trials: 2,500 of 10,000\n",
      "going through trials: 7,500 of 10,000\n",
    ])
  })

  it("is a line that is drawn anew on a terminal, and taken away in the end", () => {
    const texts = written(4000, 1, true)
    expect(texts.slice(0, 2)).toEqual([
      "\r\u001b[2Kgoing through trials: 2,500",
      "\r\u001b[2Kgoing through trials: 3,000",
    ])
    expect(texts.at(-1)).toBe("\r\u001b[2K")
  })

  it("hands on all that it goes through, in order", () => {
    const told = watch({ write: () => {}, redraw: false, now: () => 0 })
    expect([...watched([3, 1, 2], "things:", told)]).toEqual([3, 1, 2])
  })
})
