/** What a person hears of files that are fetched or summed. */
import { duration } from "../run/duration.ts"
import { type StateLineOptions, stateLine } from "../stateLine.ts"

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

/** What only has sums made says nothing else. */
export type SumWatch = Pick<Watch, "begin" | "passed" | "end">

/** Milliseconds before which a rate would be a guess, and is not told. */
const TELLING = 1000

export function watch(options: StateLineOptions): Watch {
  const line = stateLine(options)
  let work: Work | undefined
  let done = 0
  let started = 0
  const state = ({ doing, name, unit, done: before, total }: Work): string => {
    const amount = (value: number): string => (unit === undefined ? sized(value) : `${Math.round(value)}`)
    const seconds = (options.now() - started) / 1000
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
    return `${doing} ${name}: ${parts.join(", ")}`
  }
  return {
    note: line.leave,
    begin: (next) => {
      work = next
      done = next.done
      started = options.now()
      line.restart()
    },
    passed: (bytes) => {
      done += bytes
      const current = work
      if (current !== undefined) line.show(() => state(current))
    },
    end: () => {
      line.clear()
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
