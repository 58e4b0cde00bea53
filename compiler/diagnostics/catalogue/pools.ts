/** CFX31xx: where the rows of a pool come from, the functions of its mapping, and what is published of it. */
import { all, count, didYouMean, either, have, quote, series, suggestion } from "../words.ts"
import { error, note } from "./entry.ts"

const VALUES = 5

/** "`a`, `b` and 12 more" */
const shortened = (values: readonly string[]): string => {
  const rest = values.length - VALUES
  return rest > 1 ? series([...values.slice(0, VALUES).map(quote), `${rest} more`], "and") : all(values)
}

export const pools = {
  CFX3100: note<{ pool: string; items: number; equal: number; empty: number; first: string }>(
    "Published items with a flaw",
    {
      message: (p) =>
        `${quote(p.pool)} is published data and is taken as it is: of its ${count(p.items, "item")} ${series(
          [
            ...(p.equal > 0 ? [`${p.equal} ${have(p.equal)} two options of the same text`] : []),
            ...(p.empty > 0 ? [`${p.empty} ${have(p.empty)} an empty option, which is left out`] : []),
          ],
          "and",
        )}. The first is ${quote(p.first)}.`,
      label: () => "items with a flaw",
      hint: () => "In a pool without `size`, which is yours to correct, these are errors.",
    },
  ),
  CFX3101: note<{ pool: string; what: string; published: number; found: number }>(
    "Not the published number",
    {
      message: (p) =>
        `${quote(p.pool)} is declared with ${p.published} ${p.what}, and the data at hand have ${p.found}.`,
      label: (p) => `the data have ${p.found}`,
      hint: () => "Plans and runs go by the data at hand; the declared number counts while there are none.",
    },
  ),
  CFX3102: error<{ name: string; known: readonly string[] }>("Unknown function of a mapping", {
    message: (p) => `A mapping has no function ${quote(p.name)}.`,
    label: () => "no such function",
    hint: (p) => didYouMean(p.name, p.known) ?? `There are ${either(p.known)}.`,
  }),
  CFX3103: error<{ name: string; form: string }>("Function of a mapping with other arguments", {
    message: (p) => `${quote(p.name)} is written ${quote(p.form)}.`,
    label: (p) => `expected ${quote(p.form)}`,
  }),
  CFX3104: error<{ name: string; gives: string; field: string; fields: readonly string[] }>(
    "Function of another field",
    {
      message: (p) => `${quote(p.name)} gives ${p.gives}, which ${quote(p.field)} cannot be.`,
      label: (p) => `only for ${either(p.fields)}`,
    },
  ),
  CFX3105: error<{ path: string; known: readonly string[] }>("Folder without item files", {
    message: (p) =>
      `The folder ${quote(p.path)} holds no file that I read. Their names end in ${either(p.known)}.`,
    label: () => "no item files in it",
    hint: () => "Only the files directly in a folder are read, and not those in folders within it.",
  }),
  CFX3106: error<{ file: string; path?: string; found?: string; lists: readonly string[] }>(
    "JSON file without rows",
    {
      message: (p) => {
        const there = p.found === undefined ? "there is nothing" : `there is ${p.found}`
        return p.path === undefined
          ? `${quote(p.file)} is ${p.found ?? "nothing"}, and not a list of items.`
          : `There is no list of items at ${quote(p.path)} in ${quote(p.file)}: ${there}.`
      },
      label: () => "no list of items",
      hint: (p) => {
        const [list] = p.lists
        const meant = p.path === undefined ? undefined : didYouMean(p.path, p.lists)
        if (meant !== undefined) return meant
        return list === undefined
          ? "Write the rows as a list, or say with `records` where in the file it stands."
          : `Say where the list stands: \`records ${list}\`.`
      },
    },
  ),
  CFX3107: error<{ field: string; of: string; pool: string; known: readonly string[] }>(
    "Field of another kind of pool",
    {
      message: (p) => `${quote(p.field)} is for a pool that is ${p.of}, and ${quote(p.pool)} is not.`,
      label: () => "not for this pool",
      hint: (p) => `This one can have ${either(p.known)}.`,
    },
  ),
  CFX3108: error<{ what: string; least: number; found: string }>("Not a number of this kind", {
    message: (p) => `${p.what} is a whole number from ${p.least} up, and not ${p.found}.`,
    label: (p) => `a whole number from ${p.least} up`,
  }),
  CFX3109: error<{ column: string; pool: string; known: readonly string[]; by: string }>(
    "Column that items do not have",
    {
      message: (p) =>
        `${p.by} goes by the column ${quote(p.column)}, and the items of ${quote(p.pool)} have none.`,
      label: () => "no such column",
      hint: (p) =>
        didYouMean(p.column, p.known) ??
        (p.known.length === 0
          ? `Map it in the pool, such as: ${p.column} = ${p.column}`
          : suggestion(p.column, p.known)),
    },
  ),
  CFX3110: error<{ metric: string; found: string }>("Not ranked by a rate", {
    message: (p) => `A stimulus is chosen by a rate over trials, and ${quote(p.metric)} is ${p.found}.`,
    label: () => "not a rate",
  }),
  CFX3111: error<{ folder: string; why: string }>("Run not read", {
    message: (p) => `I cannot read the run in ${quote(p.folder)}: ${p.why}.`,
    label: (p) => p.why,
    hint: () => "`cfx report` on that folder tells more; `cfx resume` finishes a run.",
  }),
  CFX3112: error<{ experiment: string; folder: string; known: readonly string[] }>(
    "Experiment that the run has not",
    {
      message: (p) => `The run in ${quote(p.folder)} has no experiment ${quote(p.experiment)}.`,
      label: () => "not in this run",
      hint: (p) => suggestion(p.experiment, p.known),
    },
  ),
  CFX3113: error<{ read: string; experiment: string; found?: string; known: readonly string[] }>(
    "Not a text of the run",
    {
      message: (p) =>
        p.found === undefined
          ? `The experiment ${quote(p.experiment)} of the run has no read ${quote(p.read)}.`
          : `A text that was written can be kept, and ${quote(p.read)} is ${p.found}.`,
      label: () => "no text of the run",
      hint: (p) =>
        p.known.length === 0 ? `In ${quote(p.experiment)} no text was written.` : suggestion(p.read, p.known),
    },
  ),
  CFX3114: error<{ metric: string; read: string; experiment: string; known: readonly string[] }>(
    "Metric that the run cannot answer",
    {
      message: (p) =>
        `${quote(p.metric)} takes the read ${quote(p.read)}, and the experiment ${quote(p.experiment)} of the run has none.`,
      label: (p) => `no read ${quote(p.read)} in the run`,
      hint: (p) => suggestion(p.read, p.known),
    },
  ),
  CFX3115: error<{ address: string; why: string }>("Not an address of data", {
    message: (p) => `${quote(p.address)} is not an address of data: ${p.why}.`,
    label: () => "not an address of data",
    hint: () =>
      "Data on the hub are named `hf://datasets/ORGANISATION/NAME@REVISION#CONFIG/SPLIT`, with `unlocked` for a revision that is not pinned yet.",
  }),
  CFX3116: error<{ column: string }>("Column with a name that is taken", {
    message: (p) =>
      `A column of an item cannot be named ${quote(p.column)}: tables have a column of that name.`,
    label: () => "this name is taken",
    hint: (p) => `Give it another name, such as \`item_${p.column} = ...\`.`,
  }),
  CFX3117: error<{ pool: string }>("Gold always first", {
    message: (p) =>
      `In every item of ${quote(p.pool)} the gold answer is the first option, so that its place gives it away.`,
    label: () => "always the first",
    hint: () => "Add `shuffle options`: each item gets an order of its own, the same in every run.",
  }),
  CFX3119: error<{ place: number; options: number }>("Gold past the options", {
    message: (p) => `The gold answer is option ${p.place}, and this item has ${count(p.options, "option")}.`,
    label: () => "no such option",
    hint: () => "`index` counts options from 0, `position` from 1.",
  }),
  CFX3120: error<{ pool: string; rows: number }>("No row left", {
    message: (p) => `This condition lets none of the ${count(p.rows, "row")} of ${quote(p.pool)} through.`,
    label: () => "true of no row",
  }),
  CFX3121: note<{ pool: string; lost: number; items: number; keep: readonly string[] }>(
    "Items without a stimulus",
    {
      message: (p) =>
        `For ${p.lost} of the ${count(p.items, "item")} of the run there is no ${either(p.keep)}, so that they are not in ${quote(p.pool)}.`,
      label: (p) => `${p.lost} without one`,
    },
  ),
  CFX3122: error<{ pool: string; sample: number; column: string; value: string; items: number }>(
    "Sample larger than a stratum",
    {
      message: (p) =>
        `Of ${quote(p.pool)} ${count(p.items, "item")} ${have(p.items)} the ${p.column} ${quote(p.value)}, and a sample of ${p.sample} of each is asked for.`,
      label: (p) => `there are ${p.items} of ${quote(p.value)}`,
    },
  ),
  CFX3123: error<{ column: string; compared: string; found: string; pool: string }>(
    "Column compared with another type",
    {
      message: (p) =>
        `${quote(p.column)} is compared with ${p.compared}, and in ${quote(p.pool)} it holds ${p.found}.`,
      label: (p) => `the column holds ${p.found}`,
    },
  ),
  /** `values`: what the column holds over the pool, each once; `labels`: those of the read. */
  CFX3125: error<{
    measure: string
    column: string
    pool: string
    values: readonly string[]
    read: string
    labels: readonly string[]
  }>("Coded in other words", {
    message: (p) =>
      `${quote(p.measure)} compares ${quote(p.read)} with the column ${quote(p.column)}, which in ${quote(p.pool)} holds ${shortened(p.values)}: ${p.values.length === 1 ? "this is no label" : "none of them is a label"} of ${quote(p.read)}.`,
    label: () => "the two would never agree",
    hint: (p) =>
      `${quote(p.read)} has the labels ${all(p.labels)}: write the column in the same words and case, or the labels as the column has them.`,
  }),
  CFX3124: error<{
    draw: string
    count: number
    pool: string
    items: number
    protocol: string
  }>("Draw larger than the pool", {
    message: (p) =>
      `The protocol ${quote(p.protocol)} draws ${count(p.count, "other item")} as ${quote(p.draw)}, and ${quote(p.pool)} has ${count(p.items, "item")}, the trial's own among them.`,
    label: (p) => `has ${p.items}`,
    hint: () => "Draw fewer items, or let more of the pool through.",
  }),
}
