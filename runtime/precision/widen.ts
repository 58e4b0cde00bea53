/** Writes a model's weights out in single precision: the same numbers, for kernels that quantise nothing. */
import { type FileHandle, open, stat } from "node:fs/promises"
import { Damage } from "../backend/ggufHeader.ts"
import { partsOf } from "../hub/split.ts"
import { canDequantise, dequantise } from "./dequantise.ts"
import { aligned, type Contents, contentsOf, type Entry, type Tensor, uint32Entry } from "./tensors.ts"
import { F32 } from "./types.ts"

/** A model of one file or several, with what stands in each. */
export interface Weights {
  readonly files: readonly { readonly path: string; readonly contents: Contents }[]
}

/** @throws Damage; what the system says of a file that cannot be read */
export async function weightsOf(path: string): Promise<Weights> {
  const files: { readonly path: string; readonly contents: Contents }[] = []
  for (const part of partsOf(path)) {
    const { size } = await stat(part)
    files.push({ path: part, contents: await reading(part, (file) => contentsOf(file, size)) })
  }
  return { files }
}

const tensorsOf = ({ files }: Weights): readonly Tensor[] => files.flatMap(({ contents }) => contents.tensors)

/** Bytes of weights by the name of their type, most first. */
export const typesOf = (weights: Weights): ReadonlyMap<string, number> => sizesOf(tensorsOf(weights))

function sizesOf(tensors: readonly Tensor[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { kind, bytes } of tensors) sizes.set(kind.name, (sizes.get(kind.name) ?? 0) + bytes)
  return new Map([...sizes].sort(([, one], [, other]) => other - one))
}

/** The type that most weights of the layers are of, by bytes; undefined where a model has no layers. What stands outside of them often has another. */
export function layerType({ files }: Weights): string | undefined {
  const layers = files.flatMap(({ contents }) =>
    contents.tensors.filter(({ name, shape }) => name.startsWith("blk.") && shape.length > 1),
  )
  return [...sizesOf(layers).keys()][0]
}

/** Types of weights that cannot be written out. */
export const unknownTypes = (weights: Weights): readonly string[] => [
  ...new Set(
    tensorsOf(weights).flatMap(({ type, kind }) =>
      isWhole(kind.name) || canDequantise(type) ? [] : [kind.name],
    ),
  ),
]

/** Numbers that are no weights, and those that are in single precision already or beyond it: they are copied. */
const isWhole = (type: string): boolean => ["F32", "F64", "I8", "I16", "I32", "I64"].includes(type)

/** Bytes of the file that `widen` writes, to within its head. */
export const widenedBytes = (weights: Weights): number =>
  tensorsOf(weights).reduce((sum, tensor) => sum + aligned(bytesAfter(tensor)), 0) +
  weights.files.reduce(
    (sum, { contents }) => sum + contents.metadata.reduce((all, { bytes }) => all + bytes.length, 0),
    0,
  )

const bytesAfter = ({ kind, bytes, values }: Tensor): number => (isWhole(kind.name) ? bytes : values * 4)

/** Bytes of a tensor that are read at once. */
const PIECE = 1 << 22

/** Writes the model to `target`, which must not be there. `passed` hears of each piece in bytes. @throws Damage; what the system says */
export async function widen(
  weights: Weights,
  target: string,
  { passed, signal }: { readonly passed: (bytes: number) => void; readonly signal: AbortSignal },
): Promise<void> {
  const out = await open(target, "wx")
  try {
    const head = headOf(weights)
    await out.appendFile(head)
    passed(head.length)
    for (const { path, contents } of weights.files) {
      await reading(path, async (file) => {
        for (const tensor of contents.tensors) await copy(file, tensor, out, { passed, signal })
      })
    }
  } finally {
    await out.close()
  }
}

async function copy(
  file: FileHandle,
  tensor: Tensor,
  out: FileHandle,
  { passed, signal }: { readonly passed: (bytes: number) => void; readonly signal: AbortSignal },
): Promise<void> {
  const { kind, type, at, bytes } = tensor
  const piece = Math.floor(PIECE / kind.bytes) * kind.bytes
  const write = async (written: Uint8Array): Promise<void> => {
    await out.appendFile(written)
    passed(written.length)
  }
  for (let from = 0; from < bytes; from += piece) {
    signal.throwIfAborted()
    const part = Buffer.alloc(Math.min(piece, bytes - from))
    const { bytesRead } = await file.read(part, 0, part.length, at + from)
    if (bytesRead < part.length) throw new Damage(`it ends within tensor ${tensor.name}`)
    if (isWhole(kind.name)) await write(part)
    else await write(new Uint8Array(dequantise(type, part).buffer))
  }
  const after = bytesAfter(tensor)
  if (aligned(after) > after) await write(Buffer.alloc(aligned(after) - after))
}

/** Metadata of the first file: a split model's parts say of themselves that they are, and the others say nothing else. */
function headOf(weights: Weights): Buffer {
  const metadata = (weights.files[0]?.contents.metadata ?? []).flatMap((entry): readonly Entry[] => {
    if (entry.key.startsWith("split.") || entry.key === "general.alignment") return []
    return entry.key === "general.file_type" ? [uint32Entry(entry.key, F32)] : [entry]
  })
  const tensors = tensorsOf(weights)
  const counts = Buffer.alloc(24)
  counts.write("GGUF", "latin1")
  counts.writeUInt32LE(3, 4)
  counts.writeBigUInt64LE(BigInt(tensors.length), 8)
  counts.writeBigUInt64LE(BigInt(metadata.length), 16)
  const infos: Buffer[] = []
  let offset = 0
  for (const tensor of tensors) {
    infos.push(infoOf(tensor, offset))
    offset += aligned(bytesAfter(tensor))
  }
  const head = Buffer.concat([counts, ...metadata.map(({ bytes }) => bytes), ...infos])
  return Buffer.concat([head, Buffer.alloc(aligned(head.length) - head.length)])
}

function infoOf({ name, shape, type, kind }: Tensor, offset: number): Buffer {
  const text = Buffer.from(name, "utf8")
  const info = Buffer.alloc(8 + text.length + 4 + 8 * shape.length + 4 + 8)
  info.writeBigUInt64LE(BigInt(text.length))
  text.copy(info, 8)
  let at = 8 + text.length
  at = info.writeUInt32LE(shape.length, at)
  for (const side of shape) at = info.writeBigUInt64LE(BigInt(side), at)
  at = info.writeUInt32LE(isWhole(kind.name) ? type : F32, at)
  info.writeBigUInt64LE(BigInt(offset), at)
  return info
}

async function reading<A>(path: string, use: (file: FileHandle) => Promise<A>): Promise<A> {
  const file = await open(path)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}
