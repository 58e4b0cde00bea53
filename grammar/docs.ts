/** Which `///` lines document what. */
import type { Comment } from "./lex.ts"

/** Comments on lines of their own with no blank line between them. */
interface Group {
  readonly start: number
  readonly end: number
  readonly doc: string
}

export interface Docs {
  /** The doc comment that opens the file. */
  readonly file: string
  /** The doc comment directly above what starts at this offset, else "". */
  readonly above: (offset: number) => string
}

const docText = (comments: readonly Comment[]): string =>
  comments
    .filter(({ text }) => text.startsWith("///"))
    .map(({ text }) => text.slice(3).replace(/^ /, ""))
    .join("\n")

const lineBreaks = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0

const opensLine = (text: string, offset: number): boolean => {
  let before = offset - 1
  while (before >= 0 && /[ \t\uFEFF]/.test(text[before]!)) before--
  return before < 0 || text[before] === "\n" || text[before] === "\r"
}

const groupsOf = (text: string, comments: readonly Comment[]): Group[] => {
  const groups: Comment[][] = []
  for (const comment of comments.filter(({ start }) => opensLine(text, start))) {
    const last = groups.at(-1)?.at(-1)
    const between = last === undefined ? "" : text.slice(last.end, comment.start)
    if (last !== undefined && /^[ \t\r\n]*$/.test(between) && lineBreaks(between) === 1)
      groups.at(-1)!.push(comment)
    else groups.push([comment])
  }
  return groups.map((group) => ({ start: group[0]!.start, end: group.at(-1)!.end, doc: docText(group) }))
}

/**
 * A declaration's doc stands right above it. The file's is the first one before anything else, unless a declaration starts on
 * the next line and owns it; `declarations` are the offsets where declarations start, `first` is that of the first token.
 */
export const docsOf = (
  text: string,
  comments: readonly Comment[],
  first: number,
  declarations: ReadonlySet<number>,
): Docs => {
  const groups = groupsOf(text, comments)
  const nextLine = /[ \t]*(?:\r\n?|\n)[ \t]*/y
  const touched = (group: Group): number => {
    nextLine.lastIndex = group.end
    return nextLine.test(text) ? nextLine.lastIndex : -1
  }
  const byDeclaration = new Map(groups.map((group) => [touched(group), group.doc]))
  const opening = groups.filter(({ start, doc }) => start < first && doc !== "")
  return {
    file: opening.find((group) => !declarations.has(touched(group)))?.doc ?? "",
    above: (offset) => byDeclaration.get(offset) ?? "",
  }
}
