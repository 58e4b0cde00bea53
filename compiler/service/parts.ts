/** What declarations define inside themselves: reads, arms, measures and other names that are known there, or where the declaration is used. */
import type { Declaration, Experiment, Name, Protocol, Text } from "../../grammar/ast.ts"
import { fieldsOf, outerColumns } from "../lower/columns.ts"
import { measureName } from "../lower/measures.ts"
import { holeReads } from "../lower/reads.ts"
import {
  isRecordsAlone,
  mappingsOfRecords,
  recordedFactors,
  recordedLevels,
  recordedProtocol,
  recordsField,
} from "../lower/recorded.ts"
import { once } from "../memo.ts"

export type PartKind =
  | "read"
  | "turn"
  | "variable"
  | "slot"
  | "role"
  | "draw"
  | "parameter"
  | "wording"
  | "arm"
  | "factor"
  | "level"
  | "measure"
  | "contrast"
  | "summary"
  | "family"
  | "model fit"
  | "table"
  | "figure"

export interface Part {
  readonly what: PartKind
  /** Where it gets its name; of a measure without one of its own, the metric's. */
  readonly name: Name
}

const named =
  (what: PartKind) =>
  (name: Name): Part => ({ what, name })

/** In no particular order. */
export const partsOf = once((declaration: Declaration): readonly Part[] => {
  switch (declaration.kind) {
    case "protocol":
      return protocolParts(declaration)
    case "experiment":
      return [...experimentParts(declaration), ...recordedParts(declaration)]
    case "metric":
      return declaration.parameters.map(({ name }) => ({ what: "parameter", name }))
    case "framing":
      return declaration.fields.flatMap((field) =>
        field.field === "wording" ? [{ what: "wording", name: field.name }] : [],
      )
    case "dose":
      return declaration.parameters.map(named("parameter"))
    case "judge":
      return [
        ...declaration.parameters.map(named("parameter")),
        ...declaration.fields.flatMap((field) => (field.field === "assistant" ? readsIn(field.text) : [])),
      ]
    default:
      return []
  }
})

const readsIn = (text: Text): readonly Part[] =>
  text.parts.flatMap((part) => (part.kind === "hole" ? [{ what: "read", name: part.name }] : []))

const protocolParts = ({ fields, turns }: Protocol): readonly Part[] => [
  ...fields.flatMap((field): readonly Part[] => {
    switch (field.field) {
      case "slot":
        return [{ what: "slot", name: field.slot }]
      case "role":
        return [{ what: "role", name: field.role }]
      case "draw":
        return [{ what: "draw", name: field.name }]
      case "extract":
      case "judge":
        return [{ what: "read", name: field.name }]
      default:
        return []
    }
  }),
  ...turns.flatMap((turn): readonly Part[] => [
    { what: "turn", name: turn.name },
    ...(turn.repeat === undefined ? [] : [{ what: "variable" as const, name: turn.repeat.variable }]),
    ...turn.fields.flatMap((field) => (field.field === "read" ? [] : readsIn(field.text))),
  ]),
]

const experimentParts = (experiment: Experiment): readonly Part[] => [
  ...fieldsOf(experiment, "arms").flatMap(({ arms }) => arms.map(({ name }) => named("arm")(name))),
  ...fieldsOf(experiment, "measure").map(measureName).map(named("measure")),
  ...(["contrast", "summary", "family", "table", "figure"] as const).flatMap((what) =>
    fieldsOf(experiment, what).map(({ name }) => named(what)(name)),
  ),
  ...fieldsOf(experiment, "forest").map(({ name }) => named("figure")(name)),
  ...fieldsOf(experiment, "model_fit").map(({ name }) => named("model fit")(name)),
]

/** What records declare that are all there is: reads, factors, and levels of these. */
const recordedParts = (experiment: Experiment): readonly Part[] => {
  const field = recordsField(experiment)
  if (field === undefined || !isRecordsAlone(experiment)) return []
  const protocol = recordedProtocol(experiment)
  const reads = new Set(protocol === undefined ? [] : holeReads(protocol).map(({ name }) => name))
  const targets = mappingsOfRecords(field).map(({ target }) => target)
  const factors = recordedFactors(experiment).map(({ factor }) => factor)
  const columns = [...outerColumns, ...factors.map(({ text }) => text)]
  return [
    ...[...reads].flatMap((read) => targets.find(({ text }) => text === read) ?? []).map(named("read")),
    ...factors.map(named("factor")),
    ...columns.flatMap((column) =>
      (recordedLevels(experiment, column) ?? []).flatMap((level) =>
        level.kind === "name" ? [named("level")(level)] : [],
      ),
    ),
  ]
}
