/** CFX3xxx: the mapping of item files, and their rows. Places are in the item file where it is a row that is wrong. */
import { all, count, didYouMean, either, quote, suggestion } from "../words.ts"
import { error } from "./entry.ts"

/** What every item has, which no condition in a mapping can name. */
const fieldsOfItems = new Set(["id", "question", "options", "labels", "gold"])

export const items = {
  CFX3001: error<{ path: string; why: string; pool: string; replaced: boolean }>("Item file not read", {
    message: (p) => `I cannot read ${quote(p.path)}: ${p.why}.`,
    label: (p) => (p.replaced ? `read from ${quote(p.path)} instead` : p.why),
    hint: (p) =>
      p.replaced
        ? `The path is that of \`--items ${p.pool}=FILE\`, seen from where the command is called.`
        : "The path is seen from the file that declares the items.",
  }),
  CFX3002: error<{ path: string; known: readonly string[] }>("Unknown kind of item file", {
    message: (p) => `${quote(p.path)} is not of a kind that I read. Its name must end in ${either(p.known)}.`,
    label: () => "unknown kind of file",
  }),
  CFX3003: error<{ format: string; why: string }>("Broken item file", {
    message: (p) => `This is not ${p.format}: ${p.why}.`,
    label: (p) => p.why,
  }),
  CFX3004: error<{ path: string }>("No items", {
    message: (p) => `${quote(p.path)} holds no items.`,
    label: () => "no items in this file",
  }),
  CFX3005: error<{ field: string; meant: string }>("Unknown field of an item", {
    message: (p) =>
      `The mapping does not say what the ${quote(p.meant)} of an item is, and ${quote(p.field)} is no field that every item has.`,
    label: () => "no such field",
    hint: (p) => `Did you mean ${quote(p.meant)}?`,
  }),
  CFX3006: error<{ fields: readonly string[]; pool: string }>("Field without a column", {
    message: (p) =>
      `The mapping of ${quote(p.pool)} does not say where ${either(p.fields)} ${p.fields.length === 1 ? "stands" : "stand"} in a row.`,
    label: (p) => `needs ${either(p.fields)}`,
    hint: (p) => `Add it, such as: ${p.fields[0]} = ${p.fields[0]}`,
  }),
  CFX3008: error<{ column: string; file: string; known: readonly string[] }>("Column that no row has", {
    message: (p) => `No row of ${quote(p.file)} has a column ${quote(p.column)}.`,
    label: () => "no such column",
    hint: (p) => suggestion(p.column, p.known),
  }),
  CFX3009: error<{ field: string; column: string }>("Row without a field", {
    message: (p) => `This row has no ${p.field}: there is nothing under ${quote(p.column)}.`,
    label: (p) => `no ${p.field}`,
  }),
  CFX3010: error<{ field: string; expected: string; found: string }>("Field of the wrong type", {
    message: (p) => `The ${p.field} of an item must be ${p.expected}, and this is ${p.found}.`,
    label: (p) => `must be ${p.expected}`,
    hint: (p) => {
      if (p.expected !== "a list of texts" || p.found === "a list") return undefined
      const columns =
        p.field === "options" ? ", or name a column for each option: `options = A, B, C, D`" : ""
      return `Write a list such as \`["3", "4"]\`, in a cell of a CSV file as JSON (there \`"[""3"", ""4""]"\`)${columns}.`
    },
  }),
  CFX3011: error<{ gold: string; labels: readonly string[] }>("Gold that is no label", {
    message: (p) =>
      `The gold answer ${quote(p.gold)} is not a label of this item, which has ${all(p.labels)}.`,
    label: () => "not a label",
    hint: (p) =>
      didYouMean(p.gold, p.labels) ??
      (/^\d+$/.test(p.gold)
        ? "The gold answer is one of the labels, or the text of an option. An index is neither: whether it counts from 0 or from 1 is not for me to guess."
        : "The gold answer is one of the labels, or the text of an option letter by letter."),
  }),
  CFX3012: error<{ id: string }>("Duplicate id", {
    message: (p) => `Two items have the id ${quote(p.id)}.`,
    label: () => "again here",
  }),
  CFX3013: error<{ option: string; first: number; second: number }>("Equal options", {
    message: (p) =>
      `Options ${p.first} and ${p.second} of this item are both ${quote(p.option)}: an answer could mean either.`,
    label: () => "two equal options",
  }),
  CFX3014: error<{ options: number }>("Too few options", {
    message: (p) => `An item needs at least two options, and this one has ${p.options}.`,
    label: () => "too few options",
  }),
  CFX3015: error<{ labels: number; options: number }>("Labels that do not fit", {
    message: (p) => `This item has ${count(p.labels, "label")} for ${count(p.options, "option")}.`,
    label: () => "not one label for each option",
  }),
  CFX3016: error<{ label: string }>("Equal labels", {
    message: (p) => `Two options of this item have the label ${quote(p.label)}.`,
    label: () => "two equal labels",
  }),
  CFX3017: error<{ pool: string; sample: number; items: number }>("Sample larger than the pool", {
    message: (p) =>
      `${quote(p.pool)} has ${count(p.items, "item")}, and a sample of ${p.sample} is asked for.`,
    label: (p) => `there are ${p.items}`,
  }),
  CFX3018: error<{ field: string; column?: string }>("Empty text", {
    message: (p) => {
      const several = p.field === "options" || p.field === "labels"
      const text = several ? `One of the ${p.field}` : `The ${p.field}`
      const where = p.column === undefined ? "" : `: there is nothing under ${quote(p.column)}`
      return `${text} of this item is empty${where}.`
    },
    label: () => "empty",
    hint: (p) =>
      fieldsOfItems.has(p.field)
        ? undefined
        : `Fill it, or leave such rows out by a condition in the mapping: where ${p.field} != ""`,
  }),
  CFX3019: error<{ found: string }>("Not an item", {
    message: (p) => `An item is a record with named columns, and this is ${p.found}.`,
    label: () => "not a record",
  }),
  CFX3021: error<{ field: string }>("More than one column", {
    message: (p) =>
      `${quote(p.field)} takes one column, and this is a second: only \`options\` can have a column for each option.`,
    label: () => "a second column",
    hint: () => "Delete all columns but one.",
  }),
  CFX3020: error<{ options: number }>("No label left", {
    message: (p) =>
      `This item has ${count(p.options, "option")}, and without labels of their own there are 26 letters for them.`,
    label: () => "more options than letters",
    hint: () => "Map `labels` to a column with a label for each option.",
  }),
}
