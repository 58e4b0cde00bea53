/** What a person sees while records are scored. */
import { expect, test } from "vitest"
import { readingProgress } from "../../runtime/records/progress.ts"

function watched(redraw: boolean) {
  const written: string[] = []
  let time = 0
  const reading = readingProgress({ write: (text) => written.push(text), redraw, now: () => time })
  return {
    ...{ written, reading },
    after: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

test("nothing is said of what is over within two seconds", () => {
  const { written, reading, after } = watched(false)
  reading.doing("reading answers.csv")
  reading.rows(2000)
  after(1900)
  reading.rows(4000)
  reading.doing("measuring")
  reading.end()
  expect(written).toEqual([])
})

test("what is done next is said at once, and what of it every few seconds", () => {
  const { written, reading, after } = watched(false)
  reading.doing("reading answers.csv")
  after(3000)
  reading.rows(2000)
  after(1000)
  reading.rows(4000)
  reading.doing("measuring")
  reading.step("measuring HRR")
  after(5000)
  reading.step("measuring contrasts")
  reading.doing("writing runs/answers-scored")
  reading.end()
  expect(written).toEqual([
    "reading answers.csv: 2000 rows\n",
    "measuring\n",
    "measuring contrasts\n",
    "writing runs/answers-scored\n",
  ])
})

test("on a terminal one line is drawn anew, and taken away once", () => {
  const { written, reading, after } = watched(true)
  reading.doing("reading answers.csv")
  after(3000)
  reading.rows(2000)
  reading.doing("measuring")
  reading.end()
  reading.end()
  const clear = "\r\u001b[2K"
  expect(written).toEqual([`${clear}reading answers.csv: 2000 rows`, `${clear}measuring`, clear])
})
