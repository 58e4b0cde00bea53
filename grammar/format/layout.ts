/** How each construct is laid out. A construct that is not named here has its parts on one line, with spaces between. */
import type { CstElement, CstNode, IToken } from "chevrotain"
import { has, inOrder, isNode, spanOfNode, tokens } from "../cst.ts"
import { spanOf } from "../lex.ts"
import { Comma, LCurly, RCurly, TextEnd } from "../tokens.ts"
import { type Comments, hasEmptyLine, ownLines } from "./comments.ts"
import {
  afterComment,
  blank,
  comment,
  type Doc,
  group,
  hard,
  ifBroken,
  indent,
  line,
  print,
  separated,
  softLine,
  space,
} from "./doc.ts"
import { layoutText } from "./text.ts"

type Layout = (node: CstNode) => Doc

/** What has a body in which each entry stands on a line of its own. */
const bodies = [
  "model",
  "items",
  "framing",
  "paraphrase",
  "dose",
  "block",
  "protocol",
  "turn",
  "metric",
  "experiment",
  "arms",
]
/** Entries that are parted from their neighbours by an empty line. */
const roomy = new Set(["turn"])
const binary = ["expression", "conjunction", "comparison", "sum", "product"]
const adjacent = ["column", "primary", "postfix", "suffix", "signed"]
const bracedLists = ["importedNames", "modelNames", "pools", "levels"]
const tightLists = ["parameterNames", "parameters", "callArguments", "assertionArguments", "levelFilters"]

/** What breaks into lines with an indentation of its own. */
const ownIndent = new Set([...bracedLists, ...tightLists, "text", "assertion"])

export const layoutFile = (text: string, file: CstNode, comments: Comments): Doc => {
  let commentWaits = false

  const before = (offset: number): Doc[] => ownLines(comments.before.get(offset) ?? [])

  /** A token with its comments. Whatever comes after a comment behind it cannot share the line. */
  const token = (each: IToken, shown: Doc = each.image, leading = before(each.startOffset)): Doc => {
    const behind = comments.behind.get(spanOf(each).end)
    const waited = commentWaits
    commentWaits = behind !== undefined
    return [waited ? afterComment : "", ...leading, shown, behind === undefined ? "" : comment(behind.text)]
  }

  const layout = (element: CstElement): Doc =>
    isNode(element) ? (layouts[element.name] ?? spaced)(element) : token(element)

  /** Parts on one line; where an expression or a comment makes a further line, it is indented. */
  const spaced: Layout = (node) =>
    inOrder(node).map((element, index) => {
      if (index === 0) return layout(element)
      const part = [space, layout(element)]
      return isNode(element) && ownIndent.has(element.name) ? part : indent(part)
    })
  const tight: Layout = (node) => inOrder(node).map(layout)

  const startOf = (element: CstElement): number => {
    const start = isNode(element) ? spanOfNode(element).start : element.startOffset
    return comments.before.get(start)?.[0]?.start ?? start
  }
  const endOf = (element: CstElement): number => {
    const end = isNode(element) ? spanOfNode(element).end : spanOf(element).end
    return comments.behind.get(end)?.end ?? end
  }
  const spaceBetween = (previous: CstElement, next: CstElement): boolean =>
    hasEmptyLine(text.slice(endOf(previous), startOf(next)))

  const entries = (
    elements: readonly CstElement[],
    apart: (a: CstElement, b: CstElement) => boolean,
  ): Doc[] =>
    elements.map((element, index) => {
      const previous = elements[index - 1]
      const gap = previous === undefined ? [] : [hard, apart(previous, element) ? blank : ""]
      return [...gap, layout(element)]
    })

  const isRoomy = (element: CstElement): boolean => isNode(element) && roomy.has(element.name)

  /** Comments before a closing bracket belong to what it closes. */
  const closing = (bracket: IToken, separator: Doc, empty: boolean): Doc => {
    const leading = before(bracket.startOffset)
    const last = leading.at(-1)
    if (last === undefined) return [empty ? "" : separator, token(bracket, bracket.image, [])]
    const kept = leading.slice(0, last === blank ? -2 : -1)
    const waited = commentWaits ? afterComment : ""
    commentWaits = false
    return [indent(empty ? hard : separator, waited, kept), hard, token(bracket, bracket.image, [])]
  }

  const body: Layout = (node) => {
    const elements = inOrder(node)
    const open = elements.findIndex((element) => !isNode(element) && element.tokenType === LCurly)
    if (open === -1) return head(elements)
    const inside = elements.slice(open + 1, -1)
    return [
      head(elements.slice(0, open + 1)),
      indent(
        inside.length === 0 ? "" : hard,
        entries(inside, (a, b) => spaceBetween(a, b) || isRoomy(a) || isRoomy(b)),
      ),
      closing(
        elements.at(-1) as IToken,
        gapBefore(elements.at(-1) as IToken, inside.at(-1)),
        inside.length === 0,
      ),
    ]
  }

  /** Comments at the end of a body may stand apart from its last entry; its brace may not. */
  const gapBefore = (brace: IToken, last: CstElement | undefined): Doc => {
    const commented = comments.before.has(brace.startOffset)
    return commented && last !== undefined && spaceBetween(last, brace) ? [hard, blank] : hard
  }

  /** Parameters stand right behind the name that has them. */
  const head = (elements: readonly CstElement[]): Doc =>
    elements.map((element, index) => {
      const behindName = isNode(element) && tightLists.includes(element.name)
      return [index === 0 || behindName ? "" : space, layout(element)]
    })

  const list =
    (gap: Doc): Layout =>
    (node) => {
      const elements = inOrder(node)
      const [open, close] = [elements[0] as IToken, elements.at(-1) as IToken]
      const inside = elements.slice(1, -1)
      const opened = token(open)
      const items = inside.map((element, index) => {
        if (isNode(element)) return layout(element)
        const isLast = index === inside.length - 1
        return isLast ? token(element, ifBroken(",")) : [token(element), line]
      })
      const last = inside.at(-1)
      const addComma = last !== undefined && isNode(last) ? ifBroken(",") : ""
      const content = indent(inside.length === 0 ? "" : gap, items, addComma)
      return group(opened, content, closing(close, gap, inside.length === 0))
    }

  const operation: Layout = (node) => {
    const [first, ...rest] = inOrder(node)
    if (rest.length === 0) return layout(first!)
    const left = layout(first!)
    return group(
      left,
      rest.map((element, index) => [index % 2 === 0 ? line : space, layout(element)]),
    )
  }

  /** `keyword a, b` */
  const commaSeparated = (elements: readonly CstElement[]): Doc[] =>
    elements.map((element, index) => {
      const gap = index === 0 || isComma(element) ? "" : space
      return [gap, layout(element)]
    })

  const isComma = (element: CstElement): boolean => !isNode(element) && element.tokenType === Comma

  const contrast: Layout = (node) => {
    const elements = inOrder(node)
    const by = elements.indexOf(tokens(node, "By")[0]!)
    const start = separated(elements.slice(0, 3).map(layout), space)
    const value = elements.slice(3, by).map(layout)
    return group(start, indent(line, group(value), line, commaSeparated(elements.slice(by))))
  }

  /** Words that open a clause of a table or a figure. */
  const clauseStarts = ["Rows", "Columns", "Average", "Where", "By", "Color"]

  const clauses: Layout = (node) => {
    const elements = inOrder(node)
    const inside = elements.slice(3, -1)
    const starts = new Set(clauseStarts.flatMap((word) => tokens(node, word)))
    const start = separated(elements.slice(0, 3).map(layout), space)
    const content = inside.map((element, index) => {
      if (index === 0) return layout(element)
      const breaks = !isNode(element) && starts.has(element)
      return [isComma(element) ? "" : breaks ? line : space, layout(element)]
    })
    return group(start, indent(line, content), closing(elements.at(-1) as IToken, line, false))
  }

  /** Several texts stand one below the other. */
  const lines: Layout = (node) => {
    const [keyword, ...texts] = inOrder(node)
    if (texts.length < 2 || !has(node, "Lines")) return spaced(node)
    const first = layout(keyword!)
    return [first, indent(texts.map((each) => [hard, layout(each)]))]
  }

  const roster: Layout = (node) => {
    const elements = inOrder(node)
    const open = elements.findIndex((element) => !isNode(element) && element.tokenType === LCurly)
    const start = head(elements.slice(0, open + 1))
    const speakers = separated(elements.slice(open + 1, -1).map(layout), line)
    const empty = speakers.length === 0
    return group(start, indent(empty ? "" : line, speakers), closing(elements.at(-1) as IToken, line, empty))
  }

  const mapping: Layout = (node) => {
    const elements = inOrder(node)
    return [
      separated(elements.slice(0, 2).map(layout), space),
      space,
      indent(commaSeparated(elements.slice(2))),
    ]
  }

  const hole = (node: CstNode): string => print(group(inHole(node)), Number.POSITIVE_INFINITY).trimEnd()

  const inHole: Layout = (node) =>
    inOrder(node).map((element) =>
      isNode(element) && element.name === "inHole" ? typed(element) : layout(element),
    )

  /** `name: type`, or an expression. */
  const typed: Layout = (node) => {
    const [first, colon, type] = inOrder(node)
    return colon === undefined || type === undefined
      ? layout(first!)
      : [layout(first!), layout(colon), space, layout(type)]
  }

  const holeType: Layout = (node) => {
    const [keyword, ...range] = inOrder(node)
    return [layout(keyword!), range.length === 0 ? "" : space, range.map(layout)]
  }

  const quoted: Layout = (node) => {
    const opener = tokens(node, "TextOpen")[0]!
    const end = tokens(node, TextEnd.name)[0] ?? opener
    const waited = commentWaits ? afterComment : ""
    commentWaits = false
    const shown = layoutText(node, hole)
    const behind = comments.behind.get(spanOf(end).end)
    commentWaits = behind !== undefined
    return [waited, ...before(opener.startOffset), shown, behind === undefined ? "" : comment(behind.text)]
  }

  const layouts: Record<string, Layout> = {
    ...Object.fromEntries(bodies.map((rule) => [rule, body])),
    ...Object.fromEntries(binary.map((rule) => [rule, operation])),
    ...Object.fromEntries(adjacent.map((rule) => [rule, tight])),
    ...Object.fromEntries(bracedLists.map((rule) => [rule, list(line)])),
    ...Object.fromEntries(tightLists.map((rule) => [rule, list(softLine)])),
    framingField: lines,
    assertion: tight,
    text: quoted,
    roster,
    contrast,
    table: clauses,
    figure: clauses,
    fieldMapping: mapping,
    holeType,
  }

  /** Imports and what fits on a line keep their company; everything with a body stands alone. */
  const apart = (a: CstElement, b: CstElement): boolean => {
    const loose = (each: CstElement): boolean =>
      isNode(each) && (each.name === "import" || !has(each, RCurly.name))
    const sameKind = isNode(a) && isNode(b) && a.name === b.name
    return !(loose(a) && loose(b) && sameKind) || spaceBetween(a, b)
  }

  const declarations = entries(inOrder(file), apart)
  const rest = comments.before.get(text.length) ?? []
  const last = inOrder(file).at(-1)
  const restApart =
    last !== undefined && rest[0] !== undefined && hasEmptyLine(text.slice(endOf(last), rest[0].start))
  return [
    declarations,
    rest.length === 0 ? "" : [last === undefined ? "" : hard, restApart ? blank : "", ownLines(rest)],
  ]
}
