/** GGUF models on node-llama-cpp: one sequence a lane, flash attention where the architecture has it. */
import { availableParallelism, cpus } from "node:os"
import { Effect, Layer } from "effect"
import type { EnvironmentFailure } from "../failure.ts"
import { labelRule } from "../read/labels.ts"
import { Backend, type ModelFile, type TokenModel } from "./backend.ts"
import { declaredOf, templateMark } from "./declaredTemplate.ts"
import { type Engine, enginesByDevice, kernelsOf } from "./llamaEngine.ts"
import { type LaneOptions, lanesOf } from "./llamaLanes.ts"
import { type OpeningOptions, openModel } from "./llamaModel.ts"
import { vocabularyOf } from "./llamaVocabulary.ts"
import { failureAt } from "./modelFile.ts"
import { modeMark } from "./scorer.ts"
import { lanesFor, probeThreads, threadsFromEnvironment } from "./threads.ts"

export interface LlamaOptions extends LaneOptions, OpeningOptions {
  /** Threads of the engine. Left out: `CFX_THREADS`, else a short probe when a model is loaded. */
  readonly threads?: number
  /** Contexts that read at the same time, at most, with so many threads each. Left out: what the cores have room for; 1 where threads are given. */
  readonly lanes?: number
}

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

const load = Effect.fn("llama.load")(function* (engine: Engine, file: ModelFile, options: LlamaOptions) {
  const opened = yield* openModel(engine, file, options)
  const { sha256, model, device } = opened
  const vocabulary = vocabularyOf(model)
  const kind = lanesOf({ file, opened, vocabulary }, options)
  const { mode, sharing, sequences, textsAtOnce, least } = kind
  const { context, decoder, lanes: own, first, rewinds } = yield* kind.open
  const cores = availableParallelism()
  const asked = options.threads ?? threadsFromEnvironment(process.env)
  const threads =
    asked !== undefined
      ? Math.min(asked, cores)
      : // Interrupted, its context would be freed under a batch that is being evaluated.
        yield* Effect.tryPromise({
          try: () =>
            probeThreads(decoder, vocabulary.tokenize("Which of these is a bird?\nA. robin\nB. oak\n")),
          catch: failureAt(file)(
            "the engine fails on its first tokens",
            "check that the model file is whole",
          ),
        }).pipe(Effect.uninterruptible)
  decoder.setThreads(threads)
  const many = asked === undefined && device === "cpu"
  const wanted = options.lanes ?? (many ? lanesFor(threads, cores) : 1)
  const lanes = 1 + opened.contextsBeside(wanted - 1, sequences)
  const others = yield* Effect.replicateEffect(kind.open, lanes - 1)
  for (const other of others) other.decoder.setThreads(threads)

  const chunkSize = context.batchSize
  const attention = context.flashAttention === true ? "flash" : "plain"
  // By its length, a model with rotary factors for short and for long contexts reads otherwise (`longRope.ts`).
  const rope = least > 0 ? ", long rotary factors" : ""
  // The engine rounds a context up.
  const longest = Math.min(context.contextSize, opened.contextSize)
  const loaded: TokenModel = {
    kind: "tokens",
    name: file.name,
    fingerprint: `node-llama-cpp ${engine.version}, ${modeMark(mode, chunkSize)}, ${labelRule}, ${attention} attention, context ${longest}${rope}, ${device === "cpu" ? `cpu ${kernelsOf(engine.llama.systemInfo)}` : device}, sha256 ${sha256}${templateMark(file)}`,
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
    rewinds,
    ...own[0]!,
    steps: first.steps,
    coldSteps: first.coldSteps,
    scoreCold: first.scoreCold,
    extraLanes: [...own.slice(1), ...others.flatMap((other) => other.lanes)],
  }
  return loaded
})
