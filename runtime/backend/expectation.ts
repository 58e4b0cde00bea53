/**
 * What a respondent is expected to answer, as the simulated engine takes it: each read comes to one of the outcomes, as often as its
 * probability says, by a hash of the read's key. So the answers of a run are the same every time, and over many items they have the declared shares.
 */
import { createHash } from "node:crypto"
import type { Expectation, ReadAnswer } from "./backend.ts"

/** The outcome that is drawn; undefined for what is left of 1, which is any outcome. */
export function outcomeOf(key: string, expected: Expectation = []): number | string | undefined {
  let left = uniform(key)
  for (const { outcome, probability } of expected) {
    if (left < probability) return outcome
    left -= probability
  }
  return undefined
}

/** The answer with its largest probability at the outcome that is drawn: the two trade places. */
export function asExpected(answer: ReadAnswer, expected: Expectation | undefined): ReadAnswer {
  const outcome = outcomeOf(answer.key, expected)
  if (typeof outcome !== "number" || answer.invalid !== undefined) return answer
  const probabilities = [...answer.probabilities]
  const largest = probabilities.indexOf(Math.max(...probabilities))
  const chosen = probabilities[outcome]
  if (chosen === undefined) throw new Error(`an outcome is expected that the read does not have: ${outcome}`)
  probabilities[outcome] = probabilities[largest] as number
  probabilities[largest] = chosen
  return { ...answer, probabilities }
}

/** Over [0, 1), in steps of 2^-48. */
const uniform = (key: string): number =>
  createHash("sha256").update(`expected ${key}`).digest().readUIntBE(0, 6) / 2 ** 48
