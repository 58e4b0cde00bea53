/** What the layouts of constructs are put together from: tokens with their comments, entries, lists, bodies. */
import type { CstElement, CstNode, IToken } from "chevrotain"
import { inOrder, isNode, spanOfNode } from "../cst.ts"
import { spanOf } from "../lex.ts"
import { Comma, LCurly } from "../tokens.ts"
import { type Comments, hasEmptyLine, ownLines } from "./comments.ts"
import { afterComment, blank, comment, type Doc, group, hard, ifBroken, indent, line, space } from "./doc.ts"

export type Layout = (node: CstNode) => Doc

/** What stands right behind the name before it. */
const behindNames = new Set(["parameterNames", "parameters", "judgedReads", "repetition"])

export const isComma = (element: CstElement): boolean => !isNode(element) && element.tokenType === Comma

/** `layouts` has the layout of each construct by its rule; one that it lacks has its parts on one line. */
export class Core {
  readonly comments: Comments
  private readonly text: string
  private readonly layouts: Readonly<Record<string, Layout>>
  private readonly ownIndent: ReadonlySet<string>
  private commentWaits = false

  constructor(
    text: string,
    comments: Comments,
    layouts: Readonly<Record<string, Layout>>,
    ownIndent: ReadonlySet<string>,
  ) {
    this.text = text
    this.comments = comments
    this.layouts = layouts
    this.ownIndent = ownIndent
  }

  readonly layout = (element: CstElement): Doc =>
    isNode(element) ? (this.layouts[element.name] ?? this.spaced)(element) : this.token(element)

  // ---------------------------------------------------------------- tokens and comments

  private before(offset: number): Doc[] {
    return ownLines(this.comments.before.get(offset) ?? [])
  }

  /** A token with its comments. Whatever comes after a comment behind it cannot share the line. */
  token(each: IToken, shown: Doc = each.image, leading = this.before(each.startOffset)): Doc {
    return this.commented(shown, leading, spanOf(each).end)
  }

  /** What stands between two quotes, with the comments before the first and behind the last. */
  quoted(opener: IToken, end: IToken, show: () => Doc): Doc {
    const waited = this.commentWaits
    this.commentWaits = false
    const shown = show()
    this.commentWaits = waited
    return this.commented(shown, this.before(opener.startOffset), spanOf(end).end)
  }

  private commented(shown: Doc, leading: readonly Doc[], end: number): Doc {
    const behind = this.comments.behind.get(end)
    const waited = this.commentWaits
    this.commentWaits = behind !== undefined
    return [waited ? afterComment : "", ...leading, shown, behind === undefined ? "" : comment(behind.text)]
  }

  private startOf(element: CstElement): number {
    const start = isNode(element) ? spanOfNode(element).start : element.startOffset
    return this.comments.before.get(start)?.[0]?.start ?? start
  }

  endOf(element: CstElement): number {
    const end = isNode(element) ? spanOfNode(element).end : spanOf(element).end
    return this.comments.behind.get(end)?.end ?? end
  }

  readonly spaceBetween = (previous: CstElement, next: CstElement): boolean =>
    hasEmptyLine(this.text.slice(this.endOf(previous), this.startOf(next)))

  // ---------------------------------------------------------------- parts in a row

  /** Parts on one line; where an expression or a comment makes a further line, it is indented. */
  readonly spaced: Layout = (node) =>
    inOrder(node).map((element, index) => {
      if (index === 0) return this.layout(element)
      const part = [space, this.layout(element)]
      return isNode(element) && this.ownIndent.has(element.name) ? part : indent(part)
    })

  readonly tight: Layout = (node) => inOrder(node).map(this.layout)

  /** Parameters and the like stand right behind the name that has them; a long condition may take several lines. */
  readonly head = (elements: readonly CstElement[]): Doc =>
    elements.map((element, index) => {
      const behindName = isNode(element) && behindNames.has(element.name)
      const part = [index === 0 || behindName ? "" : space, this.layout(element)]
      return isNode(element) && element.name === "expression" ? indent(indent(part)) : part
    })

  /** As many on a line as fit: `a "b" "c"`, `a, b, c`. */
  readonly filled = (elements: readonly CstElement[]): Doc =>
    elements.map((element, index) => {
      if (index === 0 || isComma(element)) return this.layout(element)
      return group(line, this.layout(element))
    })

  // ---------------------------------------------------------------- brackets

  entries(elements: readonly CstElement[], apart: (a: CstElement, b: CstElement) => boolean): Doc[] {
    return elements.map((element, index) => {
      const previous = elements[index - 1]
      const gap = previous === undefined ? [] : [hard, apart(previous, element) ? blank : ""]
      return [...gap, this.layout(element)]
    })
  }

  /** Comments before a closing bracket belong to what it closes. */
  closing(bracket: IToken, separator: Doc, empty: boolean): Doc {
    const leading = this.before(bracket.startOffset)
    const last = leading.at(-1)
    if (last === undefined) return [empty ? "" : separator, this.token(bracket, bracket.image, [])]
    const kept = leading.slice(0, last === blank ? -2 : -1)
    const waited = this.commentWaits ? afterComment : ""
    this.commentWaits = false
    return [indent(empty ? hard : separator, waited, kept), hard, this.token(bracket, bracket.image, [])]
  }

  /** What comes before the `{` of a body (with it), and what stands in it. */
  parts(node: CstNode): { head: CstElement[]; inside: CstElement[]; end: IToken } | undefined {
    const elements = inOrder(node)
    const open = elements.findIndex((element) => !isNode(element) && element.tokenType === LCurly)
    if (open === -1) return undefined
    const inside = elements.slice(open + 1, -1)
    return { head: elements.slice(0, open + 1), inside, end: elements.at(-1) as IToken }
  }

  /** Each entry on a line of its own. */
  readonly body =
    (isRoomy: (entry: CstElement) => boolean): Layout =>
    (node) => {
      const parts = this.parts(node)
      if (parts === undefined) return this.head(inOrder(node))
      const { head, inside, end } = parts
      const empty = inside.length === 0
      const apart = (a: CstElement, b: CstElement) => this.spaceBetween(a, b) || isRoomy(a) || isRoomy(b)
      return [
        this.head(head),
        indent(empty ? "" : hard, this.entries(inside, apart)),
        this.closing(end, this.gapBefore(end, inside.at(-1)), empty),
      ]
    }

  /** Comments at the end of a body may stand apart from its last entry; its brace may not. */
  private gapBefore(brace: IToken, last: CstElement | undefined): Doc {
    const commented = this.comments.before.has(brace.startOffset)
    return commented && last !== undefined && this.spaceBetween(last, brace) ? [hard, blank] : hard
  }

  /** On one line if it fits there; `show` says how the entries stand. */
  readonly compact =
    (show: (entries: readonly CstElement[]) => Doc): Layout =>
    (node) => {
      const parts = this.parts(node)
      if (parts === undefined) return this.head(inOrder(node))
      const { head, inside, end } = parts
      const empty = inside.length === 0
      const start = this.head(head)
      const content = indent(empty ? "" : line, show(inside))
      // Comments above it break no body: only what is in the braces has to fit.
      return [start, group(content, this.closing(end, line, empty))]
    }

  readonly list =
    (gap: Doc): Layout =>
    (node) => {
      const elements = inOrder(node)
      const [open, close] = [elements[0] as IToken, elements.at(-1) as IToken]
      const inside = elements.slice(1, -1)
      const opened = this.token(open)
      const items = inside.map((element, index) => {
        if (isNode(element)) return this.layout(element)
        const isLast = index === inside.length - 1
        return isLast ? this.token(element, ifBroken(",")) : [this.token(element), line]
      })
      const last = inside.at(-1)
      const addComma = last !== undefined && isNode(last) ? ifBroken(",") : ""
      const content = indent(inside.length === 0 ? "" : gap, items, addComma)
      return group(opened, content, this.closing(close, gap, inside.length === 0))
    }
}
