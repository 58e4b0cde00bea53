/** Which comments stand before a token on lines of their own, and which behind it on its line. */
import type { IToken } from "chevrotain"
import type { Comment } from "../lex.ts"
import { spanOf } from "../lex.ts"
import { blank, type Doc, fresh, hard } from "./doc.ts"

export interface Placed {
  readonly text: string
  readonly start: number
  /** Whether an empty line parts it from what comes next. */
  readonly spaceAfter: boolean
}

export interface Comments {
  /** By the start of the token they stand before; those at the end of the file by its length. */
  readonly before: ReadonlyMap<number, readonly Placed[]>
  /** By the end of the token they stand behind. */
  readonly behind: ReadonlyMap<number, Comment>
}

export const hasEmptyLine = (between: string): boolean => (between.match(/\r\n?|\n/g)?.length ?? 0) > 1

export const placeComments = (
  text: string,
  tokens: readonly IToken[],
  comments: readonly Comment[],
): Comments => {
  const before = new Map<number, Placed[]>()
  const behind = new Map<number, Comment>()
  let index = 0
  comments.forEach((each, position) => {
    while (index < tokens.length && tokens[index]!.startOffset < each.start) index++
    const next = tokens[index]?.startOffset ?? text.length
    const previous = tokens[index - 1]
    const end = previous === undefined ? 0 : spanOf(previous).end
    if (previous !== undefined && !/[\r\n]/.test(text.slice(end, each.start))) {
      behind.set(end, each)
      return
    }
    const following = Math.min(next, comments[position + 1]?.start ?? next)
    const atEnd = following === text.length
    const placed = {
      text: each.text,
      start: each.start,
      spaceAfter: !atEnd && hasEmptyLine(text.slice(each.end, following)),
    }
    const known = before.get(next)
    if (known === undefined) before.set(next, [placed])
    else known.push(placed)
  })
  return { before, behind }
}

/** Comments on lines of their own, and the start of the line after them. */
export const ownLines = (placed: readonly Placed[]): Doc[] =>
  placed.flatMap(({ text, spaceAfter }) => [fresh, text, hard, ...(spaceAfter ? [blank] : [])])
