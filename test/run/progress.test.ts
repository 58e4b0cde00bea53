import { describe, expect, it } from "vitest"
import { duration, progress } from "../../runtime/run/progress.ts"

/** Four items, two reads of 50 tokens each, half a second a read and a fifth to write them down. */
const watch = (redraw: boolean) => {
  const written: string[] = []
  let now = 0
  const shown = progress({ write: (text) => written.push(text), redraw, now: () => now })
  shown.planned(4)
  shown.opened("respondent")
  const work = (items: number): void => {
    for (let item = 0; item < items; item++) {
      shown.asking(1, 1)
      for (let read = 0; read < 2; read++) {
        now += 500
        shown.answered(50)
      }
      now += 200
      shown.walked(true)
    }
  }
  return { written, shown, work, pass: (milliseconds: number) => (now += milliseconds) }
}

describe("progress", () => {
  it("redraws one line on a terminal, with rate and time left", () => {
    const { written, work } = watch(true)
    work(2)
    expect(written.every((text) => text.startsWith("\r\u001b[2K") && !text.includes("\n"))).toBe(true)
    expect(written.at(-1)).toBe(
      "\r\u001b[2Krespondent: 2 of 4 items, 4 of about 8 reads, 100 tokens/s, 3 s left",
    )
  })

  it("redraws no more than ten times a second", () => {
    const { written, shown, pass } = watch(true)
    const before = written.length
    for (let read = 0; read < 100; read++) {
      shown.answered(1)
      pass(10)
    }
    expect(written.length - before).toBeLessThanOrEqual(10)
  })

  it("writes a plain line every five seconds elsewhere, and a last one", () => {
    const { written, shown, work, pass } = watch(false)
    work(2)
    expect(written).toEqual([])
    pass(3000)
    work(1)
    expect(written).toEqual(["respondent: 2 of 4 items, 5 of about 8 reads, 100 tokens/s, 6 s left\n"])
    work(1)
    shown.end()
    expect(written.at(-1)).toBe("respondent: 4 of 4 items, 8 reads, 100 tokens/s\n")
  })

  it("tells no rate and no time left before the engine has worked for a second", () => {
    const { written, shown, pass } = watch(true)
    pass(2000)
    shown.asking(1, 1)
    pass(1)
    shown.answered(700)
    pass(500)
    shown.walked(true)
    expect(written.at(-1)).toBe("\r\u001b[2Krespondent: 1 of 4 items, 1 of about 4 reads")
    shown.asking(1, 1)
    pass(998)
    shown.answered(300)
    expect(written.at(-1)).not.toContain("tokens/s")
    pass(1)
    shown.answered(0)
    pass(100)
    shown.walked(true)
    expect(written.at(-1)).toContain("1000 tokens/s, 2 s left")
  })

  it("counts one as one", () => {
    const { written, shown } = watch(true)
    shown.planned(1)
    shown.asking(1, 1)
    shown.answered(10)
    shown.end()
    expect(written.at(-1)).toBe("\r\u001b[2Krespondent: 0 of 1 item, 1 read\n")
  })

  it("counts the engine's own time in the rate, and no other", () => {
    const { written, shown, work, pass } = watch(true)
    work(1)
    pass(60_000)
    work(1)
    expect(written.at(-1)).toContain("100 tokens/s")
    shown.end()
  })

  it("does not count what was known from before in the time left", () => {
    const { written, shown, work } = watch(true)
    shown.walked(false)
    shown.walked(false)
    work(1)
    expect(written.at(-1)).toContain("3 of 4 items, 2 of about 4 reads, 100 tokens/s, 2 s left")
  })

  it("says which wave of an item is asked, where there are several", () => {
    const { written, shown, pass } = watch(true)
    shown.asking(2, 3)
    pass(500)
    shown.answered(50)
    expect(written.at(-1)).toBe("\r\u001b[2Krespondent: 0 of 4 items, wave 2 of 3, 1 read")
  })

  it("shows that a long text is being written", () => {
    const { written, shown, pass } = watch(true)
    shown.asking(1, 1)
    for (let token = 0; token < 120; token++) {
      pass(100)
      shown.writing(1)
    }
    expect(written.length).toBeGreaterThan(100)
    expect(written.at(-1)).toContain("120 tokens of texts under way")
    shown.answered(120)
    pass(100)
    shown.walked(true)
    expect(written.at(-1)).not.toContain("under way")
  })

  it("counts reads that are taken again apart from the others", () => {
    const { written, shown, pass } = watch(true)
    shown.auditing(48)
    pass(200)
    shown.audited()
    expect(written.at(-1)).toBe("\r\u001b[2Krespondent: 0 of 4 items, 0 reads, 1 of 48 reads taken again")
    shown.end()
    expect(written.at(-1)).not.toContain("taken again")
  })

  it("says that a model is being opened once that takes longer than two seconds, at once on a terminal", () => {
    for (const [redraw, wait] of [
      [true, 0],
      [false, 2000],
    ] as const) {
      const written: string[] = []
      const waiting: { readonly call: () => void; readonly milliseconds: number }[] = []
      const shown = progress({
        write: (text) => written.push(text),
        redraw,
        now: () => 0,
        later: (call, milliseconds) => {
          const timer = { call, milliseconds }
          waiting.push(timer)
          return () => void waiting.splice(waiting.indexOf(timer), 1)
        },
      })
      shown.opening("respondent")
      expect(waiting.map(({ milliseconds }) => milliseconds)).toEqual([wait])
      waiting[0]?.call()
      expect(written.at(-1)).toContain("respondent: opening the model")
      shown.opened("respondent")
      shown.opening("grader")
      shown.opened("grader")
      expect(waiting).toEqual([])
    }
  })

  it("puts a remark on a line of its own", () => {
    const { written, shown } = watch(true)
    shown.note("item x: too long")
    expect(written.at(-1)).toBe("\r\u001b[2Kitem x: too long\n")
  })

  it("writes time as a person says it", () => {
    expect([0.2, 59, 60, 200, 7500].map(duration)).toEqual([
      "1 s",
      "59 s",
      "1 min 0 s",
      "3 min 20 s",
      "2 h 5 min",
    ])
  })
})
