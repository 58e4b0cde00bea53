/**
 * Canonical chunks: where a conversation is cut into batches. With flash attention a probability depends on the tokens *and* on the
 * batches in which they were evaluated, so exact mode lets the boundaries depend on the conversation alone: after each turn's closing
 * control token and its line break, and, within a long turn, at a fixed distance. Prefixes are shared, and rewound to, only there.
 */
import type { Token } from "../backend/backend.ts"

/** Names the rule in a model's fingerprint: answers that were taken under another rule are other answers. */
export const chunkRule = "turns-1"

/** Room left in a chunk for the forced tokens of a label, which are evaluated together with the last chunk. */
export const forcedRoom = 32

/**
 * The shortest batch that is cut off a long turn, in tokens. The engine takes one-row batches on another path, whose result
 * depends on the number of threads; a remainder is therefore never left that short.
 */
export const shortestCut = 16

/**
 * Cuts tokens at `turnEnds` (ascending positions, each just past a turn), and turns that are longer than `chunkSize - forcedRoom` into
 * pieces of that length. Joined, the chunks are the tokens again; none is empty.
 */
export function chunksOf(
  tokens: readonly Token[],
  turnEnds: readonly number[],
  chunkSize: number,
): readonly (readonly Token[])[] {
  const chunks: (readonly Token[])[] = []
  let start = 0
  for (const end of [...turnEnds, tokens.length]) {
    if (end > tokens.length) break
    for (const length of cuts(end - start, Math.max(2 * shortestCut, chunkSize - forcedRoom))) {
      chunks.push(tokens.slice(start, start + length))
      start += length
    }
  }
  return chunks
}

function cuts(length: number, limit: number): readonly number[] {
  const lengths: number[] = []
  let left = length
  while (left > limit) {
    const rest = left - limit
    const cut = rest < shortestCut ? limit - (shortestCut - rest) : limit
    lengths.push(cut)
    left -= cut
  }
  if (left > 0) lengths.push(left)
  return lengths
}
