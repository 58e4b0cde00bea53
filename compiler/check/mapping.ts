/** One line of a pool's mapping: what a row's column may be, and which functions may stand there. */
import type { Call, Expression, FieldMapping, Items } from "../../grammar/ast.ts"
import { columnPath, type FieldOfItem, isFieldOfItem, lowerColumn, pathFunctions } from "../lower/items.ts"
import { print } from "../lower/print.ts"
import { lackingFields } from "./otherFields.ts"
import { distinctNames, plain, type Scene } from "./scene.ts"

/** Names that tables and trials have already. */
const taken: readonly string[] = [
  "arm",
  "experiment",
  "item",
  "model",
  "pool",
  "trial",
  "seed",
  "target",
  "pushed",
  "choices",
  "replicate",
]

/** How each function is written. */
const forms: ReadonlyMap<string, string> = new Map([
  ["column", "column(1)"],
  ["file", "file()"],
  ["row", "row()"],
  ["first", "first()"],
  ["before", 'before(path, "text")'],
  ...[...pathFunctions.keys()].map((name) => [name, `${name}(path)`] as const),
])

/** Functions that some fields cannot take, with what they give. */
const restricted: ReadonlyMap<string, { readonly gives: string; readonly fields: readonly FieldOfItem[] }> =
  new Map([
    ["keys", { gives: "a list", fields: ["options", "labels"] }],
    ["lettered", { gives: "a list of options", fields: ["options"] }],
    ["marked", { gives: "an option", fields: ["gold"] }],
    ["index", { gives: "an option", fields: ["gold"] }],
    ["position", { gives: "an option", fields: ["gold"] }],
    ["first", { gives: "an option", fields: ["gold"] }],
  ])

export const checkMapping = ({ target, columns }: FieldMapping, items: Items, scene: Scene): void => {
  // A field by another name is reported as that.
  const isOther = !scene.torn && lackingFields(items).some(({ instead }) => instead === target)
  const isTaken = !isFieldOfItem(target.text) && taken.includes(target.text)
  if (isTaken && !isOther) scene.say("CFX3116", { column: target.text }, target)
  // Of a run's pool the mapping is a mistake as a whole.
  if (items.source.kind === "run") return
  for (const column of columns) checkColumn(column, target.text, scene)
  const [, second] = columns
  if (second === undefined) return
  if (target.text !== "options" && !isOther && !isTaken) scene.say("CFX3021", { field: target.text }, second)
  distinctNames(
    scene,
    "column",
    columns.map((column) => ({ text: nameOf(column), span: column.span })),
  )
}

/** A name in quotes is the same column as one without. */
const nameOf = (column: Expression): string => columnPath(column)?.join(".") ?? print(column)

export const checkColumn = (column: Expression, field: string, scene: Scene): void => {
  if (column.kind === "text") plain(scene, column, "The name of a column")
  else if (column.kind === "binary" && column.operator === "or") {
    checkColumn(column.left, field, scene)
    checkColumn(column.right, field, scene)
  } else if (column.kind === "call") checkCall(column, field, scene)
}

const checkCall = (call: Call, field: string, scene: Scene): void => {
  const name = print(call.callee)
  const form = forms.get(name)
  if (form === undefined) {
    scene.say("CFX3102", { name, known: [...forms.keys()] }, call.callee)
    return
  }
  const only = restricted.get(name)
  if (only !== undefined && !(only.fields as readonly string[]).includes(field)) {
    scene.say("CFX3104", { name, gives: only.gives, field, fields: only.fields }, call)
    return
  }
  const [first] = call.arguments
  // What is cut may itself be given by a function, whose own mistakes are told.
  if (name === "before" && call.arguments.length === 2 && first?.kind === "call") {
    checkCall(first, field, scene)
    if (lowerColumn(first) === undefined) return
  }
  if (lowerColumn(call) === undefined) scene.say("CFX3103", { name, form }, call)
}
