/** CFX2400 to CFX2429: turns that repeat, texts that models write, extracts, judges, structures and orders. */
import { all, article, braces, count, didYouMean, either, quote, suggestion } from "../words.ts"
import { error } from "./entry.ts"

export const protocols = {
  CFX2400: error<{ place: string; index: string; turn: string | undefined; variable: string | undefined }>(
    "Step of no turn",
    {
      message: (p) => {
        if (p.turn === undefined)
          return `${braces(p.place)} speaks of a step, and the system message has none.`
        return p.variable === undefined
          ? `${braces(p.place)} speaks of a step, and the turn ${quote(p.turn)} takes place once.`
          : `${braces(p.place)} speaks of the step ${quote(p.index)}, and the turn ${quote(p.turn)} calls its step ${quote(p.variable)}.`
      },
      label: () => "no such step",
      hint: (p) => {
        if (p.turn === undefined) return `Leave out ${quote(`[${p.index}]`)}.`
        return p.variable === undefined
          ? `Leave out ${quote(`[${p.index}]`)}, or repeat the turn: ${quote(`turn ${p.turn}[${p.index}] repeat 5`)}.`
          : `Write ${quote(`[${p.variable}]`)}.`
      },
    },
  ),
  CFX2401: error<{ hole: string; turn: string; variable: string; times: number }>(
    "One name for the reads of all steps",
    {
      message: (p) =>
        `The turn ${quote(p.turn)} takes place ${p.times} times, and each of its reads needs a name of its own.`,
      label: () => "read in every step",
      hint: (p) =>
        `Write ${quote(`{${p.hole}[${p.variable}]: ...}`)}: its reads are ${quote(`${p.hole}1`)} to ${quote(`${p.hole}${p.times}`)}.`,
    },
  ),
  CFX2402: error<{ draw: string; count: number; index: number | undefined }>("Drawn item that there is not", {
    message: (p) =>
      p.index === undefined
        ? `${quote(p.draw)} are ${p.count} items, and this does not say which of them.`
        : `${quote(p.draw)} ${p.count === 1 ? "is one item" : `are ${p.count} items`}, and this names number ${p.index}.`,
    label: (p) => (p.index === undefined ? "which one?" : "no such item"),
    hint: (p) =>
      p.count === 1
        ? `Write ${quote(`${p.draw}[1]`)} or ${quote(p.draw)}.`
        : `Write ${quote(`${p.draw}[1]`)} to ${quote(`${p.draw}[${p.count}]`)}, or in a repeated turn the step.`,
  }),
  CFX2403: error<{ text: string; other: string }>("Text in the middle of a turn", {
    message: (p) =>
      `${quote(p.text)} is written until the model stops, so ${quote(p.other)} cannot be read after it in one turn.`,
    label: () => "cannot be read here",
    hint: () => "Put it into a turn of its own, which continues this one.",
  }),
  /** `isText`: it is a text, and not a distribution that is compared with free answers. */
  CFX2404: error<{ hole: string; isText: boolean }>("Text of no declared length", {
    message: (p) =>
      p.isText
        ? `Nothing says how long ${quote(p.hole)} may get.`
        : `Nothing says how long the free answers may get that ${quote(p.hole)} is compared with.`,
    label: () => "how many tokens?",
    hint: (p) =>
      p.isText ? `Add ${quote(`read ${p.hole} { max 200 }`)} to the turn.` : "Add `max 20` behind it.",
  }),
  CFX2405: error<{ setting: string; found: string; fits: string }>("Unfitting setting", {
    message: (p) => `${quote(p.setting)} is ${p.fits}, and this is ${p.found}.`,
    label: (p) => `not ${p.fits}`,
  }),
  /** `elsewhere`: the turn that reads it instead. */
  CFX2406: error<{
    hole: string
    turn: string
    elsewhere: string | undefined
    known: readonly string[]
  }>("Settings of no read", {
    message: (p) =>
      `\`read\` says how something is read in its turn, and the turn ${quote(p.turn)} reads no ${quote(p.hole)}.`,
    label: () => "not read in this turn",
    hint: (p) => {
      if (p.elsewhere !== undefined)
        return `${quote(p.hole)} is read in the turn ${quote(p.elsewhere)}: move it there.`
      return p.known.length === 0
        ? `Write ${braces(`${p.hole}: text`)} into the \`assistant\` text of the turn, or delete this.`
        : suggestion(p.hole, p.known)
    },
  }),
  CFX2407: error<{ word: string; known: readonly string[]; what: string }>("Unknown word", {
    message: (p) => `${p.what} is ${either(p.known)}, not ${quote(p.word)}.`,
    label: () => "unknown",
    hint: (p) => didYouMean(p.word, p.known),
  }),
  CFX2408: error<{ turn: string; continues: string }>("System message in the middle of a conversation", {
    message: (p) =>
      `The turn ${quote(p.turn)} continues ${quote(p.continues)}, and only what opens a conversation has a system message.`,
    label: () => "never sent",
    hint: () => "Move it to the turn that opens the conversation, or make this turn `fresh`.",
  }),
  CFX2409: error<{ role: string }>("Role that nobody is asked in", {
    message: (p) => `No turn and no judge is ${quote(`by ${p.role}`)}, so its model would never be asked.`,
    label: () => "asked nothing",
    hint: (p) => `Write ${quote(`by ${p.role}`)} after the name of a turn, or delete the role.`,
  }),
  CFX2410: error<{ draw: string }>("Draw that nothing reads", {
    message: (p) => `Nothing names an item of ${quote(p.draw)}: what is drawn would never reach a model.`,
    label: () => "read by nothing",
    hint: (p) => `Write ${quote(`{${p.draw}[1].question}`)} into a text, or delete the draw.`,
  }),
  CFX2411: error<{ why: string; part: string }>("Bad regular expression", {
    message: (p) => `This is no regular expression: ${p.why}.`,
    label: (p) => p.why,
    hint: (p) =>
      p.part.startsWith("(?") && !p.part.startsWith("(?P<")
        ? "Regular expressions run in linear time (RE2): there is no looking ahead or behind."
        : "A backslash before a character takes its meaning away, such as `\\(`.",
  }),
  /** `isConstant`: a text of the items for a rule. */
  CFX2412: error<{
    what: string
    read: string
    found: string
    known: readonly string[]
    isConstant?: boolean
  }>("Not a text", {
    message: (p) =>
      `${p.what} is given ${quote(p.read)}, which is ${p.found}: it needs a text that a model wrote.`,
    label: () => "not a text",
    hint: (p) => {
      if (p.isConstant)
        return `What a rule says of it is the same in every trial of the item: write it into a column of the items, and compare that, such as \`item.verdict == "yes"\`. A model can judge it: \`judge ... by NAME\`.`
      return p.known.length === 0
        ? "A text is read by a hole such as `{reply: text}`."
        : suggestion(p.read, p.known)
    },
  }),
  CFX2413: error<{ of: string }>("Options of another item in a text", {
    message: (p) =>
      `An extract finds an option of the trial's own item in a text, not one of ${quote(p.of)}.`,
    label: () => "cannot be found",
    hint: () => "Write `option`, `label(yes, no)` or `integer 1..10`.",
  }),
  CFX2414: error<{ judge: string; found: string }>("Judge without one verdict", {
    message: (p) => `A judge reads one label and nothing else, and ${quote(p.judge)} has ${p.found}.`,
    label: () => "one verdict is needed",
    hint: () => 'Write one, such as: assistant "{verdict: label(same, different)}"',
  }),
  CFX2415: error<{ judge: string; has: readonly string[]; lacks: readonly string[] }>("Unclear judge", {
    message: (p) =>
      `A judge goes by a model (\`user\` and \`assistant\`), or by one rule (\`matching\` or \`equals\`, and \`then\`), and ${quote(p.judge)} has ${all(p.has)}.`,
    label: () => "one or the other",
    hint: (p) => `Delete ${all(p.lacks)}.`,
  }),
  CFX2416: error<{ label: string; known: readonly string[] }>("Unknown category", {
    message: (p) => `${quote(p.label)} is none of the judge's categories.`,
    label: () => "unknown category",
    hint: (p) => suggestion(p.label, p.known),
  }),
  CFX2417: error<{ found: string }>("Nothing to be equal to", {
    message: (p) => `A rule compares a text with the gold answer, and this is ${p.found}.`,
    label: () => "not the gold answer",
    hint: () => "Write `equals item.gold.text` or `equals item.gold.label`.",
  }),
  CFX2418: error<{ labels: number }>("Too few labels", {
    message: (p) =>
      `A read of labels chooses among at least two, and this names ${count(p.labels, "label")}.`,
    label: () => "no choice",
  }),
  CFX2419: error<{ label: string; other: string }>("Labels that cannot be told apart", {
    message: (p) => `${quote(p.label)} and ${quote(p.other)} are the same but for case.`,
    label: () => "too like another",
    hint: () => "A text is searched for labels without regard to case: give them different names.",
  }),
  CFX2420: error<{ found: string; why: string; word?: string }>("Not a structure", {
    message: (p) => `A structure says what each line asserts, and ${quote(p.found)} does not: ${p.why}.`,
    label: () => "not a structure",
    hint: (p) =>
      (p.word === undefined ? undefined : didYouMean(p.word, ["wrong", "gold", "other"])) ??
      "Write `all_wrong`, `all_correct`, `mixed`, a list such as `[wrong, wrong, gold]`, or `all_wrong except last = gold`.",
  }),
  CFX2421: error<{ found: string; why: string }>("Not an order", {
    message: (p) => `An order says which line stands where, and ${quote(p.found)} does not: ${p.why}.`,
    label: () => "not an order",
    hint: () =>
      "Write `identity`, `reversed`, `interleaved`, `shuffled`, or each place once, such as `[3, 1, 2]`.",
  }),
  CFX2422: error<{ kind: string; name: string }>("Word of the language", {
    message: (p) => `${quote(p.name)} is a word of the language, so no ${p.kind} can have this name.`,
    label: () => "already means something",
    hint: () => "Give it another name.",
  }),
  CFX2423: error<{ kind: string; cycle: readonly string[] }>("Circle of declarations", {
    message: (p) => `This ${p.kind} stands for itself in the end: ${p.cycle.join(" is ")}.`,
    label: () => "leads back to where it began",
    hint: () => "Write out what one of them stands for.",
  }),
  CFX2424: error<{ lists: readonly { readonly name: string; readonly reads: number }[] }>(
    "Lists of different lengths",
    {
      message: (p) =>
        `A judge takes lists step by step, and these differ: ${p.lists.map(({ name, reads }) => `${quote(name)} has ${reads}`).join(", ")}.`,
      label: () => "of another length",
      hint: () => "Give the turns in which they are read the same `repeat`.",
    },
  ),
  CFX2425: error<{ block: string }>("Text and texts", {
    message: (p) => `${quote(p.block)} has one \`text\` and also a text for each step.`,
    label: () => "one or the other",
    hint: () => "Delete one of the two.",
  }),
  CFX2426: error<{ name: string; known: readonly string[] }>("Options of no drawn item", {
    message: (p) => `${quote(p.name)} is not an item that the protocol draws.`,
    label: () => "no such item",
    hint: (p) =>
      p.known.length === 0
        ? "Draw it first: `draw past = 3 others`, then `{h: option of past[1]}`."
        : suggestion(p.name, p.known),
  }),
  CFX2438: error<{ setting: string; fits: readonly string[]; hole: string; kind: string }>(
    "Setting of another kind of read",
    {
      message: (p) =>
        `${quote(p.setting)} says how ${p.fits.length > 1 ? "a distribution is read" : p.fits.includes("text") ? "a text is written" : "an option is recognised"}, and ${quote(p.hole)} reads ${article(p.kind)}.`,
      label: (p) => `not for ${article(p.kind)}`,
      hint: (p) =>
        p.kind === "text"
          ? "A text has `max`, `until`, `temperature`, `top_p` and `refusal`."
          : p.kind === "option"
            ? "An option has `mass`, `score`, `generate` and with that `max`."
            : `${article(p.kind).replace(/^a/, "A")} has \`mass\`, \`generate\` and with that \`max\`.`,
    },
  ),
}
