/** How many threads an engine gets. More are not always faster: on a small model they wait for each other longer than they work. */
import { availableParallelism } from "node:os"
import type { Token } from "./backend.ts"
import type { Decoder } from "./llamaDecoder.ts"

/** The shape of a read: a chunk of this many tokens and one distribution over a few of them. */
const probeTokens = 64
const probeLabels = 4
/** A candidate that is this much slower than the best so far ends the search downwards. */
const hopeless = 1.3
/** One measurement this long, in ms, is precise enough by itself. */
const preciseMs = 60
const repeats = 3

/** The environment's `CFX_THREADS`, when it is a whole number from 1. */
export function threadsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const value = Number(environment.CFX_THREADS)
  return Number.isInteger(value) && value >= 1 ? value : undefined
}

/** Cores that this process may use, then halves of that down to 1. */
export function candidates(cores: number): readonly number[] {
  const list: number[] = []
  for (let threads = Math.max(1, cores); threads > 1; threads = Math.floor(threads / 2)) list.push(threads)
  return [...list, 1]
}

/**
 * Sets and returns the fastest number of threads for reads of usual size, measured on the model itself. `tokens` are any plain
 * tokens. Overwrites what the sequence held.
 */
export async function probeThreads(
  decoder: Decoder,
  tokens: readonly Token[],
  cores: number = availableParallelism(),
): Promise<number> {
  const options = candidates(cores)
  let best = { threads: options[0]!, ms: Number.POSITIVE_INFINITY }
  if (options.length > 1) {
    const chunk = Array.from({ length: probeTokens }, (_, i) => tokens[i % tokens.length]!)
    const labels = [...new Set(tokens)].slice(0, probeLabels)
    await measure(decoder, chunk, labels)
    for (const threads of options) {
      decoder.setThreads(threads)
      const ms = await measure(decoder, chunk, labels)
      if (ms < best.ms) best = { threads, ms }
      else if (ms > hopeless * best.ms) break
    }
  }
  decoder.setThreads(best.threads)
  return best.threads
}

/** Milliseconds of one read, the shortest of a few where a single one is too short to trust. */
async function measure(decoder: Decoder, chunk: readonly Token[], labels: readonly Token[]): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let i = 0; i < repeats; i += 1) {
    const start = performance.now()
    await decoder.evaluate(0, chunk, true)
    await decoder.choose(labels)
    shortest = Math.min(shortest, performance.now() - start)
    if (shortest > preciseMs) break
  }
  return shortest
}
