/** A shown trial as text for a person: every span carries a mark, and the marks are explained under each turn. */
import { visible } from "../compiler/diagnostics/visible.ts"
import type { Segment, SegmentOrigin } from "../compiler/trial.ts"
import type { ShownHole, ShownTrial, ShownTurn } from "./show.ts"

export interface ShowTextOptions {
  /** Marks are dimmed; they are there without colour too. */
  readonly color: boolean
  /** Adds token ids and the tokens of each label. */
  readonly tokens: boolean
}

/** Marks of a turn's spans: a word for what an item, a read, a target or the template gave, a number for each place in a spec. */
class Marks {
  readonly #legend = new Map<string, string>()
  readonly #numbers = new Map<string, string>()

  of(from: SegmentOrigin): string {
    const [mark, meaning] = this.#explain(from)
    this.#legend.set(mark, meaning)
    return mark
  }

  get legend(): ReadonlyMap<string, string> {
    return this.#legend
  }

  #explain(from: SegmentOrigin): readonly [mark: string, meaning: string] {
    switch (from.kind) {
      case "declaration": {
        const meaning = `${from.declaration}  ${from.file}:${from.line}`
        const mark = this.#numbers.get(meaning) ?? String(this.#numbers.size + 1)
        this.#numbers.set(meaning, mark)
        return [mark, meaning]
      }
      case "item":
        return [from.field, `the ${from.field} of item ${from.item}`]
      case "read":
        return [from.hole, `the answer read at ${from.hole}`]
      case "target":
        return ["target", "the label that the lines assert"]
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
  marks: Marks,
  dim: (text: string) => string,
): readonly Line[] => {
  const lines: Line[] = []
  let line: Line | undefined
  let last = ""
  for (const { text, from } of segments) {
    const mark = marks.of(from)
    for (const piece of text.split(/(?<=\n)/)) {
      if (line === undefined) {
        line = { mark, text: "" }
        lines.push(line)
      } else if (mark !== last && piece !== "\n") line.text += dim(`⟦${mark}⟧`)
      last = mark
      line.text += visible(piece.replace(/\n$/, ""))
      if (piece.endsWith("\n")) line = undefined
    }
  }
  return lines
}

const readText = ({ name, labels }: ShownHole, options: ShowTextOptions): string => {
  const each = labels.map(({ label, tokens }) =>
    options.tokens ? `${visible(label)} [${tokens.join(" ")}]` : visible(label),
  )
  return `  ${name}: one of ${each.join(options.tokens ? ", " : " ")}`
}

const turnText = (turn: ShownTurn, options: ShowTextOptions): readonly string[] => {
  const dim = (text: string): string => (options.color ? `\u001b[2m${text}\u001b[22m` : text)
  const title = `turn ${turn.name}`
  if (turn.problem !== undefined) return [title, `  ${visible(turn.problem)}`, ""]
  const marks = new Marks()
  const lines = linesOf(turn.segments, marks, dim)
  const width = Math.max(...[...marks.legend.keys()].map((mark) => mark.length))
  const last = turn.holes.at(-1)
  return [
    title,
    ...lines.map(({ mark, text }, index) => {
      const end = index === lines.length - 1 && last !== undefined ? dim(`⟦${last.name} is read here⟧`) : ""
      return `${dim(`${mark.padStart(width)} │`)} ${text}${end}`
    }),
    "",
    ...[...marks.legend].map(([mark, meaning]) => dim(`${mark.padStart(width)} = ${visible(meaning)}`)),
    "",
    "reads",
    ...turn.holes.map((hole) => readText(hole, options)),
    ...(options.tokens ? [`tokens (${turn.tokens.length})`, `  ${turn.tokens.join(" ")}`] : []),
    "",
  ]
}

/** One trial, ending in a line break. Control characters of items and specs are shown as signs. */
export const showText = (shown: ShownTrial, options: ShowTextOptions): string => {
  const assumed = Object.entries(shown.assumed).map(([hole, value]) => `${hole} = ${value}`)
  return [
    `trial ${visible(shown.trial)}`,
    ...(assumed.length === 0 ? [] : [`assumed, since no run says: ${visible(assumed.join(", "))}`]),
    "",
    ...shown.turns.flatMap((turn) => turnText(turn, options)),
    "",
  ]
    .join("\n")
    .replace(/\n+$/, "\n")
}
