/** CFX2400 to CFX2429: turns that repeat, texts that models write, extracts, judges, structures and orders. */
import { type Example, file, page } from "./page.ts"

const LISTING = 'options "{label}. {text}" join "\\n"'

/** A text of lines that stand deep, at this depth. */
const at = (depth: number, text: string): string => {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n")
  const least = Math.min(...lines.filter((line) => line !== "").map((line) => line.search(/\S/)))
  return lines.map((line) => (line === "" ? "" : " ".repeat(depth) + line.slice(least))).join("\n")
}

/** The parts of a declaration that are there, a blank line between them. */
const joined = (head: string, ...parts: readonly string[]): Example =>
  file(`${head} {\n${parts.filter((part) => part.trim() !== "").join("\n\n")}\n}`)

const ASKED = `turn first {
  user "{item.question}\\n{item.options}"
  assistant "{a0: option}"
}`

/** A protocol of one turn that asks, and whatever else is the matter. */
const asking = (rest: string, fields = ""): Example =>
  joined(
    "protocol ask",
    [at(2, LISTING), at(2, fields)].filter((part) => part !== "").join("\n"),
    at(2, ASKED),
    at(2, rest),
  )

/** A protocol whose one turn reads something else. */
const reading = (turn: string, fields = ""): Example =>
  joined("protocol ask", at(2, fields), `  turn first {\n    user "{item.question}"\n${at(4, turn)}\n  }`)

const VERDICT = 'assistant "{verdict: label(same, different)}"'

const judge = (fields: string): Example => joined("judge same_answer(reply)", at(2, fields))

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
    "A setting of a text is not a number that it can be.",
    "At temperature 0 the likeliest token is taken, above it one is drawn; `top_p` keeps the likeliest tokens that have this share together.",
    reading(`
      assistant "{reply: text}"
      read reply { max 100 temperature 20 }`),
    reading(`
      assistant "{reply: text}"
      read reply { max 100 temperature 0.7 }`),
  ),
  CFX2406: page(
    "A turn says how a text is written that it does not have.",
    "Only what a model writes has a length, a temperature and texts to stop at. An option, a label or an integer is read off probabilities.",
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
    "Both look at what a model wrote: a read of type `text`.",
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
  CFX2414: page(
    "A judge's model gives no verdict, several, or one that is not a label.",
    "A judge puts a text into one category.",
    judge(`
      user "Is this right? {reply}"
      assistant "{verdict: integer 1..10}"`),
    judge(`
      user "Is this right? {reply}"
      assistant "{verdict: label(right, wrong)}"`),
  ),
  CFX2415: page(
    "A judge goes by a model and also by a rule, or by two rules.",
    "One text gets one verdict, so there must be one way to it.",
    judge(`
      user "Is this right? {reply}"
      ${VERDICT}
      equals item.gold.text`),
    judge(`
      equals item.gold.text
      then same else different`),
  ),
  CFX2416: page(
    "`gold` names what is none of the judge's categories.",
    "It is the category that counts as the right answer, so that measures can compare a verdict with `item.gold`.",
    judge(`
      user "Is this the same as {item.gold.text}? {reply}"
      ${VERDICT}
      gold right`),
    judge(`
      user "Is this the same as {item.gold.text}? {reply}"
      ${VERDICT}
      gold same`),
  ),
  CFX2417: page(
    "A rule compares a text with something else than the gold answer.",
    "Equality is taken without regard to case, white space and punctuation at the ends; what else there is to find, `matching` finds.",
    judge(`
      equals item.gold
      then same else different`),
    judge(`
      equals item.gold.text
      then same else different`),
  ),
  CFX2418: page(
    "A read of labels names fewer than two.",
    "With one label there is nothing to read: it would get all of the probability.",
    reading('      assistant "{sure: label(yes)}"'),
    reading('      assistant "{sure: label(yes, no)}"'),
  ),
  CFX2419: page(
    "Two labels of an extract are the same but for case.",
    "What is found in a text is looked up without regard to case, so both would be meant.",
    reading(
      `
      assistant "{reply: text}"
      read reply { max 100 }`,
      '      extract sure: label(Yes, yes) from reply matching "\\w+"',
    ),
    reading(
      `
      assistant "{reply: text}"
      read reply { max 100 }`,
      '      extract sure: label(Yes, No) from reply matching "\\w+"',
    ),
  ),
  CFX2420: page(
    "What should be a structure does not say what each line asserts.",
    "A line asserts the option that is pushed (`wrong`), the gold one (`gold`), or another wrong one (`other`).",
    file("structure dissent = [wrong, wrong, right]"),
    file("structure dissent = [wrong, wrong, gold]"),
  ),
  CFX2421: page(
    "What should be an order does not say which line stands where.",
    "An order is a permutation of the lines: each place from 1 stands in it once.",
    file("order inside_out = [3, 1, 1]"),
    file("order inside_out = [3, 1, 2]"),
  ),
  CFX2422: page(
    "A declaration has a name that is a word of the language.",
    "Where the name is used, nobody could tell which of the two is meant.",
    file("structure mixed = [wrong, gold]"),
    file("structure one_each = [wrong, gold]"),
  ),
  CFX2423: page(
    "A structure or an order is another one's name, and in the end its own.",
    "A circle of names says nothing.",
    file("structure one = other_one\nstructure other_one = one"),
    file("structure one = other_one\nstructure other_one = [wrong, gold]"),
  ),
  CFX2424: page(
    "A judge is given two lists of texts of different lengths.",
    "Lists are taken step by step: the first texts together, then the second ones.",
    file(`
      judge alike(one, two) {
        user "Do these say the same? {one} {two}"
        assistant "{verdict: label(same, different)}"
      }

      protocol ask {
        judge v = alike(reply, later)

        turn asked[t] repeat 3 {
          user "{item.question}"
          assistant "{reply[t]: text}"
          read reply { max 100 }
        }

        turn again[t] repeat 2 {
          user "{item.question}"
          assistant "{later[t]: text}"
          read later { max 100 }
        }
      }`),
    file(`
      judge alike(one, two) {
        user "Do these say the same? {one} {two}"
        assistant "{verdict: label(same, different)}"
      }

      protocol ask {
        judge v = alike(reply, later)

        turn asked[t] repeat 3 {
          user "{item.question}"
          assistant "{reply[t]: text}"
          read reply { max 100 }
        }

        turn again[t] repeat 3 {
          user "{item.question}"
          assistant "{later[t]: text}"
          read later { max 100 }
        }
      }`),
  ),
  CFX2425: page(
    "A block has one text and also a text for each step.",
    "A block says the same whenever it is shown, or something else at each step of a repeated turn.",
    file(`
      block pressure {
        text "Are you sure?"
        texts "Are you sure?" "Think again."
      }`),
    file(`
      block pressure {
        texts "Are you sure?" "Think again."
      }`),
  ),
  CFX2426: page(
    "A read is over the options of what is no drawn item.",
    "`option of` reads the options of another item, which the protocol draws.",
    asking(
      `
      turn other {
        user "{past[1].question}\\n{past[1].options}"
        assistant "{h: option of item}"
      }`,
      "      draw past = 1 others",
    ),
    asking(
      `
      turn other {
        user "{past[1].question}\\n{past[1].options}"
        assistant "{h: option of past[1]}"
      }`,
      "      draw past = 1 others",
    ),
  ),
}
