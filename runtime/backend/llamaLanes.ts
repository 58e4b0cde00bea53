/** Lanes on node-llama-cpp: contexts, and what reads and writes in them. */
import { Effect } from "effect"
import type { Order } from "../read/steps.ts"
import type { Lane, ModelFile, Vocabulary } from "./backend.ts"
import type { Evaluator } from "./evaluator.ts"
import { openDecoder } from "./llamaDecoder.ts"
import type { OpenedModel } from "./llamaModel.ts"
import { textRooms } from "./llamaTexts.ts"
import { alphabetOf } from "./llamaVocabulary.ts"
import { leastBeside, longestShort } from "./longRope.ts"
import { failureAt } from "./modelFile.ts"
import { canRewind } from "./rewinds.ts"
import { type Mode, type ScorerOptions, scorer } from "./scorer.ts"
import { sharedBatches } from "./sharedBatches.ts"
import { generator } from "./text/generator.ts"
import type { TextEngine } from "./text/textEngine.ts"

export interface LaneOptions {
  /** False is the naive twin: every read from an empty sequence, in the same chunks. */
  readonly sharing?: boolean
  readonly order?: Order
  /** Left out: `exact`. */
  readonly mode?: Mode
  /** In fast mode, conversations that a context holds at the same time, at most, each a lane; their batches are shared. Left out: 1 on a processor. */
  readonly sequences?: number
  /** Texts that a lane writes at the same time, at most. */
  readonly textsAtOnce?: number
  /** As `wrap`, for what writes texts. */
  readonly wrapTexts?: (engine: TextEngine) => TextEngine
  /** Stands between the reads and the engine: benches record there what is evaluated, and evaluate it again. */
  readonly wrap?: (evaluator: Evaluator) => Evaluator
}

/**
 * Texts that a lane writes at the same time. More rows gain little on a CPU: SmolLM2 on one thread writes 65, 72, 79, 92, 90 and 88 tokens/s
 * with 1, 2, 4, 8, 12 and 16 rows (Q4_1), 60, 63, 88, 106, 108 and 120 in Q8_0; the pocket respondent 900, 1660, 2180, 2550, 2580 and 2660.
 */
const defaultTextsAtOnce = 8
/** A batch of one conversation leaves most of a GPU idle. Each sequence takes the memory of a whole context. */
const sequencesOnGpu = 8

export interface LanesOf {
  readonly file: ModelFile
  readonly opened: OpenedModel
  readonly vocabulary: Vocabulary
}

/** How lanes of a model are opened, and what they have in common. */
export function lanesOf({ file, opened, vocabulary }: LanesOf, options: LaneOptions) {
  const { model, contextSize, device, openContext, openForTexts } = opened
  const { sharing = true, order = "depth_first", mode = "exact", textsAtOnce = defaultTextsAtOnce } = options
  const failure = failureAt(file)
  const alphabet = alphabetOf(model)
  const sequences =
    mode === "exact"
      ? 1
      : opened.sequencesWithin(options.sequences ?? (device === "cpu" ? 1 : sequencesOnGpu))
  const least = leastBeside(contextSize, longestShort(model))
  let rewinds: boolean | undefined
  /** For as long as the scope lasts: a context of its own, what evaluates in it, and the reads of that: everything of a lane, or of as many as it has sequences. */
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
        least,
      }),
      onFailure: failure("the engine stopped while writing", "run again: what was answered is kept"),
    })
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const lanes = scorers.map(({ count, score }): Lane => ({ count, score, generate }))
    return { context, decoder, lanes, first: scorers[0]!, rewinds }
  })
  return { mode, sharing, sequences, textsAtOnce, least, open: openLanes }
}
