/**
 * Labels as forced tokens. A label is read at the place where its tokens part from the others'; where one label's tokens are the
 * beginning of another's ("1" and "10"), the literal character that follows in the template tells them apart.
 */
import type { Token } from "../backend/backend.ts"
import { forcedRoom } from "./chunks.ts"

/**
 * Names the rule by which labels have their probabilities, in a model's fingerprint: a read's key does not contain its tree, and answers that were taken
 * under another rule are other answers.
 */
export const labelRule = "labels-2"

/**
 * A place where the next token decides. Each branch leads to a label, or to a further place.
 * p(label) = product of the restricted, renormalised probabilities along its branches; where labels have two spellings, the sum of both, each the product
 * of the raw probabilities of its tokens (`respelt`).
 * Only deciding tokens are read: what is left of a label once it is settled counts as certain, also in the mass of all labels.
 */
export interface LabelTree {
  /** Tokens forced since the hole; empty at the root. */
  readonly forced: readonly Token[]
  readonly branches: readonly LabelBranch[]
  /**
   * Set on all places where labels may merge with the prompt: a place is then on one of several ways to spell the same characters, so its
   * branches count by how probable it is that any of them follows (the place's mass), and there is a place before each token.
   */
  readonly respelt?: true
}

export interface LabelBranch {
  readonly token: Token
  /** Index of the label that this token settles, or the place that decides further. */
  readonly leadsTo: number | LabelTree
  /** Of whole texts: the label that ends with this token, where others go on. */
  readonly ends?: number
}

/** Labels, proven against a tokenizer in their context. */
export interface LabelsInContext {
  readonly tree: LabelTree
  /** Tokens of the context that the labels merge with: the read is taken that many tokens earlier. */
  readonly back: number
  /** Tokens of each label from where the read is taken. */
  readonly tokens: readonly (readonly Token[])[]
  /** Of each label, whether it merges with the text before it. */
  readonly merged: readonly boolean[]
}

export interface LabelContext {
  readonly tokenize: (text: string) => readonly Token[]
  /** The plain text from the last control token to the hole. */
  readonly before: string
  /** The literal text after the hole, in the same turn. */
  readonly follow: string
  /** The control token that closes the turn, which follows where `follow` has run out; null when unknown. */
  readonly end: Token | null
}

/**
 * Finds each label's tokens in context, from `tokenize(before + label + follow)`, and folds them into a tree. The tokens up to the
 * read are the same for all labels. Where a label merges with the text before it (" A" after a blank), the read moves back to the last
 * boundary that all of them share, and from there both spellings are read: merged, and as the prompt's own tokens followed by the label's.
 * What cannot be told apart by tokens is a problem in words, never a wrong read.
 */
export function labelsInContext(
  labels: readonly string[],
  context: LabelContext,
): LabelsInContext | { readonly problem: string } {
  const { tokenize, before, follow, end } = context
  const base = tokenize(before)
  const whole = labels.map((label) => tokenize(before + label))
  const shared = whole.reduce((length, tokens) => Math.min(length, common(base, tokens)), base.length)
  const again = base.slice(shared)

  const paths: Path[] = []
  for (const [index, label] of labels.entries()) {
    const tokens = whole[index]!
    const followed = tokenize(before + label + follow)
    if (common(tokens, followed) < tokens.length)
      return {
        problem: `the label ${quote(label)} runs together with the text after it, ${quote(follow.slice(0, 20))}`,
      }
    if (tokens.length === shared)
      return { problem: `the label ${quote(label)} adds no token of its own to the text before it` }
    const after = [...followed.slice(tokens.length), ...(end === null ? [] : [end])]
    paths.push({ label: index, tokens: tokens.slice(shared), after })
    if (!mergesWith(base, tokens)) continue
    const bare = bareTokens(label, tokenize)
    if (bare === undefined)
      return { problem: `the label ${quote(label)} merges with whatever text stands before it` }
    paths.push({ label: index, tokens: [...again, ...bare], after })
  }

  const apart = tellApart(paths)
  if ("label" in apart)
    return { problem: `no token tells the label ${quote(labels[apart.label]!)} from the other labels` }
  if (apart.paths.some((path) => path.tokens.length > forcedRoom))
    return { problem: `a label takes more than ${forcedRoom} tokens` }
  return {
    tree: fold(apart.paths, again.length > 0),
    back: again.length,
    tokens: whole.map((tokens) => tokens.slice(shared)),
    merged: whole.map((tokens) => mergesWith(base, tokens)),
  }
}

/** One spelling of a label, from where the read is taken. */
interface Path {
  readonly label: number
  readonly tokens: readonly Token[]
  /** Tokens that follow the label. */
  readonly after: readonly Token[]
}

/** A label's tokens where nothing before it merges with it. */
function bareTokens(label: string, tokenize: LabelContext["tokenize"]): readonly Token[] | undefined {
  for (const neutral of ['"', "\n", ":", "("]) {
    const alone = tokenize(neutral)
    const tokens = tokenize(neutral + label)
    if (common(alone, tokens) === alone.length) return tokens.slice(alone.length)
  }
  return undefined
}

/**
 * Extends each path that is the beginning of another by the tokens that follow its label, until none is.
 * Returns a label for which they run out.
 */
function tellApart(given: readonly Path[]): { readonly paths: readonly Path[] } | { readonly label: number } {
  const paths = [...given]
  for (;;) {
    const index = paths.findIndex(({ tokens }, i) =>
      paths.some((other, j) => i !== j && common(tokens, other.tokens) === tokens.length),
    )
    const path = paths[index]
    if (path === undefined) return { paths }
    const [next, ...after] = path.after
    if (next === undefined) return { label: path.label }
    paths[index] = { label: path.label, tokens: [...path.tokens, next], after }
  }
}

/**
 * Paths, none the beginning of another, as a tree of the places where they part. `respelt`: they spell some labels in two ways, and which of them is how
 * probable hangs on each token until a label is settled, so there is a place before each of these.
 */
function fold(paths: readonly Path[], respelt: boolean): LabelTree {
  const place = (group: readonly Path[], forced: readonly Token[]): LabelTree => {
    const byToken = new Map<Token, Path[]>()
    for (const path of group) {
      const token = path.tokens[forced.length]!
      const others = byToken.get(token)
      if (others === undefined) byToken.set(token, [path])
      else others.push(path)
    }
    const branches = [...byToken].map(([token, [first, ...others]]): LabelBranch => {
      if (others.length === 0) return { token, leadsTo: first!.label }
      // In a single spelling, tokens that all of the group share decide nothing: the next place is where they part.
      const { tokens } = first!
      const depth = respelt
        ? forced.length + 1
        : others.reduce((length, other) => Math.min(length, common(tokens, other.tokens)), tokens.length)
      return { token, leadsTo: place([first!, ...others], tokens.slice(0, depth)) }
    })
    return respelt ? { forced, branches, respelt } : { forced, branches }
  }
  return place(paths, [])
}

/** Whether these tokens, of a text and what follows it, are not those of the text with more after them. */
export const mergesWith = (text: readonly Token[], tokens: readonly Token[]): boolean =>
  common(text, tokens) < text.length

/** Length of the longest common beginning. */
export function common(left: readonly Token[], right: readonly Token[]): number {
  const limit = Math.min(left.length, right.length)
  for (let i = 0; i < limit; i += 1) if (left[i] !== right[i]) return i
  return limit
}

export const quote = (text: string): string => JSON.stringify(text)
