/** How a quoted text is laid out. What stands in it stays; only the indentation of a triple-quoted one may move. */
import type { CstElement, CstNode } from "chevrotain"
import { inOrder, isNode, token } from "../cst.ts"
import { blockOf, indentationOf, isBlank, type TextLine } from "../text.ts"
import { TripleOpen } from "../tokens.ts"
import { type Doc, hard, indent, verbatim } from "./doc.ts"

/** A line of the text without its shared indentation. */
const written = (line: TextLine, shared: string, layoutHole: (hole: CstNode) => string): string => {
  const whole = line.pieces.map((piece) => (isNode(piece) ? layoutHole(piece) : piece.image)).join("")
  const own = indentationOf(line)
  let skip = 0
  while (skip < shared.length && shared[skip] === own[skip]) skip++
  return whole.slice(skip)
}

const image = (element: CstElement, layoutHole: (hole: CstNode) => string): string =>
  isNode(element) ? layoutHole(element) : element.image

/** What shares a line with the opening quotes keeps its layout, since indentation means nothing there. */
export const layoutText = (text: CstNode, layoutHole: (hole: CstNode) => string): Doc => {
  const elements = inOrder(text)
  const asItStands = (): Doc =>
    verbatim(
      elements
        .map((element) => image(element, layoutHole))
        .join("")
        .replace(/\r\n?/g, "\n"),
    )
  if (token(text, "TextOpen").tokenType !== TripleOpen) return asItStands()
  const block = blockOf(text)
  // Indentation is told apart from content by the lines that have content, so without any there is none to move.
  if (block.first !== undefined || block.lines.every(isBlank)) return asItStands()
  const lines = block.lines.map((line) => written(line, block.indentation, layoutHole))
  return [
    '"""',
    indent(
      lines.map((each) => [hard, each]),
      block.closed ? hard : "",
      '"""',
    ),
  ]
}
