/** Each type of tensor against what the `gguf` package of Python makes of the same bytes (`gguf.quants.dequantize`, random blocks). */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { canDequantise, dequantise } from "../../runtime/precision/dequantise.ts"
import { tensorTypes } from "../../runtime/precision/types.ts"

interface Truth {
  readonly type: string
  readonly id: number
  readonly block: number
  /** Hexadecimal. */
  readonly bytes: string
  readonly values: readonly (number | "inf" | "-inf")[]
}

const { types } = JSON.parse(readFileSync(new URL("./dequantised.json", import.meta.url), "utf8")) as {
  types: readonly Truth[]
}

const number = (value: number | "inf" | "-inf"): number =>
  value === "inf" ? Number.POSITIVE_INFINITY : value === "-inf" ? Number.NEGATIVE_INFINITY : value

test.each(types.map((truth) => [truth.type, truth] as const))("%s to the bit", (_, truth) => {
  const { type, id, block, bytes, values } = truth
  expect(tensorTypes[id]).toMatchObject({ name: type, values: block })
  expect([...dequantise(id, Buffer.from(bytes, "hex"))]).toEqual(values.map(number).map(Math.fround))
})

test("types that are not known are said to be not", () => {
  expect(canDequantise(18)).toBe(false)
  expect(canDequantise(99)).toBe(false)
  expect(() => dequantise(8, new Uint8Array(33))).toThrow("no blocks")
})
