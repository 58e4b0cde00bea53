/** How far scoring has come. */
import { patientLine, type StateLineOptions } from "../stateLine.ts"

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

/** Rows between two looks at the clock. */
const STRIDE = 2000

export function readingProgress(options: StateLineOptions): Reading {
  const { show, clear } = patientLine(options)
  let what = "reading"
  return {
    rows: (count) => {
      if (count % STRIDE === 0) show(`${what}: ${count} rows`)
    },
    doing: (next) => {
      what = next
      show(what, true)
    },
    step: (text) => show(text),
    end: clear,
  }
}

export const unwatchedReading: Reading = { rows: () => {}, doing: () => {}, step: () => {}, end: () => {} }
