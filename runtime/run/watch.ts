/** How far what a run keeps has been gone through. */
import { grouped } from "../report/format.ts"
import { patientLine, type StateLineOptions } from "../stateLine.ts"

export interface Watch {
  /** So many were gone through now, of so many where that is known. `what`: "reading the ledger: lines". */
  readonly at: (what: string, count: number, of?: number) => void
  /** Takes a line that redraws away. */
  readonly end: () => void
}

/** Things between two looks at the clock: a trial of a big design takes a tenth of a millisecond. */
const STRIDE = 500

export function watch(options: StateLineOptions): Watch {
  const { show, clear } = patientLine(options)
  return {
    at: (what, count, of) => {
      if (count % STRIDE === 0)
        show(`${what} ${grouped(count)}${of === undefined ? "" : ` of ${grouped(of)}`}`)
    },
    end: clear,
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
