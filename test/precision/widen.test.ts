/** Weights written out in F32: the same file as a model that was made in F32, tensor for tensor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { dequantise } from "../../runtime/precision/dequantise.ts"
import {
  layerType,
  typesOf,
  unknownTypes,
  weightsOf,
  widen,
  widenedBytes,
} from "../../runtime/precision/widen.ts"
import { type Gguf, ggufBytes, splitGguf, u32 } from "../engine/gguf/format.ts"
import { smallModel } from "../engine/gguf/model.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cfx-widen-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = { architecture: "llama", metadata: { "general.file_type": u32(1) } } as const
const halves = smallModel({ ...options, type: "F16" })

/** The same model, made in F32 of the values that half precision leaves. */
const singles = (): Buffer => {
  const rounded = (values: Float32Array): Float32Array => {
    const tensor = { name: "x", shape: [values.length], values, type: "F16" } as const
    const bytes = ggufBytes({ metadata: {}, tensors: [tensor] })
    return dequantise(
      1,
      bytes.subarray(bytes.length - Math.ceil((values.length * 2) / 32) * 32).subarray(0, values.length * 2),
    )
  }
  const wide: Gguf = {
    metadata: { ...halves.metadata, "general.file_type": u32(0) },
    tensors: halves.tensors.map((tensor) =>
      tensor.type === "F32" ? tensor : { ...tensor, values: rounded(tensor.values), type: "F32" as const },
    ),
  }
  return ggufBytes(wide)
}

const widened = async (path: string): Promise<Buffer> => {
  const target = join(folder, "wide.gguf")
  rmSync(target, { force: true })
  let written = 0
  const passed = (bytes: number): void => {
    written += bytes
  }
  await widen(await weightsOf(path), target, { passed, signal: new AbortController().signal })
  const bytes = readFileSync(target)
  expect(written).toBe(bytes.length)
  return bytes
}

test("are those of a model that was made so", async () => {
  const path = join(folder, "half.gguf")
  writeFileSync(path, ggufBytes(halves))
  const weights = await weightsOf(path)
  expect([...typesOf(weights).keys()]).toEqual(["F16", "F32"])
  expect(layerType(weights)).toBe("F16")
  expect(unknownTypes(weights)).toEqual([])
  const bytes = await widened(path)
  expect(bytes.equals(singles())).toBe(true)
  expect(Math.abs(widenedBytes(weights) - bytes.length)).toBeLessThan(10_000)
})

test("of several files become one", async () => {
  const parts = splitGguf(halves, 3)
  for (const [index, part] of parts.entries())
    writeFileSync(join(folder, `half-0000${index + 1}-of-00003.gguf`), part)
  expect((await widened(join(folder, "half-00001-of-00003.gguf"))).equals(singles())).toBe(true)
})

test("stop where they are told to, and are never written over another file", async () => {
  const path = join(folder, "stop.gguf")
  writeFileSync(path, ggufBytes(halves))
  const weights = await weightsOf(path)
  const signal = AbortSignal.abort()
  await expect(widen(weights, join(folder, "stopped.gguf"), { passed: () => {}, signal })).rejects.toThrow()
  await expect(widen(weights, path, { passed: () => {}, signal })).rejects.toThrow("EEXIST")
})

test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
  [
    "is cut within its weights",
    (bytes) => bytes.subarray(0, bytes.length - 4096),
    /longer than the rest of the file/,
  ],
  ["is cut within its head", (bytes) => bytes.subarray(0, 2000), /ends|longer than|more than it can hold/],
  [
    "is something else",
    () => Buffer.from("PK\u0003\u0004 and more than that, so that there is enough to read"),
    /does not begin as a GGUF/,
  ],
])("a file that %s is damaged", async (_, damage, why) => {
  const path = join(folder, "damaged.gguf")
  writeFileSync(path, damage(ggufBytes(halves)))
  await expect(weightsOf(path)).rejects.toThrow(why)
})
