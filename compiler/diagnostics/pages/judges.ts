/** CFX2414 to CFX2426: judges, structures, orders, and what the names of a protocol stand for. */
import { type Example, file, page } from "./page.ts"
import { asking, at, joined, reading } from "./protocols.ts"

const VERDICT = 'assistant "{verdict: label(same, different)}"'

const judge = (fields: string): Example => joined("judge same_answer(reply)", at(2, fields))

export const judges = {
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
