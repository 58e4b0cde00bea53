/** Finding one's way in a syntax tree by offset. */
import type { File, Name, Text } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"

interface Node {
  readonly span: Span
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "span" in value && isSpan(value.span)

const isSpan = (value: unknown): value is Span =>
  typeof value === "object" && value !== null && "start" in value && "end" in value

/** Whether an offset is in a span or right behind it, as a cursor is that has just typed it. */
const touches = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end

/** What a value holds, at any depth, without going into a node. */
const nodesIn = (value: unknown): readonly Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  if (isNode(value)) return [value]
  if (typeof value !== "object" || value === null || isSpan(value)) return []
  return Object.values(value).flatMap(nodesIn)
}

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flatMap(nodesIn)

/** The nodes that an offset touches, from the file down to the innermost. Where two meet, the one that starts there counts. */
export const pathAt = (file: File, offset: number): readonly Node[] => {
  const path: Node[] = [file]
  for (;;) {
    const inside = childrenOf(path.at(-1)!).filter(({ span }) => touches(span, offset))
    const next = inside.find(({ span }) => span.start === offset) ?? inside[0]
    if (next === undefined) return path
    path.push(next)
  }
}

const isName = (node: Node): node is Name => "kind" in node && node.kind === "name"

/** The name at an offset. */
export const nameAt = (file: File, offset: number): Name | undefined => {
  const last = pathAt(file, offset).at(-1)
  return last !== undefined && isName(last) ? last : undefined
}

/** Every name in a node, at any depth. */
export const namesIn = (node: Node): readonly Name[] =>
  isName(node) ? [node] : childrenOf(node).flatMap(namesIn)

/** Every text in a node, at any depth; of a text itself, that. */
export const textsIn = (node: Node): readonly Text[] =>
  isText(node) ? [node] : childrenOf(node).flatMap(textsIn)

const isText = (node: Node): node is Text => "kind" in node && node.kind === "text" && "parts" in node
