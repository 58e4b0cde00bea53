/** How far a run has come: a line that redraws on a terminal, a plain line every few seconds elsewhere. */
import { nameOf, type Pass, Tally } from "./tally.ts"

export interface Progress {
  /** A model is about to be opened, which may take a while. */
  readonly opening: (pass: Pass) => void
  /** It is open. */
  readonly opened: () => void
  /** So many reads of an item are put to the engine, those of this wave of so many: until they are answered, time is the engine's. */
  readonly asking: (wave: number, of: number, reads: number) => void
  /** A read was answered, for which the engine evaluated so many tokens. */
  readonly answered: (tokens: number) => void
  /** Of a text that is being written, so many more tokens are there. */
  readonly writing: (tokens: number) => void
  /** All reads of an item are settled. */
  readonly walked: () => void
  /** So many reads are about to be taken again. */
  readonly auditing: (reads: number) => void
  /** One was. */
  readonly audited: () => void
  /** Something that a person should know, on a line of its own. */
  readonly note: (text: string) => void
  /** The last state, and an end to redrawing. */
  readonly end: () => void
}

export interface ProgressOptions {
  readonly write: (text: string) => void
  /** Whether the line can be redrawn. */
  readonly redraw: boolean
  /** Columns of the terminal. */
  readonly width?: number
  /** Milliseconds, from any zero. */
  readonly now: () => number
  /** Calls back after so many milliseconds unless it is cancelled by what it returns; by the clock but for tests. */
  readonly later?: (call: () => void, milliseconds: number) => () => void
}

/** Milliseconds between two states. */
const REDRAW = 100
const LINE = 5000

/** Milliseconds after which a person wants to know what takes so long. */
const LONG = 2000

const CLEAR = "\r\u001b[2K"

export function progress({ write, redraw, width = 80, now, later = clock }: ProgressOptions): Progress {
  let tally: Tally | undefined
  let isOpen = false
  let shown = now()
  let cancel = (): void => {}

  const line = (text: string): void => {
    shown = now()
    write(redraw ? `${CLEAR}${text.slice(0, width - 1)}` : `${text}\n`)
  }
  const show = (force: boolean): void => {
    if (tally !== undefined && (force || now() - shown >= (redraw ? REDRAW : LINE))) line(tally.text())
  }
  /** What a pass came to stays where it is. */
  const leave = (): void => {
    cancel()
    if (tally === undefined) return
    tally.isOver = true
    if (redraw) write(isOpen ? `${CLEAR}${tally.text().slice(0, width - 1)}\n` : CLEAR)
    else if (tally.reads > 0) line(tally.text())
    tally = undefined
    isOpen = false
  }
  return {
    opening: (pass) => {
      leave()
      cancel = later(() => line(`${nameOf(pass)}: opening the model`), redraw ? 0 : LONG)
      tally = new Tally(pass, now)
    },
    opened: () => {
      cancel()
      isOpen = true
      if (redraw) show(true)
    },
    asking: (number, of, reads) => {
      tally?.asking({ number, of }, reads)
    },
    answered: (evaluated) => {
      tally?.answered(evaluated)
      show(false)
    },
    writing: (more) => {
      tally?.writing(more)
      show(false)
    },
    walked: () => {
      tally?.walkedOne()
      show(false)
    },
    auditing: (count) => {
      tally?.auditing(count)
      if (redraw) show(true)
    },
    audited: () => {
      tally?.audited()
      show(false)
    },
    note: (text) => {
      write(redraw ? `${CLEAR}${text}\n` : `${text}\n`)
    },
    end: leave,
  }
}

export const silent: Progress = {
  opening: () => {},
  opened: () => {},
  asking: () => {},
  answered: () => {},
  writing: () => {},
  walked: () => {},
  auditing: () => {},
  audited: () => {},
  note: () => {},
  end: () => {},
}

function clock(call: () => void, milliseconds: number): () => void {
  const timer = setTimeout(call, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}
