/** How far scoring has come, on standard error: nothing for two seconds, then a line that redraws on a terminal and a plain one every few seconds elsewhere. */
export interface Reading {
  /** So many rows were gone through. */
  readonly rows: (count: number) => void
  /** What is done from now on. */
  readonly doing: (what: string) => void
  /** What of it is done now. */
  readonly step: (what: string) => void
  /** Takes a line that redraws away. */
  readonly end: () => void
}

export interface ReadingOptions {
  readonly write: (text: string) => void
  readonly redraw: boolean
  /** Milliseconds, from any zero. */
  readonly now: () => number
}

/** Milliseconds before a person wants to know, and between two states. */
const LONG = 2000
const REDRAW = 200
const LINE = 5000

/** Rows between two looks at the clock. */
const STRIDE = 2000

const CLEAR = "\r\u001b[2K"

export function readingProgress({ write, redraw, now }: ReadingOptions): Reading {
  const started = now()
  let shown = started + LONG - (redraw ? REDRAW : LINE)
  let what = "reading"
  let isDrawn = false
  const show = (text: string, isNew = false): void => {
    const time = now()
    if (time - started < LONG || (!isNew && time - shown < (redraw ? REDRAW : LINE))) return
    shown = time
    write(redraw ? `${CLEAR}${text}` : `${text}\n`)
    isDrawn = redraw
  }
  return {
    rows: (count) => {
      if (count % STRIDE === 0) show(`${what}: ${count} rows`)
    },
    doing: (next) => {
      what = next
      show(what, true)
    },
    step: (text) => show(text),
    end: () => {
      if (isDrawn) write(CLEAR)
      isDrawn = false
    },
  }
}

export const unwatchedReading: Reading = { rows: () => {}, doing: () => {}, step: () => {}, end: () => {} }
