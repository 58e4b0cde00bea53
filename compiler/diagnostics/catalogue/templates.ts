/** CFX21xx: what stands between braces in a text, and the turns and holes of a protocol. */
import { all, braces, didYouMean, either, quote, suggestion } from "../words.ts"
import { error, type None, note } from "./entry.ts"

/** Of many placeholders that could stand somewhere, so many are named: the first. */
const PLACES = 8

/** Of many groups of levels, so many are named. */
const CASES = 6

export const templates = {
  CFX2101: error<{ placeholder: string; where: string; known: readonly string[] }>(
    "Placeholder that nothing fills",
    {
      message: (p) => `Nothing fills ${braces(p.placeholder)} in ${p.where}.`,
      label: () => "stays empty",
      hint: (p) =>
        p.known.length === 0
          ? "No placeholder can stand here. For a brace that is a character of the text, write `{{`."
          : (didYouMean(p.placeholder, p.known) ?? `Here can stand ${either(p.known.slice(0, PLACES))}.`),
    },
  ),
  CFX2102: error<{ framing: string }>("Speaker without a roster", {
    message: (p) => `${braces("speaker")} is filled from a roster, and ${quote(p.framing)} names none.`,
    label: () => "who speaks?",
    hint: () => "Add `speakers NAME` to the framing, where NAME is a `roster`.",
  }),
  CFX2103: error<{ what: string; why: string; fix: string }>("Nothing reads this", {
    message: (p) => `${p.what} is given, but ${p.why}.`,
    label: () => "read by nothing",
    hint: (p) => p.fix,
  }),
  CFX2104: note<{
    factor: string
    /** Levels that come to the same prompt, and under which levels of other factors: none where under all. */
    cases: readonly { readonly levels: readonly string[]; readonly under: readonly string[] }[]
  }>("Levels that make no difference", {
    message: (p) => {
      const shown = p.cases.slice(0, CASES).map(({ levels, under }, index) => {
        const same = index === 0 ? " come to the same prompt" : ""
        return `${all(levels)}${same}${under.length === 0 ? "" : ` under ${all(under)}`}`
      })
      const rest = p.cases.length - shown.length
      const told = rest > 0 ? [...shown, `${rest} more`] : shown
      return `Not every ${p.factor} makes a prompt of its own: ${told.join("; ")}. Such a prompt is asked once and counts once.`
    },
    label: () => "does not tell all of its levels apart",
  }),
  CFX2105: error<{ what: string; placeholder: string }>("Placeholder in a plain text", {
    message: (p) => `${p.what} is a plain text: nothing fills ${braces(p.placeholder)} in it.`,
    label: () => "stays as it is",
    hint: () => "For a brace that is a character of the text, write `{{` and `}}`.",
  }),
  CFX2106: error<{ hole: string; where: string }>("Hole where nothing is read", {
    message: (p) => `${braces(p.hole)} is a read, and nothing can be read in ${p.where}.`,
    label: () => "cannot be read here",
    hint: () => "A read stands in the `assistant` text of a turn.",
  }),
  CFX2107: error<{ hole: string }>("Duplicate hole", {
    message: (p) => `The protocol reads ${quote(p.hole)} twice, and each read needs a name of its own.`,
    label: () => "read again here",
  }),
  CFX2108: error<{ what: string; hole: string; turn: string }>("Read too late", {
    message: (p) =>
      `${p.what} needs ${quote(p.hole)} before it has been read: turn ${quote(p.turn)} reads it later.`,
    label: () => "not read yet",
  }),
  CFX2109: error<{ cycle: readonly string[] }>("Cyclic turns", {
    message: (p) => `These turns continue one another in a circle: ${p.cycle.join(" continues ")}.`,
    label: () => "leads back to where it began",
    hint: () => "One of them must open the conversation, without `continues`.",
  }),
  CFX2110: error<{ turn: string; known: readonly string[] }>("Unknown turn", {
    message: (p) => `The protocol has no turn ${quote(p.turn)}.`,
    label: () => "no such turn",
    hint: (p) => suggestion(p.turn, p.known),
  }),
  CFX2111: error<{ slot: string }>("Slot that no turn reads", {
    message: (p) => `No turn holds ${braces(p.slot)}: what fills the slot would never reach a model.`,
    label: () => "read by no turn",
    hint: (p) => `Write ${braces(p.slot)} into the \`user\` text of a turn.`,
  }),
  CFX2112: error<{ protocol: string }>("Arms without a slot", {
    message: (p) => `An arm fills the slot of the protocol, and ${quote(p.protocol)} has none.`,
    label: () => "nowhere to go",
    hint: () => "Add `slot NAME` to the protocol and `{NAME}` to one of its turns.",
  }),
  CFX2114: error<{ protocol: string }>("Nothing is read", {
    message: (p) => `No turn of ${quote(p.protocol)} holds a read, so nothing would be asked.`,
    label: () => "reads nothing",
    hint: () => "Write one into an `assistant` text, such as `{a0: option}`.",
  }),
  CFX2115: error<{ low: number; high: number }>("Unfitting range", {
    message: (p) =>
      `${p.low}..${p.high} is not a range of at least two and at most 1000 whole numbers from 0 up.`,
    label: () => "not a range",
    hint: () => "Write the lower end first, such as `integer 1..10`.",
  }),
  CFX2117: error<{ what: "line" | "wording"; asserting: readonly string[] }>("Nothing is asserted", {
    message: (p) =>
      `This ${p.what} asserts no answer: it stands for one voice of a dose, and that voice would say nothing.`,
    label: () => "asserts nothing",
    hint: (p) => `Write ${either(p.asserting.map((name) => `{${name}}`))} into it.`,
  }),
  CFX2116: error<None>("Empty text", {
    message: () => "This text is empty, and something must be said here.",
    label: () => "empty",
  }),
}
