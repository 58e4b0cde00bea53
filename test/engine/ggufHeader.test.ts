import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { problemOfHeader } from "../../runtime/backend/ggufHeader.ts"
import { pocketFile } from "./support.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cfx-gguf-"))
})
afterAll(() => rm(folder, { recursive: true }))

async function problemOf(bytes: Buffer): Promise<string | undefined> {
  const path = join(folder, "file.gguf")
  await writeFile(path, bytes)
  const file = await open(path)
  try {
    return await problemOfHeader(file, bytes.length)
  } finally {
    await file.close()
  }
}

const u32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
const u64 = (value: bigint): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(value)
  return buffer
}
const text = (words: string): Buffer => Buffer.concat([u64(BigInt(words.length)), Buffer.from(words)])
/** A file of one entry of metadata, named "name", and 1,000 bytes of nothing. */
const withEntry = (...value: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from("GGUF"), u32(3), u64(1n), u64(1n), text("name"), ...value, Buffer.alloc(1000)])

test("a whole file has no problem", async () => {
  expect(await problemOf(await readFile(pocketFile.path))).toBeUndefined()
  expect(await problemOf(withEntry(u32(8), text("value")))).toBeUndefined()
  expect(await problemOf(withEntry(u32(9), u32(8), u64(2n), text("a"), text("b")))).toBeUndefined()
})

describe("a head that announces what cannot be there", () => {
  test.each([
    ["another magic", Buffer.from("GGML0000"), /does not begin/],
    ["another version", Buffer.concat([Buffer.from("GGUF"), u32(77)]), /version 77/],
    ["nothing after the version", Buffer.concat([Buffer.from("GGUF"), u32(3)]), /ends within/],
    ["a text that is too long", withEntry(u32(8), u64(1n << 40n)), /1099511627776 bytes of a text/],
    [
      "a list that is too long",
      withEntry(u32(9), u32(0), u64(1n << 40n)),
      /1099511627776 elements of a list/,
    ],
    ["a list of lists", withEntry(u32(9), u32(9), u64(1n)), /type 9, which is not known/],
    ["a type that is not known", withEntry(u32(13)), /type 13, which is not known/],
  ])("%s is told", async (_, bytes, problem) => {
    expect(await problemOf(bytes)).toMatch(problem)
  })

  test("wherever a file is cut within its metadata, it is told", async () => {
    const whole = await readFile(pocketFile.path)
    for (const length of [0, 3, 7, 20, 100, 3000, 20_000]) {
      expect(await problemOf(whole.subarray(0, length))).toBeTypeOf("string")
    }
  })
})
