/** A linear axis: from where to where, and where its ticks stand. */
export interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

/**
 * An axis that holds all values, begins or ends at 0 where they lie on one side of it, and has about `count` ticks at 1, 2 or 5 times a power
 * of ten.
 */
export function scaleOf(values: readonly number[], count = 5): Scale {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const step = niceStep((high === low ? 1 : high - low) / count)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  // Multiplying by the index, not adding the step, keeps 0.3 from becoming 0.30000000000000004.
  const ticks = Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  )
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks }
}

/** An axis that holds all values, wherever 0 is, between `range` where they are bounded. */
export function fittedScale(values: readonly number[], range?: readonly [number, number], count = 5): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low > 1e-12 ? high - low : Math.abs(high) * 0.1 || 0.1
  const step = niceStep(span / count)
  const floor = range === undefined ? Number.NEGATIVE_INFINITY : Math.ceil(range[0] / step - 1e-9)
  const ceiling = range === undefined ? Number.POSITIVE_INFINITY : Math.floor(range[1] / step + 1e-9)
  const first = Math.max(floor, Math.floor(low / step + 1e-9))
  const last = Math.min(ceiling, Math.max(first + 1, Math.ceil(high / step - 1e-9)))
  const from = Math.min(first, last - 1)
  const ticks = Array.from({ length: last - from + 1 }, (_, at) =>
    Number(((from + at) * step).toPrecision(12)),
  )
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks }
}

/** An axis of shares: 0 to 100 %, or to a half or a quarter where all shares are that small. */
export function shareScale(values: readonly number[]): Scale {
  const most = Math.max(...values, 0)
  if (most > 0.5) return { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }
  if (most > 0.25) return { low: 0, high: 0.5, ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5] }
  return { low: 0, high: 0.25, ticks: [0, 0.05, 0.1, 0.15, 0.2, 0.25] }
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = rough / power
  return (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10) * power
}
