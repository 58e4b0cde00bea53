/**
 * The test that turns signs: under the hypothesis that it makes no difference which side is which, each item's difference might as well have had the
 * other sign, with all its pairs together. Two-sided p: how often a random choice of signs gives a sum at least as far from 0 as the one seen. Pitman
 * (1937), JRSS Supplement 4, 119-130; Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, 3.2.
 */
import type { Stream } from "../../compiler/draw.ts"
import { binomialTail } from "./binomial.ts"

/** Choices of signs that are drawn where there are too many to go through. */
export const CHOICES = 9999

/** As many items have at most 2^16 choices of signs: all are gone through. */
const FEW = 16

/** As many steps, a second's worth, are gone to find the distribution of a sum of whole numbers. */
const STEPS = 4e8

/** Sums that are as far from 0 but for rounding count as far. */
const ROUNDING = 1e-9

/** A difference as small is 0 but for rounding, such as 0.1 + 0.2 - 0.3. */
const NOTHING = 1e-12

interface Turned {
  readonly p: number
  /** `exact`: over all choices of signs; `drawn`: over `CHOICES` of them and the one seen, which keeps p above 0 (Phipson & Smyth 2010, SAGMB 9(1), 39). */
  readonly how: "exact" | "drawn"
}

/** `differences`: of each item the sum over its pairs. Exact where they are whole numbers, or few; 1 where all are 0 to rounding. */
export function turnSigns(differences: readonly number[], stream: () => Stream): Turned {
  // An item without a difference has none whatever its sign.
  const sizes = differences.map(Math.abs).filter((size) => size > NOTHING)
  if (sizes.length === 0) return { p: 1, how: "exact" }
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0))
  const [size] = sizes as [number, ...number[]]
  if (sizes.every((one) => one === size)) return { p: overEqual(sizes.length, seen / size), how: "exact" }
  if (sizes.every(Number.isInteger) && sizes.length * total(sizes) < STEPS)
    return { p: overWhole(sizes, seen), how: "exact" }
  const least = seen - ROUNDING * total(sizes)
  if (sizes.length <= FEW) return { p: overAll(sizes, least), how: "exact" }
  return { p: overDrawn(sizes, least, stream()), how: "drawn" }
}

/** Of equal differences only the count of signs matters: this is the sign test, and McNemar's. */
function overEqual(items: number, seen: number): number {
  return Math.min(1, 2 * binomialTail((items + Math.round(seen)) / 2, items, 0.5))
}

/** Of whole numbers the distribution of the sum, one item after another: as many steps as items times the largest sum. */
function overWhole(sizes: readonly number[], seen: number): number {
  const most = total(sizes)
  // Of the numbers with a plus the sum is followed: the whole sum is twice that, less all of them.
  const chances = new Float64Array(most + 1)
  chances[0] = 1
  let reached = 0
  for (const size of sizes) {
    reached += size
    for (let plus = reached; plus >= 0; plus--)
      chances[plus] = (chances[plus]! + (plus >= size ? chances[plus - size]! : 0)) / 2
  }
  let p = 0
  for (let plus = 0; plus <= most; plus++) if (Math.abs(2 * plus - most) >= seen) p += chances[plus]!
  return Math.min(1, p)
}

function overAll(sizes: readonly number[], least: number): number {
  // Of a choice and its mirror image both are as far: the first item's sign can stay.
  const choices = 2 ** (sizes.length - 1)
  let far = 0
  for (let choice = 0; choice < choices; choice++) {
    let sum = sizes[0]!
    for (let at = 1; at < sizes.length; at++) sum += (choice >>> (at - 1)) & 1 ? sizes[at]! : -sizes[at]!
    if (Math.abs(sum) >= least) far += 1
  }
  return far / choices
}

function overDrawn(sizes: readonly number[], least: number, { next }: Stream): number {
  // The sum of every choice of signs of eight items that follow each other: a byte of chance then settles eight signs.
  const eights = Math.ceil(sizes.length / 8)
  const sums = new Float64Array(256 * eights)
  for (const [at, size] of sizes.entries()) {
    const from = 256 * (at >> 3)
    for (let choice = 0; choice < 256; choice++)
      sums[from + choice]! += (choice >> (at & 7)) & 1 ? size : -size
  }
  let far = 1
  for (let drawn = 0; drawn < CHOICES; drawn++) {
    let sum = 0
    let word = 0
    for (let eight = 0; eight < eights; eight++) {
      if ((eight & 3) === 0) word = next()
      sum += sums[256 * eight + (word & 255)]!
      word >>>= 8
    }
    if (Math.abs(sum) >= least) far += 1
  }
  return far / (CHOICES + 1)
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}
