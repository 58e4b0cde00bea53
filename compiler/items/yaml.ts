/** YAML 1.2: a list of records. Aliases are followed, but only so far as a person would use them. */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
} from "yaml"
import type { Source, Span } from "../../grammar/source.ts"
import { type Cell, deepest, type Rows } from "./cell.ts"
import type { ItemProblem } from "./problem.ts"

/** How many values aliases may bring in all: a few lines of aliases to aliases can stand for billions. */
const aliased = 10_000

/** Thrown within this file only. */
class Broken extends Error {
  readonly span: Span
  constructor(why: string, span: Span) {
    super(why)
    this.span = span
  }
}

const spanOf = (node: Node | null, fallback: Span): Span =>
  node?.range ? { start: node.range[0], end: node.range[1] } : fallback

const clause = (message: string): string => {
  const first = message.split("\n")[0]?.replace(/\.$/, "") ?? ""
  return first.charAt(0).toLowerCase() + first.slice(1)
}

/** Turns nodes into cells. An alias stands for the last anchor of its name before it, and errors are shown at the alias. */
const reader = () => {
  const anchors = new Map<string, { readonly node: Node; readonly open: boolean }>()
  let brought = 0

  const scalar = (node: Scalar, span: Span): Cell => {
    const { value, source } = node
    if (typeof value === "string") return { kind: "scalar", value, text: value, span }
    if (typeof value === "number" || typeof value === "boolean" || value === null) {
      return { kind: "scalar", value, text: source ?? String(value), span }
    }
    return { kind: "scalar", value: source ?? String(value), text: source ?? String(value), span }
  }

  const keyOf = (key: unknown, span: Span): string => {
    if (isScalar(key)) return typeof key.value === "string" ? key.value : (key.source ?? String(key.value))
    throw new Broken("a key must be a text", span)
  }

  const follow = (name: string, span: Span, depth: number): Cell => {
    const anchor = anchors.get(name)
    if (anchor === undefined) throw new Broken(`nothing before this is marked &${name}`, span)
    if (anchor.open) throw new Broken(`*${name} stands within what it stands for`, span)
    return cell(anchor.node, span, depth, span)
  }

  /** `within` is the alias on whose behalf a node is read. */
  const cell = (node: Node | null, parent: Span, depth: number, within?: Span): Cell => {
    const span = within ?? spanOf(node, parent)
    if (depth > deepest) throw new Broken("values are nested too deeply", span)
    if (within !== undefined) {
      brought += 1
      if (brought > aliased) throw new Broken(`aliases stand for more than ${aliased} values`, span)
    }
    if (node === null) return { kind: "scalar", value: null, text: "", span }
    if (isAlias(node)) return follow(node.source, span, depth)
    if (isScalar(node)) {
      if (node.anchor !== undefined && within === undefined) anchors.set(node.anchor, { node, open: false })
      return scalar(node, span)
    }
    if (!isMap(node) && !isSeq(node)) throw new Broken("a value of an unknown kind", span)
    const mark = within === undefined ? node.anchor : undefined
    if (mark !== undefined) anchors.set(mark, { node, open: true })
    const read = isSeq(node)
      ? list(node.items as (Node | null)[], span, depth, within)
      : record(node.items as { key: unknown; value: Node | null }[], span, depth, within)
    if (mark !== undefined) anchors.set(mark, { node, open: false })
    return read
  }

  const list = (items: readonly (Node | null)[], span: Span, depth: number, within?: Span): Cell => ({
    kind: "list",
    items: items.map((item) => cell(item, span, depth + 1, within)),
    span,
  })

  const record = (
    pairs: readonly { readonly key: unknown; readonly value: Node | null }[],
    span: Span,
    depth: number,
    within?: Span,
  ): Cell => {
    const entries = new Map<string, Cell>()
    for (const { key, value } of pairs) {
      const place = within ?? (isScalar(key) ? spanOf(key, span) : span)
      entries.set(keyOf(key, place), cell(value, place, depth + 1, within))
    }
    return { kind: "map", entries, span }
  }

  return (node: Node | null, parent: Span): Cell => cell(node, parent, 0)
}

/**
 * The documents of a text, or undefined where values are nested too deeply: the parser recurses in native code and would not survive it, so
 * its stack is watched token by token.
 */
const parse = (text: string): readonly Document.Parsed[] | undefined => {
  const composer = new Composer({ prettyErrors: false, logLevel: "silent", version: "1.2", merge: false })
  const parser = new Parser()
  // The parser takes a byte order mark for indentation.
  const start = text.startsWith("\uFEFF") ? 1 : 0
  parser.offset = start
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text.slice(start))) {
    tokens.push(...parser.next(lexeme))
    if (parser.stack.length > 4 * deepest) return undefined
  }
  tokens.push(...parser.end())
  return [...composer.compose(tokens, true, text.length)]
}

/** Every syntax error that the parser can tell apart is reported; the rows are read only where there is none. */
export const readYaml = ({ text }: Source): Rows => {
  const whole = { start: 0, end: Math.min(1, text.length) }
  const failed = (why: string, span: Span): Rows => ({
    rows: [],
    problems: [{ kind: "unreadable", format: "YAML", why, span }],
  })
  const documents = parse(text)
  if (documents === undefined) return failed("values are nested too deeply", whole)
  const errors = documents.flatMap((document) => document.errors)
  if (errors.length > 0) {
    const problems = errors.map(({ message, pos }): ItemProblem => {
      const span = { start: pos[0], end: Math.max(pos[0], Math.min(pos[1], text.length)) }
      return { kind: "unreadable", format: "YAML", why: clause(message), span }
    })
    return { rows: [], problems }
  }
  const [first, second] = documents
  if (second !== undefined) {
    return failed("a file holds one document, and here another begins", spanOf(second.contents, whole))
  }
  const contents = first?.contents ?? null
  if (contents === null || (isScalar(contents) && contents.value === null)) return { rows: [], problems: [] }
  if (!isSeq(contents))
    return failed("it must be a list of items, each after a dash", spanOf(contents, whole))
  const read = reader()
  const rows: Cell[] = []
  try {
    for (const item of contents.items as (Node | null)[]) rows.push(read(item, spanOf(contents, whole)))
  } catch (thrown) {
    if (thrown instanceof Broken) return failed(thrown.message, thrown.span)
    throw thrown
  }
  return { rows, problems: [] }
}
