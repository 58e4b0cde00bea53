/** In which order texts are written: those of one prompt together, and prompts that begin alike one after the other. */
import type { TextRequest, Token } from "../backend.ts"

type Chunk = readonly Token[]

/** Texts that are written to one prompt. */
export interface PromptGroup {
  readonly chunks: readonly Chunk[]
  readonly texts: readonly TextRequest[]
}

interface Node {
  readonly chunks: readonly Chunk[]
  readonly texts: TextRequest[]
  readonly children: Map<string, Node>
}

/**
 * Depth first through the trie of their chunks, so that a sequence that is rewound from one to the next evaluates each distinct prefix once. No group
 * has more than `most` texts.
 */
export function inTrieOrder(texts: readonly TextRequest[], most: number): readonly PromptGroup[] {
  const root: Node = { chunks: [], texts: [], children: new Map() }
  for (const text of texts) {
    let at = root
    for (const chunk of text.chunks) {
      const key = chunk.join(",")
      let child = at.children.get(key)
      if (child === undefined) {
        child = { chunks: [...at.chunks, chunk], texts: [], children: new Map() }
        at.children.set(key, child)
      }
      at = child
    }
    at.texts.push(text)
  }
  const groups: PromptGroup[] = []
  const descend = ({ chunks, texts, children }: Node): void => {
    for (let start = 0; start < texts.length; start += most)
      groups.push({ chunks, texts: texts.slice(start, start + most) })
    for (const child of children.values()) descend(child)
  }
  descend(root)
  return groups
}

/** Texts of one prompt whose first tokens are drawn at once, at most: each has a drawer of its own. */
export const mostDrawers = 64

/**
 * How many chunks of a prompt are not evaluated again on a sequence that holds another: what they have in common, but never the last one, whose
 * logits are needed. A sequence that cannot rewind keeps all that it holds or nothing.
 */
export function keptChunks(held: readonly Chunk[], chunks: readonly Chunk[], rewinds: boolean): number {
  const common = Math.min(commonChunks(held, chunks), chunks.length - 1)
  return rewinds || common === held.length ? common : 0
}

/**
 * Tokens of prompts that are evaluated where these texts are written together: what a plan counts. `rewinds`: whether a sequence can forget its end alone. Where
 * rows of a batch do not agree (`rowsAgree.ts`), which only writing shows, texts are written one by one, and prompts evaluated whole for each.
 */
export function promptTokensOf(texts: readonly TextRequest[], rewinds: boolean): number {
  let held: readonly Chunk[] = []
  let tokens = 0
  for (const { chunks } of inTrieOrder(texts, mostDrawers)) {
    for (const chunk of chunks.slice(keptChunks(held, chunks, rewinds))) tokens += chunk.length
    held = chunks
  }
  return tokens
}

/** How many chunks two prompts have in common from their beginning. */
export function commonChunks(one: readonly Chunk[], other: readonly Chunk[]): number {
  let count = 0
  while (count < one.length && count < other.length && same(one[count]!, other[count]!)) count += 1
  return count
}

const same = (one: Chunk, other: Chunk): boolean =>
  one === other || (one.length === other.length && one.every((token, i) => token === other[i]))
