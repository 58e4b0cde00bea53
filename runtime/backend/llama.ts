/** GGUF models on node-llama-cpp: one sequence a lane, flash attention where the architecture has it. */
import { availableParallelism, cpus } from "node:os"
import { Effect, Layer, type Scope } from "effect"
import type { Llama, LlamaContext, LlamaModel } from "node-llama-cpp"
import { EnvironmentFailure } from "../failure.ts"
import type { Order } from "../read/steps.ts"
import { Backend, type Lane, type ModelFile, type TokenModel } from "./backend.ts"
import { declaredOf, templateMark } from "./declaredTemplate.ts"
import type { Evaluator } from "./evaluator.ts"
import { openDecoder } from "./llamaDecoder.ts"
import { textRooms } from "./llamaTexts.ts"
import { alphabetOf, vocabularyOf } from "./llamaVocabulary.ts"
import { checkModelFile, messageOf } from "./modelFile.ts"
import { canRewind } from "./rewinds.ts"
import { type Mode, modeMark, scorer } from "./scorer.ts"
import { generator } from "./text/generator.ts"
import { lanesFor, probeThreads, threadsFromEnvironment } from "./threads.ts"

export interface LlamaOptions {
  /** Threads of the engine. Left out: `CFX_THREADS`, else a short probe when a model is loaded. */
  readonly threads?: number
  /** Contexts that read at the same time, with so many threads each. Left out: what the cores have room for; 1 where threads are given. */
  readonly lanes?: number
  /** False is the naive twin: every read from an empty sequence, in the same chunks. */
  readonly sharing?: boolean
  readonly order?: Order
  /** Left out: `exact`. */
  readonly mode?: Mode
  /** Most tokens of a conversation; the model's training length where that is shorter. */
  readonly contextSize?: number
  /** Stands between the reads and the engine: benches record there what is evaluated, and evaluate it again. */
  readonly wrap?: (evaluator: Evaluator) => Evaluator
}

const defaultContextSize = 4096
/** Below this a chunk would have no room for a turn. */
const smallestContextSize = 256
/** More than any model is made for: a length beyond it is a damaged number. */
const largestContextSize = 1 << 30
/**
 * Texts that a lane writes at the same time. More rows gain little on a CPU: SmolLM2 on one thread writes 65, 72, 79, 92, 90 and 88 tokens/s
 * with 1, 2, 4, 8, 12 and 16 rows (Q4_1), 60, 63, 88, 106, 108 and 120 in Q8_0; the pocket respondent 900, 1660, 2180, 2550, 2580 and 2660.
 */
const textsAtOnce = 8
/** Tokens of a batch, and so of a chunk, at most. */
const batchSize = 512

export function llamaBackend(options: LlamaOptions = {}): Layer.Layer<Backend, EnvironmentFailure> {
  return Layer.effect(
    Backend,
    Effect.gen(function* () {
      const engine = yield* startEngine
      return { load: (file: ModelFile) => load(engine, file, options) }
    }),
  )
}

interface Engine {
  readonly llama: Llama
  readonly version: string
  /** What llama.cpp has logged as errors since the last call; the library's own exceptions say little. */
  readonly takeErrors: () => string
}

const startEngine: Effect.Effect<Engine, EnvironmentFailure, Scope.Scope> = Effect.acquireRelease(
  Effect.tryPromise({
    try: async () => {
      const { getLlama, getModuleVersion, LlamaLogLevel } = await import("node-llama-cpp")
      const errors: string[] = []
      const llama = await getLlama({
        build: "never",
        skipDownload: true,
        gpu: false,
        progressLogs: false,
        logLevel: LlamaLogLevel.error,
        logger: (_, message) => errors.push(message.trim()),
        maxThreads: availableParallelism(),
      })
      const takeErrors = (): string => [...new Set(errors.splice(0))].join("; ")
      return { llama, version: await getModuleVersion(), takeErrors }
    },
    catch: (error) =>
      new EnvironmentFailure({
        what: `the inference engine node-llama-cpp does not start: ${messageOf(error)}`,
        where: `${process.platform}-${process.arch}, Node ${process.versions.node}`,
        todo: "install again with npm ci; its optional dependencies hold the binary for this platform",
      }),
  }),
  ({ llama }) => Effect.promise(() => llama.dispose()),
)

const load = Effect.fn("llama.load")(function* (engine: Engine, file: ModelFile, options: LlamaOptions) {
  const sha256 = yield* checkModelFile(file)
  const attempt = <A>(
    action: () => Promise<A>,
    what: string,
    todo: string,
  ): Effect.Effect<A, EnvironmentFailure> =>
    Effect.tryPromise({ try: action, catch: (error) => error }).pipe(
      // What the engine logs arrives a moment after its exception.
      Effect.tapError(() => Effect.sleep("20 millis")),
      Effect.mapError((error) => {
        const said = engine.takeErrors() || messageOf(error)
        return new EnvironmentFailure({ what: `${what} ${file.name}: ${said}`, where: file.path, todo })
      }),
    )
  const model = yield* Effect.acquireRelease(
    attempt(
      () => engine.llama.loadModel({ modelPath: file.path, gpuLayers: 0, checkTensors: true }),
      "the engine cannot load model",
      "the file may be damaged, or of a kind that this engine does not know: get it again, or choose another model",
    ),
    (opened) => Effect.promise(() => opened.dispose()),
  )
  if (model.trainContextSize < smallestContextSize || model.trainContextSize > largestContextSize)
    return yield* new EnvironmentFailure({
      what: `the metadata of model ${file.name} gives a context of ${model.trainContextSize} tokens`,
      where: file.path,
      todo: `correct the file's metadata, or choose a model of at least ${smallestContextSize} tokens`,
    })
  const wanted = Math.max(smallestContextSize, options.contextSize ?? defaultContextSize)
  const contextSize = Math.min(wanted, model.trainContextSize)
  const openContext = (sequences: number, size: number) =>
    attempt(
      () =>
        model.createContext({
          contextSize: size,
          batchSize: Math.min(batchSize, size),
          sequences,
          flashAttention: model.flashAttentionSupported,
          swaFullCache: true,
          threads: availableParallelism(),
          failedCreationRemedy: false,
        }),
      "the engine has no room for the context of model",
      "free memory, or choose a smaller model",
    )
  return yield* loadedModel(engine, file, sha256, { model, contextSize, openContext }, options)
})

interface OpenedModel {
  readonly model: LlamaModel
  readonly contextSize: number
  /** `size`: tokens of each sequence. To be disposed. */
  readonly openContext: (sequences: number, size: number) => Effect.Effect<LlamaContext, EnvironmentFailure>
}

const loadedModel = Effect.fnUntraced(function* (
  engine: Engine,
  file: ModelFile,
  sha256: string,
  { model, contextSize, openContext }: OpenedModel,
  options: LlamaOptions,
) {
  const failure = (what: string, todo: string) => (error: unknown) =>
    new EnvironmentFailure({ what: `${what}: ${messageOf(error)}`, where: file.path, todo })
  const { sharing = true, order = "depth_first", mode = "exact" } = options
  const vocabulary = vocabularyOf(model)
  let rewinds: boolean | undefined
  const alphabet = alphabetOf(model)
  /** A context of its own, what evaluates in it, and the reads of that: everything of a lane. */
  const openLane = Effect.gen(function* () {
    const context = yield* Effect.acquireRelease(openContext(1, contextSize), (opened) =>
      Effect.promise(() => opened.dispose()),
    )
    const decoder = yield* Effect.try({
      try: () => openDecoder(model, context),
      catch: failure("the engine is not the pinned version", "install again with npm ci"),
    })
    rewinds ??= yield* Effect.tryPromise({
      try: () => canRewind(decoder, vocabulary.tokenize("Which of these is a bird?")),
      catch: failure("the engine fails on its first tokens", "check that the model file is whole"),
    }).pipe(Effect.uninterruptible)
    const { count, steps, score, scoreCold, idle } = scorer(options.wrap?.(decoder) ?? decoder, {
      mode,
      sharing,
      order,
      batchSize: context.batchSize,
      rewinds,
      onFailure: failure("the engine stopped while reading", "run again: what was answered is kept"),
    })
    // The decoder must not be freed under a batch that is being evaluated.
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => idle()).pipe(Effect.andThen(Effect.sync(decoder.close))),
    )
    const { generate, close } = generator({
      alphabet,
      most: textsAtOnce,
      sharing,
      openRoom: textRooms({
        model,
        openContext: (sequences, size) => Effect.runPromise(openContext(sequences, size)),
        threads: decoder.threads,
        rewinds,
        filler: vocabulary.tokenize("the")[0] ?? 0,
      }),
      onFailure: failure("the engine stopped while writing", "run again: what was answered is kept"),
    })
    yield* Effect.addFinalizer(() => Effect.promise(close))
    return { context, decoder, lane: { count, score, generate } satisfies Lane, steps, scoreCold }
  })

  const { context, decoder, lane, steps, scoreCold } = yield* openLane
  const cores = availableParallelism()
  const asked = options.threads ?? threadsFromEnvironment(process.env)
  const threads =
    asked !== undefined
      ? Math.min(asked, cores)
      : // Interrupted, its context would be freed under a batch that is being evaluated.
        yield* Effect.tryPromise({
          try: () =>
            probeThreads(decoder, vocabulary.tokenize("Which of these is a bird?\nA. robin\nB. oak\n")),
          catch: failure("the engine fails on its first tokens", "check that the model file is whole"),
        }).pipe(Effect.uninterruptible)
  decoder.setThreads(threads)
  const lanes = options.lanes ?? (asked === undefined ? lanesFor(threads, cores) : 1)
  const others = yield* Effect.replicateEffect(openLane, lanes - 1)
  for (const other of others) other.decoder.setThreads(threads)

  const chunkSize = context.batchSize
  const attention = context.flashAttention === true ? "flash" : "plain"
  const loaded: TokenModel = {
    kind: "tokens",
    name: file.name,
    fingerprint: `node-llama-cpp ${engine.version}, ${modeMark(mode, chunkSize)}, ${attention} attention, sha256 ${sha256}${templateMark(file)}`,
    facts: {
      engine: `node-llama-cpp ${engine.version}`,
      llamaCpp: engine.llama.llamaCppRelease.release,
      mode,
      sharing,
      sha256,
      model: model.typeDescription,
      device: "cpu",
      processor: cpus()[0]?.model ?? "unknown",
      cores,
      threads,
      lanes,
      batchSize: chunkSize,
      contextSize: Math.min(context.contextSize, model.trainContextSize),
      flashAttention: attention === "flash",
      system: engine.llama.systemInfo.trim(),
    },
    vocabulary,
    chatTemplate: model.fileInfo.metadata.tokenizer?.chat_template ?? null,
    ...declaredOf(file),
    contextSize: Math.min(context.contextSize, model.trainContextSize),
    chunkSize,
    ...lane,
    steps,
    scoreCold,
    extraLanes: others.map((other) => other.lane),
  }
  return loaded
})
