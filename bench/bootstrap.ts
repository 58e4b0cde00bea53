/**
 * What intervals by resampling cost: the means of 200,000 trials of 3,000 items by 5 factors, 2,000 draws each, by sums over shared draws and by the
 * naive twin, which draws the trials of items anew for each of them. Seconds are of the
 * processor, so that other work on the machine counts for little.
 */
import { percentile, sumsOver } from "../runtime/statistics/bootstrap.ts"
import { DRAWS, Draws } from "../runtime/statistics/draws.ts"
import { quantile } from "../runtime/statistics/quantile.ts"
import { fastStream } from "../runtime/statistics/random.ts"
import { print, progress } from "./measures.ts"

const [ITEMS, POOLS, TRIALS] = [3000, 7, 200_000]
/** Levels of 5 factors. */
const FACTORS = [6, 7, 4, 2, 2]

const { next, below } = fastStream({ seed: 0, declaration: "bench" })
const trials = Array.from({ length: TRIALS }, (_, at) => ({
  item: at % ITEMS,
  levels: FACTORS.map((levels) => below(levels)),
  value: next() / 2 ** 32,
}))

/** The trials of every level of every factor, and all of them. */
const sets = [
  trials,
  ...FACTORS.flatMap((levels, factor) =>
    Array.from({ length: levels }, (_, level) => trials.filter((trial) => trial.levels[factor] === level)),
  ),
]

const timed = <T>(work: () => T): readonly [T, seconds: number] => {
  const start = process.cpuUsage()
  const made = work()
  const { user, system } = process.cpuUsage(start)
  return [made, (user + system) / 1e6]
}

function ofItems(set: readonly (typeof trials)[number][]) {
  const sums = new Float64Array(ITEMS)
  const counts = new Float64Array(ITEMS)
  for (const { item, value } of set) {
    sums[item]! += value
    counts[item]! += 1
  }
  return { sums, counts }
}

const places = Int32Array.from({ length: ITEMS }, (_, at) => at)

const [draws, first] = timed(() => {
  const made = new Draws(
    Int32Array.from({ length: ITEMS }, (_, at) => at % POOLS),
    0,
  )
  made.each(() => {})
  return made
})
print(`${DRAWS} draws of ${ITEMS} items in ${POOLS} pools, once: ${first.toFixed(2)} s`)

const [, all] = timed(() =>
  sets.map((set) => {
    const { sums, counts } = ofItems(set)
    const [above, below] = [sumsOver(draws, places, sums), sumsOver(draws, places, counts)]
    return percentile(
      above.map((sum, at) => sum / below[at]!),
      95,
    )
  }),
)
print(
  `${sets.length} means of ${TRIALS} trials or a share of them: ${all.toFixed(2)} s, ${((1000 * all) / sets.length).toFixed(1)} ms each`,
)

progress("the naive twin, a tenth of the draws of one mean")
const [, naive] = timed(() => {
  const rows = new Map<number, number[]>()
  for (const { item, value } of trials) rows.set(item, [...(rows.get(item) ?? []), value])
  const { below: any } = fastStream({ seed: 0, declaration: "naive" })
  const means = Array.from({ length: DRAWS / 10 }, () => {
    let [sum, count] = [0, 0]
    for (let drawn = 0; drawn < ITEMS; drawn++) {
      for (const value of rows.get(any(ITEMS))!) {
        sum += value
        count += 1
      }
    }
    return sum / count
  }).sort((a, b) => a - b)
  return [quantile(means, 0.025), quantile(means, 0.975)]
})
const ratio = (10 * naive) / (all / sets.length)
print(`the naive twin: ${(10 * naive).toFixed(1)} s for one mean, ${ratio.toFixed(0)} times as long`)
