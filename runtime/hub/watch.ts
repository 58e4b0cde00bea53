/** What a person hears of files that are fetched or summed: a line that is drawn again on a terminal, a plain line every few seconds elsewhere. */
import { duration } from "../run/duration.ts"

export interface Watch {
  /** Something that a person should know, on a line of its own. */
  readonly note: (text: string) => void
  /** A file is fetched or summed: so many bytes of it are there already. */
  readonly begin: (work: Work) => void
  /** So many bytes more. */
  readonly passed: (bytes: number) => void
  /** The file is done, or its fetching has stopped. */
  readonly end: () => void
}

export interface Work {
  readonly doing: "fetching" | "checking the sum of" | "writing" | "asking"
  readonly name: string
  /** What is counted; bytes where left out. */
  readonly unit?: "reads"
  readonly done: number
  readonly total?: number
}

export interface WatchOptions {
  readonly write: (text: string) => void
  /** Makes visible what a terminal would act on: names come from specs and servers. */
  readonly shown: (text: string) => string
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
/** Milliseconds before which a rate would be a guess, and nothing is said at all of a file that is done by then. */
const TELLING = 1000

const CLEAR = "\r\u001b[2K"

export function watch({ write, shown: visible, redraw, width = 80, now }: WatchOptions): Watch {
  let work: Work | undefined
  let done = 0
  let started = 0
  let shown = 0
  let drawn = false
  const state = ({ doing, name, unit, done: before, total }: Work): string => {
    const amount = (value: number): string => (unit === undefined ? sized(value) : `${Math.round(value)}`)
    const seconds = (now() - started) / 1000
    const rate = (done - before) / seconds
    const parts = [
      `${amount(done)}${total === undefined ? "" : ` of ${amount(total)}`}${unit === undefined ? "" : ` ${unit}`}`,
      ...(seconds * 1000 < TELLING || rate <= 0
        ? []
        : [
            ...(unit === undefined ? [`${sized(rate)}/s`] : []),
            ...(total === undefined ? [] : [`${duration((total - done) / rate)} left`]),
          ]),
    ]
    return visible(`${doing} ${name}: ${parts.join(", ")}`)
  }
  const show = (): void => {
    if (work === undefined || now() - shown < (redraw ? REDRAW : LINE)) return
    shown = now()
    drawn = true
    write(redraw ? `${CLEAR}${state(work).slice(0, width - 1)}` : `${state(work)}\n`)
  }
  const clear = (): void => {
    if (redraw && drawn) write(CLEAR)
    drawn = false
  }
  return {
    note: (text) => {
      clear()
      write(`${visible(text)}\n`)
    },
    begin: (next) => {
      work = next
      done = next.done
      started = now()
      shown = started
    },
    passed: (bytes) => {
      done += bytes
      show()
    },
    end: () => {
      clear()
      work = undefined
    },
  }
}

export const unwatched: Watch = { note: () => {}, begin: () => {}, passed: () => {}, end: () => {} }

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const

/** `812 bytes`, `1.20 GB`: decimal units, as hubs have them. */
export function sized(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}
