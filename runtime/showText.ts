/** A shown trial as text for a person: every span carries a mark, and the marks are explained once, at the end. */
import { visible } from "../compiler/diagnostics/visible.ts"
import type { Segment, SegmentOrigin } from "../compiler/trial.ts"
import { goldOf, type ShownHole, type ShownTrial, type ShownTurn } from "./show.ts"

export interface ShowTextOptions {
  /** Marks are dimmed; they are there without colour too. */
  readonly color: boolean
  /** Adds token ids and the tokens of each label. */
  readonly tokens: boolean
}

/** A text of a prompt as it is shown: the signs of our own marks are spelt out, so that no text can pass for one. */
const plain = (text: string): string =>
  visible(text).replace(/[⟦⟧]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)

/** Marks of all spans: a word for what an item, a read, a target or the template gave, a number for each place in a spec. */
class Marks {
  readonly #legend = new Map<string, string>()
  readonly #numbers = new Map<string, string>()

  /** `item`: the trial's own, beside which a conversation may hold others. */
  of(from: SegmentOrigin, item: string): string {
    const [mark, meaning] = this.#explain(from, item)
    this.#legend.set(mark, meaning)
    return mark
  }

  get legend(): ReadonlyMap<string, string> {
    return this.#legend
  }

  #explain(from: SegmentOrigin, item: string): readonly [mark: string, meaning: string] {
    switch (from.kind) {
      case "declaration": {
        const meaning = `${from.declaration}  ${from.file}:${from.line}`
        const mark = this.#numbers.get(meaning) ?? String(this.#numbers.size + 1)
        this.#numbers.set(meaning, mark)
        return [mark, meaning]
      }
      case "item":
        return from.item === item
          ? [from.field, `the item's ${from.field}`]
          : [`${from.item}: ${from.field}`, `the ${from.field} of another item, ${from.item}`]
      case "read":
        return [from.hole, `the answer read at ${from.hole}`]
      case "target":
        return ["target", "the option that the trial is about, or that the lines assert"]
      case "chat_template":
        return ["template", "the model's chat template"]
    }
  }
}

interface Line {
  readonly mark: string
  text: string
}

/**
 * Lines of the prompt, each with the mark of its first span; a change of span within a line is marked where it happens, unless
 * nothing but the line break follows.
 */
const linesOf = (
  segments: readonly Segment[],
  item: string,
  marks: Marks,
  dim: (text: string) => string,
): readonly Line[] => {
  const lines: Line[] = []
  let line: Line | undefined
  let last = ""
  for (const { text, from } of segments) {
    const mark = marks.of(from, item)
    for (const piece of text.split(/(?<=\n)/)) {
      if (line === undefined) {
        line = { mark, text: "" }
        lines.push(line)
      } else if (mark !== last && piece !== "\n") line.text += dim(`⟦${mark}⟧`)
      last = mark
      line.text += plain(piece.replace(/\n$/, ""))
      if (piece.endsWith("\n")) line = undefined
    }
  }
  return lines
}

const readText = ({ name, labels, text, ...hole }: ShownHole, options: ShowTextOptions): string => {
  if (text !== undefined) return `  ${name}: ${writingText(text)}`
  const each = labels.map(({ label, tokens }) =>
    options.tokens && tokens.length > 0 ? `${visible(label)} [${tokens.join(" ")}]` : visible(label),
  )
  const how = readingText(hole).map((part) => `; ${part}`)
  return `  ${name}: one of ${each.join(options.tokens ? ", " : " ")}${how.join("")}${visible(goldOf(hole.gold))}`
}

/** What a spec says of a read besides what can be read. */
const readingText = ({ also = [], score, leastMass, generate }: Partial<ShownHole>): readonly string[] => [
  ...(score === "sum" ? ["by the probability of the whole text"] : []),
  ...(score === "mean" ? ["by the geometric mean of the probabilities of the text's tokens"] : []),
  ...(also.length === 0 ? [] : [`the raw probability of ${also.map(visible).join(" ")} besides`]),
  ...(leastMass === undefined ? [] : [`flagged where all of them together have less than ${leastMass}`]),
  ...(generate === undefined
    ? []
    : [`in ${generate.trials} trials of each arm also written freely, with at most ${generate.max} tokens`]),
]

/** `a text of at most 400 tokens, up to "\\n", at temperature 0.7`. */
const writingText = ({ max, until, temperature, topP, refusal }: NonNullable<ShownHole["text"]>): string => {
  const quoted = (texts: readonly string[]): string =>
    texts.map((text) => visible(JSON.stringify(text))).join(" or ")
  return [
    `a text of at most ${max} tokens`,
    ...(until.length === 0 ? [] : [`up to ${quoted(until)}`]),
    ...(temperature === 0 ? [] : [`at temperature ${temperature}, top_p ${topP}`]),
    ...(refusal.length === 0 ? [] : [`refused where it holds ${quoted(refusal)}`]),
  ].join(", ")
}

const turnText = (
  turn: ShownTurn,
  item: string,
  marks: Marks,
  { dim, ...options }: Look,
): readonly string[] => {
  const title = `turn ${turn.name}${turn.model === undefined ? "" : `, asked of ${turn.model}`}`
  if (turn.problem !== undefined) return [title, `  ${visible(turn.problem)}`, ""]
  const lines = linesOf(turn.segments, item, marks, dim)
  const width = Math.max(...lines.map(({ mark }) => mark.length))
  const last = turn.holes.at(-1)
  return [
    title,
    ...lines.map(({ mark, text }, index) => {
      const end = index === lines.length - 1 && last !== undefined ? dim(`⟦${last.name} is read here⟧`) : ""
      return `${dim(`${mark.padStart(width)} │`)} ${text}${end}`
    }),
    "",
    "reads",
    ...turn.holes.map((hole) => readText(hole, options)),
    ...turn.derived.map(({ name, how }) => `  ${name}: ${visible(how)}`),
    ...(options.tokens ? [`tokens (${turn.tokens.length})`, `  ${turn.tokens.join(" ")}`] : []),
    "",
  ]
}

interface Look extends ShowTextOptions {
  readonly dim: (text: string) => string
}

const trialText = (shown: ShownTrial, marks: Marks, look: Look): readonly string[] => {
  const holes = Object.entries(shown.assumed).map(([hole, value]) => `${hole} = ${value}`)
  const { assumedTarget: pushed } = shown
  const target = pushed === undefined ? [] : [`and so the label that the lines assert: ${pushed}`]
  const assumed = [holes.join(", "), ...target].join(", ")
  return [
    `trial ${visible(shown.trial)}`,
    ...(holes.length === 0 ? [] : [`assumed, since no run says: ${visible(assumed)}`]),
    "",
    ...shown.turns.flatMap((turn) => turnText(turn, shown.item, marks, look)),
    "",
  ]
}

/** Trials, and under them what their marks mean. Control characters of items and specs are shown as signs. */
export const showText = (trials: readonly ShownTrial[], options: ShowTextOptions): string => {
  const dim = (text: string): string => (options.color ? `\u001b[2m${text}\u001b[22m` : text)
  const marks = new Marks()
  const lines = trials.flatMap((trial) => trialText(trial, marks, { ...options, dim }))
  const width = Math.max(0, ...[...marks.legend.keys()].map((mark) => mark.length))
  const legend = [...marks.legend].map(([mark, meaning]) =>
    dim(`${mark.padStart(width)} = ${visible(meaning)}`),
  )
  return `${[...lines, ...(legend.length === 0 ? [] : ["marks", ...legend])].join("\n").trimEnd()}\n`
}
