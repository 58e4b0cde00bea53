/** What a read is taken to come to where nothing was asked yet: for plans, and to look at later turns before a run. */
import { askAt } from "./prompt.ts"
import type { Reading, Trial } from "./trial.ts"

/** The assumption of `assumed`, in words. */
export const assumption = "every answer is the gold one and every integer the middle of its range"

const certain = (index: number, values: readonly string[]): Reading => ({
  status: "value",
  value: values[index] ?? "",
  index,
  probabilities: values.map((_, at) => (at === index ? 1 : 0)),
  mass: 1,
})

/** The values that a hole of a trial can have, as displayed, in the order of its probabilities. */
const valuesAt = (trial: Trial, hole: string): readonly string[] => {
  const ask = askAt(trial, hole)
  if (ask.kind === "option") return ask.labels
  return Array.from({ length: ask.high - ask.low + 1 }, (_, index) => String(ask.low + index))
}

/** A hole's reading under the assumption: gold, or the middle of the range, with certainty. */
export const assumed = (trial: Trial, hole: string): Reading => {
  const values = valuesAt(trial, hole)
  const index = askAt(trial, hole).kind === "option" ? trial.item.gold : Math.floor((values.length - 1) / 2)
  return certain(index, values)
}

/** A hole's reading if it came to this value; the problem, in words, when it cannot. */
export const assumedAs = (
  trial: Trial,
  hole: string,
  value: string,
): Reading | { readonly problem: string } => {
  const values = valuesAt(trial, hole)
  const index = values.indexOf(value)
  return index < 0
    ? { problem: `${hole} of item ${trial.item.id} can be ${values.join(", ")}, not ${value}` }
    : certain(index, values)
}
