/**
 * An engine without a model: answers are a hash of the token ids and of what is asked, or come out as a spec's `assume` expects them.
 * Deterministic, quick, and no respondent at all; to try out specs, and for tests of everything around an engine. Nothing chooses it
 * unless it is asked for by name.
 */
import { createHash } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import { EnvironmentFailure } from "../failure.ts"
import { chunkRule } from "../read/chunks.ts"
import type { Chunk, Order } from "../read/trie.ts"
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
import { scorer } from "./scorer.ts"
import { simulatedText } from "./simulatedText.ts"

export interface SimulatedOptions {
  readonly sharing?: boolean
  readonly order?: Order
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
  const { sharing = true, order = "depth_first", lanes = 1 } = options
  const onFailure = (error: unknown): EnvironmentFailure =>
    new EnvironmentFailure({ what: String(error), where: "the simulated engine", todo: "report this" })
  const lane = (): Lane & Pick<TokenModel, "scoreCold"> => {
    const { count, score, scoreCold } = scorer(hashingEvaluator(), { sharing, order, onFailure })
    const expecting =
      (scored: TokenModel["score"]): TokenModel["score"] =>
      (reads) => {
        const expected = new Map(reads.map((read) => [read.key, read.expected]))
        return Stream.map(scored(reads), (answer) => asExpected(answer, expected.get(answer.key)))
      }
    return {
      count,
      score: expecting(score),
      scoreCold: expecting(scoreCold),
      generate: (texts) => Stream.fromIterable(texts).pipe(Stream.map(simulatedText)),
    }
  }
  return {
    kind: "tokens",
    name: file.name,
    fingerprint: `simulated, exact ${chunkRule}/${chunkSize}, ${file.name}${templateMark(file)}`,
    facts: { engine: "simulated", mode: "exact", sharing, batchSize: chunkSize, contextSize },
    vocabulary,
    chatTemplate,
    ...declaredOf(file),
    contextSize,
    chunkSize,
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

/** Each chunk's digest goes on from the one before it, so a rewind is a matter of forgetting. */
function hashingEvaluator(): Evaluator {
  let held: { readonly end: number; readonly digest: string }[] = []
  return {
    sequences: 1,
    evaluate: async ([part]) => {
      if (part === undefined) return
      const { at, chunk } = part
      held = held.filter(({ end }) => end <= at)
      const last = held.at(-1) ?? { end: 0, digest: "" }
      if (last.end !== at) throw new Error(`a chunk was put at ${at}, but ${last.end} tokens are held`)
      held.push({ end: at + chunk.length, digest: digestOf(last.digest, chunk) })
    },
    choose: async (_, tokens) => {
      const { digest } = held.at(-1)!
      const weights = tokens.map((token) => weight(digest, token))
      const sum = weights.reduce((total, w) => total + w, 0)
      return { probabilities: weights.map((w) => w / sum), mass: 0.5 + weight(digest, -1) / 2 }
    },
    drawer: () => {
      throw new Error("the simulated engine makes its texts up (`simulatedText.ts`)")
    },
  }
}

function digestOf(before: string, chunk: Chunk): string {
  return createHash("sha256").update(before).update(Int32Array.from(chunk)).digest("base64")
}

/** Over (0, 1]. */
function weight(digest: string, token: Token): number {
  const word = createHash("sha256").update(`${digest} ${token}`).digest().readUInt32BE(0)
  return (word + 1) / 2 ** 32
}
