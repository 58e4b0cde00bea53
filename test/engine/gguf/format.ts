/** GGUF files, written from their parts: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */

export interface Gguf {
  readonly metadata: Metadata
  readonly tensors: readonly Tensor[]
}

export type Metadata = Readonly<Record<string, MetadataValue>>

/** Plain strings and truth values stand for themselves; lists hold one type each. */
export type MetadataValue =
  | string
  | boolean
  | readonly string[]
  | { readonly type: "u16" | "u32" | "i32" | "f32" | "u64"; readonly value: number }
  | { readonly type: "i32" | "f32"; readonly list: readonly number[] }

export interface Tensor {
  readonly name: string
  /** ggml's order: the first dimension is the one whose elements are neighbours. */
  readonly shape: readonly number[]
  /** As many as the product of the shape. */
  readonly values: Float32Array
  readonly type: "F32" | "F16"
}

export const u32 = (value: number): MetadataValue => ({ type: "u32", value })
export const f32 = (value: number): MetadataValue => ({ type: "f32", value })

/** The file's bytes. */
export function ggufBytes({ metadata, tensors }: Gguf): Buffer {
  const head: Buffer[] = [
    Buffer.from("GGUF"),
    number("u32", 3),
    number("u64", tensors.length),
    number("u64", Object.keys(metadata).length),
  ]
  for (const [name, value] of Object.entries(metadata)) head.push(text(name), ...valueBytes(value))
  let offset = 0
  const data: Buffer[] = []
  for (const { name, shape, values, type } of tensors) {
    head.push(text(name), number("u32", shape.length), ...shape.map((length) => number("u64", length)))
    head.push(number("u32", tensorTypes[type]), number("u64", offset))
    const bytes = type === "F32" ? f32Bytes(values) : f16Bytes(values)
    data.push(bytes, padding(bytes.length))
    offset += bytes.length + padding(bytes.length).length
  }
  const headBytes = Buffer.concat(head)
  return Buffer.concat([headBytes, padding(headBytes.length), ...data])
}

/**
 * The same model in so many files, as `llama-gguf-split` cuts it: the first holds all metadata, and each its share of the tensors.
 * They are to be named NAME-00001-of-0000N.gguf.
 */
export function splitGguf({ metadata, tensors }: Gguf, count: number): readonly Buffer[] {
  const each = Math.ceil(tensors.length / count)
  return Array.from({ length: count }, (_, index) =>
    ggufBytes({
      metadata: {
        ...(index === 0 ? metadata : {}),
        "split.no": { type: "u16", value: index },
        "split.count": { type: "u16", value: count },
        "split.tensors.count": { type: "i32", value: tensors.length },
      },
      tensors: tensors.slice(index * each, (index + 1) * each),
    }),
  )
}

const tensorTypes = { F32: 0, F16: 1 } as const
const valueTypes = { u16: 2, i16: 3, u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9, u64: 10 } as const
const alignment = 32

const padding = (length: number): Buffer => Buffer.alloc((alignment - (length % alignment)) % alignment)

function valueBytes(value: MetadataValue): readonly Buffer[] {
  const type = (name: keyof typeof valueTypes): Buffer => number("u32", valueTypes[name])
  if (typeof value === "string") return [type("string"), text(value)]
  if (typeof value === "boolean") return [type("bool"), Buffer.of(value ? 1 : 0)]
  if (!("type" in value))
    return [type("array"), type("string"), number("u64", value.length), ...value.map(text)]
  if ("value" in value) return [type(value.type), number(value.type, value.value)]
  const { list } = value
  return [
    type("array"),
    type(value.type),
    number("u64", list.length),
    ...list.map((one) => number(value.type, one)),
  ]
}

function number(type: "u16" | "u32" | "i32" | "f32" | "u64", value: number): Buffer {
  const bytes = Buffer.alloc(type === "u64" ? 8 : type === "u16" ? 2 : 4)
  if (type === "u64") bytes.writeBigUInt64LE(BigInt(value))
  else if (type === "u16") bytes.writeUInt16LE(value)
  else if (type === "u32") bytes.writeUInt32LE(value)
  else if (type === "i32") bytes.writeInt32LE(value)
  else bytes.writeFloatLE(value)
  return bytes
}

function text(words: string): Buffer {
  const bytes = Buffer.from(words, "utf8")
  return Buffer.concat([number("u64", bytes.length), bytes])
}

const f32Bytes = (values: Float32Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength)

/** Half precision, rounded towards zero; what is too small for a normal number becomes 0. */
function f16Bytes(values: Float32Array): Buffer {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const halves = Uint16Array.from(bits, (single) => {
    const sign = (single >>> 16) & 0x8000
    const exponent = ((single >>> 23) & 0xff) - 112
    if (exponent <= 0) return sign
    if (exponent >= 31) return sign | 0x7c00 | ((single & 0x7fffff) === 0 ? 0 : 1)
    return sign | (exponent << 10) | ((single >>> 13) & 0x3ff)
  })
  return Buffer.from(halves.buffer)
}
