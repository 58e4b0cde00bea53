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

/** How many chunks two prompts have in common from their beginning. */
export function commonChunks(one: readonly Chunk[], other: readonly Chunk[]): number {
  let count = 0
  while (count < one.length && count < other.length && same(one[count]!, other[count]!)) count += 1
  return count
}

const same = (one: Chunk, other: Chunk): boolean =>
  one === other || (one.length === other.length && one.every((token, i) => token === other[i]))
