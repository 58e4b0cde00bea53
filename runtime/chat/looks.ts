/**
 * Whether a chat template may look into what messages hold. Most only put contents in their places, and then a layout that was found with
 * placeholders holds for all contents; others cut out what a model thought, or ask whether a text is empty. The answer is on the safe side: a
 * template that is not seen to be blind is rendered again with the contents themselves (`contents.ts`).
 */
import type { TemplateProgram } from "./template.ts"

/** A node of the program, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

export const looksIntoContents = (program: TemplateProgram): boolean =>
  !((program as unknown as Node).body as readonly Node[]).every(isBlind)

/** Whether a statement or an expression may hold contents, and says the same of all of them. */
function isBlind(node: Node): boolean {
  switch (node.type) {
    case "Identifier":
    case "StringLiteral":
    case "IntegerLiteral":
    case "Comment":
    case "Break":
    case "Continue":
      return true
    case "Set":
      return all(node, "value", "body")
    case "If":
      return decides(node.test as Node) && all(node, "body", "alternate")
    case "For":
      return iterates(node.iterable as Node) && all(node, "body", "defaultBlock")
    case "Ternary":
      return decides(node.condition as Node) && all(node, "trueExpr", "falseExpr")
    case "MemberExpression":
      return isMember(node)
    case "BinaryExpression":
      return ["+", "~"].includes(operatorOf(node)) ? all(node, "left", "right") : decides(node)
    case "FilterExpression":
      return all(node, "operand") && nameOf(node.filter) === "trim"
    case "CallExpression":
      return isCall(node)
    default:
      return decides(node)
  }
}

/** Whether what an expression comes to hangs on no content. */
function decides(node: Node): boolean {
  switch (node.type) {
    case "StringLiteral":
    case "IntegerLiteral":
      return true
    case "Identifier":
      return ["add_generation_prompt", "true", "false", "none", "True", "False", "None"].includes(
        nameOf(node),
      )
    case "MemberExpression":
      return isMember(node) && (propertyOf(node) === "role" || nameOf(node.object) === "loop")
    case "UnaryExpression":
      return decides(node.argument as Node)
    case "BinaryExpression":
      return (
        ["and", "or", "==", "!=", "<", ">", "<=", ">=", "%", "+", "-"].includes(operatorOf(node)) &&
        decides(node.left as Node) &&
        decides(node.right as Node)
      )
    case "TestExpression":
      return ["defined", "undefined", "none", "string"].includes(nameOf(node.test)) && all(node, "operand")
    default:
      return false
  }
}

/** The messages, or some of them by their place or role. */
function iterates(node: Node): boolean {
  if (node.type === "SelectExpression") return iterates(node.lhs as Node) && decides(node.test as Node)
  return node.type === "Identifier" || (node.type === "MemberExpression" && isMember(node))
}

/** `message.role`, `message['content']`, `messages[0]`, `messages[1:]`: a place, and no part of a text. */
function isMember(node: Node): boolean {
  const object = node.object as Node
  const property = node.property as Node
  if (!isBlind(object)) return false
  if (propertyOf(node) !== undefined) return true
  const isPlace =
    property.type === "IntegerLiteral" ||
    property.type === "UnaryExpression" ||
    property.type === "SliceExpression"
  return isPlace && object.type === "Identifier" && nameOf(object).includes("messages")
}

function isCall(node: Node): boolean {
  const callee = node.callee as Node
  const args = node.args as readonly Node[]
  if (callee.type === "Identifier")
    return ["raise_exception", "strftime_now"].includes(nameOf(callee)) && args.every(isBlind)
  return (
    callee.type === "MemberExpression" &&
    ["strip", "lstrip", "rstrip"].includes(propertyOf(callee) ?? "") &&
    args.length === 0 &&
    isBlind(callee.object as Node)
  )
}

const all = (node: Node, ...fields: readonly string[]): boolean =>
  fields.every((field) => {
    const value = node[field]
    if (value === null || value === undefined) return true
    return Array.isArray(value) ? (value as readonly Node[]).every(isBlind) : isBlind(value as Node)
  })

const operatorOf = (node: Node): string => String((node.operator as { readonly value?: unknown }).value)

/** Of an identifier; empty for anything else. */
function nameOf(node: unknown): string {
  const { type, value } = node as Node
  return type === "Identifier" ? String(value) : ""
}

/** A member's name as written; undefined where it is worked out. */
function propertyOf({ property, computed }: Node): string | undefined {
  const { type, value } = property as Node
  if (computed === true ? type === "StringLiteral" : type === "Identifier") return String(value)
  return undefined
}
