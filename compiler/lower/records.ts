/** The records of an experiment: where their rows have what a trial is made of. */
import type { Experiment, RecordMapping, RecordsField } from "../../grammar/ast.ts"
import type {
  ColumnIR,
  RecordedReadIR,
  RecordsFormat,
  RecordsIR,
  RecordsPolicy,
  RecordsProblem,
} from "../ir.ts"
import { relativeTo } from "../load.ts"
import type { Bound } from "../resolve.ts"
import { lowerColumn } from "./items.ts"
import { labelText, levelName } from "./print.ts"
import {
  isRecordsAlone,
  mappingsOfRecords,
  type partsOfRead,
  recordedFields,
  recordsField,
} from "./recorded.ts"
import { lowerPlain, originOf } from "./text.ts"

export const recordsFormats = [
  "csv",
  "jsonl",
  "parquet",
  "lm_eval",
  "inspect",
] as const satisfies readonly RecordsFormat[]

/** What may become of a row by what is wrong with it; the first is what becomes of it where nothing is said. */
export const recordsPolicies: Readonly<Record<RecordsProblem, readonly RecordsPolicy[]>> = {
  missing: ["stop", "leave_out"],
  unknown: ["stop", "leave_out"],
  duplicate: ["stop", "first", "last"],
  contradiction: ["stop", "leave_out", "keep"],
  no_option: ["invalid", "stop", "leave_out"],
  bad_number: ["stop", "invalid", "leave_out"],
}

/** `reads`: of the protocol, by name. */
export const lowerRecords = (bound: Bound<Experiment>, reads: readonly string[]): RecordsIR | undefined => {
  const { declaration, module } = bound
  const field = recordsField(declaration)
  if (field === undefined) return undefined
  const mappings = mappingsOfRecords(field)
  const whole = mappings.filter(({ part }) => part === undefined)
  const columns = Object.fromEntries(
    whole.flatMap((mapping) =>
      mapping.target.text === "labels" || reads.includes(mapping.target.text)
        ? []
        : [[mapping.target.text, columnOf(mapping)] as const],
    ),
  )
  const partsOf = (target: string): Readonly<Record<string, ColumnIR>> =>
    Object.fromEntries(
      mappings.flatMap((mapping) =>
        mapping.target.text === target && mapping.part !== undefined
          ? [[mapping.part.name.text, columnOf(mapping)] as const]
          : [],
      ),
    )
  const format = formatOf(field)
  const labels = labelsOf(field, whole)
  return {
    ...(field.file === undefined ? {} : { file: relativeTo(module.path, lowerPlain(field.file)) }),
    ...(format === undefined ? {} : { format }),
    alone: isRecordsAlone(declaration),
    columns,
    levels: Object.fromEntries(
      whole.flatMap(({ target, levels }) =>
        levels === undefined
          ? []
          : [
              [
                target.text,
                Object.fromEntries(
                  levels.flatMap(({ level, values }) => {
                    const name = levelName(level)
                    return values.length === 0
                      ? [[name, name]]
                      : values.map((value) => [labelText(value), name])
                  }),
                ),
              ] as const,
            ],
      ),
    ),
    ...(labels === undefined ? {} : { labels }),
    items: partsOf("item"),
    attributes: partsOf("model"),
    reads: reads.flatMap((hole) => readOf(hole, mappings) ?? []),
    policies: Object.fromEntries(
      field.entries.flatMap((entry) =>
        entry.entry === "on" ? [[entry.problem.text, entry.policy.text]] : [],
      ),
    ),
    origin: originOf(bound, field.span),
  }
}

/** What was reported as no column is an empty one. */
const columnOf = ({ column }: RecordMapping): ColumnIR => lowerColumn(column) ?? []

const formatOf = (field: RecordsField): RecordsFormat | undefined => {
  for (const entry of field.entries) {
    const found =
      entry.entry === "format" ? recordsFormats.find((one) => one === entry.format.text) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const labelsOf = (field: RecordsField, whole: readonly RecordMapping[]): RecordsIR["labels"] => {
  for (const entry of field.entries) if (entry.entry === "labels") return { all: entry.labels.map(labelText) }
  const mapped = whole.find(({ target }) => target.text === "labels")
  return mapped === undefined ? undefined : { list: columnOf(mapped) }
}

/** None where the records have nothing of it. */
const readOf = (hole: string, mappings: readonly RecordMapping[]): RecordedReadIR | undefined => {
  const own = mappings.filter(({ target }) => target.text === hole)
  if (own.length === 0) return undefined
  const part = (name: (typeof partsOfRead)[number]): ColumnIR | undefined => {
    const found = own.find((one) => one.part?.name.text === name && one.part.label === undefined)
    return found === undefined ? undefined : columnOf(found)
  }
  const answer = own.find((one) => one.part === undefined)
  const by = own.flatMap((one) =>
    one.part?.label === undefined ? [] : [[labelText(one.part.label), columnOf(one)] as const],
  )
  const list = by.length > 0 ? undefined : part("p")
  const parts = (["mass", "refused", "prompt", "status", "why", "tokens"] as const).flatMap((name) => {
    const column = part(name)
    return column === undefined ? [] : [[name, column] as const]
  })
  return {
    hole,
    ...(answer === undefined ? {} : { answer: columnOf(answer) }),
    ...(by.length === 0 ? {} : { probabilities: { by: Object.fromEntries(by) } }),
    ...(list === undefined ? {} : { probabilities: { list } }),
    ...Object.fromEntries(parts),
  }
}

export const isRecordedField = (name: string): boolean => (recordedFields as readonly string[]).includes(name)
