import type { Items } from "../../grammar/ast.ts"
import { columnPath } from "../lower/text.ts"
import { isAddress } from "./models.ts"
import { distinctNames, onlyOnce, plain, type Scene } from "./scene.ts"

/** Fields of an item. */
export const fieldsOfItem = ["id", "question", "options", "labels", "gold"] as const

const required = ["question", "options", "gold"] as const

export const checkItems = (items: Items, scene: Scene): void => {
  const file = plain(scene, items.file, "The file of a pool")
  if (file !== undefined && isAddress(file)) {
    const why = "a file is read from this machine, and this is an address"
    scene.say("CFX2014", { what: "a pool", why, example: '"items/questions.yaml"' }, items.file)
  }
  onlyOnce(scene, items, items.fields, ({ field }) => field.text)
  for (const { field, columns } of items.fields) {
    if (!(fieldsOfItem as readonly string[]).includes(field.text)) {
      scene.say("CFX3005", { field: field.text, known: fieldsOfItem }, field)
      continue
    }
    for (const column of columns) if (column.kind === "text") plain(scene, column, "The name of a column")
    const [, second] = columns
    if (second === undefined) continue
    if (field.text !== "options") scene.say("CFX3021", { field: field.text }, second)
    distinctNames(
      scene,
      "column",
      columns.map((column) => ({ text: columnPath(column)?.join(".") ?? "", span: column.span })),
    )
  }
  const without = required.filter((name) => !items.fields.some(({ field }) => field.text === name))
  if (without.length > 0 && !scene.torn) {
    scene.say("CFX3006", { fields: without, pool: items.name.text }, items.name)
  }
}
