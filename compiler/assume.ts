/** What a read is taken to come to where nothing was asked yet: for plans, and to look at later turns before a run. */
import type { HoleIR } from "./ir.ts"
import { holeOf } from "./prompt.ts"
import { lookedFor, plainly, sayingOf } from "./sayings.ts"
import type { Reading, Trial } from "./trial.ts"

/** The assumption of `assumed`, in words. */
export const assumption = "every answer is the gold one and every integer the middle of its range"

/** The same where texts are written: what a text is taken to be decides how long later prompts are. */
export const assumptionOfTexts =
  "every text is one short sentence that says the gold answer, and another one wherever its prompt is another"

/** The same of turns that hang on an answer. */
export const assumptionOfGates = "every turn whose gate may open is asked"

const certain = (index: number, values: readonly string[]): Reading => ({
  status: "value",
  value: values[index] ?? "",
  index,
  probabilities: values.map((_, at) => (at === index ? 1 : 0)),
  mass: 1,
})

/** A text that nobody wrote: no engine has counted its tokens. */
const text = (written: string): Reading => ({ status: "text", text: written, tokens: 0, stop: "end" })

interface Possible {
  readonly values: readonly string[]
  /** Where values are whole texts, what they also go by. */
  readonly labels?: readonly string[]
  /** The one that is assumed. */
  readonly usual: number
}

/** The values that a hole of a trial can have, as displayed, in the order of its probabilities; none for a text. */
const possibleAt = (trial: Trial, declared: HoleIR): Possible | undefined => {
  const type = declared.type === "extract" ? declared.as : declared
  switch (type.type) {
    case "text":
      return undefined
    case "option": {
      const { of: drawn, score } = declared.type === "option" ? declared : {}
      const item = drawn === undefined ? trial.item : trial.others[drawn.draw]?.[drawn.index - 1]
      if (item === undefined) return { values: [], usual: 0 }
      const { labels, options, gold } = item
      return score === undefined ? { values: labels, usual: gold } : { values: options, labels, usual: gold }
    }
    case "label":
    case "rule":
      return {
        values: type.labels,
        usual: type.gold === undefined ? 0 : Math.max(0, type.labels.indexOf(type.gold)),
      }
    case "integer": {
      const values = Array.from({ length: type.high - type.low + 1 }, (_, index) => String(type.low + index))
      return { values, usual: Math.floor((values.length - 1) / 2) }
    }
  }
}

/** A hole's reading under the assumption: gold, the middle of the range, or a sentence that says the gold answer as it will be looked for. */
export const assumed = (trial: Trial, hole: string): Reading => {
  const declared = holeOf(trial, hole)
  const possible = possibleAt(trial, declared)
  if (possible !== undefined) return certain(possible.usual, possible.values)
  const [looked] = lookedFor(trial.experiment.protocol, hole)
  const { gold, labels } = trial.item
  return text(looked === undefined ? plainly(labels[gold] ?? "") : sayingOf(trial, looked, gold))
}

/** A hole's reading if it came to this value; the problem, in words, when it cannot. */
export const assumedAs = (
  trial: Trial,
  hole: string,
  value: string,
): Reading | { readonly problem: string } => {
  const declared = holeOf(trial, hole)
  const possible = possibleAt(trial, declared)
  if (possible === undefined) {
    const marker = declared.type === "text" ? declared.refusal.find((one) => value.includes(one)) : undefined
    return marker === undefined ? text(value) : { status: "refused", text: value, tokens: 0, marker }
  }
  const { values, labels = values } = possible
  const index = Math.max(values.indexOf(value), labels.indexOf(value))
  return index < 0
    ? { problem: `${hole} of item ${trial.item.id} can be ${labels.join(", ")}, not ${value}` }
    : certain(index, values)
}
