/**
 * Values with large typed arrays in them as bytes, and back: what is not such an array by Node's structured clone, the arrays behind it as they are in
 * memory, each at a multiple of eight. Written piece by piece, so that nothing is held twice; read as views of the bytes, so that nothing is copied.
 */
import { deserialize, serialize } from "node:v8"

const kinds = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const
type Kind = keyof typeof kinds
type Numbers = InstanceType<(typeof kinds)[Kind]>

/** Kind and length of each array, and the value with a `Uint32Array` of one number, which array it is, in the place of each. */
interface Frame {
  readonly arrays: readonly (readonly [kind: Kind, length: number])[]
  readonly value: unknown
}

const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8

/** `value`: of primitives, lists, maps, plain objects and typed arrays. */
export function* pack(value: unknown): Generator<Uint8Array> {
  const arrays: Numbers[] = []
  const replaced = (one: unknown): unknown => {
    if (typeof one !== "object" || one === null) return one
    if (ArrayBuffer.isView(one)) return new Uint32Array([arrays.push(one as Numbers) - 1])
    if (Array.isArray(one)) return one.map(replaced)
    if (one instanceof Map) return new Map([...one].map(([key, inner]) => [key, replaced(inner)]))
    if (Object.getPrototypeOf(one) !== Object.prototype)
      throw new Error(`internal: a ${one.constructor.name} is to be packed`)
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, replaced(inner)]))
  }
  const framed = replaced(value)
  const frame: Frame = { arrays: arrays.map((array) => [kindOf(array), array.length]), value: framed }
  const bytes = serialize(frame)
  yield Buffer.from(new Float64Array([bytes.length]).buffer)
  yield* padded(bytes)
  for (const { buffer, byteOffset, byteLength } of arrays)
    yield* padded(new Uint8Array(buffer, byteOffset, byteLength))
}

/** What `pack` was given. The bytes must be whole: nothing here finds damage out. Buffers come back as plain `Uint8Array`s. */
export function unpack(given: Uint8Array): unknown {
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given)
  const { buffer, byteOffset } = bytes
  const [size = 0] = new Float64Array(buffer, byteOffset, 1)
  const { arrays, value } = deserialize(bytes.subarray(8, 8 + size)) as Frame
  let place = byteOffset + 8 + aligned(size)
  const found = arrays.map(([kind, length]) => {
    const array = new kinds[kind](buffer as ArrayBuffer, place, length)
    place += aligned(array.byteLength)
    return array
  })
  const restored = (one: unknown): unknown => {
    if (typeof one !== "object" || one === null) return one
    if (one instanceof Uint32Array) return found[one[0] as number]
    if (Array.isArray(one)) return one.map(restored)
    if (one instanceof Map) return new Map([...one].map(([key, inner]) => [key, restored(inner)]))
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, restored(inner)]))
  }
  return restored(value)
}

/** A `Buffer` is a `Uint8Array`. */
function kindOf(array: Numbers): Kind {
  const kind = (Object.keys(kinds) as Kind[]).find((name) => array instanceof kinds[name])
  if (kind === undefined) throw new Error("internal: an array of another kind is to be packed")
  return kind
}

function* padded(bytes: Uint8Array): Generator<Uint8Array> {
  yield bytes
  const rest = aligned(bytes.length) - bytes.length
  if (rest > 0) yield new Uint8Array(rest)
}
