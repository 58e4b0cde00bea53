/** CFX1xxx: the text is not a spec yet. One entry for each kind of problem that the grammar reports. */
import { article, didYouMean, quote, series } from "../words.ts"
import { error, type None } from "./entry.ts"

interface Misplaced {
  readonly found: string
  readonly expected: readonly string[]
  readonly within: string
}

const place = (within: string): string => {
  if (within === "file") return "this file"
  return verbs.has(within) ? quote(within) : article(within)
}

/** Constructs whose keyword is no noun, or one in the plural. */
const verbs = new Set(["items", "arms", "assume", "read", "model_fit"])

/** What is meant where a construct has not got a word: fields of this language, the most fitting first. */
const conditions = ["given", "where", "only", "when"]
const saidToModels = ["user", "text", "line", "turn"]
const saidByModels = ["assistant", "turn"]

/** Words that other tools or other declarations have for a field, where none of ours is close enough to be a misspelling. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["where", "given", "if", "when", "filter", "condition", "subset"].map(means(conditions)),
  ),
  ...Object.fromEntries(["prompt", "message", "content", "user", "text", "line"].map(means(saidToModels))),
  ...Object.fromEntries(
    ["response", "reply", "answer", "output", "completion", "assistant"].map(means(saidByModels)),
  ),
  header: ["preamble", "system"],
  intro: ["preamble", "system"],
  footer: ["closing"],
  outro: ["closing"],
  instructions: ["system", "preamble"],
  choices: ["options"],
  conditions: ["arms"],
  treatments: ["arms"],
  data: ["items"],
  dataset: ["items"],
  pool: ["items"],
  outcome: ["measure", "metric"],
  repeat: ["replicates"],
  repeats: ["replicates"],
  repetitions: ["replicates"],
  hypothesis: ["expect"],
  max_tokens: ["max"],
  stop: ["until"],
}

function means(fields: readonly string[]) {
  return (word: string) => [word, fields] as const
}

/** How some of these fields are written, where the keyword alone would not say it. */
const written: Readonly<Record<string, string>> = {
  only: "only when",
  turn: 'turn first { user "{item.question}" assistant "{a0: option}" }',
}

const meantByOther = ({ found, expected, within }: Misplaced): string | undefined => {
  const meant = Object.hasOwn(otherWords, found)
    ? otherWords[found]?.find((word) => word !== found && expected.includes(word))
    : undefined
  if (meant === undefined) return undefined
  if (meant === "turn") return `Texts stand in the turns of a protocol, such as: ${written.turn}`
  return `In ${place(within)} this is ${quote(written[meant] ?? meant)}.`
}

/** What stray characters are elsewhere, and how it is written here. */
const signs: Readonly<Record<string, string>> = {
  "%": "Percentage points are written `pp`: `within 3 pp`. Rates and differences are compared with fractions of 1: `0.05`.",
  "#": "A comment stands after `//`.",
  ";": "Nothing ends with `;`: fields stand one after another, on a line or on several.",
  ":": "A field has no `:`: the keyword is followed by what it says, a name by `=`.",
  "'": 'Text stands between double quotation marks: "...".',
  ...Object.fromEntries(
    [..."\u201c\u201d\u2018\u2019\u00ab\u00bb"].map((sign) => [
      sign,
      'Text stands between straight quotation marks: "...".',
    ]),
  ),
}

/** Words for hundredths, where no unit can stand. */
const units: ReadonlySet<string> = new Set(["percent", "percentage", "pct", "points", "point", "pp"])

/** Without its backquotes. */
const bare = (word: string): string => word.replace(/^`(.*)`$/, "$1")

export const syntax = {
  CFX1001: error<{ found: string }>("Stray character", {
    message: (p) => `The character ${quote(p.found)} has no meaning here.`,
    label: () => "not part of the language",
    hint: (p) => signs[p.found] ?? 'Text stands between quotation marks ("..."), a comment after `//`.',
  }),
  CFX1002: error<None>("Unclosed text", {
    message: () => "This text is opened but never closed.",
    label: () => "opened here",
    hint: () =>
      'Close it with the marks that opened it: `"` on the same line, or `"""` after any number of lines.',
  }),
  CFX1003: error<None>("Unclosed placeholder", {
    message: () => "This placeholder is opened but never closed.",
    label: () => "no `}` follows",
    hint: () => "Close it with `}`. For a brace that is a character of the text, write `{{`.",
  }),
  CFX1004: error<None>("Stray brace", {
    message: () => "A `}` closes a placeholder, and none is open here.",
    label: () => "closes nothing",
    hint: () => "For a brace that is a character of the text, write `}}`.",
  }),
  CFX1005: error<{ found: string }>("Unknown escape", {
    message: (p) => `${quote(p.found)} is not an escape that texts know.`,
    label: () => "unknown escape",
    hint: () => 'The escapes are `\\n`, `\\t`, `\\"`, `\\\\` and `\\u{...}`. For a backslash, write `\\\\`.',
  }),
  /** `ends`: where this stands something is still missing from what came before it, on an earlier line. */
  CFX1006: error<Misplaced & { readonly ends?: boolean }>("Syntax error", {
    message: (p) => {
      const expected = `I expected ${series(p.expected, "or")}`
      if (p.ends === true)
        return `Something is missing here in ${place(p.within)}. ${expected}, and found ${p.found}.`
      const found = `I found ${p.found} in ${place(p.within)}.`
      return p.expected.length === 0 ? found : `${found} ${expected}.`
    },
    label: (p) => (p.ends === true ? "not complete" : "not expected here"),
    hint: (p) => {
      const [found, expected] = [bare(p.found), p.expected.map(bare)]
      if (expected.includes("models") && expected.includes("{"))
        return "Write `in models` for each model of the experiment, `= model` for the studied one, or levels in braces: `in { a, b }`."
      if (p.within === "contrast" && expected.includes("by"))
        return "Say at its end how it is taken, such as `by paired(item)`. There are also `pooled`, `two_sample`, `permutation(item)`, `cells(model)`, `signs(model)` and `mixed_logistic`."
      if (p.within === "arms" && /^\d/.test(found) && expected.includes(")"))
        return `The numbers that a dose takes stand in brackets, such as ${quote(`distinct(${found})`)}.`
      return meantByOther({ found, expected, within: p.within })
    },
  }),
  CFX1008: error<{ found: string; meant: string }>("Sign of another language", {
    message: (p) => {
      if (p.found === "=") return "`=` gives a name what it stands for, and two values are compared here."
      if (p.found === "= {") return "`=` gives a factor one level, and several stand in braces here."
      return `${quote(p.found)} is not a sign of this language.`
    },
    label: (p) => `write ${quote(p.meant)}`,
    hint: (p) => `Write ${quote(p.meant)}.`,
  }),
  CFX1009: error<{ found: string }>("Name that cannot be kept", {
    message: (p) =>
      `Nothing can be named ${quote(p.found)}: records by name have something of that name already.`,
    label: () => "cannot be a name",
    hint: () => "Give it another name. A column of a file may be named so in quotation marks.",
  }),
  CFX1007: error<Misplaced & { readonly besides: readonly string[] }>("Unknown keyword", {
    message: (p) => {
      const what = `${quote(p.found)} is not a keyword that can stand in ${place(p.within)}.`
      // After a number it is no keyword gone wrong: what else could stand here is no matter.
      return units.has(p.found)
        ? what
        : `${what} I expected ${series([...p.besides, ...p.expected.map(quote)], "or")}.`
    },
    label: (p) => (units.has(p.found) ? "not expected here" : "unknown keyword"),
    hint: (p) =>
      (units.has(p.found)
        ? "Rates and their differences are compared with plain numbers, fractions of 1: 10 percent is `0.1`."
        : meantByOther(p)) ??
      didYouMean(p.found, p.expected) ??
      (p.within === "items"
        ? "The name of a column that holds a space stands in quotation marks, and between columns stand commas."
        : undefined),
  }),
}
