/** How many threads an engine gets. More are not always faster: on a small model they wait for each other longer than they work. */
import { availableParallelism } from "node:os"
import { pieceLength } from "../read/chunks.ts"
import type { Token } from "./backend.ts"
import type { Decoder } from "./llamaDecoder.ts"

/** The shape of a read: so many tokens in chunks of the usual length, and one distribution over a few of them. */
const probeTokens = 4 * pieceLength
const probeLabels = 4
/**
 * Twice the threads must be this much faster to be worth it: threads that wait for each other do so in a loop, and on a machine that
 * has other work, too, the slowest of them is what counts.
 */
const worthwhile = 1.35
/** Each candidate is measured for this long, in ms, or this many times, whichever comes first. */
const measuredMs = 60
const measuredTimes = 5

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

/** Node's pool has four threads for native calls, and files need one, too. */
const mostLanes = 3

/**
 * Lanes for which there are cores. A small model is fastest on one thread, and would leave the other cores idle; in a context of its own
 * another core reads other items without waiting for anyone.
 */
export const lanesFor = (threads: number, cores: number): number =>
  Math.max(1, Math.min(mostLanes, Math.floor(cores / threads)))

export interface ProbeOptions {
  readonly cores?: number
  /** Milliseconds, from any zero. */
  readonly now?: () => number
}

/**
 * Sets and returns the fastest number of threads for reads of usual size, measured on the model itself. `tokens` are any plain
 * tokens. Overwrites what the sequence held.
 */
export async function probeThreads(
  decoder: Pick<Decoder, "evaluate" | "choose" | "setThreads">,
  tokens: readonly Token[],
  { cores = availableParallelism(), now = () => performance.now() }: ProbeOptions = {},
): Promise<number> {
  const options = candidates(cores)
  let best = { threads: options[0]!, ms: Number.POSITIVE_INFINITY }
  if (options.length > 1) {
    const chunk = Array.from({ length: pieceLength }, (_, i) => tokens[i % tokens.length]!)
    const labels = [...new Set(tokens)].slice(0, probeLabels)
    const read = async (): Promise<number> => {
      const start = now()
      const offset = chunk.length - 1
      for (let at = 0; at < probeTokens; at += chunk.length)
        await decoder.evaluate([{ sequence: 0, at, chunk, keep: [offset] }])
      await decoder.choose({ part: 0, offset }, labels)
      return now() - start
    }
    await read()
    for (const threads of options) {
      decoder.setThreads(threads)
      const ms = await meanOf(read)
      if (ms >= worthwhile * best.ms) break
      best = { threads, ms }
    }
  }
  decoder.setThreads(best.threads)
  return best.threads
}

/** Mean time of one read, in ms. The mean: threads that wait for each other show in the slow ones. */
async function meanOf(read: () => Promise<number>): Promise<number> {
  let total = 0
  let times = 0
  while (total < measuredMs && times < measuredTimes) {
    total += await read()
    times += 1
  }
  return total / times
}
