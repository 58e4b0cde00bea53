/**
 * The bootstrap's random numbers: xoshiro128** (Blackman & Vigna 2018), started from the first 128 bits of the keyed stream that all draws of
 * cfx come from (`compiler/draw.ts`). A bootstrap needs millions of words; the keyed stream hashes for every eight of them.
 *
 * The key is the experiment's seed, `bootstrap EXPERIMENT KIND NAME` as the declaration that draws, and the levels of what is resampled: one
 * number's draws never move another's.
 */
import { type Stream, type StreamKey, stream } from "../../compiler/draw.ts"

/** The fast stream of a key. Same key, same numbers, on every machine. */
export function fastStream(key: StreamKey): Stream {
  const { next } = stream(key)
  return xoshiro([next(), next(), next(), next()])
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
  const below = (bound: number) => {
    // Words past the last whole multiple of the bound would make small results likelier.
    const limit = 2 ** 32 - (2 ** 32 % bound)
    let word = next()
    while (word >= limit) word = next()
    return word % bound
  }
  return { next, below }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
