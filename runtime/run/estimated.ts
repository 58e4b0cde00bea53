/** Tokens of a prompt where only a server could count them. */
import type { Segment } from "../../compiler/trial.ts"

/** Characters of a prompt to a token: so many have English words with their blanks. */
const CHARACTERS = 4

export const charactersAsTokens = (rendered: readonly Pick<Segment, "text">[]): number =>
  Math.ceil(rendered.reduce((sum, { text }) => sum + text.length, 0) / CHARACTERS)
