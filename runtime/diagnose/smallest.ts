/**
 * The smallest effect that a design finds in 80 % of simulations. The trials of a contrast's first term are moved, in logits, until the contrast comes to
 * another true value, and the design is simulated there; all else stays as it is assumed, the other terms too, and so do all random numbers.
 *
 * Power rises with the effect nearly as a normal probability: with s for the standard error that the design has at an effect d,
 * power is P(Z < d / s - c), where c is the two-sided critical value. So each simulated power gives an s, and that the next effect to try.
 */
import type { ContrastIR, EstimatorIR } from "../../compiler/ir.ts"
import { normalQuantile } from "../statistics/normal.ts"
import { quantile } from "../statistics/quantile.ts"
import type { Design } from "./design.ts"
import type { Numbers, Simulation } from "./estimates.ts"
import { type Point, shiftOf } from "./point.ts"
import { decidesIn, type Found, finds } from "./summary.ts"
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

/** Steps towards the effect, at most: each is as many simulations as the design gets. */
const STEPS = 4

export async function smallestOf(sought: Sought, run: Run): Promise<Smallest> {
  const { design, items, contrast, at, by, level, truth, numbers } = sought
  const declared = design.experiment.contrasts[contrast]!
  const why = whyNot(sought, declared)
  if (why !== undefined) return { none: why }
  const direction = truth !== undefined && truth < 0 ? -1 : 1
  const critical = normalQuantile(0.5 + level / 200)
  const wanted = normalQuantile(WANTED)
  const valueAt = (moved: number): number | undefined => {
    const shift = shiftOf(design, { items, moved: { contrast, by: moved } })
    return truthOf(design, items, undefined, shift)(declared, by)
  }
  let effect = firstGuess(numbers, direction, truth ?? 0)
  let found: Smallest | undefined
  for (let step = 0; step < STEPS; step++) {
    const moved = solved(valueAt, direction * effect)
    if (moved === undefined)
      return found ?? { none: `with ${items} items no effect that is possible is found so often` }
    const simulations = await run({ items, moved: { contrast, by: moved } })
    const own = simulations.map(({ taken }) => taken[at]!)
    const decides = decidesIn(own)
    const hits = own.filter((one) => finds(one, decides, level)).length
    const n = own.length
    // One simulation more of either kind, so that the quantile is finite.
    const z = normalQuantile((hits + 1) / (n + 2))
    if (z + critical < 0.3) {
      effect *= 2.5
      continue
    }
    const spread = effect / (z + critical)
    effect = spread * (wanted + critical)
    found = {
      value: direction * effect,
      error: (spread * Math.sqrt((WANTED * (1 - WANTED)) / n)) / density(wanted),
      items,
    }
    if (Math.abs(hits / n - WANTED) <= 1.5 * Math.sqrt((WANTED * (1 - WANTED)) / n)) break
  }
  return found ?? { none: `with ${items} items no effect that was tried is found so often` }
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
function solved(valueAt: (moved: number) => number | undefined, value: number): number | undefined {
  const FAR = 15
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
