/** A text in which a regular expression finds what it should, where the expression is simple enough: for respondents that are made up. */

interface Reader {
  readonly pattern: string
  readonly found: string
  at: number
  /** Whether what the pattern finds has been written. */
  done: boolean
}

/**
 * Writes the shortest text along a pattern: the first of alternatives, nothing where something may be left out, a space for white space, and `found`
 * for the first group. Undefined for what it does not know; whether the pattern finds it there is the caller's to try.
 */
export const exampleOf = (pattern: string, found: string): string | undefined => {
  const reader: Reader = { pattern: pattern.replace(/^\(\?[a-z]+\)/, ""), found, at: 0, done: false }
  const text = alternatives(reader)
  return text === undefined || reader.at < reader.pattern.length ? undefined : text
}

const alternatives = (reader: Reader): string | undefined => {
  const first = sequence(reader)
  if (first === undefined) return undefined
  const { done } = reader
  while (reader.pattern[reader.at] === "|") {
    reader.at += 1
    if (sequence(reader) === undefined) return undefined
  }
  // What stands in the other alternatives is not written.
  reader.done = done
  return first
}

const sequence = (reader: Reader): string | undefined => {
  let text = ""
  while (reader.at < reader.pattern.length && !"|)".includes(reader.pattern[reader.at] as string)) {
    const { done } = reader
    const one = atom(reader)
    if (one === undefined) return undefined
    const { isOptional, isKept } = quantifier(reader, one)
    if (isOptional && !isKept) reader.done = done
    else text += one
  }
  return text
}

/** White space that may be left out is written all the same: it reads better. */
const quantifier = (
  reader: Reader,
  one: string,
): { readonly isOptional: boolean; readonly isKept: boolean } => {
  const quantified = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/.exec(reader.pattern.slice(reader.at))
  if (quantified === null) return { isOptional: false, isKept: true }
  reader.at += quantified[0].length
  const isOptional = "*?".includes(quantified[0][0] as string) || quantified[1] === "0"
  return { isOptional, isKept: one === " " }
}

const classes: Readonly<Record<string, string>> = {
  s: " ",
  d: "1",
  w: "x",
  S: "x",
  D: "x",
  b: "",
  n: "\n",
  t: "\t",
}

const atom = (reader: Reader): string | undefined => {
  const { pattern } = reader
  const char = pattern[reader.at] as string
  reader.at += 1
  switch (char) {
    case "\\": {
      const escaped = pattern[reader.at]
      reader.at += 1
      if (escaped === undefined) return undefined
      if (/[a-z0-9]/i.test(escaped)) return classes[escaped]
      return escaped
    }
    case "^":
    case "$":
      return ""
    case ".":
      return "x"
    case "[":
      return charClass(reader)
    case "(":
      return group(reader)
    default:
      return char
  }
}

const charClass = (reader: Reader): string | undefined => {
  const whole = /^(\^?)(\]?(?:\\.|[^\]\\])*)\]/.exec(reader.pattern.slice(reader.at))
  if (whole === null) return undefined
  reader.at += whole[0].length
  const members = whole[2] as string
  if (whole[1] === "^") return members.includes("x") ? undefined : "x"
  return members.startsWith("\\") ? (classes[members[1] ?? ""] ?? members[1]) : members[0]
}

const group = (reader: Reader): string | undefined => {
  const special = /^\?(?::|P?<[A-Za-z_]\w*>)/.exec(reader.pattern.slice(reader.at))
  if (special === null && reader.pattern[reader.at] === "?") return undefined
  reader.at += special?.[0].length ?? 0
  const isFound = special?.[0] !== "?:" && !reader.done
  const inner = alternatives(reader)
  if (inner === undefined || reader.pattern[reader.at] !== ")") return undefined
  reader.at += 1
  if (!isFound) return inner
  reader.done = true
  return reader.found
}
