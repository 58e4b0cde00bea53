/** Whether a row of a batch is computed the same whatever the rows around it: what texts that are written together depend on. */
import type { Token } from "../backend.ts"
import { type Row, rowPlace, stepParts, type TextEngine } from "./textEngine.ts"

/** Tokens that are put one after the other, and then looked at. */
const steps = 3

/**
 * Puts the same few tokens on the first of two rows, in the middle of all, and on the last of all but one; true where every probability of
 * theirs is the same to the bit. Overwrites what the sequences held. `sequences`: those that take part, from 0.
 */
export async function rowsAgree(
  engine: TextEngine,
  sequences: number,
  tokens: readonly Token[],
): Promise<boolean> {
  const chosen = [...new Set(tokens)].slice(0, 16)
  const token = (index: number): Token => chosen[index % chosen.length]!
  const seen = async (sequence: number, rows: number): Promise<string> => {
    const found: unknown[] = []
    for (let at = 0; at < steps; at++) {
      const batch = Array.from(
        { length: rows },
        (_, row): Row => ({ at, token: token(row === sequence ? at : at + row + 1) }),
      )
      await engine.evaluate(stepParts(batch, engine.filler))
      found.push(await engine.choose(rowPlace(sequence), chosen))
    }
    return JSON.stringify(found)
  }
  const first = await seen(0, 2)
  const middle = await seen(Math.floor(sequences / 2), sequences)
  const last = await seen(Math.max(1, sequences - 2), Math.max(2, sequences - 1))
  return first === middle && first === last && !first.includes("null")
}
