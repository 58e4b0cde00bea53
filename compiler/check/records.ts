/** The `records` of an experiment: that what is mapped is there to be mapped, and that each thing is mapped once. */
import type {
  Experiment,
  HoleType,
  Protocol,
  RecordedLabel,
  RecordMapping,
  RecordsField,
} from "../../grammar/ast.ts"
import { columnsOf, outerColumns } from "../lower/columns.ts"
import { labelText, levelName } from "../lower/print.ts"
import { type ReadInfo, readsOf } from "../lower/reads.ts"
import {
  isRecordsAlone,
  mappingsOfRecords,
  partsOfRead,
  recordedFields,
  recordsField,
} from "../lower/recorded.ts"
import { isRecordedField, recordsFormats, recordsPolicies } from "../lower/records.ts"
import type { Bound } from "../resolve.ts"
import { checkColumn } from "./mapping.ts"
import { distinctNames, onlyOnce, plain, type Scene } from "./scene.ts"

export const checkRecords = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  scene: Scene,
): void => {
  const field = recordsField(experiment)
  if (field === undefined) return
  if (field.file !== undefined) plain(scene, field.file, "The file of records")
  checkEntries(experiment, field, scene)
  const reads = protocol === undefined ? undefined : readsOf(protocol, scene.names)
  for (const mapping of mappingsOfRecords(field)) checkMapping(mapping, experiment, reads, scene)
  checkNeeded(experiment, field, reads, scene)
}

/** What stands in the way of a second entry of its kind. */
const keyOf = (entry: RecordsField["entries"][number]): string => {
  switch (entry.entry) {
    case "mapping": {
      const { target, part } = entry
      if (part === undefined) return target.text
      const label = part.label === undefined ? "" : `(${labelText(part.label)})`
      return `${target.text}.${part.name.text}${label}`
    }
    case "on":
      return `on ${entry.problem.text}`
    default:
      return entry.entry
  }
}

const checkEntries = (experiment: Experiment, field: RecordsField, scene: Scene): void => {
  onlyOnce(scene, "`records`", field.entries, keyOf)
  const alone = isRecordsAlone(experiment)
  for (const entry of field.entries) {
    if (entry.entry === "format") {
      const found = entry.format.text
      if (!(recordsFormats as readonly string[]).includes(found))
        scene.say("CFX2013", { field: "format", found, known: recordsFormats }, entry.format)
    } else if (entry.entry === "on") {
      const problems = Object.keys(recordsPolicies)
      const known = Object.entries(recordsPolicies).find(([problem]) => problem === entry.problem.text)?.[1]
      if (known === undefined)
        scene.say("CFX2013", { field: "on", found: entry.problem.text, known: problems }, entry.problem)
      else if (!(known as readonly string[]).includes(entry.policy.text)) {
        const where = `on ${entry.problem.text}`
        scene.say("CFX2013", { field: where, found: entry.policy.text, known }, entry.policy)
      }
    } else if (entry.entry === "labels") {
      if (!alone) scene.say("CFX3204", { what: "`labels`", owner: "the pool" }, entry)
      for (const label of entry.labels) checkLabel(label, scene)
      distinctNames(
        scene,
        "label",
        entry.labels.map((label) => ({ text: labelText(label), span: label.span })),
      )
      if (entry.labels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "label" }, entry)
    }
  }
}

const checkLabel = (label: RecordedLabel, scene: Scene): void => {
  if (label.kind === "text") plain(scene, label, "A label")
}

const checkMapping = (
  mapping: RecordMapping,
  experiment: Experiment,
  reads: readonly ReadInfo[] | undefined,
  scene: Scene,
): void => {
  const { target, part, type, levels } = mapping
  const alone = isRecordsAlone(experiment)
  const read = reads?.find(({ name }) => name === target.text)
  checkPlace(mapping, read, scene)
  const columns = columnsOf(experiment, scene.names)
  if (part === undefined && target.text === "labels" && !alone)
    scene.say("CFX3204", { what: "`labels`", owner: "the pool" }, target)
  else if (part !== undefined && (target.text === "item" || target.text === "model")) {
    if (!alone) {
      const owner = target.text === "item" ? "the pool" : "the model"
      scene.say("CFX3204", { what: `\`${target.text}.${part.name.text}\``, owner }, part.name)
    }
    if (part.label !== undefined) sayNoPart(mapping, [], scene)
  } else if (part !== undefined && (read !== undefined || isRecordedField(target.text))) {
    checkPart(mapping, read, declaredLabels(experiment), scene)
  } else if (!alone && reads !== undefined && !scene.torn) {
    const known = [
      ...recordedFields.filter((name) => name !== "labels"),
      ...columns.map(({ name }) => name),
      ...reads.map(({ name }) => name),
    ]
    if (!known.includes(target.text)) scene.say("CFX3201", { name: target.text, known }, target)
  }
  if (type !== undefined) checkType(mapping, type, alone, read, scene)
  if (levels !== undefined) checkLevels(mapping, experiment, columns, scene)
}

/** Which functions may stand in a column goes by what is made of it: an option, a list, or a text. */
const checkPlace = (
  { target, part, column }: RecordMapping,
  read: ReadInfo | undefined,
  scene: Scene,
): void => {
  const options = ["gold", "target", "pushed"].includes(target.text) || read?.kind === "option"
  const lists = target.text === "labels" || (part?.name.text === "p" && part.label === undefined)
  checkColumn(column, lists ? "labels" : options && part === undefined ? "gold" : target.text, scene)
}

const sayNoPart = ({ target, part }: RecordMapping, known: readonly string[], scene: Scene): void => {
  if (part !== undefined) scene.say("CFX3202", { of: target.text, part: part.name.text, known }, part.name)
}

/** The labels that records alone declare for the options of all items; none where the file has them. */
const declaredLabels = (experiment: Experiment): readonly string[] | undefined =>
  recordsField(experiment)?.entries.flatMap((entry) =>
    entry.entry === "labels" ? [entry.labels.map(labelText)] : [],
  )[0]

const checkPart = (
  mapping: RecordMapping,
  read: ReadInfo | undefined,
  declared: readonly string[] | undefined,
  scene: Scene,
): void => {
  const { target, part } = mapping
  if (part === undefined) return
  const known = read === undefined ? [] : partsOfRead.filter((one) => read.kind !== "text" || one !== "p")
  const isKnown = (known as readonly string[]).includes(part.name.text)
  if (!isKnown || (part.label !== undefined && part.name.text !== "p")) {
    sayNoPart(mapping, known, scene)
    return
  }
  if (part.label === undefined) return
  checkLabel(part.label, scene)
  const labels = read === undefined ? undefined : read.kind === "option" ? declared : labelsOf(read)
  const label = labelText(part.label)
  if (labels !== undefined && !labels.includes(label))
    scene.say("CFX3203", { label, read: target.text, labels }, part.label)
}

/** The labels of a read that has the same of every item. */
const labelsOf = ({ kind, labels, low, high }: ReadInfo): readonly string[] | undefined => {
  if (kind === "label") return labels
  if (kind !== "integer" || low === undefined || high === undefined || high - low > 1000) return undefined
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => String(low + index))
}

const checkType = (
  { target, part }: RecordMapping,
  type: HoleType,
  alone: boolean,
  read: ReadInfo | undefined,
  scene: Scene,
): void => {
  const owner = "the protocol"
  if (!alone) scene.say("CFX3204", { what: `The type of \`${target.text}\``, owner }, type)
  else if (part !== undefined || isRecordedField(target.text)) {
    const of = part === undefined ? target.text : `${target.text}.${part.name.text}`
    scene.say("CFX3205", { of }, type)
  } else if (type.kind === "option" && type.of !== undefined) {
    scene.say("CFX3204", { what: "An option of another item", owner }, type.of)
  } else if (type.kind === "integer" && !(type.low.value <= type.high.value)) {
    scene.say(
      "CFX2013",
      { field: "integer", found: `${type.low.value}..${type.high.value}`, known: ["1..10"] },
      type,
    )
  } else if (type.kind === "label" && type.labels.length === 0 && !scene.torn && read !== undefined) {
    scene.say("CFX2017", { what: "label" }, type)
  }
}

const checkLevels = (
  { target, part, levels = [] }: RecordMapping,
  experiment: Experiment,
  columns: ReturnType<typeof columnsOf>,
  scene: Scene,
): void => {
  const isOuter = (outerColumns as readonly string[]).includes(target.text)
  const column = columns.find(({ name }) => name === target.text)
  if (part !== undefined || (column === undefined && !isOuter)) {
    if (!scene.torn) scene.say("CFX3206", { of: target.text }, levels[0] ?? target)
    return
  }
  if (levels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "level" }, target)
  const values = new Map<string, string>()
  const names = new Set<string>()
  for (const { level, values: written, span } of levels) {
    const name = levelName(level)
    if (names.has(name)) scene.say("CFX2205", { factor: target.text, level: name }, level)
    names.add(name)
    if (level.kind === "text") plain(scene, level, "A level")
    const isKnown = isRecordsAlone(experiment) || column === undefined || column.levels.includes(name)
    if (!isKnown) scene.say("CFX2204", { factor: target.text, level: name, known: column.levels }, level)
    for (const value of written.length === 0 ? [undefined] : written) {
      if (value !== undefined) checkLabel(value, scene)
      const text = value === undefined ? name : labelText(value)
      const before = values.get(text)
      if (before !== undefined && before !== name)
        scene.say("CFX3207", { value: text, first: before, second: name }, value ?? { span })
      values.set(text, name)
    }
  }
}

/** What records must have whatever is measured. */
const checkNeeded = (
  experiment: Experiment,
  field: RecordsField,
  reads: readonly ReadInfo[] | undefined,
  scene: Scene,
): void => {
  if (scene.torn) return
  const mapped = new Set(mappingsOfRecords(field).map(({ target }) => target.text))
  const need = (what: "item" | "read", example: string): void =>
    scene.say("CFX2010", { field: what, within: "`records`", example, isWord: what === "read" }, field)
  if (!mappingsOfRecords(field).some(({ target, part }) => target.text === "item" && part === undefined))
    need("item", "item = id")
  if (isRecordsAlone(experiment)) {
    if (reads === undefined) need("read", "a0: option = answer")
  } else if (reads !== undefined && !reads.some(({ name }) => mapped.has(name)))
    need("read", `${reads[0]?.name ?? "a0"} = answer`)
}
