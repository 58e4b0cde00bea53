/**
 * The walk of fast mode: prefixes are shared at any token. Paths stand in the order of a depth-first walk over the trie of their tokens, where each costs
 * what it does not share with the one before it; so from an empty sequence each distinct prefix is evaluated once.
 */
import type { ReadRequest, Token } from "../backend/backend.ts"
import { type Chunk, type Order, pathsOf, type Step, type Visit } from "./steps.ts"

/** A path through the trie to one of its leaves, and the visits for which no path before it comes by. Their offsets count from the start. */
interface TokenPath {
  readonly tokens: readonly Token[]
  readonly visits: Visit[]
  /** Tokens that it shares with the path before it; the first one, with what is held. */
  readonly shared: number
}

/**
 * The steps that take every visit once, from a sequence that holds `held`, in batches of at most `batchSize`. What is held is not evaluated again, but for
 * tokens at which something is read, whose logits are gone: one each, deepest first, when nothing else needs what stands after them.
 */
export function* walkTokens(
  reads: readonly ReadRequest[],
  held: readonly Chunk[],
  batchSize: number,
  order: Order = "depth_first",
): Generator<Step> {
  const [first, ...others] = tokenPaths(reads, held.flat(), order)
  if (first === undefined) return
  const gone = first.visits.filter(({ offset }) => offset < first.shared)
  yield* evaluations(first, batchSize)
  for (const path of others) {
    yield* again(first.tokens, gone, path.shared)
    yield* evaluations(path, batchSize)
  }
  yield* again(first.tokens, gone, 0)
}

/** The naive twin's steps: for each path of each read, all of it from an empty sequence. */
export function* walkTokensNaively(
  reads: readonly ReadRequest[],
  batchSize: number,
  order: Order = "depth_first",
): Generator<Step> {
  const paths = reads.flatMap(pathsOf).map(fromTheStart)
  for (const path of order === "reversed" ? paths.reverse() : paths)
    yield* evaluations({ ...path, shared: 0 }, batchSize)
}

/** Visits of held tokens, which are evaluated again before anything is put at `from` or before it. */
function* again(tokens: readonly Token[], gone: Visit[], from: number): Generator<Step> {
  for (;;) {
    const at = gone.reduce((deepest, { offset }) => Math.max(deepest, offset), -1)
    if (at < from) return
    const visits = gone.filter(({ offset }) => offset === at)
    gone.splice(0, gone.length, ...gone.filter(({ offset }) => offset !== at))
    yield { at, chunk: [tokens[at]!], visits: visits.map((visit) => ({ ...visit, offset: 0 })) }
  }
}

/** What a path does not share, in batches. */
function* evaluations({ tokens, visits, shared }: TokenPath, batchSize: number): Generator<Step> {
  for (let at = shared; at < tokens.length; at += batchSize) {
    const chunk = tokens.slice(at, at + batchSize)
    yield {
      at,
      chunk,
      visits: visits
        .map((visit) => ({ ...visit, offset: visit.offset - at }))
        .filter(({ offset }) => offset >= 0 && offset < chunk.length),
    }
  }
}

/** The paths to the leaves of the trie, in the order of a walk that begins where `held` leads. */
function tokenPaths(
  reads: readonly ReadRequest[],
  held: readonly Token[],
  order: Order,
): readonly TokenPath[] {
  const paths: TokenPath[] = []
  for (const { tokens, visits } of reads.flatMap(pathsOf).map(fromTheStart).sort(depthFirst(held, order))) {
    const before = paths.at(-1)
    // A path that goes on where the one before it ends takes its place.
    const replaced = before !== undefined && common(before.tokens, tokens) === before.tokens.length
    if (replaced) paths.pop()
    const shared = common(paths.at(-1)?.tokens ?? held, tokens)
    paths.push({ tokens, visits: replaced ? before.visits : [], shared })
    for (const visit of visits) {
      let at = paths.length - 1
      while (at > 0 && paths[at]!.shared > visit.offset) at -= 1
      paths[at]!.visits.push(visit)
    }
  }
  return paths
}

function fromTheStart({ chunks, visits }: ReturnType<typeof pathsOf>[number]): Omit<TokenPath, "shared"> {
  const tokens = chunks.flat()
  const start = tokens.length - (chunks.at(-1)?.length ?? 0)
  return { tokens, visits: visits.map((visit) => ({ ...visit, offset: start + visit.offset })) }
}

/** What is held stands first, then the smaller token; a path that ends stands before those that go on. */
function depthFirst(held: readonly Token[], order: Order) {
  const sign = order === "reversed" ? -1 : 1
  return ({ tokens: a }: Pick<TokenPath, "tokens">, { tokens: b }: Pick<TokenPath, "tokens">): number => {
    const at = common(a, b)
    const [left, right] = [a[at], b[at]]
    if (left === undefined || right === undefined) return a.length - b.length
    if (left === held[at] || right === held[at]) {
      if (common(held, a) >= at && common(held, b) >= at) return left === held[at] ? -1 : 1
    }
    return sign * (left - right)
  }
}

function common(left: readonly Token[], right: readonly Token[]): number {
  const limit = Math.min(left.length, right.length)
  for (let i = 0; i < limit; i += 1) if (left[i] !== right[i]) return i
  return limit
}
