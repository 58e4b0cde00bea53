/** What stands in a GGUF file: its metadata as bytes, and where its tensors are. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
import type { FileHandle } from "node:fs/promises"
import { Damage, Reader, readCounts, skipValue } from "../backend/ggufHeader.ts"
import { type TensorType, tensorTypes } from "./types.ts"

export interface Contents {
  /** In the order of the file. */
  readonly metadata: readonly Entry[]
  readonly tensors: readonly Tensor[]
}

export interface Entry {
  readonly key: string
  /** Key, type and value as they stand in the file. */
  readonly bytes: Buffer
}

export interface Tensor {
  readonly name: string
  /** Fastest first. */
  readonly shape: readonly number[]
  readonly type: number
  readonly kind: TensorType
  /** Where its data begin, in bytes from the start of the file. */
  readonly at: number
  /** Bytes of its data. */
  readonly bytes: number
  /** How many values it has. */
  readonly values: number
}

const ALIGNMENT = 32
/** Shapes of more dimensions do not exist in GGUF. */
const MOST_DIMENSIONS = 4
const UINT32 = 4

/** Reads the head of a file; believes none of its numbers. @throws Damage */
export async function contentsOf(file: FileHandle, bytes: number): Promise<Contents> {
  const reader = new Reader(file, bytes)
  const counts = await readCounts(reader)
  const metadata: Entry[] = []
  for (let index = 0; index < counts.entries; index++) metadata.push(await readEntry(reader, file))
  const alignment = alignmentOf(metadata)
  const infos: (Omit<Tensor, "at"> & { readonly offset: number })[] = []
  for (let index = 0; index < counts.tensors; index++) infos.push(await readInfo(reader, bytes))
  const start = aligned(reader.position, alignment)
  return {
    metadata,
    tensors: infos.map(({ offset, ...info }) => {
      const at = start + offset
      if (at + info.bytes > bytes) throw new Damage(`tensor ${info.name} is longer than the rest of the file`)
      return { ...info, at }
    }),
  }
}

async function readEntry(reader: Reader, file: FileHandle): Promise<Entry> {
  const from = reader.position
  const key = await readText(reader, "a name in its metadata")
  await skipValue(reader, (await reader.take(4)).readUInt32LE())
  const bytes = Buffer.alloc(reader.position - from)
  await file.read(bytes, 0, bytes.length, from)
  return { key, bytes }
}

async function readText(reader: Reader, what: string): Promise<string> {
  return (await reader.take(await reader.count(`bytes of ${what}`, 1))).toString("utf8")
}

async function readInfo(
  reader: Reader,
  fileBytes: number,
): Promise<Omit<Tensor, "at"> & { readonly offset: number }> {
  const name = await readText(reader, "a tensor's name")
  const dimensions = (await reader.take(4)).readUInt32LE()
  if (dimensions > MOST_DIMENSIONS) throw new Damage(`tensor ${name} has ${dimensions} dimensions`)
  const shape: number[] = []
  for (let index = 0; index < dimensions; index++)
    shape.push(Number((await reader.take(8)).readBigUInt64LE()))
  const type = (await reader.take(4)).readUInt32LE()
  const offset = Number((await reader.take(8)).readBigUInt64LE())
  const kind = tensorTypes[type]
  if (kind === undefined) throw new Damage(`tensor ${name} is of type ${type}, which is not known`)
  const values = shape.reduce((product, side) => product * side, 1)
  const bytes = (values / kind.values) * kind.bytes
  if (!Number.isSafeInteger(bytes) || bytes > fileBytes || offset > fileBytes)
    throw new Damage(`tensor ${name} announces more than the file can hold`)
  return { name, shape, type, kind, bytes, values, offset }
}

function alignmentOf(metadata: readonly Entry[]): number {
  const entry = metadata.find(({ key }) => key === "general.alignment")
  const value = entry === undefined ? ALIGNMENT : uint32At(entry)
  if (value === undefined || value < 1 || value > 1 << 20) throw new Damage("its alignment is none")
  return value
}

/** The value of an entry that is a whole number of 32 bits; undefined where it is none. */
function uint32At({ key, bytes }: Entry): number | undefined {
  const at = 8 + Buffer.byteLength(key)
  return bytes.readUInt32LE(at) === UINT32 ? bytes.readUInt32LE(at + 4) : undefined
}

/** An entry that is a whole number of 32 bits. */
export function uint32Entry(key: string, value: number): Entry {
  const name = Buffer.from(key, "utf8")
  const bytes = Buffer.alloc(8 + name.length + 8)
  bytes.writeBigUInt64LE(BigInt(name.length))
  name.copy(bytes, 8)
  bytes.writeUInt32LE(UINT32, 8 + name.length)
  bytes.writeUInt32LE(value, 12 + name.length)
  return { key, bytes }
}

export const aligned = (position: number, alignment = ALIGNMENT): number =>
  Math.ceil(position / alignment) * alignment
