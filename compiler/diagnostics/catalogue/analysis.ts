/** CFX25xx: expressions of the whole language, and the analyses that go beyond a difference of two measures. */
import { didYouMean, either, quote } from "../words.ts"
import { error } from "./entry.ts"

export const analysis = {
  CFX2500: error<{ name: string; known: readonly string[] }>("Unknown function", {
    message: (p) =>
      `There is no function ${quote(p.name)}${p.known.length === 0 ? " over the rows of a pool" : ""}.`,
    label: () => "no such function",
    hint: (p) =>
      p.known.length === 0
        ? "Compare columns with texts or numbers, by `and`, `or`, `not` and `in`."
        : (didYouMean(p.name, p.known) ?? `There are ${either(p.known).replace(/ or (?=[^ ]*$)/, " and ")}.`),
  }),
  CFX2501: error<{ state: string; known: readonly string[] }>("Unknown state of a read", {
    message: (p) => `A read is never ${quote(p.state)}.`,
    label: () => "no state of a read",
    hint: (p) => didYouMean(p.state, p.known) ?? `It is ${either(p.known)}.`,
  }),
  CFX2502: error<{ label: string; read: string; known: readonly string[] }>(
    "Label that a read does not have",
    {
      message: (p) => `${quote(p.read)} is never ${quote(p.label)}.`,
      label: () => "not one of its labels",
      hint: (p) => didYouMean(p.label, p.known) ?? `Its labels are ${either(p.known)}.`,
    },
  ),
  /** `metric`: the one that is given the read; none where the expression names it itself. */
  CFX2503: error<{ read: string; labels: readonly string[]; metric: string | undefined }>(
    "Read without a gold answer",
    {
      message: (p) =>
        p.metric === undefined
          ? `None of the labels of ${quote(p.read)} counts as the gold answer.`
          : `${quote(p.metric)} compares ${quote(p.read)} with the gold answer, and none of its labels counts as that.`,
      label: () => "its labels are not answers to the item",
      hint: (p) =>
        `Write which one is right into its judge, such as \`gold ${p.labels[0] ?? "same"}\`, or compare it with a text.`,
    },
  ),
  CFX2504: error<{ read: string; metric: string | undefined }>("Read without probabilities", {
    message: (p) =>
      `${p.metric === undefined ? "" : `${quote(p.metric)} needs a probability, and `}${quote(p.read)} is found in a text, which gives it no probabilities.`,
    label: () => "has an answer and no more",
    hint: () => "Read the answer by a hole of its own, such as `{a1: option}`, to have its distribution.",
  }),
}
