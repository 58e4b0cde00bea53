/**
 * A walk over the head of a GGUF file that believes none of its numbers. The engine believes them all: it would allocate what a damaged
 * length announces, or read on for hours. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
import type { FileHandle } from "node:fs/promises"
import { type HeadMetadata, namedTexts, problemOfMetadata, tokensName } from "./ggufMetadata.ts"

/** What is wrong with the head, in words; undefined where all that it announces can be there. */
export async function problemOfHeader(file: FileHandle, bytes: number): Promise<string | undefined> {
  const reader = new Reader(file, bytes)
  try {
    return problemOfMetadata(await walk(reader))
  } catch (error) {
    if (error instanceof Damage) return error.message
    throw error
  }
}

/** What is wrong with a file, in words that go on a sentence. */
export class Damage extends Error {}

const versions: readonly number[] = [2, 3]
/** Bytes of a value by its type; 8 is a text and 9 an array. */
const sizes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}
const textType = 8
const arrayType = 9
/** The longest that models have are vocabularies, of some hundred thousand. */
const mostElements = 1 << 24
/** Bytes of a name or of a token at most, generously. */
const longestText = 1 << 20
/** Bytes of a tensor's entry at least: a name's length, the number of dimensions, a type, an offset. */
const leastTensor = 24

/** How many tensors and entries of metadata a file announces; what follows is the metadata. */
export async function readCounts(
  reader: Reader,
): Promise<{ readonly tensors: number; readonly entries: number }> {
  if ((await reader.take(4)).toString("latin1") !== "GGUF")
    throw new Damage("it does not begin as a GGUF file does")
  const version = (await reader.take(4)).readUInt32LE()
  if (!versions.includes(version)) throw new Damage(`it is of version ${version}, which is not known`)
  const tensors = await reader.count("tensors", leastTensor)
  return { tensors, entries: await reader.count("metadata", 1) }
}

async function walk(reader: Reader): Promise<HeadMetadata> {
  const { tensors, entries } = await readCounts(reader)
  const numbers = new Map<string, number>()
  const texts = new Map<string, string>()
  let tokens: readonly string[] | undefined
  for (let entry = 0; entry < entries; entry++) {
    const name = await reader.takeText("a name in its metadata")
    const type = (await reader.take(4)).readUInt32LE()
    if (type === textType && namedTexts.includes(name)) {
      texts.set(name, await reader.takeText("a text in its metadata"))
    } else if (type === arrayType && name === tokensName) tokens = await takeTexts(reader)
    else if (type in sizes) numbers.set(name, numberIn(await reader.take(sizeOf(type)), type))
    else await skipValue(reader, type)
  }
  if (tensors * leastTensor > reader.left)
    throw new Damage(`it announces ${tensors} tensors and ends before them`)
  return { numbers, texts, tokens }
}

export async function skipValue(reader: Reader, type: number): Promise<void> {
  if (type === textType) return reader.skipText("a text in its metadata")
  if (type !== arrayType) return reader.skip(sizeOf(type), "a value in its metadata")
  const { elements, length } = await listHead(reader)
  if (elements !== textType) return reader.skip(length * sizeOf(elements), "a list in its metadata")
  for (let index = 0; index < length; index++) await reader.skipText("a text in its metadata")
}

async function takeTexts(reader: Reader): Promise<readonly string[]> {
  const { elements, length } = await listHead(reader)
  if (elements !== textType) throw new Damage("its vocabulary is no list of texts")
  const texts: string[] = []
  for (let index = 0; index < length; index++) texts.push(await reader.takeText("a text in its metadata"))
  return texts
}

async function listHead(reader: Reader): Promise<{ readonly elements: number; readonly length: number }> {
  const elements = (await reader.take(4)).readUInt32LE()
  const length = await reader.count("elements of a list", elements === textType ? 8 : sizeOf(elements))
  if (length > mostElements) throw new Damage(`it announces a list of ${length} elements in its metadata`)
  return { elements, length }
}

/** A value of a type that takes 1, 2, 4 or 8 bytes. */
function numberIn(bytes: Buffer, type: number): number {
  if (type === 6) return bytes.readFloatLE()
  if (type === 12) return bytes.readDoubleLE()
  if (type === 10 || type === 11) return Number(bytes.readBigUInt64LE())
  return bytes.readUIntLE(0, bytes.length)
}

function sizeOf(type: number): number {
  const size = sizes[type]
  if (size === undefined) throw new Damage(`its metadata holds a value of type ${type}, which is not known`)
  return size
}

/** Reads a file front to back, a piece at a time. */
export class Reader {
  readonly file: FileHandle
  /** Bytes of the file after what was taken. */
  left: number
  #held = Buffer.alloc(0)
  #at = 0

  constructor(file: FileHandle, bytes: number) {
    this.file = file
    this.left = bytes
  }

  /** Bytes of the file before what is taken next. */
  get position(): number {
    return this.#at - this.#held.length
  }

  async take(count: number): Promise<Buffer> {
    if (count > this.left) throw new Damage("it ends within its metadata")
    while (this.#held.length < count) {
      const { bytesRead, buffer } = await this.file.read(Buffer.alloc(1 << 20), 0, 1 << 20, this.#at)
      if (bytesRead === 0) throw new Damage("it ends within its metadata")
      this.#at += bytesRead
      this.#held = Buffer.concat([this.#held, buffer.subarray(0, bytesRead)])
    }
    const taken = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    this.left -= count
    return taken
  }

  async skip(count: number, what: string): Promise<void> {
    if (count > this.left) throw new Damage(`${what} is longer than the rest of the file`)
    this.left -= count
    const held = Math.min(count, this.#held.length)
    this.#held = this.#held.subarray(held)
    this.#at += count - held
  }

  async skipText(what: string): Promise<void> {
    await this.skip(await this.count(`bytes of ${what}`, 1), what)
  }

  async takeText(what: string): Promise<string> {
    const bytes = await this.count(`bytes of ${what}`, 1)
    if (bytes > longestText) throw new Damage(`${what} has ${bytes} bytes`)
    return (await this.take(bytes)).toString("utf8")
  }

  /** A number of things that take `least` bytes each. */
  async count(what: string, least: number): Promise<number> {
    const count = (await this.take(8)).readBigUInt64LE()
    if (count * BigInt(least) > BigInt(this.left))
      throw new Damage(`it announces ${count} ${what}, more than it can hold`)
    return Number(count)
  }
}
