/** What an engine does for those who write texts on it: batches, and copies of what a sequence holds. */
import type { Token } from "../backend.ts"
import type { Evaluator, Part } from "../evaluator.ts"

export interface TextEngine extends Evaluator {
  /** Keeps what a sequence holds, to the bit. */
  readonly snapshot: (sequence: number) => Promise<Snapshot>
  /** Some token of plain text: what rows hold that nobody looks at. */
  readonly filler: Token
  /** Whether a sequence can forget its last tokens and keep the others. */
  readonly rewinds: boolean
}

export interface Snapshot {
  /** Puts it in place of what another sequence, or the same, holds. */
  readonly restore: (sequence: number) => Promise<void>
  readonly free: () => Promise<void>
}

/**
 * A batch of one row is what engines compute otherwise than all others. Measured on llama.cpp (node-llama-cpp 3.21.1, AVX2, flash attention on),
 * the probabilities of a token after prompts of 60 and of 600 tokens, all bits compared:
 * - pocket (F16): one row differs from two rows by 3e-4 to 4e-4 (another matrix kernel), and after 600 tokens one row on two threads from one row on
 *   one by 9e-3 (past 512 keys the attention of one row is cut up among the threads).
 * - SmolLM2 (Q4_1, Q8_0, Q4_0): one row is as two up to 512 keys; past them, on two threads, it differs by 2e-5, 6e-5 and 2e-3.
 * - Two to sixteen rows of neighbouring sequences: the same bits, whatever the number of rows, the row's place among them, the lengths of the others, and
 *   threads. Sequences that are not neighbours are evaluated apart, one row at a time, and do differ.
 * So a step has a row for each sequence from 0 on, and at least two. `rowsAgree` looks whether this holds for the model and the machine at hand.
 */
const fewestRows = 2

/** What a sequence holds next. */
export interface Row {
  readonly at: number
  readonly token: Token
}

/** The parts of a step: a row of each sequence from 0 to the last that has one, and of others what nobody looks at. Row i is part i. */
export function stepParts(
  rows: readonly (Row | undefined)[],
  filler: Token,
  fewest: number = fewestRows,
): readonly Part[] {
  const count = Math.max(fewest, rows.findLastIndex((row) => row !== undefined) + 1)
  return Array.from({ length: count }, (_, sequence): Part => {
    const { at, token } = rows[sequence] ?? { at: 0, token: filler }
    // The last layers are computed for kept rows only: those that nobody looks at count there, too.
    return { sequence, at, chunk: [token], keep: [0] }
  })
}

/** Rows of the last batch whose logits are looked at. */
export const rowPlace = (sequence: number) => ({ part: sequence, offset: 0 })
