/** A model's file, looked at before an engine sees it: it is there, it is a GGUF, and it is the one that the spec names. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, stat } from "node:fs/promises"
import { Effect } from "effect"
import { EnvironmentFailure } from "../failure.ts"
import type { ModelFile } from "./backend.ts"
import { problemOfHeader } from "./ggufHeader.ts"
import { noFile } from "./unable.ts"

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
        ? noFile(model.name, model.path)
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
  const problem = yield* Effect.tryPromise({
    try: async () => {
      const file = await open(model.path)
      try {
        return await problemOfHeader(file, bytes)
      } finally {
        await file.close()
      }
    },
    catch: unreadable,
  })
  if (problem !== undefined)
    return yield* fail(
      `the file of model ${model.name} is not a GGUF file, or is damaged: ${problem}`,
      "give a whole model file in GGUF format: copy or download it again",
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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined
