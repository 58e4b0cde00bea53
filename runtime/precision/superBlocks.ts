/**
 * Values in blocks of 256, whose parts have scales that are quantised themselves. Layouts: `ggml-common.h` and `ggml-quants.c` of
 * https://github.com/ggml-org/ggml
 */
import { type Block, uneven } from "./blocks.ts"
import { half } from "./half.ts"

/** 16 parts of 16: scale and offset in a byte. */
export const q2_K: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at + 80)
  const least = half(bytes, at + 82)
  for (let index = 0; index < 256; index++) {
    const both = bytes[at + (index >> 4)] as number
    const quant =
      ((bytes[at + 16 + ((index >> 7) << 5) + (index & 31)] as number) >> (((index >> 5) & 3) * 2)) & 3
    values[to + index] = scale * (both & 15) * quant - least * (both >> 4)
  }
}

/** 16 parts of 16: six bits of a scale, in 12 bytes. */
export const q3_K: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at + 108)
  for (let index = 0; index < 256; index++) {
    const part = index >> 4
    const low = ((bytes[at + 96 + (part & 7)] as number) >> ((part >> 3) * 4)) & 15
    const high = ((bytes[at + 104 + (part & 3)] as number) >> ((part >> 2) * 2)) & 3
    const quant =
      ((bytes[at + 32 + ((index >> 7) << 5) + (index & 31)] as number) >> (((index >> 5) & 3) * 2)) & 3
    // Where the bit is not set, four less.
    const less = ((bytes[at + (index & 31)] as number) >> (index >> 5)) & 1 ? 0 : 4
    values[to + index] = scale * ((low | (high << 4)) - 32) * (quant - less)
  }
}

/** Of 8 parts of 32, six bits of a scale and six of an offset each, in 12 bytes. */
const scaleAt = (bytes: Uint8Array, at: number, part: number): number =>
  part < 4
    ? (bytes[at + part] as number) & 63
    : ((bytes[at + part + 4] as number) & 15) | (((bytes[at + part - 4] as number) >> 6) << 4)

const leastAt = (bytes: Uint8Array, at: number, part: number): number =>
  part < 4
    ? (bytes[at + part + 4] as number) & 63
    : ((bytes[at + part + 4] as number) >> 4) | (((bytes[at + part] as number) >> 6) << 4)

export const q4_K: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  const least = half(bytes, at + 2)
  for (let part = 0; part < 8; part++) {
    const step = scale * scaleAt(bytes, at + 4, part)
    const offset = least * leastAt(bytes, at + 4, part)
    const from = at + 16 + (part >> 1) * 32
    const shift = (part & 1) * 4
    for (let index = 0; index < 32; index++)
      values[to + part * 32 + index] = step * (((bytes[from + index] as number) >> shift) & 15) - offset
  }
}

export const q5_K: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  const least = half(bytes, at + 2)
  for (let part = 0; part < 8; part++) {
    const step = scale * scaleAt(bytes, at + 4, part)
    const offset = least * leastAt(bytes, at + 4, part)
    const from = at + 48 + (part >> 1) * 32
    const shift = (part & 1) * 4
    for (let index = 0; index < 32; index++) {
      const fifth = (((bytes[at + 16 + index] as number) >> part) & 1) << 4
      const quant = (((bytes[from + index] as number) >> shift) & 15) | fifth
      values[to + part * 32 + index] = step * quant - offset
    }
  }
}

/** 16 parts of 16 with a scale of eight bits each. */
export const q6_K: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at + 208)
  for (let index = 0; index < 256; index++) {
    const half_ = index >> 7
    const within = index & 127
    const low = ((bytes[at + half_ * 64 + (within & 63)] as number) >> ((within >> 6) * 4)) & 15
    const high = ((bytes[at + 128 + half_ * 32 + (within & 31)] as number) >> ((within >> 5) * 2)) & 3
    const step = ((bytes[at + 192 + (index >> 4)] as number) << 24) >> 24
    values[to + index] = scale * step * ((low | (high << 4)) - 32)
  }
}

/** 8 parts of 32 with six bits of a scale each, and uneven steps. */
export const iq4_xs: Block = (bytes, at, values, to) => {
  const scale = half(bytes, at)
  const highs = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8)
  for (let part = 0; part < 8; part++) {
    const low = ((bytes[at + 4 + (part >> 1)] as number) >> ((part & 1) * 4)) & 15
    const step = scale * ((low | (((highs >> (part * 2)) & 3) << 4)) - 32)
    for (let index = 0; index < 16; index++) {
      const both = bytes[at + 8 + part * 16 + index] as number
      values[to + part * 32 + index] = step * (uneven[both & 15] as number)
      values[to + part * 32 + index + 16] = step * (uneven[both >> 4] as number)
    }
  }
}
