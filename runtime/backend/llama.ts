/** GGUF models on node-llama-cpp: one sequence a lane, flash attention where the architecture has it. */
import { statSync } from "node:fs"
import { availableParallelism, cpus } from "node:os"
import { Effect, Layer } from "effect"
import type { LlamaContext, LlamaModel } from "node-llama-cpp"
import { EnvironmentFailure } from "../failure.ts"
import type { Order } from "../read/steps.ts"
import { Backend, type Lane, type ModelFile, type TokenModel } from "./backend.ts"
import { declaredOf, templateMark } from "./declaredTemplate.ts"
import type { Evaluator } from "./evaluator.ts"
import { openDecoder } from "./llamaDecoder.ts"
import { type Engine, enginesByDevice, kernelsOf } from "./llamaEngine.ts"
import { textRooms } from "./llamaTexts.ts"
import { alphabetOf, vocabularyOf } from "./llamaVocabulary.ts"
import { contextMemory, freeMemory, lacking } from "./memory.ts"
import { checkModelFile, messageOf } from "./modelFile.ts"
import { canRewind } from "./rewinds.ts"
import { type Mode, modeMark, type ScorerOptions, scorer } from "./scorer.ts"
import { sharedBatches } from "./sharedBatches.ts"
import { generator } from "./text/generator.ts"
import type { TextEngine } from "./text/textEngine.ts"
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
  /** In fast mode, conversations that a context holds at the same time, each a lane; their batches are shared. Left out: 1 on a processor. */
  readonly sequences?: number
  /** Most tokens of a conversation where a model's declaration does not say; the model's training length where that is shorter. */
  readonly contextSize?: number
  /** Texts that a lane writes at the same time, at most. */
  readonly textsAtOnce?: number
  /** As `wrap`, for what writes texts. */
  readonly wrapTexts?: (engine: TextEngine) => TextEngine
  /** Bytes of memory that models may take; what the system says where left out. */
  readonly freeMemory?: () => number
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
const defaultTextsAtOnce = 8
/** Tokens of a batch, and so of a chunk, at most. */
const batchSize = 512

/** A batch of one conversation leaves most of a GPU idle. Each sequence takes the memory of a whole context. */
const sequencesOnGpu = 8

export function llamaBackend(options: LlamaOptions = {}): Layer.Layer<Backend, EnvironmentFailure> {
  return Layer.effect(
    Backend,
    Effect.gen(function* () {
      const engineFor = yield* enginesByDevice
      return {
        load: (file: ModelFile) =>
          Effect.flatMap(engineFor(file.device?.gpu ?? "auto"), (engine) => load(engine, file, options)),
      }
    }),
  )
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

const load = Effect.fn("llama.load")(function* (engine: Engine, file: ModelFile, options: LlamaOptions) {
  const sha256 = yield* checkModelFile(file)
  const free = (options.freeMemory ?? freeMemory)()
  const { gpu } = engine.llama
  const layers = file.device?.layers
  const about = { name: file.name, path: file.path }
  const tooHeavy =
    gpu === false ? lacking({ weights: statSync(file.path).size, context: 0 }, free, about) : undefined
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
    ),
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
      const left = (options.freeMemory ?? freeMemory)()
      let count = sequences
      while (count > 3 && contextMemory(model, shape(count, size)) > left / 2) count -= 1
      const lack = lacking({ weights: 0, context: contextMemory(model, shape(count, size)) }, left, about)
      return lack === undefined ? openContext(count, size) : Effect.fail(lack)
    })
  const device = gpu === false ? "cpu" : `${gpu}, ${onGpu} of ${model.fileInsights.totalLayers} layers`
  const opened = { model, contextSize, device, openContext, openForTexts }
  return yield* loadedModel(engine, file, sha256, opened, options)
})

interface OpenedModel {
  readonly model: LlamaModel
  readonly contextSize: number
  /** `size`: tokens of each sequence. To be disposed. */
  readonly openContext: (sequences: number, size: number) => Effect.Effect<LlamaContext, EnvironmentFailure>
  /** The same, with fewer sequences where memory is short. */
  readonly openForTexts: OpenedModel["openContext"]
  /** `cpu`, or what GPU and how many layers it holds. */
  readonly device: string
}

const loadedModel = Effect.fnUntraced(function* (
  engine: Engine,
  file: ModelFile,
  sha256: string,
  { model, contextSize, device, openContext, openForTexts }: OpenedModel,
  options: LlamaOptions,
) {
  const failure = (what: string, todo: string) => (error: unknown) =>
    new EnvironmentFailure({ what: `${what}: ${messageOf(error)}`, where: file.path, todo })
  const { sharing = true, order = "depth_first", mode = "exact", textsAtOnce = defaultTextsAtOnce } = options
  const vocabulary = vocabularyOf(model)
  let rewinds: boolean | undefined
  const alphabet = alphabetOf(model)
  const sequences = mode === "exact" ? 1 : (options.sequences ?? (device === "cpu" ? 1 : sequencesOnGpu))
  /** A context of its own, what evaluates in it, and the reads of that: everything of a lane, or of as many as it has sequences. */
  const openLanes = Effect.gen(function* () {
    const context = yield* Effect.acquireRelease(openContext(sequences, contextSize), (opened) =>
      Effect.promise(() => opened.dispose()),
    )
    const decoder = yield* Effect.try({
      try: () => openDecoder(model, context, sequences),
      catch: failure("the engine is not the pinned version", "install again with npm ci"),
    })
    rewinds ??= yield* Effect.tryPromise({
      try: () => canRewind(decoder, vocabulary.tokenize("Which of these is a bird?")),
      catch: failure("the engine fails on its first tokens", "check that the model file is whole"),
    }).pipe(Effect.uninterruptible)
    const scorerOptions: ScorerOptions = {
      mode,
      sharing,
      order,
      batchSize: context.batchSize,
      rewinds,
      onFailure: failure("the engine stopped while reading", "run again: what was answered is kept"),
    }
    const evaluator = options.wrap?.(decoder) ?? decoder
    const parts = sequences === 1 ? [evaluator] : sharedBatches(evaluator, context.batchSize)
    const scorers = parts.map((part) => scorer(part, scorerOptions))
    // The decoder must not be freed under a batch that is being evaluated.
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Promise.all(scorers.map(({ idle }) => idle()))).pipe(
        Effect.andThen(Effect.sync(decoder.close)),
      ),
    )
    const { generate, close } = generator({
      alphabet,
      most: textsAtOnce,
      ...(options.wrapTexts === undefined ? {} : { wrap: options.wrapTexts }),
      sharing,
      openRoom: textRooms({
        model,
        openContext: (sequences, size) => Effect.runPromise(openForTexts(sequences, size)),
        threads: decoder.threads,
        rewinds,
        filler: vocabulary.tokenize("the")[0] ?? 0,
      }),
      onFailure: failure("the engine stopped while writing", "run again: what was answered is kept"),
    })
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const lanes = scorers.map(({ count, score }): Lane => ({ count, score, generate }))
    return { context, decoder, lanes, first: scorers[0]! }
  })

  const { context, decoder, lanes: own, first } = yield* openLanes
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
  const many = asked === undefined && device === "cpu"
  const lanes = options.lanes ?? (many ? lanesFor(threads, cores) : 1)
  const others = yield* Effect.replicateEffect(openLanes, lanes - 1)
  for (const other of others) other.decoder.setThreads(threads)

  const chunkSize = context.batchSize
  const attention = context.flashAttention === true ? "flash" : "plain"
  // Models with rotary factors for short and for long contexts (LongRoPE) read every prompt by the length that the context was opened with.
  const longest = Math.min(context.contextSize, model.trainContextSize)
  const loaded: TokenModel = {
    kind: "tokens",
    name: file.name,
    fingerprint: `node-llama-cpp ${engine.version}, ${modeMark(mode, chunkSize)}, ${attention} attention, context ${longest}, ${device === "cpu" ? `cpu ${kernelsOf(engine.llama.systemInfo)}` : device}, sha256 ${sha256}${templateMark(file)}`,
    facts: {
      engine: `node-llama-cpp ${engine.version}`,
      llamaCpp: engine.llama.llamaCppRelease.release,
      mode,
      sharing,
      sha256,
      model: model.typeDescription,
      device,
      processor: cpus()[0]?.model ?? "unknown",
      cores,
      threads,
      lanes,
      ...(sequences === 1 ? {} : { sequences }),
      textsAtOnce,
      batchSize: chunkSize,
      contextSize: longest,
      flashAttention: attention === "flash",
      system: engine.llama.systemInfo.trim(),
    },
    vocabulary,
    chatTemplate: model.fileInfo.metadata.tokenizer?.chat_template ?? null,
    ...declaredOf(file),
    contextSize: longest,
    chunkSize,
    ...own[0]!,
    steps: first.steps,
    coldSteps: first.coldSteps,
    scoreCold: first.scoreCold,
    extraLanes: [...own.slice(1), ...others.flatMap((other) => other.lanes)],
  }
  return loaded
})
