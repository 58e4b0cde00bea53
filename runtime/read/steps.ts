/**
 * What reads ask of one sequence, as steps: forget what stands after a position, evaluate tokens there, look at some of them. Exact mode takes them
 * from a trie of canonical chunks (`trie.ts`), fast mode from the tokens alone (`tokenWalk.ts`).
 */
import type { ReadRequest, Token } from "../backend/backend.ts"
import type { LabelTree } from "./labels.ts"

export type Chunk = readonly Token[]

/** A place of a read's label tree, and where it is decided. */
export interface Visit {
  readonly read: ReadRequest
  readonly place: LabelTree
  /** Index of the token in its chunk whose successor is decided. */
  readonly offset: number
}

/** One batch: forget everything from position `at` on, evaluate `chunk` there, then take the visits. */
export interface Step {
  readonly at: number
  readonly chunk: Chunk
  readonly visits: readonly Visit[]
}

/** All tokens up to some places of a read; the places are visited in the last chunk. */
export interface Path {
  readonly chunks: readonly Chunk[]
  readonly visits: readonly Visit[]
}

export type Order = "depth_first" | "reversed"

/**
 * The evaluations that a read takes: one for each place of its label tree that has no further place below it. Forced tokens are evaluated together with
 * the last chunk, so that no batch is a token or two, and places on the way are visited on the first path that comes by them. All this follows
 * from the read alone, so that a batch's shape does too.
 */
export function pathsOf(read: ReadRequest): readonly Path[] {
  const last = read.chunks.at(-1) ?? []
  const before = read.chunks.slice(0, -1)
  const found: Path[] = []
  const descend = (place: LabelTree, onTheWay: readonly Visit[]): void => {
    const visits = [...onTheWay, { read, place, offset: last.length + place.forced.length - 1 }]
    const below = place.branches.flatMap(({ leadsTo }) => (typeof leadsTo === "number" ? [] : [leadsTo]))
    if (below.length === 0) found.push({ chunks: [...before, [...last, ...place.forced]], visits })
    below.forEach((next, index) => {
      descend(next, index === 0 ? visits : [])
    })
  }
  descend(read.labels, [])
  return found
}

/** All places of a tree, the root first. */
export function placesOf(tree: LabelTree): readonly LabelTree[] {
  return [
    tree,
    ...tree.branches.flatMap(({ leadsTo }) => (typeof leadsTo === "number" ? [] : placesOf(leadsTo))),
  ]
}

/** What a sequence holds after a step. */
export function heldAfter(
  held: readonly Chunk[],
  { at, chunk }: Pick<Step, "at" | "chunk">,
): readonly Chunk[] {
  const kept: Chunk[] = []
  let end = 0
  for (const one of held) {
    if (end >= at) break
    const part = end + one.length > at ? one.slice(0, at - end) : one
    kept.push(part)
    end += part.length
  }
  if (end !== at) throw new Error(`a chunk was put at ${at}, but ${end} tokens are held`)
  kept.push(chunk)
  return kept
}

/**
 * The same steps for a sequence that forgets all or nothing, as that of a recurrent model: where one goes back, what stands before it is evaluated
 * again from the start, in the same chunks.
 */
export function* withoutRewinds(steps: Iterable<Step>, held: readonly Chunk[]): Generator<Step> {
  let now = held
  for (const step of steps) {
    const next = heldAfter(now, step)
    if (step.at > 0 && step.at < tokensIn(now)) {
      let at = 0
      for (const chunk of next.slice(0, -1)) {
        yield { at, chunk, visits: [] }
        at += chunk.length
      }
    }
    yield step
    now = next
  }
}

/** Tokens of these steps, or chunks. */
export function tokensOf(steps: Iterable<Pick<Step, "chunk">>): number {
  let tokens = 0
  for (const step of steps) tokens += step.chunk.length
  return tokens
}

const tokensIn = (chunks: readonly Chunk[]): number => chunks.reduce((sum, { length }) => sum + length, 0)
