/**
 * Labels as forced tokens. A label is read at the place where its tokens part from the others'; where one label's tokens are the
 * beginning of another's ("1" and "10"), the literal character that follows in the template tells them apart.
 */
import type { Token } from "../backend/backend.ts"
import { forcedRoom } from "./chunks.ts"

/**
 * A place where the next token decides. Each branch leads to a label, or to a further place.
 * p(label) = product of the restricted, renormalised probabilities along its branches.
 */
export interface LabelTree {
  /** Tokens forced since the hole; empty at the root. */
  readonly forced: readonly Token[]
  readonly branches: readonly LabelBranch[]
}

export interface LabelBranch {
  readonly token: Token
  /** Index of the label that this token settles, or the place that decides further. */
  readonly leadsTo: number | LabelTree
}

/** Labels, proven against a tokenizer in their context. */
export interface LabelsInContext {
  readonly tree: LabelTree
  /** Tokens of the context that the labels merge with: the read is taken that many tokens earlier. */
  readonly back: number
  /** Tokens of each label from where the read is taken. */
  readonly tokens: readonly (readonly Token[])[]
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
 * read are the same for all labels: where a label merges with the text before it (" A" after a blank), the read moves back to
 * the last boundary that all of them share. What cannot be told apart by tokens is a problem in words, never a wrong read.
 */
export function labelsInContext(
  labels: readonly string[],
  context: LabelContext,
): LabelsInContext | { readonly problem: string } {
  const { tokenize, before, follow, end } = context
  const base = tokenize(before)
  const whole = labels.map((label) => tokenize(before + label))
  const followed = labels.map((label) =>
    follow === "" ? tokenize(before + label) : tokenize(before + label + follow),
  )
  const shared = whole.reduce((length, tokens) => Math.min(length, common(base, tokens)), base.length)

  for (const [index, label] of labels.entries()) {
    if (common(whole[index]!, followed[index]!) < whole[index]!.length)
      return {
        problem: `the label ${quote(label)} runs together with the text after it, ${quote(follow.slice(0, 20))}`,
      }
    if (whole[index]!.length === shared)
      return { problem: `the label ${quote(label)} adds no token of its own to the text before it` }
  }

  const tokens = whole.map((all) => all.slice(shared))
  const paths = tellApart(
    tokens,
    followed.map((all, index) => [...all.slice(whole[index]!.length), ...(end === null ? [] : [end])]),
  )
  if (typeof paths === "number")
    return { problem: `no token tells the label ${quote(labels[paths]!)} from the other labels` }
  if (paths.some((path) => path.length > forcedRoom))
    return { problem: `a label takes more than ${forcedRoom} tokens` }
  return { tree: fold(paths), back: base.length - shared, tokens }
}

/**
 * Extends each path that is the beginning of another by the tokens that follow its label, until none is.
 * Returns the index of a label for which they run out.
 */
function tellApart(
  labels: readonly (readonly Token[])[],
  following: readonly (readonly Token[])[],
): readonly (readonly Token[])[] | number {
  const paths = labels.map((tokens) => [...tokens])
  const used = labels.map(() => 0)
  for (;;) {
    const index = paths.findIndex((path, i) =>
      paths.some((other, j) => i !== j && common(path, other) === path.length),
    )
    if (index === -1) return paths
    const next = following[index]![used[index]!]
    if (next === undefined) return index
    paths[index]!.push(next)
    used[index]! += 1
  }
}

/** Paths, none the beginning of another, as a tree of the places where they part. */
function fold(paths: readonly (readonly Token[])[]): LabelTree {
  const place = (indices: readonly number[], forced: readonly Token[]): LabelTree => {
    const byToken = new Map<Token, number[]>()
    for (const index of indices) {
      const token = paths[index]![forced.length]!
      const group = byToken.get(token)
      if (group === undefined) byToken.set(token, [index])
      else group.push(index)
    }
    const branches = [...byToken].map(([token, group]): LabelBranch => {
      if (group.length === 1) return { token, leadsTo: group[0]! }
      // Tokens that all of the group share decide nothing: the next place is where they part.
      const first = paths[group[0]!]!
      const depth = group.reduce(
        (length, index) => Math.min(length, common(first, paths[index]!)),
        first.length,
      )
      return { token, leadsTo: place(group, first.slice(0, depth)) }
    })
    return { forced, branches }
  }
  return place(
    paths.map((_, index) => index),
    [],
  )
}

/** Length of the longest common beginning. */
function common(left: readonly Token[], right: readonly Token[]): number {
  const limit = Math.min(left.length, right.length)
  for (let i = 0; i < limit; i += 1) if (left[i] !== right[i]) return i
  return limit
}

const quote = (text: string): string => JSON.stringify(text)
