/** What can be wrong with the declaration of a pool, before any of its data are looked at. */
import type { Items, ItemsField } from "../../grammar/ast.ts"
import {
  fieldOf,
  fieldsOfItem,
  isHubAddress,
  itemColumnsOf,
  mappingsOf,
  otherFields,
  runFields,
} from "../lower/items.ts"
import { rowEnvironment } from "./environment.ts"
import { checkMapping } from "./mapping.ts"
import { isAddress } from "./models.ts"
import { lackingFields } from "./otherFields.ts"
import { checkRunFields } from "./runFields.ts"
import { distinctNames, onlyOnce, plain, type Scene } from "./scene.ts"
import { expect } from "./types.ts"

export const checkItems = (items: Items, scene: Scene): void => {
  checkSource(items, scene)
  onlyOnce(scene, items, items.fields, keyOf)
  for (const mapping of mappingsOf(items)) checkMapping(mapping, items, scene)
  if (items.source.kind === "run") checkRunFields(items, scene)
  else checkFileFields(items, scene)
  checkCounts(items, scene)
  const where = fieldOf(items, "where")
  if (where !== undefined)
    expect(where.condition, "truth value", "`where`", rowEnvironment(itemColumnsOf(items)), scene)
  checkOrder(items, scene)
}

const keyOf = (field: ItemsField): string => {
  if (field.field === "mapping") return field.target.text
  return field.field === "strata" ? `strata ${field.column.text}` : field.field
}

const checkSource = (items: Items, scene: Scene): void => {
  const { source } = items
  const example = '"items/questions.yaml"'
  if (source.kind === "run") {
    const folder = plain(scene, source.folder, "The folder of a run")
    const why = "a run's folder stands on this machine, and this is an address"
    if (folder !== undefined && isAddress(folder))
      scene.say("CFX2014", { what: "a run", why, example: '"../runs/first"' }, source.folder)
    return
  }
  const files = source.files.flatMap((file) => {
    const text = plain(scene, file, "The file of a pool")
    return text === undefined ? [] : [{ text, span: file.span }]
  })
  distinctNames(scene, "file", files)
  for (const { text, span } of files) {
    if (isHubAddress(text)) {
      const why =
        hubProblem(text) ?? (source.files.length > 1 ? "it stands for all data of a pool" : undefined)
      if (why !== undefined) scene.say("CFX3115", { address: text, why }, { span })
    } else if (isAddress(text)) {
      const why = "a file is read from this machine, and this is an address"
      scene.say("CFX2014", { what: "a pool", why, example }, { span })
    }
  }
}

/** Why an address is none of data on the hub: `hf://datasets/org/name@revision#config/split`. */
const hubProblem = (address: string): string | undefined => {
  const match = /^hf:\/\/datasets\/([^@#]*)(@[^#]*)?(#.*)?$/.exec(address)
  if (match === null) return "it does not start with `hf://datasets/`"
  const [, name = "", revision, part] = match
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return "it names no organisation and data set"
  if (revision === undefined || !/^@[\w.-]+$/.test(revision)) return "it names no revision"
  return part !== undefined && /^#[\w.-]+\/[\w.-]+$/.test(part) ? undefined : "it names no config and split"
}

const checkFileFields = (items: Items, scene: Scene): void => {
  for (const field of items.fields) {
    if (!(runFields as readonly string[]).includes(field.field)) continue
    const known = [...fieldsOfItem, "records", ...otherFields]
    scene.say("CFX3107", { field: field.field, of: "a finished run", pool: items.name.text, known }, field)
  }
  if (scene.torn) return
  const lacking = lackingFields(items)
  for (const { field, instead } of lacking)
    if (instead !== undefined) scene.say("CFX3005", { field: instead.text, meant: field }, instead)
  const left = lacking.filter(({ instead }) => instead === undefined).map(({ field }) => field)
  if (left.length > 0) scene.say("CFX3006", { fields: left, pool: items.name.text }, items.name)
}

const checkCounts = (items: Items, scene: Scene): void => {
  const columns = itemColumnsOf(items)
  for (const field of items.fields) {
    if (field.field !== "size" && field.field !== "choices" && field.field !== "strata") continue
    const least = field.field === "choices" ? 2 : 1
    const { value } = field.count
    if (!Number.isSafeInteger(value) || value < least) {
      const what = field.field === "strata" ? "The number of strata" : `\`${field.field}\``
      scene.say("CFX3108", { what, least, found: String(value) }, field.count)
    }
    if (field.field !== "strata" || columns.includes(field.column.text)) continue
    const parameters = { column: field.column.text, pool: items.name.text, known: columns, by: "`strata`" }
    scene.say("CFX3109", parameters, field.column)
  }
}

/** A gold answer that is always first must not stay where it is. */
const checkOrder = (items: Items, scene: Scene): void => {
  const gold = mappingsOf(items).find(({ target }) => target.text === "gold")
  const first = gold?.columns.find(
    (column) => column.kind === "call" && column.callee.kind === "name" && column.callee.text === "first",
  )
  if (first !== undefined && fieldOf(items, "shuffle") === undefined)
    scene.say("CFX3117", { pool: items.name.text }, first)
}
