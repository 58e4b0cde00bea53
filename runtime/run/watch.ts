/** How far what a run keeps has been gone through: nothing for two seconds, then a line that redraws on a terminal and a plain one every few seconds elsewhere. */
import { grouped } from "../report/format.ts"

export interface Watch {
  /** So many were gone through now, of so many where that is known. `what`: "reading the ledger: lines". */
  readonly at: (what: string, count: number, of?: number) => void
  /** Takes a line that redraws away. */
  readonly end: () => void
}

export interface WatchOptions {
  readonly write: (text: string) => void
  readonly redraw: boolean
  /** Milliseconds, from any zero. */
  readonly now: () => number
}

/** Milliseconds before a person wants to know, and between two states. */
const LONG = 2000
const REDRAW = 200
const LINE = 5000

/** Things between two looks at the clock: a trial of a big design takes a tenth of a millisecond. */
const STRIDE = 500

const CLEAR = "\r\u001b[2K"

export function watch({ write, redraw, now }: WatchOptions): Watch {
  const started = now()
  let shown = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    at: (what, count, of) => {
      if (count % STRIDE !== 0) return
      const time = now()
      if (time - started < LONG || time - shown < (redraw ? REDRAW : LINE)) return
      shown = time
      const text = `${what} ${grouped(count)}${of === undefined ? "" : ` of ${grouped(of)}`}`
      write(redraw ? `${CLEAR}${text}` : `${text}\n`)
      isDrawn = redraw
    },
    end: () => {
      if (isDrawn) write(CLEAR)
      isDrawn = false
    },
  }
}

export const unwatched: Watch = { at: () => {}, end: () => {} }

/** The same things, while how far they have been gone through is told. */
export function* watched<T>(all: Iterable<T>, what: string, { at }: Watch, of?: number): Generator<T> {
  let count = 0
  for (const one of all) {
    count += 1
    at(what, count, of)
    yield one
  }
}
