/**
 * The bootstrap's random numbers: xoshiro128** (Blackman & Vigna 2018), its state the first 16 bytes of the SHA-256 of the stream's key.
 *
 * A key is a list of parts, each preceded by its length, so that no two keys run together: the experiment's seed, the word `bootstrap`, the
 * experiment, and what is being resampled (a measure and its levels, or a contrast). One number's draws never move another's.
 */
import { createHash } from "node:crypto"

/** A source of whole numbers. */
export interface Stream {
  /** Uniform on 0 .. 2^32 - 1. */
  readonly next: () => number
  /** Uniform on 0 .. n - 1, without bias (values past the last full multiple of n are drawn again); n from 1 to 2^32. */
  readonly below: (n: number) => number
}

/** The stream of a key. Same parts, same numbers, on every machine. */
export function streamOf(parts: readonly (string | number)[]): Stream {
  const hash = createHash("sha256")
  for (const part of parts) {
    const bytes = Buffer.from(String(part), "utf8")
    hash.update(`${bytes.length}:`)
    hash.update(bytes)
  }
  const digest = hash.digest()
  return xoshiro([0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [number, number, number, number])
}

/** xoshiro128** from a state of four 32-bit words, not all zero. */
export function xoshiro(state: readonly [number, number, number, number]): Stream {
  let [a, b, c, d] = state
  const next = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result
  }
  const below = (n: number) => {
    const limit = 2 ** 32 - (2 ** 32 % n)
    let drawn = next()
    while (drawn >= limit) drawn = next()
    return drawn % n
  }
  return { next, below }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
