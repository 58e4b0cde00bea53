/** Text -> syntax tree. `README.md` beside this file explains the grammar. */
import type { CstNode } from "chevrotain"
import type { File } from "./ast.ts"
import { buildFile } from "./build.ts"
import { type Lexed, lex } from "./lex.ts"
import { CfxParser } from "./parser.ts"
import type { Problem } from "./problem.ts"
import type { Source } from "./source.ts"

let parser: CfxParser | undefined

/** Made at the first use: analysing the grammar takes a while, which a command that parses nothing need not wait for. */
const theParser = (): CfxParser => {
  parser ??= new CfxParser()
  return parser
}

export interface Parsed {
  /** What could be understood; complete when there are no problems. */
  readonly file: File
  /** In the order of the text. */
  readonly problems: readonly Problem[]
}

export interface Tree {
  readonly lexed: Lexed
  readonly tree: CstNode
  readonly problems: readonly Problem[]
}

/** The concrete tree, for what needs every token: the formatter. */
export const parseTree = (text: string): Tree => {
  const lexed = lex(text)
  const { tree, problems } = theParser().parse(lexed)
  const all = [...lexed.problems, ...problems].sort((a, b) => a.span.start - b.span.start)
  return { lexed, tree, problems: all }
}

/** Never throws: every problem of the text is reported, and what stands between them is parsed. */
export const parse = (source: Source): Parsed => {
  const { lexed, tree, problems } = parseTree(source.text)
  const first = lexed.tokens[0]?.startOffset ?? source.text.length
  return { file: buildFile(source, tree, lexed.comments, first), problems }
}
