/** Opens GGUF files on node-llama-cpp, once it is seen that this machine has room: the weights, and the contexts beside them. */
import { statSync } from "node:fs"
import { availableParallelism } from "node:os"
import { Effect } from "effect"
import type { LlamaContext, LlamaModel } from "node-llama-cpp"
import { EnvironmentFailure } from "../failure.ts"
import { partsOf } from "../hub/split.ts"
import type { ModelFile } from "./backend.ts"
import type { Engine } from "./llamaEngine.ts"
import { contextMemory, freeMemory, lacking } from "./memory.ts"
import { checkModelFile, messageOf } from "./modelFile.ts"

export interface OpeningOptions {
  /** Most tokens of a conversation where a model's declaration does not say; the model's training length where that is shorter. */
  readonly contextSize?: number
  /** Bytes of memory that models may take; what the system says where left out. */
  readonly freeMemory?: () => number
}

export interface OpenedModel {
  readonly sha256: string
  readonly model: LlamaModel
  readonly contextSize: number
  /** `size`: tokens of each sequence. To be disposed. */
  readonly openContext: (sequences: number, size: number) => Effect.Effect<LlamaContext, EnvironmentFailure>
  /** The same, with fewer sequences where memory is short. */
  readonly openForTexts: OpenedModel["openContext"]
  /** How many conversations, `most` at most, the first context may hold. */
  readonly sequencesWithin: (most: number) => number
  /** How many further contexts of so many sequences, `most` at most, may be opened beside the first. */
  readonly contextsBeside: (most: number, sequences: number) => number
  /** `cpu`, or what GPU and how many layers it holds. */
  readonly device: string
}

const defaultContextSize = 4096
/** Below this a chunk would have no room for a turn. */
const smallestContextSize = 256
/** More than any model is made for: a length beyond it is a damaged number. */
const largestContextSize = 1 << 30
/** Tokens of a batch, and so of a chunk, at most. */
const batchSize = 512

/** For as long as the scope lasts. */
export const openModel = Effect.fn("llama.open")(function* (
  engine: Engine,
  file: ModelFile,
  options: OpeningOptions,
) {
  const sha256 = yield* checkModelFile(file)
  const freeNow = options.freeMemory ?? freeMemory
  const free = freeNow()
  const { gpu } = engine.llama
  const layers = file.device?.layers
  const about = { name: file.name, path: file.path }
  const tooHeavy =
    gpu === false ? lacking({ weights: bytesOf(file.path), context: 0 }, free, about) : undefined
  if (tooHeavy !== undefined) return yield* tooHeavy
  const attempt = <A>(
    action: () => Promise<A>,
    what: string,
    todo: string,
  ): Effect.Effect<A, EnvironmentFailure> =>
    Effect.tryPromise({ try: action, catch: (error) => error }).pipe(
      Effect.catch((error) =>
        Effect.flatMap(wordsOf(engine), (said) =>
          Effect.fail(
            new EnvironmentFailure({
              what: `${what} ${file.name}: ${said || messageOf(error)}`,
              where: file.path,
              todo,
            }),
          ),
        ),
      ),
    )
  const model = yield* Effect.acquireRelease(
    attempt(
      () =>
        engine.llama.loadModel({
          modelPath: file.path,
          gpuLayers: gpu === false ? 0 : (layers ?? "auto"),
          checkTensors: true,
        }),
      "the engine cannot load model",
      "the file may be damaged, or of a kind that this engine does not know: get it again, or choose another model",
    ).pipe(Effect.tapError(() => Effect.sync(engine.loadFailed))),
    (opened) => Effect.promise(() => opened.dispose()),
  )
  if (model.trainContextSize < smallestContextSize || model.trainContextSize > largestContextSize)
    return yield* new EnvironmentFailure({
      what: `the metadata of model ${file.name} gives a context of ${model.trainContextSize} tokens`,
      where: file.path,
      todo: `correct the file's metadata, or choose a model of at least ${smallestContextSize} tokens`,
    })
  const declared = file.device?.context
  if (declared !== undefined && (declared > model.trainContextSize || declared < smallestContextSize))
    return yield* new EnvironmentFailure({
      what: `the model ${file.name} is declared with a context of ${declared} tokens, but it can have ${smallestContextSize} to ${model.trainContextSize}`,
      where: file.path,
      todo: "correct `context` in the model's declaration, or leave it out",
    })
  const wanted = declared ?? Math.max(smallestContextSize, options.contextSize ?? defaultContextSize)
  const contextSize = Math.min(wanted, model.trainContextSize)
  const shape = (sequences: number, size: number) => ({
    contextSize: size,
    batchSize: Math.min(batchSize, size),
    sequences,
    flashAttention: model.flashAttentionSupported,
    swaFullCache: true,
  })
  const onGpu = gpu === false ? 0 : model.gpuLayers
  const weights = Math.round(model.size * (1 - onGpu / Math.max(1, model.fileInsights.totalLayers)))
  const lack = lacking({ weights, context: contextMemory(model, shape(1, contextSize)) }, free, about)
  if (lack !== undefined) return yield* lack
  const openContext = (sequences: number, size: number) =>
    attempt(
      () =>
        model.createContext({
          ...shape(sequences, size),
          threads: availableParallelism(),
          failedCreationRemedy: false,
        }),
      "the engine has no room for the context of model",
      "free memory, or choose a smaller model",
    )
  /** So many sequences for texts as half of what is free has room for, and two texts at least. */
  const openForTexts = (sequences: number, size: number) =>
    Effect.suspend(() => {
      const left = freeNow()
      const count = within(left, { least: 3, most: sequences }, (one) =>
        contextMemory(model, shape(one, size)),
      )
      const lack = lacking({ weights: 0, context: contextMemory(model, shape(count, size)) }, left, about)
      return lack === undefined ? openContext(count, size) : Effect.fail(lack)
    })
  const device = gpu === false ? "cpu" : `${gpu}, ${onGpu} of ${model.fileInsights.totalLayers} layers`
  const opened: OpenedModel = {
    sha256,
    model,
    contextSize,
    device,
    openContext,
    openForTexts,
    sequencesWithin: (most) =>
      within(free - weights, { least: 1, most }, (count) => contextMemory(model, shape(count, contextSize))),
    contextsBeside: (most, sequences) => {
      const each = contextMemory(model, shape(sequences, contextSize))
      return within(freeNow(), { least: 0, most }, (count) => count * each)
    },
  }
  return opened
})

/** Of a model in several files, all of them. */
const bytesOf = (path: string): number => partsOf(path).reduce((sum, part) => sum + statSync(part).size, 0)

/** The largest number whose memory is within half of what is left, or the least: what comes later needs room, too. */
function within(
  left: number,
  { least, most }: { readonly least: number; readonly most: number },
  bytes: (count: number) => number,
): number {
  let count = most
  while (count > least && bytes(count) > left / 2) count -= 1
  return count
}

/** What the engine has logged, which arrives after its exception: on a busy machine much later. Empty where nothing comes within a second. */
const wordsOf = (engine: Pick<Engine, "takeErrors">): Effect.Effect<string> =>
  Effect.gen(function* () {
    for (let waited = 0; waited < 50; waited += 1) {
      yield* Effect.sleep("20 millis")
      const said = engine.takeErrors()
      if (said === "") continue
      yield* Effect.sleep("20 millis")
      return [said, engine.takeErrors()].filter((words) => words !== "").join("; ")
    }
    return ""
  })
