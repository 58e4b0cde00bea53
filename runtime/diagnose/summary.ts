/**
 * What simulations say of a way of taking a contrast (Blair, Cooper, Coppock & Humphreys 2019, "Declaring and diagnosing research designs", American
 * Political Science Review 113, 838-859; type S and M: Gelman & Carlin 2014, Perspectives on Psychological Science 9, 641-651).
 *
 * A number has its Monte Carlo standard error beside it: how far it would move with other simulations.
 */
import { ROUNDING } from "../measure/rounding.ts"
import type { Numbers } from "./estimates.ts"

/** Below which a p finds an effect, whatever the level of intervals. */
export const ALPHA = 0.05

export interface Found {
  readonly value: number
  /** Monte Carlo standard error. */
  readonly error: number
}

/** By what a simulation finds an effect: a p below `ALPHA`, or where there is none an interval that leaves 0 out. */
export type Decides = "p" | "interval" | "nothing"

export interface Summary {
  /** Simulations with an estimate, of all. */
  readonly simulations: number
  readonly of: number
  readonly decides: Decides
  /** Share of simulations that find an effect, of those with an estimate and of all: what has no number finds nothing. */
  readonly power?: Found
  readonly estimate?: Found
  /** The mean estimate less the true value. */
  readonly bias?: Found
  /** Mean width of the interval. */
  readonly width?: Found
  /** Share of intervals that hold the true value; and the value for the models, pools and levels that were drawn. */
  readonly coverage?: Found
  readonly coverageHere?: Found
  /** Of the simulations that find an effect, the share in which it points the wrong way. */
  readonly typeS?: Found
  /** Of these, the mean size of the estimate over that of the true value: by how much it is exaggerated. */
  readonly typeM?: Found
}

/** `truth`: over all intercepts; one that rounding alone keeps from 0 is none, since shares are solved for. */
export function summaryOf(numbers: readonly Numbers[], truth: number | undefined): Summary {
  const there = numbers.filter(({ estimate }) => !Number.isNaN(estimate))
  const decides = decidesIn(there)
  const found = numbers.filter((one) => finds(one, decides))
  const intervals = there.filter(({ low, high }) => !Number.isNaN(low) && !Number.isNaN(high))
  const base = { simulations: there.length, of: numbers.length, decides }
  if (there.length === 0) return base
  const withTruth =
    truth === undefined
      ? {}
      : {
          bias: meanOf(there.map(({ estimate }) => estimate - truth)),
          ...(intervals.length === 0 ? {} : { coverage: shareOf(intervals, (one) => holds(one, truth)) }),
        }
  const directed =
    truth === undefined || Math.abs(truth) < ROUNDING || found.length === 0
      ? {}
      : {
          typeS: shareOf(found, ({ estimate }) => Math.sign(estimate) === -Math.sign(truth)),
          typeM: meanOf(found.map(({ estimate }) => Math.abs(estimate / truth))),
        }
  return {
    ...base,
    ...(decides === "nothing" ? {} : { power: share(found.length, numbers.length) }),
    estimate: meanOf(there.map(({ estimate }) => estimate)),
    ...withTruth,
    ...(intervals.length === 0
      ? {}
      : {
          width: meanOf(intervals.map(({ low, high }) => high - low)),
          coverageHere: shareOf(intervals, (one) => holds(one, one.here)),
        }),
    ...directed,
  }
}

/** Whether some simulation has a p, or an interval. */
export function decidesIn(numbers: readonly Numbers[]): Decides {
  if (numbers.some(({ p }) => !Number.isNaN(p))) return "p"
  return numbers.some(({ low }) => !Number.isNaN(low)) ? "interval" : "nothing"
}

/**
 * Whether a simulation finds an effect. Where it lacks what the others decide by, it finds none. An end of an interval that rounding alone keeps from 0
 * is at 0: sums over items that come to it are seldom exact.
 */
export function finds({ p, low, high }: Numbers, decides: Decides): boolean {
  if (decides === "p") return p < ALPHA
  return decides === "interval" && (low > ROUNDING || high < -ROUNDING)
}

const holds = ({ low, high }: Numbers, value: number): boolean =>
  low - ROUNDING <= value && value <= high + ROUNDING

/** The share of expectations that held, of those with a verdict. */
export function heldOf(held: readonly number[]): Found | undefined {
  const told = held.filter((one) => !Number.isNaN(one))
  return told.length === 0 ? undefined : share(told.filter((one) => one === 1).length, told.length)
}

const shareOf = <T>(some: readonly T[], of: (one: T) => boolean): Found =>
  share(some.filter(of).length, some.length)

/**
 * The standard error is that of the share after two more simulations, one of either kind: at 0 and 1 the plain one would say that the
 * share is certain (Agresti & Coull 1998, The American Statistician 52, 119-126).
 */
function share(count: number, of: number): Found {
  const shrunk = (count + 1) / (of + 2)
  return { value: count / of, error: Math.sqrt((shrunk * (1 - shrunk)) / (of + 2)) }
}

function meanOf(values: readonly number[]): Found {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { value: mean, error: n < 2 ? Number.POSITIVE_INFINITY : Math.sqrt(squares / (n - 1) / n) }
}
