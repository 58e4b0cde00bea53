/** Values in blocks of 32 with a scale each. Layouts: `ggml-common.h` and `ggml-quants.c` of https://github.com/ggml-org/ggml */
import { half } from "./half.ts"

/** Writes the values of one block that starts at byte `at` to `values` from `to` on. */
export type Block = (bytes: Uint8Array, at: number, values: Float32Array, to: number) => void

/** The lower half of a byte is a value of the block's first half, the upper one of its second half. */
const nibbles = (
  bytes: Uint8Array,
  at: number,
  values: Float32Array,
  to: number,
  value: (nibble: number, index: number) => number,
): void => {
  for (let index = 0; index < 16; index++) {
    const both = bytes[at + index] as number
    values[to + index] = value(both & 15, index)
    values[to + index + 16] = value(both >> 4, index + 16)
  }
}

export const q4_0: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  nibbles(bytes, at + 2, values, to, (nibble) => scale * (nibble - 8))
}

export const q4_1: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  const least = half(bytes, at + 2)
  nibbles(bytes, at + 4, values, to, (nibble) => scale * nibble + least)
}

/** Four bytes with a fifth bit for each value. */
const bitOf = (bytes: Uint8Array, at: number, index: number): number =>
  (((bytes[at + (index >> 3)] as number) >> (index & 7)) & 1) << 4

export const q5_0: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  nibbles(bytes, at + 6, values, to, (nibble, index) => scale * ((nibble | bitOf(bytes, at + 2, index)) - 16))
}

export const q5_1: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  const least = half(bytes, at + 2)
  nibbles(
    bytes,
    at + 8,
    values,
    to,
    (nibble, index) => scale * (nibble | bitOf(bytes, at + 4, index)) + least,
  )
}

export const q8_0: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  for (let index = 0; index < 32; index++)
    values[to + index] = scale * (((bytes[at + 2 + index] as number) << 24) >> 24)
}

/** What four bits stand for where steps are not even. */
export const uneven: readonly number[] = [
  -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
]

export const iq4_nl: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  nibbles(bytes, at + 2, values, to, (nibble) => scale * (uneven[nibble] as number))
}
