/** A model's file, looked at before an engine sees it: it is there, it is a GGUF, and it is the one that the spec names. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { Effect } from "effect"
import { EnvironmentFailure } from "../failure.ts"
import type { ModelFile } from "./backend.ts"

/** Checks size and sum where they are declared, and returns the file's sha256 (hex) in any case. */
export const checkModelFile = Effect.fn("checkModelFile")(function* (model: ModelFile) {
  const fail = (what: string, todo: string): EnvironmentFailure =>
    new EnvironmentFailure({ what, where: model.path, todo })
  const again = "copy or download the file again, or correct what the model's declaration says of it"

  const bytes = yield* Effect.tryPromise({
    try: async () => {
      const found = await stat(model.path)
      if (!found.isFile()) throw new Error("it is not a file")
      return found.size
    },
    catch: (error) =>
      codeOf(error) === "ENOENT"
        ? fail(
            `the file of model ${model.name} does not exist`,
            "check the path, or give another with --model",
          )
        : fail(
            `the file of model ${model.name} cannot be read: ${messageOf(error)}`,
            "check the path and its rights",
          ),
  })
  if (model.bytes !== undefined && bytes !== model.bytes)
    return yield* fail(
      `the file of model ${model.name} has ${bytes} bytes, not the declared ${model.bytes}`,
      again,
    )

  const unreadable = (error: unknown): EnvironmentFailure =>
    fail(
      `the file of model ${model.name} cannot be read: ${messageOf(error)}`,
      "check the file and its rights",
    )
  const head = yield* Effect.tryPromise({ try: () => firstBytes(model.path, headBytes), catch: unreadable })
  if (
    head.length < headBytes ||
    head.toString("latin1", 0, 4) !== "GGUF" ||
    !ggufVersions.includes(head.readUInt32LE(4))
  )
    return yield* fail(
      `the file of model ${model.name} is not a GGUF file`,
      "give a whole model file in GGUF format",
    )
  if (leastHeader(head) > BigInt(bytes))
    return yield* fail(
      `the file of model ${model.name} is damaged: its first bytes announce more tensors and metadata than its ${bytes} bytes can hold`,
      "copy or download the file again",
    )

  const sum = yield* Effect.tryPromise({ try: () => sha256File(model.path), catch: unreadable })
  if (model.sha256 !== undefined && sum !== model.sha256.toLowerCase())
    return yield* fail(
      `the file of model ${model.name} has sha256 ${sum}, not the declared ${model.sha256}`,
      again,
    )
  return sum
})

/** The sha256 (hex) of a file, read as a stream. */
export async function sha256File(path: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer)
  return hash.digest("hex")
}

/** Magic, version, and the two counts of tensors and metadata. */
const headBytes = 24
/** A tensor's entry takes at least a name's length, the number of dimensions, a type and an offset; one of metadata a length, a type and a byte. */
const leastTensor = 24n
const leastMetadata = 13n

/** What the counts of a header need at least, in bytes: the engine believes them, and would read on for hours. */
const leastHeader = (head: Buffer): bigint =>
  head.readBigUInt64LE(8) * leastTensor + head.readBigUInt64LE(16) * leastMetadata

/** Versions of the format that the engine reads. */
const ggufVersions: readonly number[] = [2, 3]

async function firstBytes(path: string, count: number): Promise<Buffer> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file?.close()
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined
