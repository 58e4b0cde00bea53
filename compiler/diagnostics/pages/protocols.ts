/** CFX2400 to CFX2413: turns that repeat, texts that models write, and what is found in them. */
import { type Example, file, page } from "./page.ts"

const LISTING = 'options "{label}. {text}" join "\\n"'

/** A text of lines that stand deep, at this depth. */
export const at = (depth: number, text: string): string => {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n")
  const least = Math.min(...lines.filter((line) => line !== "").map((line) => line.search(/\S/)))
  return lines.map((line) => (line === "" ? "" : " ".repeat(depth) + line.slice(least))).join("\n")
}

/** The parts of a declaration that are there, a blank line between them. */
export const joined = (head: string, ...parts: readonly string[]): Example =>
  file(`${head} {\n${parts.filter((part) => part.trim() !== "").join("\n\n")}\n}`)

const ASKED = `turn first {
  user "{item.question}\\n{item.options}"
  assistant "{a0: option}"
}`

/** A protocol of one turn that asks, and whatever else is the matter. */
export const asking = (rest: string, fields = ""): Example =>
  joined(
    "protocol ask",
    [at(2, LISTING), at(2, fields)].filter((part) => part !== "").join("\n"),
    at(2, ASKED),
    at(2, rest),
  )

/** A protocol whose one turn reads something else. */
export const reading = (turn: string, fields = ""): Example =>
  joined("protocol ask", at(2, fields), `  turn first {\n    user "{item.question}"\n${at(4, turn)}\n  }`)

export const protocols = {
  CFX2400: page(
    "A name ends in a step, and its turn takes place once or calls its step otherwise.",
    "`[t]` stands for the number of the step of a repeated turn. Elsewhere there is no such number.",
    asking(`
      turn again continues first {
        user "Are you sure?"
        assistant "{a[t]: option}"
      }`),
    asking(`
      turn again[t] repeat 5 continues first {
        user "Are you sure?"
        assistant "{a[t]: option}"
      }`),
  ),
  CFX2401: page(
    "A repeated turn reads something under one name.",
    "Each step is a read of its own, with a column of its own: `a1`, `a2` and so on, together the list `a`.",
    asking(`
      turn again[t] repeat 5 continues first {
        user "Are you sure?"
        assistant "{a: option}"
      }`),
    asking(`
      turn again[t] repeat 5 continues first {
        user "Are you sure?"
        assistant "{a[t]: option}"
      }`),
  ),
  CFX2402: page(
    "A text names a drawn item that the draw does not give, or does not say which of several.",
    "A draw gives as many items as it says, from number 1.",
    asking("", '      draw past = 2 others\n      system "Earlier you were asked: {past[3].question}"'),
    asking("", '      draw past = 2 others\n      system "Earlier you were asked: {past[2].question}"'),
  ),
  CFX2403: page(
    "Something is read after a text in the same turn.",
    "A text ends where the model stops: what comes after it is no longer what the model would have said next. The other read needs a turn of its own.",
    reading(`
      assistant "{reason: text} So I am {k: integer 1..10} sure."
      read reason { max 100 }`),
    file(`
      protocol ask {
        turn first {
          user "{item.question}"
          assistant "{reason: text}"
          read reason { max 100 }
        }

        turn sure continues first {
          user "How sure are you, from 1 to 10?"
          assistant "{k: integer 1..10}"
        }
      }`),
  ),
  CFX2404: page(
    "Nothing says how long a text may get.",
    "Where a text is cut off changes what is found in it, so nothing about it is assumed: its turn says so with `read NAME { max N }`.",
    reading('      assistant "{reply: text}"'),
    reading(`
      assistant "{reply: text}"
      read reply { max 100 }`),
  ),
  CFX2405: page(
    "A setting is not a number that it can be: of a text, of a distribution, or the share of reads that an experiment tolerates to fail.",
    "At temperature 0 the likeliest token is taken, above it one is drawn; `top_p` keeps the likeliest tokens that have this share together. `mass` is the least raw probability that the labels of a read should hold.",
    reading(`
      assistant "{reply: text}"
      read reply { max 100 temperature 20 }`),
    reading(`
      assistant "{reply: text}"
      read reply { max 100 temperature 0.7 }`),
  ),
  CFX2406: page(
    "A turn says how something is read that it does not read.",
    "`read` belongs to the turn whose `assistant` text has the hole; anywhere else nothing would go by it.",
    reading(`
      assistant "{reply: text}"
      read replies { max 100 }
      read reply { max 100 }`),
    reading(`
      assistant "{reply: text}"
      read reply { max 100 }`),
  ),
  CFX2407: page(
    "`answers` says what `{answer}` stands for: the label of an option or its text.",
    "Where options are hidden from a model, a label would mean nothing to it.",
    asking("", "      answers texts"),
    asking("", "      answers text"),
  ),
  CFX2408: page(
    "A turn that continues another one has a system message.",
    "A conversation has one system message, which opens it: this one would never reach a model.",
    asking(`
      turn again continues first {
        system "You are careful."
        user "Are you sure?"
        assistant "{a1: option}"
      }`),
    asking(`
      turn again {
        system "You are careful."
        user "{item.question}\\n{item.options}"
        assistant "{a1: option}"
      }`),
  ),
  CFX2409: page(
    "A protocol has a role in which no turn and no judge asks anyone.",
    "An experiment gives a model to each role. If nothing asks it, all models in this role make the same trials.",
    asking("", "      role source"),
    asking(
      `
      turn other by source {
        user "{item.question}\\n{item.options}"
        assistant "{b0: option}"
      }`,
      "      role source",
    ),
  ),
  CFX2410: page(
    "A protocol draws other items, and nothing names one of them.",
    "What is drawn and never shown changes nothing. Where a protocol has a slot, what fills the slot may name them.",
    asking("", "      draw past = 2 others"),
    asking(
      "",
      '      draw past = 2 others\n      system "Earlier: {past[1].question} And: {past[2].question}"',
    ),
  ),
  CFX2411: page(
    "What stands after `matching` is no regular expression.",
    "Regular expressions are those of RE2, which run in linear time on any text: what looks ahead or behind, or back at a group, is not among them.",
    reading(
      `
      assistant "{reply: text}"
      read reply { max 100 }`,
      '      extract k: integer 1..10 from reply matching "SURE: ([0-9]+"',
    ),
    reading(
      `
      assistant "{reply: text}"
      read reply { max 100 }`,
      '      extract k: integer 1..10 from reply matching "SURE: ([0-9]+)"',
    ),
  ),
  CFX2412: page(
    "An extract or a judge is given what is not a text.",
    "Both look at what a model wrote: a read of type `text`. A judge that is a model may also be given what the items hold (`item.reason`), since it is asked. A rule asks nobody: what it says of an item's text is the same in every trial of the item, a column of the items and no read. Write it into their file, beside the text, and compare `item.COLUMN`.",
    asking("", '      extract k: integer 1..10 from a0 matching "([0-9]+)"'),
    asking(
      `
      turn why continues first {
        user "How sure are you, from 1 to 10, and why?"
        assistant "{reply: text}"
        read reply { max 100 }
      }`,
      '      extract k: integer 1..10 from reply matching "([0-9]+)"',
    ),
  ),
  CFX2413: page(
    "An extract is over the options of another item.",
    "What is found in a text is an answer to the trial's own item, one of some labels, or an integer.",
    reading(
      `
      assistant "{reply: text}"
      read reply { max 100 }`,
      'draw past = 1 others\nextract b0: option of past[1] from reply matching "[A-Z]"\nsystem "Earlier: {past.question}"',
    ),
    reading(
      `
      assistant "{reply: text}"
      read reply { max 100 }`,
      'draw past = 1 others\nextract b0: option from reply matching "[A-Z]"\nsystem "Earlier: {past.question}"',
    ),
  ),
  CFX2438: page(
    "A read has a setting of another kind of read.",
    "A text has a length, a temperature and texts to stop at. An option, a label or an integer is read off probabilities: how much of it its labels should hold (`mass`), and in how many trials it is compared with what the model writes freely (`generate`). Only an option can be recognised by its whole text (`score`).",
    reading(`
      assistant "{sure: label(yes, no)}"
      read sure { temperature 0.7 }`),
    reading(`
      assistant "{sure: label(yes, no)}"
      read sure { mass 0.8  generate 40  max 10 }`),
  ),
}
