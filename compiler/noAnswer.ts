/** What stands for an answer that no option and no label is, wherever expressions are evaluated, and when two answers are the same. */

/** Stands for the answer of an invalid read where a measure says `invalid wrong`: equal to no option, not even to itself. */
export const NO_ANSWER = -1
/** Stands for the label of an invalid read there: no label holds such a character. */
export const NO_LABEL = "\u0000"
/** Stands for a placebo target: a label that no option has, so that no answer equals it and no option has its probability. */
export const PLACEBO = -2

/** Whether two answers that are there are the same: options by their place, others by what they say. */
export const isSameAnswer = (a: number | string, b: number | string): boolean =>
  a !== NO_ANSWER && a !== NO_LABEL && a === b
