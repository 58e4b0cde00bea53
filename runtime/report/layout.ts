/** Fixed-width text for a terminal. */
import { terminalLine } from "./escape.ts"

export type Line = string

export interface Paint {
  readonly bold: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly warn: (text: string) => string
  readonly bar: (text: string) => string
}

/** Colours by meaning; without colour, the text as it is. */
export function paint(color: boolean): Paint {
  const wrap = (code: string) => (text: string) =>
    color && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    bold: wrap("1"),
    faint: wrap("2"),
    good: wrap("32"),
    bad: wrap("31"),
    warn: wrap("33"),
    bar: wrap("34"),
  }
}

export function padded(text: string, width: number, side: "left" | "right" = "left"): string {
  return side === "left" ? text.padEnd(width) : text.padStart(width)
}

/** The text in at most `width` columns, with an ellipsis where something was cut off. */
export function shortened(text: string, width: number): string {
  if (text.length <= width) return text
  return width <= 1 ? text.slice(0, Math.max(0, width)) : `${text.slice(0, width - 1)}…`
}

/** Broken at spaces into lines of at most `width`; a longer word is broken too. Lines after the first, or all with `indent`, are indented. */
export function wrapped(text: string, width: number, indent = ""): readonly Line[] {
  const lines: string[] = []
  let line = indent
  for (const word of terminalLine(text).trim().split(" ")) {
    for (const piece of pieces(word, width - indent.length - 2)) {
      const joined = line.trim() === "" ? `${line}${piece}` : `${line} ${piece}`
      if (joined.length <= width) line = joined
      else {
        lines.push(line)
        line = `${indent}  ${piece}`
      }
    }
  }
  return [...lines, line]
}

function pieces(word: string, width: number): readonly string[] {
  const size = Math.max(8, width)
  return Array.from({ length: Math.max(1, Math.ceil(word.length / size)) }, (_, at) =>
    word.slice(at * size, (at + 1) * size),
  )
}
