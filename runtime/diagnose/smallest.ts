/**
 * The smallest effect that a design finds in 80 % of simulations. The trials of a contrast's first term are moved, in logits, until the contrast comes to
 * another true value, and the design is simulated there; all else stays as it is assumed, the other terms too, and so do all random numbers. Effects
 * are sought in the direction of the true value, and never beyond what the first term can come to.
 *
 * Power rises with the effect nearly as a normal probability: with s for the standard error that the design has at an effect d,
 * power is P(Z < d / s - c), where c is the two-sided critical value. So each simulated power gives an s, and that the next effect to try.
 */
import type { ContrastIR, EstimatorIR } from "../../compiler/ir.ts"
import { ROUNDING } from "../measure/rounding.ts"
import { normalQuantile } from "../statistics/normal.ts"
import { quantile } from "../statistics/quantile.ts"
import type { Design } from "./design.ts"
import type { Numbers, Simulation } from "./estimates.ts"
import { type Point, shiftOf } from "./point.ts"
import { ALPHA, decidesIn, type Found, finds } from "./summary.ts"
import { truthOf } from "./truth.ts"

export const WANTED = 0.8

export type Smallest = (Found & { readonly items: number }) | { readonly none: string }

/** Simulations of a point, by number. */
export type Run = (point: Point) => Promise<readonly Simulation[]>

export interface Sought {
  readonly design: Design
  readonly items: number
  /** Its place among contrasts, and among all ways of taking them. */
  readonly contrast: number
  readonly at: number
  readonly by: EstimatorIR
  readonly level: number
  readonly truth: number | undefined
  /** Of the design as it is assumed. */
  readonly numbers: readonly Numbers[]
}

/** Steps towards the effect, at most, besides one to the largest that is possible: each is as many simulations as the design gets. */
const STEPS = 4

/** Logits beyond which moving a term changes nothing. */
const FAR = 15

/** Short of the largest effect that is possible: at the very end all items may come out alike, and nothing tests what does not vary. */
const SHORT = 0.99

type Direction = 1 | -1

/** Of a sought effect the contrast's true value, by how many logits its first term is moved. */
type ValueAt = (moved: number) => number | undefined

export async function smallestOf(sought: Sought, run: Run): Promise<Smallest> {
  const { design, items, contrast, by, truth } = sought
  const declared = design.experiment.contrasts[contrast]!
  const why = whyNot(sought, declared)
  if (why !== undefined) return { none: why }
  const valueAt: ValueAt = (moved) => {
    const shift = shiftOf(design, { items, moved: { contrast, by: moved } })
    return truthOf(design, items, undefined, shift)(declared, by)
  }
  const [least, most] = [valueAt(-FAR), valueAt(FAR)]
  if (least === undefined || most === undefined || Math.abs(most - least) < ROUNDING)
    return { none: "what is assumed of its first term is certain, which no number of logits moves" }
  const reasons: string[] = []
  for (const direction of directionsOf(truth)) {
    const found = await towards(direction, valueAt, sought, run)
    if (!("none" in found)) return found
    reasons.push(found.none)
  }
  return { none: `with ${items} items ${reasons.join(", and ")}` }
}

/** That of the true value; where it is 0 upwards first, and downwards where nothing is found there. */
const directionsOf = (truth: number | undefined): readonly Direction[] =>
  truth === undefined || Math.abs(truth) < ROUNDING ? [1, -1] : [truth < 0 ? -1 : 1]

/** The smallest effect above 0, or below it. */
async function towards(
  direction: Direction,
  valueAt: ValueAt,
  { items, contrast, at, level, truth, numbers }: Sought,
  run: Run,
): Promise<Smallest> {
  const side = direction > 0 ? "above" : "below"
  const limit = largest(valueAt, direction)
  if (limit === undefined) return { none: `no effect ${side} 0 is possible` }
  const wanted = normalQuantile(WANTED)
  let effect = Math.min(limit, firstGuess(numbers, direction, truth ?? 0))
  let isLimitTried = false
  let found: Smallest | undefined
  for (let step = 0; step < STEPS || (effect === limit && !isLimitTried); step++) {
    const isLimit = effect === limit
    isLimitTried ||= isLimit
    const moved = solved(valueAt, direction * effect)
    if (moved === undefined) break
    const simulations = await run({ items, moved: { contrast, by: moved } })
    const own = simulations.map(({ taken }) => taken[at]!)
    const decides = decidesIn(own)
    const hits = own.filter((one) => finds(one, decides)).length
    const n = own.length
    const tolerance = 1.5 * Math.sqrt((WANTED * (1 - WANTED)) / n)
    if (isLimit && hits / n < WANTED - tolerance)
      return { none: `no effect ${side} 0 that is possible is found so often` }
    // One simulation more of either kind, so that the quantile is finite.
    const z = normalQuantile((hits + 1) / (n + 2))
    const critical = decides === "p" ? normalQuantile(1 - ALPHA / 2) : normalQuantile(0.5 + level / 200)
    if (z + critical < 0.3) {
      effect = Math.min(limit, effect * 2.5)
      continue
    }
    const spread = effect / (z + critical)
    effect = Math.min(limit, spread * (wanted + critical))
    found = {
      value: direction * effect,
      error: (spread * Math.sqrt((WANTED * (1 - WANTED)) / n)) / density(wanted),
      items,
    }
    if (Math.abs(hits / n - WANTED) <= tolerance) break
  }
  return found ?? { none: `no effect ${side} 0 that was tried is found so often` }
}

/** The size of the largest effect in a direction, but for a little; undefined where there is none. */
function largest(valueAt: ValueAt, direction: Direction): number | undefined {
  const ends = [valueAt(-FAR), valueAt(FAR)].flatMap((value) =>
    value === undefined ? [] : direction * value,
  )
  const most = SHORT * Math.max(...ends)
  return most > ROUNDING ? most : undefined
}

function whyNot({ design, contrast, numbers }: Sought, { terms }: ContrastIR): string | undefined {
  if (terms.length < 2) return "the contrast is of one term"
  if (decidesIn(numbers) === "nothing") return "nothing says when it is found: there is no p and no interval"
  const ofTerm = (term: number, about: ReadonlySet<string>) => about.has(`${contrast}:${term}`)
  const overlaps = design.itemKinds.some(({ rows }) =>
    rows.some(({ about }) => ofTerm(0, about) && terms.some((_, term) => term > 0 && ofTerm(term, about))),
  )
  if (overlaps) return "its terms are about the same trials, so that one side cannot be moved alone"
  return undefined
}

/** The effect whose interval would leave out 0 in so many of the simulations, if all of them were moved by as much. */
function firstGuess(numbers: readonly Numbers[], direction: number, truth: number): number {
  const gaps = numbers.flatMap(({ low, high }) => {
    const gap = direction > 0 ? truth - low : high - truth
    return Number.isNaN(gap) ? [] : [gap]
  })
  if (gaps.length > 0)
    return Math.max(
      1e-4,
      quantile(
        gaps.sort((a, b) => a - b),
        WANTED,
      ),
    )
  const estimates = numbers.flatMap(({ estimate }) => (Number.isNaN(estimate) ? [] : [estimate]))
  const mean = estimates.reduce((sum, value) => sum + value, 0) / estimates.length
  const squares = estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.max(1e-4, 2.8 * Math.sqrt(squares / Math.max(1, estimates.length - 1)))
}

/** By how many logits the first term is moved for the contrast to come to a value; undefined where it never does. */
function solved(valueAt: ValueAt, value: number): number | undefined {
  const [least, most] = [valueAt(-FAR), valueAt(FAR)]
  if (least === undefined || most === undefined) return undefined
  const rises = most > least
  if (value <= Math.min(least, most) || value >= Math.max(least, most)) return undefined
  let [low, high] = [-FAR, FAR]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    const there = valueAt(middle)
    if (there === undefined) return undefined
    if (there < value === rises) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
