/** How far a run has come: a line that redraws on a terminal, a plain line every few seconds elsewhere. */

export interface Progress {
  /** Items to walk, over all models and as often as each is opened. */
  readonly planned: (cohorts: number) => void
  /** A model is about to be opened, which may take a while. */
  readonly opening: (model: string) => void
  /** A model is open. */
  readonly opened: (model: string) => void
  /** Reads of an item are put to the engine, those of this wave of so many: from now on, time is the engine's. */
  readonly asking: (wave: number, of: number) => void
  /** A read was answered, for which the engine evaluated so many tokens. */
  readonly answered: (tokens: number) => void
  /** Of a text that is being written, so many more tokens are there. */
  readonly writing: (tokens: number) => void
  /** All reads of an item are settled; `asked` where some were put to the engine, and not all known from before. */
  readonly walked: (asked: boolean) => void
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

/** Milliseconds of the engine's work, and items, before which a rate or the time left would be a guess. */
const TELLING = 1000

/** Milliseconds after which a person wants to know what takes so long. */
const LONG = 2000

const CLEAR = "\r\u001b[2K"

export function progress({ write, redraw, width = 80, now, later = clock }: ProgressOptions): Progress {
  const started = now()
  let model = ""
  let cohorts = 0
  let walked = 0
  let worked = 0
  let reads = 0
  let settled = 0
  let tokens = 0
  // Of texts that are not finished.
  let written = 0
  let wave = { number: 1, of: 1 }
  let audit = { done: 0, of: 0 }
  let shown = started
  // Time counts from the first read that was asked: what is known from before takes none.
  let first: number | undefined
  // The engine's own time, from when reads were put to it to its last answer; and when it was last set to work or answered.
  let engine = 0
  let since = started
  let cancel = (): void => {}

  const state = (): string => {
    const left = first === undefined || worked === 0 ? 0 : ((now() - first) / worked) * (cohorts - walked)
    const told = engine >= TELLING
    const parts = [
      `${walked} of ${counted(cohorts, "item")}`,
      ...(wave.of > 1 && walked < cohorts && audit.of === 0 ? [`wave ${wave.number} of ${wave.of}`] : []),
      `${counted(reads, "read", estimate(settled, worked, cohorts - (walked - worked)))}`,
      ...(written > 0 ? [`${counted(written, "token")} of texts under way`] : []),
      ...(told ? [`${Math.round(tokens / (engine / 1000))} tokens/s`] : []),
      ...(told && left > 0 ? [`${duration(left / 1000)} left`] : []),
      ...(audit.of > 0 ? [`${audit.done} of ${counted(audit.of, "read")} taken again`] : []),
    ]
    return `${model === "" ? "" : `${model}: `}${parts.join(", ")}`
  }
  const line = (text: string): void => {
    shown = now()
    write(redraw ? `${CLEAR}${text.slice(0, width - 1)}` : `${text}\n`)
  }
  const show = (force: boolean): void => {
    if (force || now() - shown >= (redraw ? REDRAW : LINE)) line(state())
  }
  return {
    planned: (count) => {
      cohorts = count
    },
    opening: (name) => {
      cancel()
      cancel = later(() => line(`${name}: opening the model`), redraw ? 0 : LONG)
    },
    opened: (name) => {
      cancel()
      model = name
      audit = { done: 0, of: 0 }
      if (redraw) show(true)
    },
    asking: (number, of) => {
      since = now()
      first ??= since
      wave = { number, of }
    },
    answered: (evaluated) => {
      engine += now() - since
      since = now()
      reads++
      tokens += evaluated
      written = Math.max(0, written - evaluated)
      show(false)
    },
    writing: (more) => {
      written += more
      show(false)
    },
    walked: (asked) => {
      walked++
      if (asked) worked++
      settled = reads
      written = 0
      show(false)
    },
    auditing: (count) => {
      audit = { done: 0, of: count }
      if (redraw) show(true)
    },
    audited: () => {
      audit = { ...audit, done: audit.done + 1 }
      show(false)
    },
    note: (text) => {
      write(redraw ? `${CLEAR}${text}\n` : `${text}\n`)
    },
    end: () => {
      cancel()
      audit = { done: 0, of: 0 }
      if (redraw) write(`${CLEAR}${state()}\n`)
      else if (reads > 0) write(`${state()}\n`)
    },
  }
}

export const silent: Progress = {
  planned: () => {},
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
