/** A model's file, looked at before an engine sees it: it is there, it is a GGUF, and it is the one that the spec names. */
import { open, stat } from "node:fs/promises"
import { basename } from "node:path"
import { Effect } from "effect"
import { cfxHome } from "../disk/home.ts"
import { type FileSum, sumAt } from "../disk/sums.ts"
import { EnvironmentFailure } from "../failure.ts"
import { partsOf, wholeSum } from "../hub/split.ts"
import type { ModelFile } from "./backend.ts"
import { problemOfHeader } from "./ggufHeader.ts"
import { noFile, noPart } from "./unable.ts"

export interface CheckOptions {
  /** Where sums of large files are remembered. */
  readonly home?: string
  /** Hears of each piece that is read for a sum. */
  readonly passed?: (bytes: number) => void
}

/**
 * Checks size and sum where they are declared, and returns the file's sha256 (hex) in any case. A model in several files is looked at as a whole: all
 * have to be there, and size and sum are `wholeSum`'s.
 */
export const checkModelFile = Effect.fn("checkModelFile")(function* (
  model: ModelFile,
  { home = cfxHome(), passed }: CheckOptions = {},
) {
  const parts = partsOf(model.path)
  const sizes = yield* Effect.forEach(parts, (path) => sizeOf(model, path))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const again =
    "copy or download the file again, or correct what the model's declaration or cfx.lock says of it"
  if (model.bytes !== undefined && bytes !== model.bytes)
    return yield* fails(
      model.path,
      `the file of model ${model.name} has ${bytes} bytes, not the declared ${model.bytes}`,
      again,
    )
  for (const [index, path] of parts.entries()) yield* checkHeader(model, path, sizes[index] ?? 0)
  const sums = yield* Effect.forEach(parts, (path) =>
    sumOfFile(model, path, { home, ...(passed ? { passed } : {}) }),
  )
  const { sha256 } = wholeSum(sums.map((sum, index) => ({ name: basename(parts[index] ?? ""), ...sum })))
  if (model.sha256 !== undefined && sha256 !== model.sha256.toLowerCase())
    return yield* fails(
      model.path,
      `the file of model ${model.name} has sha256 ${sha256}, not the declared ${model.sha256}`,
      again,
    )
  return sha256
})

const fails = (where: string, what: string, todo: string): EnvironmentFailure =>
  new EnvironmentFailure({ what, where, todo })

const sizeOf = (model: ModelFile, path: string): Effect.Effect<number, EnvironmentFailure> =>
  Effect.tryPromise({
    try: async () => {
      const found = await stat(path)
      if (!found.isFile()) throw new Error("it is not a file")
      return found.size
    },
    catch: (error) => {
      if (codeOf(error) !== "ENOENT")
        return fails(
          path,
          `the file of model ${model.name} cannot be read: ${messageOf(error)}`,
          "check the path and its rights",
        )
      return path === model.path ? noFile(model.name, path) : noPart(model.name, path, partsOf(path).length)
    },
  })

const unreadable =
  (model: ModelFile, path: string) =>
  (error: unknown): EnvironmentFailure =>
    fails(
      path,
      `the file of model ${model.name} cannot be read: ${messageOf(error)}`,
      "check the file and its rights",
    )

const checkHeader = Effect.fnUntraced(function* (model: ModelFile, path: string, bytes: number) {
  const problem = yield* Effect.tryPromise({
    try: async () => {
      const file = await open(path)
      try {
        return await problemOfHeader(file, bytes)
      } finally {
        await file.close()
      }
    },
    catch: unreadable(model, path),
  })
  if (problem !== undefined)
    return yield* fails(
      path,
      `the file of model ${model.name} is not a GGUF file, or is damaged: ${problem}`,
      "give a whole model file in GGUF format: copy or download it again",
    )
})

const sumOfFile = (
  model: ModelFile,
  path: string,
  { home, passed }: CheckOptions,
): Effect.Effect<FileSum, EnvironmentFailure> =>
  Effect.tryPromise({
    try: async (signal) => {
      const sum = await sumAt(path, home, { signal, ...(passed === undefined ? {} : { passed }) })
      if (sum === undefined) throw new Error("it is not a file")
      return sum
    },
    catch: unreadable(model, path),
  })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined

/** What came of an engine's exception, for a person. */
export const failureAt =
  ({ path }: Pick<ModelFile, "path">) =>
  (what: string, todo: string) =>
  (error: unknown) =>
    new EnvironmentFailure({ what: `${what}: ${messageOf(error)}`, where: path, todo })
