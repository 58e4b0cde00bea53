import { describe, expect, it } from "vitest"
import { duration } from "../../runtime/run/duration.ts"
import { progress } from "../../runtime/run/progress.ts"

/** By default four items of one model. Two reads of 50 tokens an item, half a second a read and a fifth to write them down. */
const watch = (redraw: boolean, first = { model: "respondent", number: 1, of: 1, items: 4 }) => {
  const written: string[] = []
  let now = 0
  const shown = progress({
    write: (text) => written.push(text),
    redraw,
    now: () => now,
    later: (call, milliseconds) => {
      if (milliseconds === 0) call()
      return () => {}
    },
  })
  const open = (pass: typeof first): void => {
    shown.opening(pass)
    shown.opened()
  }
  open(first)
  const work = (items: number): void => {
    for (let item = 0; item < items; item++) {
      shown.asking(1, 1, 2)
      for (let read = 0; read < 2; read++) {
        now += 500
        shown.answered(50)
      }
      now += 200
      shown.walked()
    }
  }
  return { written, shown, open, work, pass: (milliseconds: number) => (now += milliseconds) }
}

describe("progress", () => {
  it("redraws one line on a terminal, with rate and time left", () => {
    const { written, work } = watch(true)
    work(2)
    expect(written.every((text) => text.startsWith("\r\u001b[2K") && !text.includes("\n"))).toBe(true)
    expect(written.at(-1)).toBe(
      "\r\u001b[2Krespondent: 2 of 4 items, 3 s left, 4 of about 8 reads, 100 tokens/s",
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
    expect(written).toEqual(["respondent: 2 of 4 items, 6 s left, 5 of about 8 reads, 100 tokens/s\n"])
    work(1)
    shown.end()
    expect(written.at(-1)).toBe("respondent: 4 of 4 items, 8 reads, 100 tokens/s\n")
  })

  it("tells no rate and no time left before the engine has worked for a second", () => {
    const { written, shown, pass } = watch(true)
    pass(2000)
    shown.asking(1, 1, 1)
    pass(1)
    shown.answered(700)
    pass(500)
    shown.walked()
    expect(written.at(-1)).toBe("\r\u001b[2Krespondent: 1 of 4 items, 1 of about 4 reads")
    shown.asking(1, 1, 2)
    pass(998)
    shown.answered(300)
    expect(written.at(-1)).not.toContain("tokens/s")
    pass(1)
    shown.answered(0)
    pass(100)
    shown.walked()
    expect(written.at(-1)).toContain("2 of 4 items, 2 s left, 3 of about 6 reads, 1000 tokens/s")
  })

  it("counts one as one", () => {
    const { written, shown } = watch(true, { model: "respondent", number: 1, of: 1, items: 1 })
    shown.asking(1, 1, 1)
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
    shown.walked()
    shown.walked()
    work(1)
    expect(written.at(-1)).toContain("3 of 4 items, 2 s left, 2 of about 4 reads, 100 tokens/s")
  })

  it("says which wave of an item is asked, where there are several", () => {
    const { written, shown, pass } = watch(true)
    shown.asking(2, 3, 1)
    pass(500)
    shown.answered(50)
    expect(written.at(-1)).toBe("\r\u001b[2Krespondent: 0 of 4 items, wave 2 of 3, 1 read")
  })

  it("shows that a long text is being written", () => {
    const { written, shown, pass } = watch(true)
    shown.asking(1, 1, 1)
    for (let token = 0; token < 120; token++) {
      pass(100)
      shown.writing(1)
    }
    expect(written.length).toBeGreaterThan(100)
    expect(written.at(-1)).toContain("120 tokens of texts under way")
    shown.answered(120)
    pass(100)
    shown.walked()
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
      const of = { number: 1, of: 1, items: 4 }
      shown.opening({ model: "respondent", ...of })
      expect(waiting.map(({ milliseconds }) => milliseconds)).toEqual([wait])
      waiting[0]?.call()
      expect(written.at(-1)).toContain("respondent: opening the model")
      shown.opened()
      shown.opening({ model: "grader", ...of })
      shown.opened()
      expect(waiting).toEqual([])
    }
  })

  it("clears the line of a model that could not be opened", () => {
    const { written, shown } = watch(true)
    shown.opening({ model: "grader", number: 2, of: 2, items: 4 })
    shown.end()
    expect(written.at(-1)).toBe("\r\u001b[2K")
  })

  it("puts a remark on a line of its own", () => {
    const { written, shown } = watch(true)
    shown.note("item x: too long")
    expect(written.at(-1)).toBe("\r\u001b[2Kitem x: too long\n")
  })

  it("takes no time for an item that is known from before, wherever it stands", () => {
    const { written, shown, work } = watch(true, { model: "respondent", number: 1, of: 1, items: 8 })
    for (let half = 0; half < 2; half++) {
      work(1)
      shown.walked()
    }
    shown.end()
    // 2.4 s for four items, of which two took none.
    expect(written.at(-2)).toContain("3 of 8 items, 4 s left, 4 of about 11 reads, 100 tokens/s")
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

describe("progress through several models", () => {
  const first = { model: "ada", number: 1, of: 3, items: 4 }

  it("counts the items of the model that is open, and says which pass of how many it is", () => {
    const { written, work } = watch(true, first)
    work(2)
    expect(written.at(-1)).toBe(
      "\r\u001b[2Kada (pass 1 of 3): 2 of 4 items, 3 s left, 4 of about 8 reads, 100 tokens/s",
    )
  })

  it("leaves what a pass came to, and begins the next from nothing", () => {
    const { written, shown, open, work } = watch(false, first)
    work(4)
    open({ model: "bea", number: 2, of: 3, items: 10 })
    expect(written.at(-1)).toBe("ada (pass 1 of 3): 4 of 4 items, 8 reads, 100 tokens/s\n")
    work(5)
    expect(written.at(-1)).toBe(
      "bea (pass 2 of 3): 4 of 10 items, 8 s left, 9 of about 20 reads, 100 tokens/s\n",
    )
    open({ model: "ada", number: 3, of: 3, items: 4 })
    work(2)
    shown.end()
    expect(written.at(-1)).toBe("ada (pass 3 of 3): 2 of 4 items, 4 reads, 100 tokens/s\n")
  })

  it("has nothing to tell of a model whose file answered before under another name, but on a terminal", () => {
    for (const redraw of [false, true]) {
      const { written, shown, open, work } = watch(redraw, first)
      work(4)
      open({ model: "twin", number: 2, of: 3, items: 4 })
      for (let item = 0; item < 4; item++) shown.walked()
      open({ model: "bea", number: 3, of: 3, items: 4 })
      const last = written.filter((text) => text.includes("twin") && text.endsWith("\n"))
      expect(last).toEqual(redraw ? ["\r\u001b[2Ktwin (pass 2 of 3): 4 of 4 items, 0 reads\n"] : [])
    }
  })

  it("counts time in which several lanes are at work once", () => {
    const { written, shown, pass } = watch(true)
    for (let item = 0; item < 2; item++) {
      shown.asking(1, 1, 1)
      shown.asking(1, 1, 1)
      pass(1000)
      shown.answered(50)
      pass(1000)
      shown.answered(50)
      shown.walked()
      shown.walked()
    }
    // 200 tokens in four seconds.
    shown.end()
    expect(written.at(-1)).toContain("50 tokens/s")
  })
})
