/**
 * Canonical chunks: where a conversation is cut into batches. With flash attention a probability depends on the tokens *and* on the
 * batches in which they were evaluated, so exact mode lets the boundaries depend on the conversation alone: after each turn's closing
 * control token and its line break, and, within a turn, at a fixed short distance. Prefixes are shared, and rewound to, only there.
 */
import type { Token } from "../backend/backend.ts"

/** Names the rule in a model's fingerprint: answers that were taken under another rule are other answers. */
export const chunkRule = "turns-3"

/**
 * The distance of cuts within a turn, in tokens. Arms that begin a turn alike and part in the middle of it lose half of that on average where they
 * part. On the main grid of Hu & Qu (20 items, tokens of SmolLM2), evaluated tokens over those of the ideal trie: cut at turns alone 1.20,
 * at 32 tokens 1.12, at 16 1.04, at 8 1.04; after line breaks, in pieces of 8 and more, 1.06. On CPUs batches of 16 rows take no longer per token
 * than batches of 128 (SmolLM2, Q4_1: 88 and 87 tokens/s on one busy thread). A remainder is never cut
 * shorter than a piece.
 */
export const pieceLength = 16

/** The longest chunk of a turn; a turn of a single token, and what is forced after the last chunk, come on top. */
export const longestChunk = 2 * pieceLength - 1

/**
 * Tokens of a chunk at least: the engine takes one-row batches on another path, whose result depends on the number of threads once the
 * conversation is longer than 512 tokens.
 */
const fewest = 2

/** Room for the forced tokens of a label, which are evaluated together with the last chunk. */
export const forcedRoom = 32

/**
 * Cuts tokens at `turnEnds` (ascending positions, each just past a turn), and turns into pieces of `pieceLength`, of which the last has up to
 * `longestChunk`. A turn of a single token goes with the next one, or, where it is the last, with the one before. Joined, the chunks are the
 * tokens again.
 */
export function chunksOf(
  tokens: readonly Token[],
  turnEnds: readonly number[],
): readonly (readonly Token[])[] {
  const chunks: (readonly Token[])[] = []
  let start = 0
  // A read whose label merges with the text before it is taken before that text, and so may be before the end of a turn.
  for (const end of [...turnEnds.filter((one) => one < tokens.length), tokens.length]) {
    if (end - start < fewest && end < tokens.length) continue
    while (start < end) {
      const next = end - start > longestChunk ? start + pieceLength : end
      chunks.push(tokens.slice(start, next))
      start = next
    }
  }
  const last = chunks.at(-1)
  const before = chunks.at(-2)
  if (last === undefined || before === undefined || last.length >= fewest) return chunks
  return [...chunks.slice(0, -2), [...before, ...last]]
}
