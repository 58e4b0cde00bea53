/** A line that says how far work has come: nothing for two seconds, then one that redraws on a terminal, and plain ones every few seconds elsewhere. */

export interface StateLineOptions {
  readonly write: (text: string) => void
  readonly redraw: boolean
  /** Milliseconds, from any zero. */
  readonly now: () => number
}

export interface StateLine {
  /** `isNew`: of other work than the state before, which is shown however short a time ago that was. */
  readonly show: (text: string, isNew?: boolean) => void
  /** Takes a line that redraws away. */
  readonly clear: () => void
}

/** Milliseconds before a person wants to know, and between two states. */
const LONG = 2000
const REDRAW = 200
const LINE = 5000

const CLEAR = "\r\u001b[2K"

/** Of work that begins now. */
export function stateLine({ write, redraw, now }: StateLineOptions): StateLine {
  const started = now()
  let shown = Number.NEGATIVE_INFINITY
  let isDrawn = false
  return {
    show: (text, isNew = false) => {
      const time = now()
      if (time - started < LONG || (!isNew && time - shown < (redraw ? REDRAW : LINE))) return
      shown = time
      write(redraw ? `${CLEAR}${text}` : `${text}\n`)
      isDrawn = redraw
    },
    clear: () => {
      if (isDrawn) write(CLEAR)
      isDrawn = false
    },
  }
}
