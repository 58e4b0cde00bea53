/** The ends of an interval, in the unit of what it is of. */
export interface Interval {
  readonly low: number
  readonly high: number
}
