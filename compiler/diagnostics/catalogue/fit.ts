/** CFX243x: whether a stimulus fits the protocol and the items of an experiment that uses it. */
import { braces, didYouMean, quote } from "../words.ts"
import { error } from "./entry.ts"

export const fit = {
  /** `place` is what is written, a placeholder with its braces. `condition`: whether a condition asks for it, which can leave the pool out. */
  CFX2430: error<{
    column: string
    place: string
    pool: string
    user: string
    known: readonly string[]
    condition?: boolean
  }>("Column that a pool lacks", {
    message: (p) => `${p.user} reads ${quote(p.place)}, and the pool ${quote(p.pool)} has no such column.`,
    label: () => "no such column",
    hint: (p) => {
      const meant = didYouMean(p.column, p.known)
      if (meant !== undefined) return meant
      const add = `Add it to the pool's mapping: ${quote(`${p.column} = ${p.column}`)}`
      return p.condition ? `${add}, or leave the pool out: ${quote(`pool != ${p.pool} and ...`)}.` : `${add}.`
    },
  }),
  CFX2431: error<{ draw: string; user: string; protocol: string; known: readonly string[] }>(
    "Draw that the protocol does not have",
    {
      message: (p) =>
        `${p.user} names an item of ${quote(p.draw)}, and the protocol ${quote(p.protocol)} draws no such items.`,
      label: () => "drawn by nobody",
      hint: (p) =>
        didYouMean(p.draw, p.known) ?? `Add ${quote(`draw ${p.draw} = 3 others`)} to the protocol.`,
    },
  ),
  CFX2432: error<{ user: string; slot: string; protocol: string }>("Step where nothing repeats", {
    message: (p) =>
      `${p.user} says which step it is of, and ${braces(p.slot)} stands in ${quote(p.protocol)} where nothing is repeated.`,
    label: () => "there is one step",
    hint: () => "Use a protocol whose turn repeats, or a stimulus that is the same whenever it is shown.",
  }),
  CFX2433: error<{ user: string; slot: string; step: string; protocol: string }>("The same at every step", {
    message: (p) =>
      `${p.user} is the same at every step, and ${braces(`${p.slot}[${p.step}]`)} of ${quote(p.protocol)} asks for something that changes.`,
    label: () => "the same at every step",
    hint: (p) =>
      `Write a text for each step (\`texts\`, or a list of doses), or ${braces(p.slot)} in the protocol where it may stay the same.`,
  }),
  CFX2436: error<{ user: string; protocol: string }>("Options that are not listed", {
    message: (p) =>
      `${p.user} lists options, and the protocol ${quote(p.protocol)} does not say how they are listed.`,
    label: () => "how are they listed?",
    hint: () => 'Add it to the protocol, such as: options "{label}. {text}" join "\\n"',
  }),
  CFX2437: error<{ pool: string; protocol: string; known: readonly string[] }>("Draw from no pool", {
    message: (p) =>
      `The protocol ${quote(p.protocol)} draws from the pool ${quote(p.pool)}, which this experiment does not name.`,
    label: () => "of what pool?",
    hint: (p) =>
      didYouMean(p.pool, p.known) ??
      `Add it to the experiment: ${quote(`items { ${[...p.known, p.pool].join(", ")} }`)}.`,
  }),
  CFX2439: error<{ attribute: string; model: string; user: string; known: readonly string[] }>(
    "Attribute that a model lacks",
    {
      message: (p) =>
        `${p.user} reads ${quote(`model.${p.attribute}`)}, and the model ${quote(p.model)} has no such attribute.`,
      label: () => "no such attribute",
      hint: (p) =>
        didYouMean(p.attribute, p.known) ??
        `Add it to the model's declaration, or leave the model out: ${quote(`model != ${p.model} and ...`)}.`,
    },
  ),
}
