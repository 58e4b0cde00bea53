/**
 * An engine without a model: answers are a hash of the token ids and of what is asked, or come out as a spec's `assume` expects them.
 * Deterministic, quick, and no respondent at all; to try out specs, and for tests of everything around an engine. Nothing chooses it
 * unless it is asked for by name.
 */
import { createHash } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import { EnvironmentFailure } from "../failure.ts"
import type { Order } from "../read/steps.ts"
import {
  Backend,
  type Lane,
  type ModelFile,
  type Token,
  type TokenModel,
  type Vocabulary,
} from "./backend.ts"
import { declaredOf, templateMark } from "./declaredTemplate.ts"
import type { Evaluator } from "./evaluator.ts"
import { asExpected } from "./expectation.ts"
import { type Mode, modeMark, scorer } from "./scorer.ts"
import { simulatedText } from "./simulatedText.ts"

export interface SimulatedOptions {
  readonly sharing?: boolean
  readonly order?: Order
  /** `exact` when left out: answers then hang on the batches too, as those of an engine do. */
  readonly mode?: Mode
  /** False: as a recurrent model, whose sequence forgets all or nothing. */
  readonly rewinds?: boolean
  /** Lanes in all; 1 when left out. */
  readonly lanes?: number
}

const contextSize = 16_384
const chunkSize = 512

export function simulatedBackend(options: SimulatedOptions = {}): Layer.Layer<Backend> {
  return Layer.succeed(Backend, {
    load: (file: ModelFile) => Effect.sync(() => simulatedModel(file, options)),
  })
}

/** The model behind `simulatedBackend`; its file is never opened. */
export function simulatedModel(file: ModelFile, options: SimulatedOptions = {}): TokenModel {
  const { sharing = true, order = "depth_first", lanes = 1, mode = "exact", rewinds = true } = options
  const onFailure = (error: unknown): EnvironmentFailure =>
    new EnvironmentFailure({ what: String(error), where: "the simulated engine", todo: "report this" })
  const lane = (): Lane & Pick<TokenModel, "coldSteps" | "scoreCold" | "steps"> => {
    const evaluator = hashingEvaluator({ mode, rewinds })
    const options = { mode, sharing, order, batchSize: chunkSize, rewinds, onFailure }
    const { count, steps, coldSteps, score, scoreCold } = scorer(evaluator, options)
    const expecting =
      (scored: TokenModel["score"]): TokenModel["score"] =>
      (reads) => {
        const expected = new Map(reads.map((read) => [read.key, read.expected]))
        return Stream.map(scored(reads), (answer) => asExpected(answer, expected.get(answer.key)))
      }
    return {
      count,
      steps,
      coldSteps,
      score: expecting(score),
      scoreCold: expecting(scoreCold),
      generate: (texts) => Stream.fromIterable(texts).pipe(Stream.map(simulatedText)),
    }
  }
  return {
    kind: "tokens",
    name: file.name,
    fingerprint: `simulated, ${modeMark(mode, chunkSize)}, ${file.name}${templateMark(file)}`,
    facts: { engine: "simulated", mode, sharing, batchSize: chunkSize, contextSize },
    vocabulary,
    chatTemplate,
    ...declaredOf(file),
    contextSize,
    chunkSize,
    rewinds,
    ...lane(),
    extraLanes: Array.from({ length: lanes - 1 }, lane),
  }
}

const chatTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** Bytes are tokens 0 to 255; control tokens come after them. */
const controlTexts = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
const firstControl = 256

const vocabulary: Vocabulary = {
  tokenize: (text) => [...Buffer.from(text, "utf8")],
  detokenize: (token) => controlTexts[token - firstControl] ?? String.fromCharCode(token),
  control: new Map(
    controlTexts
      .map((text, index): [string, Token] => [text, firstControl + index])
      .sort(([a], [b]) => b.length - a.length),
  ),
  bos: null,
}

/**
 * A digest goes on from token to token, so a rewind is a matter of forgetting. In exact mode it also takes in where chunks end, and what is found at a
 * token hangs on its whole chunk: who shares or evaluates otherwise than in canonical chunks gets other answers.
 */
function hashingEvaluator({ mode, rewinds }: { readonly mode: Mode; readonly rewinds: boolean }): Evaluator {
  /** Digests after each token that is held. */
  const held: Digest[] = []
  let last = { at: 0, length: 0 }
  const start: Digest = [1, 2]
  return {
    sequences: 1,
    evaluate: async ([part]) => {
      if (part === undefined) return
      const { at, chunk } = part
      if (at > held.length) throw new Error(`a chunk was put at ${at}, but ${held.length} tokens are held`)
      if (!rewinds && at > 0 && at < held.length)
        throw new Error(`a chunk was put at ${at} of ${held.length}, but the sequence cannot go back`)
      held.length = at
      let digest = held.at(-1) ?? start
      for (const token of chunk) {
        digest = mixed(digest, token)
        held.push(digest)
      }
      if (mode === "exact") held[held.length - 1] = mixed(digest, -1)
      last = { at, length: chunk.length }
    },
    choose: async ({ offset }, tokens) => {
      const [left, right] = mode === "exact" ? held.at(-1)! : held[last.at + offset]!
      const digest = `${left} ${right} ${mode === "exact" ? last.length - offset : 0}`
      const weights = tokens.map((token) => weight(digest, token))
      const sum = weights.reduce((total, w) => total + w, 0)
      return { probabilities: weights.map((w) => w / sum), mass: 0.5 + weight(digest, -1) / 2 }
    },
    drawer: () => {
      throw new Error("the simulated engine makes its texts up (`simulatedText.ts`)")
    },
  }
}

/** Two words of 32 bits. */
type Digest = readonly [number, number]

/** As the rounds of MurmurHash3 (Appleby 2011), with other constants for the second word. */
function mixed([left, right]: Digest, token: Token): Digest {
  const a = Math.imul((Math.imul(left, 5) + 0xe6546b64) ^ Math.imul(token + 1, 0xcc9e2d51), 0x85ebca6b)
  const b = Math.imul((Math.imul(right, 5) + 0x561ccd1b) ^ Math.imul(token + 7, 0x1b873593), 0xc2b2ae35)
  return [a ^ (a >>> 13), b ^ (b >>> 16) ^ left]
}

/** Over (0, 1]. */
function weight(digest: string, token: Token): number {
  const word = createHash("sha256").update(`${digest} ${token}`).digest().readUInt32BE(0)
  return (word + 1) / 2 ** 32
}
