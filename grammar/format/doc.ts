/** A pretty printer after Wadler: a document says where lines may break, the printer decides by the width. */

export type Doc =
  | string
  | readonly Doc[]
  /** One space, unless the line ends here. */
  | { readonly kind: "space" }
  /** A line break when the group around it is broken, else `flat`. */
  | { readonly kind: "line"; readonly flat: "" | " " | "  " }
  /** A line break always. */
  | { readonly kind: "hard" }
  /** A line break unless the line is still empty. */
  | { readonly kind: "fresh" }
  | { readonly kind: "blank" }
  | { readonly kind: "indent"; readonly doc: Doc }
  /** On one line if it fits there. */
  | { readonly kind: "group"; readonly doc: Doc }
  | { readonly kind: "ifBroken"; readonly text: string }
  /** A comment that ends the line, wherever the line ends. */
  | { readonly kind: "comment"; readonly text: string }
  /** A line break if a comment waits for one; groups around it are broken. */
  | { readonly kind: "afterComment" }
  /** Several lines as they are, without indentation. */
  | { readonly kind: "verbatim"; readonly text: string }

export const space: Doc = { kind: "space" }
export const line: Doc = { kind: "line", flat: " " }
/** Two spaces where the line goes on: they part entries that have no comma between. */
export const wideLine: Doc = { kind: "line", flat: "  " }
export const softLine: Doc = { kind: "line", flat: "" }
export const hard: Doc = { kind: "hard" }
export const fresh: Doc = { kind: "fresh" }
/** An empty line, besides the break that ends the line before it. */
export const blank: Doc = { kind: "blank" }
export const afterComment: Doc = { kind: "afterComment" }
export const indent = (...docs: readonly Doc[]): Doc => ({ kind: "indent", doc: docs })
export const group = (...docs: readonly Doc[]): Doc => ({ kind: "group", doc: docs })
export const ifBroken = (text: string): Doc => ({ kind: "ifBroken", text })
export const comment = (text: string): Doc => ({ kind: "comment", text })
export const verbatim = (text: string): Doc => ({ kind: "verbatim", text })

export const separated = (docs: readonly Doc[], separator: Doc): Doc[] =>
  docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]))

interface Command {
  readonly doc: Doc
  readonly indent: number
  readonly flat: boolean
}

const isList = (doc: Doc): doc is readonly Doc[] => Array.isArray(doc)

const breaking = new WeakMap<object, boolean>()

/** Whether the document cannot stand on one line. */
const mustBreak = (doc: Doc): boolean => {
  if (typeof doc === "string") return false
  const known = breaking.get(doc)
  if (known !== undefined) return known
  const broken = isList(doc)
    ? doc.some(mustBreak)
    : doc.kind === "indent" || doc.kind === "group"
      ? mustBreak(doc.doc)
      : doc.kind === "verbatim"
        ? doc.text.includes("\n")
        : doc.kind === "hard" || doc.kind === "fresh" || doc.kind === "blank" || doc.kind === "afterComment"
  breaking.set(doc, broken)
  return broken
}

/** Whether what comes next fits into `room` columns, up to the first place where the line may end. */
const fits = (next: Command, rest: readonly Command[], room: number): boolean => {
  const todo = [next]
  let left = room
  let pending = rest.length - 1
  while (left >= 0) {
    const command = todo.pop() ?? rest[pending--]
    if (command === undefined) return true
    const { doc, indent, flat } = command
    if (typeof doc === "string") left -= doc.length
    else if (isList(doc)) todo.push(...doc.map((each) => ({ doc: each, indent, flat })).reverse())
    else if (doc.kind === "space") left -= 1
    else if (doc.kind === "line") {
      if (!flat) return true
      left -= doc.flat.length
    } else if (doc.kind === "indent") todo.push({ doc: doc.doc, indent, flat })
    else if (doc.kind === "group") todo.push({ doc: doc.doc, indent, flat: flat && !mustBreak(doc.doc) })
    else if (doc.kind === "ifBroken") left -= flat ? 0 : doc.text.length
    else if (doc.kind === "verbatim") {
      const lines = doc.text.split("\n")
      left -= lines[0]!.length
      if (lines.length > 1) return left >= 0
    } else if (doc.kind !== "comment") return true
  }
  return false
}

/** The text, with no white space that the documents don't hold at a line's end. */
export const print = (document: Doc, width: number): string => {
  const output: string[] = []
  let column = 0
  let gap = 0
  let empty = true
  const comments: string[] = []

  const write = (text: string): void => {
    if (text === "") return
    output.push(" ".repeat(gap), text)
    column += gap + text.length
    gap = 0
    empty = false
  }
  const newLine = (indentation: number): void => {
    for (const text of comments.splice(0)) {
      gap = empty ? gap : 1
      write(text)
    }
    output.push("\n")
    column = 0
    gap = indentation
    empty = true
  }

  const commands: Command[] = [{ doc: document, indent: 0, flat: false }]
  for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
    const { doc, indent, flat } = command
    if (typeof doc === "string") write(doc)
    else if (isList(doc)) {
      for (let index = doc.length - 1; index >= 0; index--) commands.push({ doc: doc[index]!, indent, flat })
    } else if (doc.kind === "space") gap = empty ? gap : 1
    else if (doc.kind === "line") {
      if (!flat) newLine(indent)
      else if (!empty) gap = doc.flat.length
    } else if (doc.kind === "hard" || doc.kind === "blank") newLine(indent)
    else if (doc.kind === "fresh") {
      if (!empty || comments.length > 0) newLine(indent)
      else gap = indent
    } else if (doc.kind === "afterComment") {
      if (comments.length > 0) newLine(indent)
    } else if (doc.kind === "indent") commands.push({ doc: doc.doc, indent: indent + 2, flat })
    else if (doc.kind === "group") {
      const content = { doc: doc.doc, indent, flat: true }
      const flatFits = !mustBreak(doc.doc) && fits(content, commands, width - column - gap)
      commands.push(flatFits ? content : { doc: doc.doc, indent, flat: false })
    } else if (doc.kind === "ifBroken") write(flat ? "" : doc.text)
    else if (doc.kind === "comment") comments.push(doc.text)
    else {
      write(doc.text)
      if (doc.text.includes("\n")) column = doc.text.length - doc.text.lastIndexOf("\n") - 1
    }
  }
  if (!empty || comments.length > 0) newLine(0)
  return output.join("")
}
