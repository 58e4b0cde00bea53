/**
 * A line that says how far work has come: drawn anew on a terminal, a plain one every few seconds elsewhere. Names of models and files
 * stand in it: what a terminal would act on is made visible.
 */
import { visible } from "../compiler/diagnostics/visible.ts"

export interface StateLineOptions {
  readonly write: (text: string) => void
  /** Whether the line can be drawn anew. */
  readonly redraw: boolean
  /** Columns of the terminal: a line that is drawn anew must not take two rows. */
  readonly width?: number
  /** Milliseconds, from any zero. */
  readonly now: () => number
}

export interface StateLine {
  /** Where the last state is long enough ago. */
  readonly show: (text: () => string) => void
  /** At once. */
  readonly draw: (text: string) => void
  /** The next state is due as if one had been shown now. */
  readonly restart: () => void
  /** Puts a line that stays in the place of the one that is drawn anew. */
  readonly leave: (text: string) => void
  /** Takes the line that is drawn anew away. */
  readonly clear: () => void
}

/** Milliseconds between two states. */
const REDRAW = 100
const LINE = 5000

const CLEAR = "\r\u001b[2K"

/** Of work that begins now. */
export function stateLine({ write, redraw, width = 80, now }: StateLineOptions): StateLine {
  let shown = now()
  let isDrawn = false
  const clear = (): void => {
    if (isDrawn) write(CLEAR)
    isDrawn = false
  }
  const draw = (text: string): void => {
    shown = now()
    write(redraw ? `${CLEAR}${visible(text).slice(0, width - 1)}` : `${visible(text)}\n`)
    isDrawn = redraw
  }
  return {
    show: (text) => {
      if (now() - shown >= (redraw ? REDRAW : LINE)) draw(text())
    },
    draw,
    restart: () => {
      shown = now()
    },
    leave: (text) => {
      write(`${isDrawn ? CLEAR : ""}${visible(text)}\n`)
      isDrawn = false
    },
    clear,
  }
}

export interface PatientLine {
  /** `isNew`: of other work than the state before, which is shown however short a time ago that was. */
  readonly show: (text: string, isNew?: boolean) => void
  readonly clear: () => void
}

/** Milliseconds before a person wants to know. */
const LONG = 2000

/** Of work that mostly takes no time: nothing is said in the first two seconds. */
export function patientLine(options: StateLineOptions): PatientLine {
  const line = stateLine(options)
  const started = options.now()
  let isFirst = true
  return {
    show: (text, isNew = false) => {
      if (options.now() - started < LONG) return
      if (isNew || isFirst) line.draw(text)
      else line.show(() => text)
      isFirst = false
    },
    clear: line.clear,
  }
}
