/**
 * How far the reads of a model's file are from those of the same weights in single precision. A quantised file quantises activations too, in its kernels:
 * that moves probabilities more than order, chunks or threads do.
 */
import { rmSync } from "node:fs"
import { Effect, Stream } from "effect"
import { Backend, type ModelFile, type ReadRequest, type TokenModel } from "../backend/backend.ts"
import { Damage } from "../backend/ggufHeader.ts"
import { diskFailure, makeFolder } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import { settled } from "../hub/settled.ts"
import { sized, type Watch } from "../hub/watch.ts"
import type { Cohort } from "../run/cohorts.ts"
import { duration } from "../run/duration.ts"
import { firstReads } from "../run/firstRead.ts"
import { type Differences, differences } from "./differences.ts"
import { temporaryFile } from "./temporary.ts"
import { typesOf, unknownTypes, type Weights, weightsOf, widen, widenedBytes } from "./widen.ts"

export interface Room {
  /** Where the weights are written to for as long as they are needed. */
  readonly folder: string
  /** Bytes that may be written below it. */
  readonly free: (folder: string) => number
  /** Bytes of memory that may be taken. */
  readonly memory: () => number
  readonly watch: Watch
}

export interface Measured extends Differences {
  /** Types of the file's weights, most bytes first. */
  readonly types: readonly string[]
}

/** Reads that are compared at most. */
export const READS = 24

/** Left free on the disk and in memory, for everybody else and for the engine's own buffers. */
const MARGIN = 512 * 1024 * 1024

/** Bytes a second that weights are written with on a slow machine: for the forecast, and for nothing else. */
const WRITING = 100e6

/** Undefined where there is nothing to compare: the weights are in single precision already, or the model is asked for no distribution at first. */
export const precisionOf = Effect.fn("precisionOf")(function* (
  file: ModelFile,
  cohorts: readonly Cohort[],
  room: Room,
) {
  const started = Date.now()
  const own = yield* answersOf(file, cohorts, room)
  if (own === undefined) return undefined
  const seconds = (Date.now() - started) / 1000
  const weights = yield* reading(file, own.path, () => weightsOf(own.path))
  const types = [...typesOf(weights).keys()]
  if (types.every((type) => type === "F32")) return undefined
  yield* checkRoom(file, weights, room)
  const bytes = widenedBytes(weights)
  room.watch.note(
    `${file.name}: ${sized(bytes)} of weights are written to ${room.folder}, and ${own.answers.length} reads asked again: about ${duration(bytes / WRITING + 1.5 * seconds)}`,
  )
  const { sha256: _, bytes: __, ...asDeclared } = file
  const wide = yield* Effect.scoped(
    Effect.gen(function* () {
      const path = yield* written(file, weights, bytes, room)
      return yield* answersOf({ ...asDeclared, path }, cohorts, room)
    }),
  )
  if (wide === undefined) return yield* Effect.die(new Error(`${file.name} is read in one precision only`))
  return { ...differences(own.answers, wide.answers), types } satisfies Measured
})

/** Opens a model and asks the sample of it, from its first item to its last. */
const answersOf = Effect.fnUntraced(function* (
  file: ModelFile,
  cohorts: readonly Cohort[],
  { watch }: Pick<Room, "watch">,
) {
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const { load } = yield* Backend
      const model = yield* load(file)
      if (model.kind !== "tokens") return undefined
      const requests = sample(model, cohorts)
      if (requests.length === 0) return undefined
      const found = new Map<string, readonly number[]>()
      watch.begin({ doing: "asking", name: file.name, unit: "reads", done: 0, total: requests.length })
      yield* Stream.runForEach(model.score(requests), ({ key, probabilities, invalid }) =>
        Effect.sync(() => {
          watch.passed(1)
          if (invalid === undefined) found.set(key, probabilities)
        }),
      ).pipe(Effect.ensuring(Effect.sync(watch.end)))
      const answers = requests.flatMap(({ key }) => [found.get(key)].filter((one) => one !== undefined))
      if (answers.length < requests.length)
        return yield* new EnvironmentFailure({
          what: `model ${file.name} gave no usable number for ${requests.length - answers.length} of ${requests.length} reads`,
          where: file.path,
          todo: "check that the model file is whole",
        })
      return { answers, path: String(model.facts.file ?? file.path) }
    }),
  )
})

/** Distinct reads, from items as far apart as they can be, and of each item another trial than of the one before. */
export function sample(model: TokenModel, cohorts: readonly Cohort[]): readonly ReadRequest[] {
  const count = Math.min(READS, cohorts.length)
  const found = new Map<string, ReadRequest>()
  for (let round = 0; found.size < READS && round < READS; round++) {
    const before = found.size
    for (let index = 0; index < count && found.size < READS; index++) {
      const cohort = cohorts[Math.floor((index * cohorts.length) / count)]
      if (cohort === undefined) continue
      const reads = [...firstReads(model, cohort)].flatMap(({ prepared }) =>
        "problem" in prepared ? [] : [prepared.request],
      )
      const next = reads[(index + round) % Math.max(1, reads.length)]
      if (next !== undefined) found.set(next.key, next)
    }
    if (found.size === before) break
  }
  return [...found.values()]
}

function checkRoom(
  { name, path }: ModelFile,
  weights: Weights,
  { folder, free, memory }: Room,
): Effect.Effect<void, EnvironmentFailure> {
  const refuse = (what: string, where: string, todo: string): Effect.Effect<never, EnvironmentFailure> =>
    Effect.fail(new EnvironmentFailure({ what, where, todo }))
  const unknown = unknownTypes(weights)
  if (unknown.length > 0)
    return refuse(
      `the weights of model ${name} are of a type that is not written out in F32: ${unknown.join(", ")}`,
      path,
      "compare with another file of the same model, such as its Q8_0",
    )
  const bytes = widenedBytes(weights)
  try {
    makeFolder(folder)
  } catch (cause) {
    return Effect.fail(diskFailure(cause, "make a folder for the weights", folder))
  }
  const disk = free(folder)
  if (bytes + MARGIN > disk)
    return refuse(
      `the weights of model ${name} take ${sized(bytes)} in F32, and the disk has room for ${sized(disk)}`,
      folder,
      "free some space, or let CFX_HOME name a folder on a larger disk",
    )
  const room = memory()
  if (bytes + MARGIN > room)
    return refuse(
      `the weights of model ${name} take ${sized(bytes)} in F32, and ${sized(room)} of memory are free`,
      folder,
      "free memory, or measure on a larger machine",
    )
  return Effect.void
}

/** The weights on the disk, for as long as the scope lasts. */
const written = (file: ModelFile, weights: Weights, total: number, { folder, watch }: Room) =>
  Effect.gen(function* () {
    const path = yield* Effect.acquireRelease(
      Effect.try({
        try: () => temporaryFile(folder),
        catch: (cause) => diskFailure(cause, "make a file for the weights", folder),
      }),
      (temporary) => Effect.sync(() => rmSync(temporary, { force: true })),
    )
    watch.begin({ doing: "writing", name: `${file.name} in F32`, done: 0, total })
    yield* reading(file, path, (signal) => widen(weights, path, { passed: watch.passed, signal })).pipe(
      Effect.ensuring(Effect.sync(watch.end)),
    )
    return path
  })

const reading = <A>(
  file: ModelFile,
  where: string,
  work: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, EnvironmentFailure> =>
  settled(work).pipe(
    Effect.mapError((cause) =>
      cause instanceof Damage
        ? new EnvironmentFailure({
            what: `the file of model ${file.name} is damaged: ${cause.message}`,
            where: file.path,
            todo: "copy or download it again",
          })
        : diskFailure(cause, "write the weights out", where),
    ),
  )
