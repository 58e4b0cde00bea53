/** Reading Chevrotain's concrete tree, in which a construct that was broken off lacks what came after the error. */
import type { CstElement, CstNode, IToken } from "chevrotain"
import type { Span } from "./source.ts"

/** Where a node starts that holds no token. */
export const NOWHERE = -1

/** Something that the construct needs is not there; the error was reported when it was parsed. */
class Incomplete extends Error {}

/** The label of what is read although the language has no such thing: whoever writes it can mean only one. */
export const slip = "slip"

export const isNode = (element: CstElement): element is CstNode => "children" in element

const nothing: readonly CstElement[] = []

const labelled = (parent: CstNode, label: string): readonly CstElement[] => parent.children[label] ?? nothing

export const nodes = (parent: CstNode, rule: string): CstNode[] => labelled(parent, rule).filter(isNode)

export const tokens = (parent: CstNode, label: string): IToken[] =>
  labelled(parent, label).filter((element): element is IToken => !isNode(element))

export const has = (parent: CstNode, label: string): boolean => labelled(parent, label).length > 0

/** The `index`th node or token with a label, from 0. */
const nth = (parent: CstNode, label: string, index: number, isNodes: boolean): CstElement | undefined => {
  let left = index
  for (const element of labelled(parent, label)) {
    if (isNode(element) !== isNodes) continue
    if (left === 0) return element
    left -= 1
  }
  return undefined
}

export const node = (parent: CstNode, rule: string, index = 0): CstNode => {
  const found = nth(parent, rule, index, true)
  if (found === undefined) throw new Incomplete(rule)
  return found as CstNode
}

/** None where there are not so many. */
export const maybeToken = (parent: CstNode, label: string, index = 0): IToken | undefined =>
  nth(parent, label, index, false) as IToken | undefined

export const token = (parent: CstNode, label: string, index = 0): IToken => {
  const found = maybeToken(parent, label, index)
  if (found === undefined) throw new Incomplete(label)
  return found
}

/** For what the grammar demands at least one of. */
export const some = <T>(values: readonly T[]): readonly T[] => {
  if (values.length === 0) throw new Incomplete()
  return values
}

/** Builds what is complete and leaves out the rest. */
export const collect = <T>(from: readonly CstNode[], build: (node: CstNode) => T): T[] => {
  const built: T[] = []
  for (const each of from) {
    try {
      built.push(build(each))
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error
    }
  }
  return built
}

const startOf = (element: CstElement): number =>
  isNode(element) ? (element.location?.startOffset ?? 0) : element.startOffset

/** What a node is made of, in the order of the text; without what holds no token at all. */
export const inOrder = (parent: CstNode): CstElement[] => {
  const elements: CstElement[] = []
  let sorted = true
  let last = -1
  for (const key in parent.children) {
    for (const element of parent.children[key]!) {
      const start = startOf(element)
      if (start === NOWHERE) continue
      elements.push(element)
      sorted &&= start >= last
      last = start
    }
  }
  return sorted ? elements : elements.sort((a, b) => startOf(a) - startOf(b))
}

export const spanOfNode = (parent: CstNode): Span => {
  const { startOffset = 0, endOffset = 0 } = parent.location ?? {}
  return { start: startOffset, end: endOffset + 1 }
}

/** Takes the nodes out that are not wanted, with all that is in them. */
export const prune = (parent: CstNode, unwanted: (node: CstNode) => boolean): void => {
  for (const [key, elements] of Object.entries(parent.children)) {
    const kept = elements.filter((element) => !isNode(element) || !unwanted(element))
    parent.children[key] = kept
    for (const element of kept) if (isNode(element)) prune(element, unwanted)
  }
}
