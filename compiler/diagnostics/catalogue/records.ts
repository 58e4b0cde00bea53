/** CFX32xx: records made elsewhere, and where their rows have what. */
import { either, quote, suggestion } from "../words.ts"
import { error } from "./entry.ts"

export const records = {
  CFX3201: error<{ name: string; known: readonly string[] }>("Nothing of that name to map", {
    message: (p) =>
      `${quote(p.name)} is no field of records, no factor of this experiment and no read of its protocol.`,
    label: () => "nothing of that name",
    hint: (p) => suggestion(p.name, p.known),
  }),
  CFX3202: error<{ of: string; part: string; known: readonly string[] }>("Part that records cannot have", {
    message: (p) => `${quote(p.of)} has no part ${quote(p.part)} that a record could hold.`,
    label: () => "no such part",
    hint: (p) =>
      p.known.length === 0
        ? "Give it a column as a whole, or delete it."
        : (suggestion(p.part, p.known) ?? `There is ${either(p.known)}.`),
  }),
  CFX3203: error<{ label: string; read: string; labels: readonly string[] }>("Probability of no label", {
    message: (p) => `${quote(p.read)} cannot come out as ${quote(p.label)}, so that it has no probability.`,
    label: (p) => `no label of ${quote(p.read)}`,
    hint: (p) => suggestion(p.label, p.labels),
  }),
  CFX3204: error<{ what: string; owner: string }>("Said elsewhere already", {
    message: (p) => `${p.what} stands in records only where nothing else says it, and here ${p.owner} does.`,
    label: (p) => `${p.owner} says it`,
    hint: () => "Delete it. Records that no protocol, models and items go with say everything themselves.",
  }),
  CFX3205: error<{ of: string }>("Type of what is no read", {
    message: (p) => `${quote(p.of)} is no read, and only a read has a type.`,
    label: () => "not a read",
    hint: (p) => `Delete the type: ${p.of} = column`,
  }),
  CFX3206: error<{ of: string }>("Levels of what is no factor", {
    message: (p) => `${quote(p.of)} is no factor, nor the model nor the pool, so that it has no levels.`,
    label: () => "not a factor",
    hint: () => "Delete the braces and what stands in them.",
  }),
  CFX3207: error<{ value: string; first: string; second: string }>("One value for two levels", {
    message: (p) =>
      `Where the file says ${quote(p.value)} it cannot be both ${quote(p.first)} and ${quote(p.second)}.`,
    label: () => "stands for another level already",
    hint: () => "Give each value of the file to one level.",
  }),
  CFX3208: error<{ measure: string; needs: string; example: string }>("Measure of what records lack", {
    message: (p) => `The measure ${quote(p.measure)} looks at ${p.needs}, and the records say nothing of it.`,
    label: (p) => `needs ${p.needs}`,
    hint: (p) => `Say in \`records\` where it stands, such as: ${p.example}`,
  }),
}
