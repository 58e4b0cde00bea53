/**
 * Random numbers of bootstraps and permutations: xoshiro128** (Blackman & Vigna 2018), started from the first 128 bits of the keyed stream that all draws of
 * cfx come from (`compiler/draw.ts`). A bootstrap needs millions of words; the keyed stream hashes for every eight of them.
 */
import { type Stream, type StreamKey, stream } from "../../compiler/draw.ts"

/** The fast stream of a key. Same key, same numbers, on every machine. */
export function fastStream(key: StreamKey): Stream {
  const { next } = stream(key)
  return xoshiro([next(), next(), next(), next()])
}

/** xoshiro128** from a state of four 32-bit words, not all zero. */
export function xoshiro(state: readonly [number, number, number, number]): Stream {
  const words = Int32Array.from(state)
  const next = () => {
    const [a, b, c, d] = [words[0]!, words[1]!, words[2]!, words[3]!]
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const mixedC = c ^ a
    const mixedD = d ^ b
    words[0] = a ^ mixedD
    words[1] = b ^ mixedC
    words[2] = mixedC ^ (b << 9)
    words[3] = rotate(mixedD, 11)
    return result
  }
  let known = 0
  let threshold = 0
  /**
   * Lemire (2019), "Fast random integer generation in an interval": the high word of a product, drawn again where the low word would make
   * some results likelier. Products are exact in doubles up to a bound of 2^21.
   */
  const below = (bound: number) => {
    if (bound !== known) {
      if (!(bound >= 1 && bound <= 2 ** 21)) throw new RangeError(`cannot choose among ${bound}`)
      known = bound
      threshold = 2 ** 32 % bound
    }
    for (;;) {
      const product = next() * bound
      const high = Math.floor(product / 2 ** 32)
      if (product - high * 2 ** 32 >= threshold) return high
    }
  }
  return { next, below }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
