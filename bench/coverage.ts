/** The figures of `docs/statistics.md`: how often intervals hold what they are of, and tests reject what is true, in 2,000 seeded simulations of each. */
import {
  coverageOf,
  intervals,
  sizeOf,
  tests,
  wilsonCoverage,
  wilsonOf,
} from "../test/statistics/simulated.ts"
import { print, progress } from "./measures.ts"

const RUNS = 2000
const percent = (share: number) => (100 * share).toFixed(1)

print("Wilson's interval: coverage in percent, simulated / exact\n")
const shares = [0.1, 0.3, 0.5, 0.7, 0.9]
print(`| n | ${shares.join(" | ")} |`)
print(`|---|${"---|".repeat(shares.length)}`)
for (const n of [50, 100, 200, 500]) {
  const cells = shares.map(
    (p) => `${percent(coverageOf(wilsonOf(n, p), RUNS))} / ${percent(wilsonCoverage(n, p))}`,
  )
  print(`| ${n} | ${cells.join(" | ")} |`)
}

print("\n| interval, nominal 95 % | data | holds the truth, % |\n|---|---|---|")
for (const one of intervals) {
  progress(one.name)
  print(`| ${one.name} | ${one.data} | ${percent(coverageOf(one, RUNS))} |`)
}

print("\n| test at 5 % | data, of which the hypothesis is true | rejects, % |\n|---|---|---|")
for (const one of tests) {
  progress(one.name)
  print(`| ${one.name} | ${one.data} | ${percent(sizeOf(one, RUNS))} |`)
}
