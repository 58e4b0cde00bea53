/** What a process of cfx ends with. Scripts and CI jobs lean on these numbers. */
export const exit = {
  done: 0,
  /** The spec, a library or an item file has errors. */
  spec: 1,
  /** The command line was wrong. */
  usage: 2,
  /** A model or data file, the engine or the disk failed. */
  environment: 3,
  /** Finished, but more reads are invalid than the spec tolerates, or an audit found the engine at odds with itself. */
  reads: 4,
  /** What a run depends on is not what `cfx.lock` says. */
  drift: 5,
  /** A defect of cfx itself: outside the contract, so that no script takes it for one of the others. */
  defect: 70,
  /** Finished; an `expect` of the spec did not hold. */
  expect: 100,
  interrupted: 130,
} as const

/** Several at once: the environment before a drift before invalid reads before an `expect`. */
export const gravest = (codes: readonly number[]): number =>
  [exit.environment, exit.drift, exit.reads, exit.expect].find((code) => codes.includes(code)) ?? exit.done
