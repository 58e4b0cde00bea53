/**
 * Reads as a trie over canonical chunks, and the walk that answers them with the fewest tokens: depth first on one sequence, rewinding
 * to a chunk boundary, so that each distinct prefix is evaluated once. Pure: an engine carries out the steps (`backend/scorer.ts`).
 */
import type { ReadRequest, Token } from "../backend/backend.ts"
import { type Chunk, type Order, type Path, pathsOf, type Step, type Visit } from "./steps.ts"

export interface TrieNode {
  readonly chunk: Chunk
  /** By their first tokens, in the order in which they came. */
  readonly children: Map<Token, TrieNode[]>
  readonly visits: Visit[]
}

/** The trie of all places of all reads. The root is empty. */
export function buildTrie(reads: readonly ReadRequest[]): TrieNode {
  const root = node([])
  for (const { chunks, visits } of reads.flatMap(pathsOf)) {
    let at = root
    for (const chunk of chunks) {
      let child = childOf(at, chunk)
      if (child === undefined) {
        child = node(chunk)
        const first = chunk[0]!
        const others = at.children.get(first)
        if (others === undefined) at.children.set(first, [child])
        else others.push(child)
      }
      at = child
    }
    at.visits.push(...visits)
  }
  return root
}

/** The paths of the trie that end in visits, in its order: what `buildTrie` folded together. */
export function unfold(root: TrieNode): readonly Path[] {
  const found: Path[] = []
  const descend = (at: TrieNode, chunks: readonly Chunk[]): void => {
    if (at.visits.length > 0) found.push({ chunks, visits: at.visits })
    for (const child of [...at.children.values()].flat()) descend(child, [...chunks, child.chunk])
  }
  descend(root, [])
  return found
}

/**
 * The steps that take every visit once, from an engine that holds the chunks `held`. What is held is not evaluated again, except
 * where a read ends: its logits are gone. The held branch comes first, since any other step destroys it.
 */
export function* walk(
  reads: readonly ReadRequest[],
  held: readonly Chunk[],
  order: Order = "depth_first",
): Generator<Step> {
  function* descend(parent: TrieNode, depth: number, at: number, onHeld: boolean): Generator<Step> {
    const chunk = onHeld ? held[depth] : undefined
    const heldChild = chunk === undefined ? undefined : childOf(parent, chunk)
    for (const child of inOrder(parent, heldChild, order)) {
      const kept = child === heldChild && child.visits.length === 0
      if (!kept) yield { at, chunk: child.chunk, visits: child.visits }
      yield* descend(child, depth + 1, at + child.chunk.length, kept)
    }
  }
  yield* descend(buildTrie(reads), 0, 0, true)
}

/** The naive twin's steps: for each path of each read, all of it from an empty sequence. */
export function* walkNaively(reads: readonly ReadRequest[], order: Order = "depth_first"): Generator<Step> {
  const paths = reads.flatMap(pathsOf)
  for (const { chunks, visits } of order === "reversed" ? paths.reverse() : paths) {
    let at = 0
    for (const [depth, chunk] of chunks.entries()) {
      yield { at, chunk, visits: depth === chunks.length - 1 ? visits : [] }
      at += chunk.length
    }
  }
}

function inOrder(parent: TrieNode, held: TrieNode | undefined, order: Order): readonly TrieNode[] {
  const children = [...parent.children.values()].flat()
  if (order === "reversed") children.reverse()
  return held === undefined ? children : [held, ...children.filter((child) => child !== held)]
}

const childOf = (parent: TrieNode, chunk: Chunk): TrieNode | undefined =>
  parent.children.get(chunk[0]!)?.find((child) => isSame(child.chunk, chunk))

const isSame = (one: Chunk, other: Chunk): boolean =>
  one === other || (one.length === other.length && one.every((token, index) => token === other[index]))

const node = (chunk: Chunk): TrieNode => ({ chunk, children: new Map(), visits: [] })
