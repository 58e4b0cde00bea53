/** Variables that a model's declaration gives its chat template, and whether the template reads them: one that is mistyped would change nothing, in silence. */
import type { TokenModel } from "../backend/backend.ts"
import { programOf, type TemplateProgram } from "./template.ts"

export interface Unread {
  /** Declared, and read nowhere in the template. */
  readonly names: readonly string[]
  /** What the template reads of what a declaration could give it. */
  readonly reads: readonly string[]
}

/** Undefined where all that is declared is read, and where there is no template that can be parsed. */
export function unreadVariables({
  declared,
  chatTemplate,
}: Pick<TokenModel, "declared" | "chatTemplate">): Unread | undefined {
  if (declared === undefined || declared === "plain" || chatTemplate === null) return undefined
  const found = foundIn(chatTemplate)
  if (found === undefined) return undefined
  const names = Object.keys(declared).filter((name) => !found.read.has(name))
  if (names.length === 0) return undefined
  // A name that the template sets itself can be given too where it asks first whether it was.
  const reads = [...found.read].filter(
    (name) => !given.has(name) && (!found.bound.has(name) || found.asked.has(name)),
  )
  return { names, reads: reads.sort() }
}

/** Names that are listed, at most. */
const mostListed = 12

/** `the chat template does not read enable_thinkng (of what can be declared it reads enable_thinking)`. */
export function unreadWords({ names, reads }: Unread): string {
  const others =
    reads.length === 0
      ? "it reads nothing that can be declared"
      : reads.length > mostListed
        ? `it reads ${reads.length} other names`
        : `of what can be declared it reads ${reads.join(", ")}`
  return `the chat template does not read ${names.join(", ")}: ${others}`
}

/** What every template gets, and what the language of templates has of its own. */
const given: ReadonlySet<string> = new Set([
  ...["messages", "add_generation_prompt", "bos_token", "eos_token", "tools", "documents"],
  ...["range", "raise_exception", "strftime_now", "namespace", "loop", "caller"],
  ...["true", "false", "none", "True", "False", "None"],
])

interface Names {
  /** In an expression anywhere. */
  readonly read: Set<string>
  /** By the template itself: what it sets, the variables of its loops, its macros and their parameters. */
  readonly bound: Set<string>
  /** In `X is defined` and `X is undefined`. */
  readonly asked: Set<string>
}

function foundIn(template: string): Names | undefined {
  let program: TemplateProgram
  try {
    program = programOf(template)
  } catch {
    // Whoever renders it says why.
    return undefined
  }
  const names: Names = { read: new Set(), bound: new Set(), asked: new Set() }
  look(program, names)
  return names
}

/** A node of the program, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

function look(value: unknown, names: Names): void {
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) look(one, names)
    return
  }
  if (value instanceof Map) {
    for (const [key, one] of value) {
      look(key, names)
      look(one, names)
    }
    return
  }
  const node = value as Node
  if (node.type === "Identifier") names.read.add(String(node.value))
  for (const [field, part] of Object.entries(node)) {
    if (isBinding(node, field)) bind(part, names)
    else if (field === "filter") look((part as Node).args, names)
    else if (!isName(node, field)) look(part, names)
  }
  if (node.type === "TestExpression" && ["defined", "undefined"].includes(nameOf(node.test)))
    names.asked.add(nameOf(node.operand))
}

/** Whether a field holds names that the template gives values itself. */
const isBinding = ({ type }: Node, field: string): boolean =>
  (type === "Set" && field === "assignee") ||
  (type === "For" && field === "loopvar") ||
  (type === "Macro" && (field === "name" || field === "args")) ||
  (type === "CallStatement" && field === "callerArgs")

/** Whether a field holds a name that is no variable: of a property, a test, an argument, or an operator such as `and`. */
const isName = ({ type, computed }: Node, field: string): boolean =>
  (type === "MemberExpression" && field === "property" && computed !== true) ||
  field === "operator" ||
  (type === "TestExpression" && field === "test") ||
  (type === "KeywordArgumentExpression" && field === "key")

function bind(value: unknown, names: Names): void {
  if (Array.isArray(value)) for (const one of value) bind(one, names)
  if (typeof value !== "object" || value === null) return
  const node = value as Node
  if (node.type === "Identifier") names.bound.add(String(node.value))
  else if (node.type === "TupleLiteral") bind(node.value, names)
  // A parameter with a default, whose value may be a variable.
  else if (node.type === "KeywordArgumentExpression") {
    bind(node.key, names)
    look(node.value, names)
  } else look(node, names)
}

/** Of an identifier; empty for anything else. */
function nameOf(node: unknown): string {
  if (typeof node !== "object" || node === null) return ""
  const { type, value } = node as Node
  return type === "Identifier" ? String(value) : ""
}
