/**
 * Reads as a trie over canonical chunks, and the walk that answers them with the fewest tokens: depth first on one sequence, rewinding
 * to a chunk boundary, so that each distinct prefix is evaluated once. Pure: an engine carries out the steps (`backend/scorer.ts`).
 */
import { once } from "../../compiler/memo.ts"
import type { ReadRequest, Token } from "../backend/backend.ts"
import type { LabelTree } from "./labels.ts"

export type Chunk = readonly Token[]

/** A place of a read's label tree that is decided where its node ends. */
export interface Visit {
  /** Index into the reads that the trie was built from. */
  readonly read: number
  readonly place: LabelTree
}

export interface TrieNode {
  readonly chunk: Chunk
  /** The chunk as text: equal chunks have equal keys. */
  readonly key: string
  readonly children: Map<string, TrieNode>
  readonly visits: Visit[]
}

/** One batch: forget everything from position `at` on, evaluate `chunk` there, then take the visits at its last token. */
export interface Step {
  /** Number of chunks before this one. */
  readonly depth: number
  readonly at: number
  readonly chunk: Chunk
  readonly visits: readonly Visit[]
}

export type Order = "depth_first" | "reversed"

/** The trie of all places of all reads. The root is empty. */
export function buildTrie(reads: readonly ReadRequest[]): TrieNode {
  const root = node([], "")
  reads.forEach((read, index) => {
    for (const place of placesOf(read.labels)) {
      let at = root
      for (const chunk of pathTo(read, place)) {
        const key = keyOf(chunk)
        let child = at.children.get(key)
        if (child === undefined) {
          child = node(chunk, key)
          at.children.set(key, child)
        }
        at = child
      }
      at.visits.push({ read: index, place })
    }
  })
  return root
}

/** The path of each visit, in the trie's order: what `buildTrie` folded together. */
export function unfold(
  root: TrieNode,
): readonly { readonly visit: Visit; readonly path: readonly Chunk[] }[] {
  const found: { visit: Visit; path: readonly Chunk[] }[] = []
  const descend = (at: TrieNode, path: readonly Chunk[]): void => {
    for (const visit of at.visits) found.push({ visit, path })
    for (const child of at.children.values()) descend(child, [...path, child.chunk])
  }
  descend(root, [])
  return found
}

/**
 * The steps that take every visit once, from an engine that holds the chunks `held`. What is held is not evaluated again, except
 * where a read ends: its logits are gone. The held branch comes first, since any other step destroys it.
 */
export function* walk(root: TrieNode, held: readonly Chunk[], order: Order = "depth_first"): Generator<Step> {
  const heldKeys = held.map(keyOf)
  function* descend(parent: TrieNode, depth: number, at: number, onHeld: boolean): Generator<Step> {
    const heldKey = onHeld ? heldKeys[depth] : undefined
    for (const child of inOrder(parent, heldKey, order)) {
      const kept = child.key === heldKey && child.visits.length === 0
      if (!kept) yield { depth, at, chunk: child.chunk, visits: child.visits }
      yield* descend(child, depth + 1, at + child.chunk.length, kept)
    }
  }
  yield* descend(root, 0, 0, true)
}

/** The naive twin's steps: for each place of each read, its whole path from an empty sequence. */
export function* walkNaively(reads: readonly ReadRequest[], order: Order = "depth_first"): Generator<Step> {
  const indices = reads.map((_, index) => index)
  for (const index of order === "reversed" ? indices.reverse() : indices) {
    const read = reads[index]!
    for (const place of placesOf(read.labels)) {
      const path = pathTo(read, place)
      let at = 0
      for (const [depth, chunk] of path.entries()) {
        const last = depth === path.length - 1
        yield { depth, at, chunk, visits: last ? [{ read: index, place }] : [] }
        at += chunk.length
      }
    }
  }
}

/** Tokens that `walk` evaluates for these reads, from an engine that holds `held`. */
export function countTokens(held: readonly Chunk[], reads: readonly ReadRequest[]): number {
  return tokensOf(walk(buildTrie(reads), held))
}

/** Tokens of these steps. */
export function tokensOf(steps: Iterable<Step>): number {
  let tokens = 0
  for (const step of steps) tokens += step.chunk.length
  return tokens
}

/** All places of a tree, the root first. */
export function placesOf(tree: LabelTree): readonly LabelTree[] {
  return [
    tree,
    ...tree.branches.flatMap(({ leadsTo }) => (typeof leadsTo === "number" ? [] : placesOf(leadsTo))),
  ]
}

/** Chunks up to a place: forced tokens are evaluated together with the last chunk, so that no batch is a token or two. */
function pathTo(read: ReadRequest, place: LabelTree): readonly Chunk[] {
  if (place.forced.length === 0) return read.chunks
  const last = read.chunks.at(-1) ?? []
  return [...read.chunks.slice(0, -1), [...last, ...place.forced]]
}

function inOrder(parent: TrieNode, heldKey: string | undefined, order: Order): readonly TrieNode[] {
  const children = [...parent.children.values()]
  if (order === "reversed") children.reverse()
  const held = heldKey === undefined ? undefined : parent.children.get(heldKey)
  return held === undefined ? children : [held, ...children.filter((child) => child !== held)]
}

const node = (chunk: Chunk, key: string): TrieNode => ({ chunk, key, children: new Map(), visits: [] })

// Chunks are compared by reads that share them, and again by each walk.
const keyOf = once((chunk: Chunk): string => chunk.join(","))
