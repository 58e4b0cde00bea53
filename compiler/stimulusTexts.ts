/** The declared texts of what stands in a slot. */
import type { CellIR, StimulusIR, TextIR } from "./ir.ts"

/** All texts of a stimulus; of an assertion those of its framing and its paraphrase. */
export const textsOfStimulus = (stimulus: StimulusIR): readonly TextIR[] =>
  stimulus.kind === "block"
    ? [stimulus.text, ...(stimulus.steps ?? [])]
    : [stimulus.preamble, ...stimulus.lines, ...stimulus.wordings, stimulus.closing]

/** What fills the slots of a cell: the arm's stimulus, then those of its factors. */
export const stimuliOf = ({ stimulus, fills }: CellIR): readonly StimulusIR[] => [
  stimulus,
  ...Object.values(fills),
]
