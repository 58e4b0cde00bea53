/** Numbers of 16 bits. */

/** IEEE 754 binary16, by its bits. */
const halves = new Float32Array(1 << 16)
for (let bits = 0; bits < halves.length; bits++) halves[bits] = halfOf(bits)

function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}

/** The half-precision number whose two bytes, least significant first, stand at `at`. */
export const half = (bytes: Uint8Array, at: number): number =>
  halves[(bytes[at] as number) | ((bytes[at + 1] as number) << 8)] as number

const word = new Uint32Array(1)
const single = new Float32Array(word.buffer)

/** The same of a bfloat16: the upper half of a single. */
export function brainHalf(bytes: Uint8Array, at: number): number {
  word[0] = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 24)
  return single[0] as number
}
