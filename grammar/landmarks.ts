/**
 * Where entries and declarations start and end in a file that has errors. Since a keyword may be a name nearly anywhere, a
 * keyword alone says little; brackets, line starts and indentation say what the writer meant.
 */
import { type IToken, type TokenType, tokenMatcher } from "chevrotain"
import type { Place } from "./lex.ts"
import * as t from "./tokens.ts"

/** A `{ ... }` that holds entries; the file itself is the outermost, without braces. */
export interface Body {
  readonly within: string
  /** Index of the first token of the construct that the body belongs to. */
  readonly owner: number
  readonly starts: readonly TokenType[]
}

export const opening = [t.LCurly, t.LParen, t.LSquare]
export const closing = [t.RCurly, t.RParen, t.RSquare]

/** After a keyword these show that it was a name: `target = top_wrong`. */
const afterNames = [
  ...[t.Equals, t.In, t.Comma, t.Dot, t.RParen, t.RSquare],
  ...[t.Comparison, t.Plus, t.Star, t.Slash],
]
/** What follows the name that a keyword declares: the same keywords start fields, which go on in other ways. */
const afterDeclaredName = new Map<TokenType, readonly TokenType[]>([
  ...[t.Model, t.Items, t.Structure, t.Order, t.Target].map((type) => [type, [t.Equals]] as const),
  ...[t.Framing, t.Container].map((type) => [type, [t.LCurly, t.Extends]] as const),
  ...[t.Roster, t.Paraphrase, t.Block, t.Protocol, t.Lexicon].map((type) => [type, [t.LCurly]] as const),
  ...[t.Dose, t.Judge].map((type) => [type, [t.LCurly, t.LParen]] as const),
  [t.Metric, [t.LCurly, t.LParen, t.Extends]],
  [t.Experiment, [t.LCurly]],
])

export const isOneOf = (token: IToken | undefined, types: readonly TokenType[]): boolean =>
  token !== undefined && types.some((type) => tokenMatcher(token, type))

/** What may start the entries of a body. It is asked at every entry, and is worked out once. */
interface Starts {
  /** All types that are one of these, themselves or by a category. */
  readonly any: ReadonlySet<TokenType>
  /** Those that are one of the keywords among them. */
  readonly keywords: ReadonlySet<TokenType>
  /** Whether any word is meant, and nothing else. */
  readonly areNames: boolean
}

const startsOf = (types: readonly TokenType[]): Starts => {
  const known = met.get(types)
  if (known !== undefined) return known
  const among = (some: readonly TokenType[]): ReadonlySet<TokenType> =>
    new Set(
      t.vocabulary.filter(
        (type) => some.includes(type) || type.CATEGORIES?.some((one) => some.includes(one)),
      ),
    )
  const starts = {
    any: among(types),
    keywords: among(types.filter((type) => type !== t.Word)),
    areNames: types.every((type) => type === t.Word),
  }
  met.set(types, starts)
  return starts
}

const met = new WeakMap<readonly TokenType[], Starts>()

const isWord = (type: TokenType): boolean => type === t.Word || (type.CATEGORIES ?? []).includes(t.Word)

class OpenBrackets {
  private readonly closers: TokenType[] = []

  get none(): boolean {
    return this.closers.length === 0
  }

  get braces(): number {
    return this.closers.filter((type) => type === t.RCurly).length
  }

  /** A closing bracket closes what it matches and everything in it; one that matches nothing is passed over. */
  pass(token: IToken): void {
    const opened = opening.indexOf(token.tokenType)
    if (opened >= 0) this.closers.push(closing[opened]!)
    else if (closing.includes(token.tokenType)) {
      const matched = this.closers.lastIndexOf(token.tokenType)
      if (matched >= 0) this.closers.length = matched
    }
  }
}

export class Landmarks {
  /** Open bodies, the file first. */
  readonly bodies: Body[]
  readonly tokens: readonly IToken[]
  private readonly places: readonly Place[]
  private entry: { readonly start: number; readonly end: number } | undefined

  /** Without places, lines and indentation mean nothing. */
  constructor(tokens: readonly IToken[], places: readonly Place[], declarationStarts: readonly TokenType[]) {
    this.tokens = tokens
    this.places = places
    this.bodies = [{ within: "file", owner: 0, starts: declarationStarts }]
  }

  get innermost(): Body {
    return this.bodies.at(-1)!
  }

  private indent(index: number): number {
    return this.places[index]?.indent ?? 0
  }

  opensLine(index: number): boolean {
    return this.places[index]?.opensLine ?? false
  }

  startsEntry(index: number, body = this.innermost): boolean {
    const type = this.tokens[index]?.tokenType
    const starts = startsOf(body.starts)
    if (type === undefined || !starts.any.has(type)) return false
    return starts.keywords.has(type) || starts.areNames || !isWord(type) || this.isAssigned(index)
  }

  private isKeywordOf(body: Body, index: number): boolean {
    const type = this.tokens[index]?.tokenType
    return type !== undefined && startsOf(body.starts).keywords.has(type)
  }

  private isAssigned(index: number): boolean {
    return isOneOf(this.tokens[index + 1], [t.Equals])
  }

  /** Whether an entry starts here beyond doubt: a field's keyword that is no name, a name with `=` after it. */
  clearlyStartsEntry(index: number, body = this.innermost): boolean {
    if (!this.startsEntry(index, body)) return false
    if (this.isKeywordOf(body, index) && !isOneOf(this.tokens[index + 1], afterNames)) return true
    return body.starts.includes(t.Word) && this.isAssigned(index)
  }

  /** In an open declaration a line that is indented deeper and starts an entry is that, whatever else it looks like. */
  private startsDeclaration(index: number): boolean {
    const [file, declaration] = this.bodies
    const token = this.tokens[index]
    if (!this.opensLine(index) || !isOneOf(token, file!.starts)) return false
    const outdented = declaration === undefined || this.indent(index) <= this.indent(declaration.owner)
    if (!outdented && this.bodies.slice(1).some((body) => this.startsEntry(index, body))) return false
    const [next, afterNext] = [this.tokens[index + 1], this.tokens[index + 2]]
    if (token?.tokenType === t.Import) return isOneOf(next, [t.LCurly])
    const named = isOneOf(next, [t.Word]) && !this.opensLine(index + 1)
    if (named && isOneOf(afterNext, afterDeclaredName.get(token!.tokenType) ?? [])) return true
    return declaration !== undefined && outdented && !this.startsEntry(index)
  }

  /** Whether what stands here belongs to a construct around the innermost body, which must then have lost its `}`. */
  belongsOutside(index: number): boolean {
    if (this.bodies.length < 2) return false
    if (this.startsDeclaration(index)) return true
    if (!this.opensLine(index) || this.indent(index) > this.indent(this.innermost.owner)) return false
    return this.bodies.slice(1, -1).some((body) => this.clearlyStartsEntry(index, body))
  }

  /** Whether the `}` here is that of a body, whose construct starts at `start`, which lacks its `{`. */
  closes(index: number, start: number): boolean {
    if (!isOneOf(this.tokens[index], [t.RCurly])) return false
    return !this.opensLine(index) || this.indent(index) >= this.indent(start)
  }

  /**
   * The first entry that what started at `start` took for a part of itself, up to `end`: `rate a ==` swallows a `given` on the
   * next line. It stands on a line of its own that is indented no deeper. Up to `from` there is none.
   */
  swallowedEntry(start: number, end: number, from = start + 1): number | undefined {
    for (let index = from; index < end; index++) {
      const level = this.opensLine(index) && this.indent(index) <= this.indent(start)
      if (level && this.clearlyStartsEntry(index)) return index
    }
    return undefined
  }

  /** Where to go on after an error at `from` in the entry of the innermost body that starts at `start`. */
  nextEntry(start: number, from: number): number {
    const open = new OpenBrackets()
    for (let index = start; index < from; index++) open.pass(this.tokens[index]!)
    let index = Math.max(from, start + 1)
    for (; index < this.tokens.length; index++) {
      if (this.endsEntry(index, start, open)) break
      open.pass(this.tokens[index]!)
    }
    return index
  }

  /** Brackets tell where an entry ends unless one is missing, and then the layout does. */
  private endsEntry(index: number, start: number, open: OpenBrackets): boolean {
    const closes = isOneOf(this.tokens[index], [t.RCurly])
    if (closes && open.braces === 0) return true
    if (!this.opensLine(index)) {
      return !this.opensLine(start) && open.none && this.clearlyStartsEntry(index)
    }
    if (this.startsDeclaration(index) || this.belongsOutside(index)) return true
    if (this.indent(index) > this.indent(start)) return false
    if (closes) return this.indent(index) < this.indent(start) && this.lacksBrace(index, open)
    return open.none || this.clearlyStartsEntry(index)
  }

  /** Whether too few braces are left, up to the next declaration, to close all that are open. */
  private lacksBrace(from: number, open: OpenBrackets): boolean {
    let needed = open.braces + this.bodies.length - 1
    for (let index = from; index < this.tokens.length && needed > 0; index++) {
      if (this.startsDeclaration(index)) break
      if (isOneOf(this.tokens[index], [t.LCurly])) needed++
      else if (isOneOf(this.tokens[index], [t.RCurly])) needed--
    }
    return needed > 0
  }

  /** The `{` of a construct whose head has an error at `from`; the next entry if there is none. */
  bodyOrNextEntry(start: number, from: number): number {
    const next = this.nextEntry(start, from)
    const brace = this.tokens.findIndex(
      (token, index) => index >= from && index < next && token.tokenType === t.LCurly,
    )
    return brace === -1 ? next : brace
  }

  holeEnd(from: number): number {
    let index = from
    while (index < this.tokens.length && this.tokens[index]?.tokenType !== t.HoleClose) index++
    return index
  }

  /**
   * Where a list goes on after an error at `from`: at an element that only lacks its comma, after the next comma, at its closing
   * bracket, or not at all (undefined).
   */
  nextElement(start: number, from: number, close: TokenType, commaExpected: boolean): number | undefined {
    if (commaExpected && this.mayBeElement(from)) return from
    const limit = this.endOfEntry(start, from)
    let depth = 0
    for (let index = from; index < limit && depth >= 0; index++) {
      const token = this.tokens[index]
      if (depth === 0 && isOneOf(token, [t.Comma])) return index + 1
      if (depth === 0 && isOneOf(token, [close])) return index
      if (isOneOf(token, [t.HoleClose])) return undefined
      if (isOneOf(token, opening)) depth++
      else if (isOneOf(token, closing)) depth--
    }
    return undefined
  }

  /** Where the entry ends that the list belongs to: looked for once, not at every error in it. */
  private endOfEntry(start: number, from: number): number {
    const known = this.entry
    if (known?.start === start && from < known.end) return known.end
    const end = this.nextEntry(start, from)
    this.entry = { start, end }
    return end
  }

  private mayBeElement(index: number): boolean {
    const startsNext = this.opensLine(index) && this.clearlyStartsEntry(index)
    return isOneOf(this.tokens[index], [t.Word]) && !startsNext && !this.belongsOutside(index)
  }
}
