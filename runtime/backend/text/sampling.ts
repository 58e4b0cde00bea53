/** How the tokens of a text are drawn. */
import { createHash } from "node:crypto"
import type { TextRequest } from "../backend.ts"
import type { Sampling } from "../evaluator.ts"

/** The seed is the first 32 bits of a hash of the request's key, of which the draw is part: the same text always. */
export const samplingOf = ({ key, temperature, topP }: TextRequest): Sampling => ({
  temperature,
  topP,
  seed: seedOf(createHash("sha256").update(`seed ${key}`).digest().readUInt32BE(0)),
})

/** llama.cpp takes one number of 32 bits (`LLAMA_DEFAULT_SEED`) for the wish to have another seed each time. */
const anySeed = 0xffff_ffff

export const seedOf = (word: number): number => (word === anySeed ? 0 : word)
