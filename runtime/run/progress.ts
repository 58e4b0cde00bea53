/** How far a run has come: a line that redraws on a terminal, a plain line every few seconds elsewhere. */

export interface Progress {
  /** Items to walk, over all models. */
  readonly planned: (cohorts: number) => void
  /** A model is open. */
  readonly opened: (model: string) => void
  /** Reads are put to the engine: from now on, time is the engine's. */
  readonly asking: () => void
  /** A read was answered, for which the engine evaluated so many tokens. */
  readonly answered: (tokens: number) => void
  /** All reads of an item are settled; `asked` where some were put to the engine, and not all known from before. */
  readonly walked: (asked: boolean) => void
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
}

/** Milliseconds between two states. */
const REDRAW = 100
const LINE = 5000

/** Milliseconds of the engine's work, and items, before which a rate or the time left would be a guess. */
const TELLING = 1000

const CLEAR = "\r\u001b[2K"

export function progress({ write, redraw, width = 80, now }: ProgressOptions): Progress {
  const started = now()
  let model = ""
  let cohorts = 0
  let walked = 0
  let worked = 0
  let reads = 0
  let settled = 0
  let tokens = 0
  let shown = started
  // Time counts from the first read that was asked: what is known from before takes none.
  let first: number | undefined
  // The engine's own time, from when reads were put to it to its last answer; and when it was last set to work or answered.
  let engine = 0
  let since = started

  const state = (): string => {
    const left = first === undefined || worked === 0 ? 0 : ((now() - first) / worked) * (cohorts - walked)
    const parts = [
      `${walked} of ${counted(cohorts, "item")}`,
      `${counted(reads, "read", estimate(settled, worked, cohorts - (walked - worked)))}`,
      ...(engine < TELLING ? [] : [`${Math.round(tokens / (engine / 1000))} tokens/s`]),
      ...(engine < TELLING || left === 0 ? [] : [`${duration(left / 1000)} left`]),
    ]
    return `${model === "" ? "" : `${model}: `}${parts.join(", ")}`
  }
  const show = (force: boolean): void => {
    if (!force && now() - shown < (redraw ? REDRAW : LINE)) return
    shown = now()
    write(redraw ? `${CLEAR}${state().slice(0, width - 1)}` : `${state()}\n`)
  }
  return {
    planned: (count) => {
      cohorts = count
    },
    opened: (name) => {
      model = name
      if (redraw) show(true)
    },
    asking: () => {
      since = now()
      first ??= since
    },
    answered: (evaluated) => {
      engine += now() - since
      since = now()
      reads++
      tokens += evaluated
      show(false)
    },
    walked: (asked) => {
      walked++
      if (asked) worked++
      settled = reads
      show(false)
    },
    note: (text) => {
      write(redraw ? `${CLEAR}${text}\n` : `${text}\n`)
    },
    end: () => {
      if (redraw) write(`${CLEAR}${state()}\n`)
      else if (reads > 0) write(`${state()}\n`)
    },
  }
}

export const silent: Progress = {
  planned: () => {},
  opened: () => {},
  asking: () => {},
  answered: () => {},
  walked: () => {},
  note: () => {},
  end: () => {},
}

/** How many reads there will be, once some items are done; undefined when all are. */
const estimate = (reads: number, worked: number, toWork: number): number | undefined =>
  worked === 0 || worked === toWork ? undefined : Math.round((reads / worked) * toWork)

/** `1 read`, `12 reads`, `1 of about 960 reads`. */
function counted(count: number, noun: string, of?: number): string {
  const all = of === undefined ? "" : ` of about ${of}`
  return `${count}${all} ${noun}${(of ?? count) === 1 ? "" : "s"}`
}

/** `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
