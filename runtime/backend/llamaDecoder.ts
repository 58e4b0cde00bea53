/**
 * The one file that reaches below node-llama-cpp's public surface, to the addon's batch calls. The public API evaluates token by
 * token through queues and locks, and reads one distribution per evaluation; these calls give one batch per canonical chunk and any number
 * of readings at its last token. The package's version is pinned exactly, and `openDecoder` checks that what it needs is there.
 */
import type { LlamaContext, LlamaModel } from "node-llama-cpp"
import type { Token } from "./backend.ts"
import {
  CannotRewind,
  type Choice,
  type Drawer,
  type Evaluator,
  type Place,
  type Sampling,
} from "./evaluator.ts"
import { type StateFile, stateFile, stateFolders } from "./text/stateFile.ts"
import type { Snapshot } from "./text/textEngine.ts"

export interface Decoder extends Evaluator {
  /** Keeps what a sequence holds, to the bit. */
  readonly snapshot: (sequence: number) => Promise<Snapshot>
  readonly threads: () => number
  readonly setThreads: (threads: number) => void
  /** Frees the samplers. Only after the last call has come back. */
  readonly close: () => void
}

/** `AddonContext` of node-llama-cpp 3.21.1, as far as it is used. */
interface AddonContext {
  initBatch(size: number): void
  /** Returns the batch positions of the tokens whose logits are kept. */
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array
  decodeBatch(): Promise<void>
  sampleToken(
    batchPosition: number,
    sampler: AddonSampler,
    probabilities: boolean,
    confidence: boolean,
  ): Promise<SampledToken>
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean
  /** Returns the file's length in bytes. */
  saveSequenceStateToFile(path: string, sequence: number, tokens: Uint32Array): Promise<number>
  loadSequenceStateFromFile(path: string, sequence: number, mostTokens: number): Promise<Uint32Array>
  getThreads(): number
  setThreads(threads: number): void
}

/** The token drawn (-1 for none), pairs of token and probability, and the drawn token's probability among all candidates. */
type SampledToken = [token: number, probabilities: number[] | undefined, confidence: number | undefined]

interface AddonSampler {
  applyConfig(config: SamplerConfig): void
  dispose(): void
}

/** Every field that the addon knows and that changes a distribution is written out: its defaults are not neutral. */
interface SamplerConfig {
  readonly temperature: number
  /** Left out: no cut. 0 is none either, but sorts the vocabulary for it. */
  readonly topK?: number
  readonly topP: number
  readonly minP: number
  readonly seed: number
  readonly tokenBiasKeys: Uint32Array
  readonly tokenBiasValues: Float32Array
}

interface Internals {
  readonly context: AddonContext
  readonly newSampler: () => AddonSampler
}

/** Added to the logits of the tokens asked for, so that they alone are the top K: the distribution among them does not change. */
const lifts = [60, 240] as const
/** Samplers kept at a time; each holds a candidate list of the vocabulary's length. */
const keptSamplers = 48

/** Takes over all sequences of a context. Throws an Error that names the missing call when the package is not the one known here. */
export function openDecoder(model: LlamaModel, context: LlamaContext, sequences = 1): Decoder {
  const internals = internalsOf(model, context)
  const samplers = new Map<string, AddonSampler>()
  const lengths = new Array<number>(sequences).fill(0)
  /** Batch positions of what the last batch kept, by part and offset. */
  let kept: ReadonlyMap<number, number>[] = []

  const positionOf = ({ part, offset }: Place): number => {
    const position = kept[part]?.get(offset)
    if (position === undefined) throw new Error(`no logits are kept at token ${offset} of part ${part}`)
    return position
  }

  const samplerOf = (
    config: Pick<SamplerConfig, "temperature" | "topK">,
    tokens: readonly Token[],
    bias: number,
  ) => {
    const made = internals.newSampler()
    made.applyConfig({
      ...config,
      topP: 1,
      minP: 0,
      seed: 0,
      tokenBiasKeys: Uint32Array.from(tokens),
      tokenBiasValues: new Float32Array(tokens.length).fill(bias),
    })
    return made
  }
  const top = samplerOf({ temperature: 0, topK: 0 }, [], 0)
  /** For the distribution among these tokens. The least recently used one makes room. */
  const amongSampler = (tokens: readonly Token[], lift: number): AddonSampler => {
    const key = `${lift} ${tokens.join(",")}`
    const known = samplers.get(key)
    if (known !== undefined) samplers.delete(key)
    else if (samplers.size >= keptSamplers) {
      const [oldest, unused] = samplers.entries().next().value!
      unused.dispose()
      samplers.delete(oldest)
    }
    const found = known ?? samplerOf({ temperature: 1, topK: tokens.length }, tokens, lift)
    samplers.set(key, found)
    return found
  }

  /** The distribution among `tokens`; NaN where the engine would not give it. */
  const among = async (position: number, tokens: readonly Token[]): Promise<readonly number[]> => {
    if (tokens.length === 1) return [1]
    for (const lift of lifts) {
      const [, pairs] = await internals.context.sampleToken(position, amongSampler(tokens, lift), true, false)
      const found = new Map<Token, number>()
      for (let i = 0; pairs !== undefined && i + 1 < pairs.length; i += 2) found.set(pairs[i]!, pairs[i + 1]!)
      const probabilities = tokens.map((token) => found.get(token) ?? Number.NaN)
      if (found.size === tokens.length && !probabilities.some(Number.isNaN)) return normalised(probabilities)
    }
    return tokens.map(() => Number.NaN)
  }

  /**
   * The probability of all `tokens` together, from that of the most probable token of all, c, and its ratio to theirs. (Raising their logits until one of them
   * is the most probable is less exact by up to 0.2 %: sums of single precision lose the small probabilities beside a large one.)
   */
  const massOf = async (
    position: number,
    tokens: readonly Token[],
    q: readonly number[],
  ): Promise<number> => {
    if (q.some(Number.isNaN)) return Number.NaN
    const [likeliest, , c] = await internals.context.sampleToken(position, top, false, true)
    if (c === undefined || Number.isNaN(c)) return Number.NaN
    const index = tokens.indexOf(likeliest)
    if (index !== -1) return Math.min(1, c / q[index]!)
    const ratios = await among(position, [...tokens, likeliest])
    return (c * ratios.slice(0, -1).reduce((sum, p) => sum + p, 0)) / ratios.at(-1)!
  }

  /** With no number to compare, engines take the first token, or the last: only these are looked at again. */
  const last = (model.fileInfo.metadata.tokenizer?.ggml.tokens.length ?? 0) - 1
  const drawn = async (position: number, by: AddonSampler): Promise<Token | undefined> => {
    const [token] = await internals.context.sampleToken(position, by, false, false)
    if (token > 0 && token < last) return token
    const [, , confidence] = await internals.context.sampleToken(position, top, false, true)
    return token < 0 || confidence === undefined || Number.isNaN(confidence) ? undefined : token
  }
  const greedy: Drawer = {
    draw: (place) => drawn(positionOf(place), top),
    close: () => {},
  }
  /** A sampler of its own, whose random numbers go on from token to token. The cut of `topP` comes before the temperature. */
  const sampled = ({ temperature, topP, seed }: Sampling): Drawer => {
    const own = internals.newSampler()
    own.applyConfig({
      temperature,
      topP,
      minP: 0,
      seed,
      tokenBiasKeys: new Uint32Array(0),
      tokenBiasValues: new Float32Array(0),
    })
    return { draw: (place) => drawn(positionOf(place), own), close: () => own.dispose() }
  }

  return {
    sequences,
    evaluate: async (parts) => {
      kept = []
      for (const { sequence, at } of parts) {
        const length = lengths[sequence]!
        if (length > at && !internals.context.removeTokenCellsFromSequence(sequence, at, -1))
          throw new CannotRewind(length, at)
        lengths[sequence] = at
      }
      internals.context.initBatch(parts.reduce((sum, { chunk }) => sum + chunk.length, 0))
      const positions = parts.map(({ sequence, at, chunk, keep }) => {
        const found = internals.context.addToBatch(
          sequence,
          at,
          Uint32Array.from(chunk),
          Uint32Array.from(keep),
        )
        // Set before the await: should it fail, the next rewind clears what may have been written.
        lengths[sequence] = at + chunk.length
        return new Map(keep.map((offset, index) => [offset, found[index]!]))
      })
      await internals.context.decodeBatch()
      kept = positions
    },
    choose: async (place, tokens): Promise<Choice> => {
      const position = positionOf(place)
      const probabilities = await among(position, tokens)
      return { probabilities, mass: await massOf(position, tokens, probabilities) }
    },
    drawer: (sampling) => (sampling.temperature === 0 ? greedy : sampled(sampling)),
    snapshot: async (sequence) => {
      const length = lengths[sequence]!
      const { path, remove } = await saved(internals.context, sequence)
      return {
        restore: async (to) => {
          // Should it fail, the next rewind clears what may have been written.
          lengths[to] = Math.max(length, lengths[to]!)
          await internals.context.loadSequenceStateFromFile(path, to, 1)
          lengths[to] = length
        },
        free: remove,
      }
    },
    threads: () => internals.context.getThreads(),
    setThreads: (threads) => internals.context.setThreads(threads),
    close: () => {
      for (const made of samplers.values()) made.dispose()
      samplers.clear()
      top.dispose()
    },
  }
}

/** What a sequence holds, in a file: in the first folder that has room for it. */
async function saved(context: AddonContext, sequence: number): Promise<StateFile> {
  let failure: unknown
  for (const folder of stateFolders()) {
    const file = await stateFile(folder)
    try {
      const bytes = await context.saveSequenceStateToFile(file.path, sequence, new Uint32Array(0))
      if ((await file.bytes()) === bytes) return file
      failure = new Error(`there is no room for ${bytes} bytes of the engine's state in ${folder}`)
    } catch (error) {
      failure = error
    }
    await file.remove()
  }
  throw failure
}

/** Single-precision rounding leaves a sum of 1 ± 1e-7. */
function normalised(probabilities: readonly number[]): readonly number[] {
  const sum = probabilities.reduce((total, p) => total + p, 0)
  return probabilities.map((p) => p / sum)
}

const contextCalls = [
  "initBatch",
  "addToBatch",
  "decodeBatch",
  "sampleToken",
  "removeTokenCellsFromSequence",
  "saveSequenceStateToFile",
  "loadSequenceStateFromFile",
  "getThreads",
  "setThreads",
]

function internalsOf(model: LlamaModel, context: LlamaContext): Internals {
  const addonContext = fieldOf(context, "_ctx")
  const addonModel = fieldOf(model, "_model")
  const newSampler = fieldOf(fieldOf(fieldOf(model, "_llama"), "_bindings"), "AddonSampler")
  const missing = contextCalls.filter((name) => typeof fieldOf(addonContext, name) !== "function")
  if (typeof newSampler !== "function") missing.push("AddonSampler")
  if (addonModel === undefined) missing.push("_model")
  if (missing.length > 0) throw new Error(`this build of node-llama-cpp lacks ${missing.join(", ")}`)
  const Sampler = newSampler as new (model: unknown) => AddonSampler
  return { context: addonContext as AddonContext, newSampler: () => new Sampler(addonModel) }
}

const fieldOf = (owner: unknown, name: string): unknown =>
  typeof owner === "object" && owner !== null ? (owner as Record<string, unknown>)[name] : undefined
