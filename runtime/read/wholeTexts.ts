/**
 * Whole texts as labels: every token of a text counts, so every token is a place where it is looked at. What follows a text does not: it is as
 * probable as that the model goes on with it, whatever comes then.
 */
import type { Token } from "../backend/backend.ts"
import {
  common,
  type LabelBranch,
  type LabelContext,
  type LabelsInContext,
  type LabelTree,
  mergesWith,
  quote,
} from "./labels.ts"

/**
 * Each text's tokens in context, from `tokenize(before + text)`, as a tree with a place before every token. Where one merges with the text before it, all are
 * read from the last boundary that they share, so that all spell the same characters. `room`: tokens that a text may take.
 */
export function wholeTextsInContext(
  texts: readonly string[],
  { tokenize, before }: Pick<LabelContext, "tokenize" | "before">,
  room: number,
): LabelsInContext | { readonly problem: string } {
  const base = tokenize(before)
  const whole = texts.map((text) => tokenize(before + text))
  const shared = whole.reduce((length, tokens) => Math.min(length, common(base, tokens)), base.length)
  const paths = whole.map((tokens, label) => ({ label, tokens: tokens.slice(shared) }))
  const seen = new Map<string, number>()
  for (const { label, tokens } of paths) {
    const text = texts[label]!
    if (whole[label]!.length <= common(base, whole[label]!))
      return { problem: `the text ${quote(text)} adds no token of its own to the text before it` }
    if (tokens.length > room)
      return {
        problem: `the text ${quote(`${text.slice(0, 20)}…`)} takes ${tokens.length} tokens, more than ${room}`,
      }
    const other = seen.get(tokens.join(","))
    if (other !== undefined)
      return { problem: `no token tells the text ${quote(text)} from the text ${quote(texts[other]!)}` }
    seen.set(tokens.join(","), label)
  }
  return {
    tree: placeOf(paths, []),
    back: base.length - shared,
    tokens: paths.map(({ tokens }) => tokens),
    merged: whole.map((tokens) => mergesWith(base, tokens)),
  }
}

interface TextPath {
  readonly label: number
  readonly tokens: readonly Token[]
}

/** The place after `forced`, which all of these texts begin with. */
function placeOf(paths: readonly TextPath[], forced: readonly Token[]): LabelTree {
  const byToken = new Map<Token, TextPath[]>()
  for (const path of paths) {
    const token = path.tokens[forced.length]!
    const others = byToken.get(token)
    if (others === undefined) byToken.set(token, [path])
    else others.push(path)
  }
  const branches = [...byToken].map(([token, group]): LabelBranch => {
    const ends = group.find(({ tokens }) => tokens.length === forced.length + 1)?.label
    const further = group.filter(({ label }) => label !== ends)
    if (further.length === 0) return { token, leadsTo: ends! }
    const leadsTo = placeOf(further, [...forced, token])
    return ends === undefined ? { token, leadsTo } : { token, leadsTo, ends }
  })
  return { forced, branches }
}
