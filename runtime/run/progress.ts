/** How far a run has come, model by model. */
import { type StateLineOptions, stateLine } from "../stateLine.ts"
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

export interface ProgressOptions extends StateLineOptions {
  /** Calls back after so many milliseconds unless it is cancelled by what it returns; by the clock but for tests. */
  readonly later?: (call: () => void, milliseconds: number) => () => void
}

/** Milliseconds after which a person wants to know what takes so long. */
const LONG = 2000

export function progress({ later = clock, ...options }: ProgressOptions): Progress {
  const { redraw, now } = options
  const line = stateLine(options)
  let tally: Tally | undefined
  let isOpen = false
  let cancel = (): void => {}

  const show = (): void => {
    const told = tally
    if (told !== undefined) line.show(() => told.text())
  }
  /** Where that costs no line. */
  const showNow = (): void => {
    if (redraw && tally !== undefined) line.draw(tally.text())
  }
  /** What a pass came to stays where it is. */
  const leave = (): void => {
    cancel()
    if (tally === undefined) return
    tally.isOver = true
    if (redraw ? isOpen : tally.reads > 0) line.leave(tally.text())
    else line.clear()
    line.restart()
    tally = undefined
    isOpen = false
  }
  return {
    opening: (pass) => {
      leave()
      cancel = later(() => line.draw(`${nameOf(pass)}: opening the model`), redraw ? 0 : LONG)
      tally = new Tally(pass, now)
    },
    opened: () => {
      cancel()
      isOpen = true
      showNow()
    },
    asking: (number, of, reads) => {
      tally?.asking({ number, of }, reads)
    },
    answered: (evaluated) => {
      tally?.answered(evaluated)
      show()
    },
    writing: (more) => {
      tally?.writing(more)
      show()
    },
    walked: () => {
      tally?.walkedOne()
      show()
    },
    auditing: (count) => {
      tally?.auditing(count)
      showNow()
    },
    audited: () => {
      tally?.audited()
      show()
    },
    note: line.leave,
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
