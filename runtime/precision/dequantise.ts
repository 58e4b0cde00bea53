/** From the bytes of a tensor to its values in single precision, for the types that models come in. */
import { type Block, iq4_nl, q4_0, q4_1, q5_0, q5_1, q8_0 } from "./blocks.ts"
import { brainHalf, half } from "./half.ts"
import { iq4_xs, q2_K, q3_K, q4_K, q5_K, q6_K } from "./superBlocks.ts"
import { tensorTypes } from "./types.ts"

const blocks: Readonly<Record<string, Block>> = {
  F16: (bytes, at, values, to) => {
    values[to] = half(bytes, at)
  },
  BF16: (bytes, at, values, to) => {
    values[to] = brainHalf(bytes, at)
  },
  Q4_0: q4_0,
  Q4_1: q4_1,
  Q5_0: q5_0,
  Q5_1: q5_1,
  Q8_0: q8_0,
  Q2_K: q2_K,
  Q3_K: q3_K,
  Q4_K: q4_K,
  Q5_K: q5_K,
  Q6_K: q6_K,
  IQ4_NL: iq4_nl,
  IQ4_XS: iq4_xs,
}

export const canDequantise = (type: number): boolean => {
  const known = tensorTypes[type]
  return known !== undefined && Object.hasOwn(blocks, known.name)
}

/** The values of whole blocks of a type for which `canDequantise` holds. */
export function dequantise(type: number, bytes: Uint8Array): Float32Array {
  const { name, values: each, bytes: size } = tensorTypes[type] ?? { name: "", values: 1, bytes: 1 }
  const block = blocks[name]
  if (block === undefined || bytes.length % size !== 0)
    throw new Error(`internal: ${bytes.length} bytes are no blocks of tensor type ${type}`)
  const count = bytes.length / size
  const values = new Float32Array(count * each)
  for (let index = 0; index < count; index++) block(bytes, index * size, values, index * each)
  return values
}
