/** What an experiment measures, compares, shows and expects. */
import type { ContrastField, Experiment, Expression, Metric } from "../../grammar/ast.ts"
import type {
  ContrastIR,
  ExpectIR,
  FigureIR,
  HoleIR,
  MeasureIR,
  ProtocolIR,
  RestrictedIR,
  TableIR,
} from "../ir.ts"
import type { Bound, Names } from "../resolve.ts"
import { columnsOf, fieldsOf, outerColumns, print } from "./columns.ts"
import { evaluate } from "./dose.ts"
import { lowerExpression, type Meaning } from "./expression.ts"
import { wholeMetric } from "./inherit.ts"
import { originOf } from "./text.ts"

const byName = (holes: readonly HoleIR[]): ReadonlyMap<string, HoleIR> =>
  new Map(holes.map((hole) => [hole.name, hole]))

/** A metric over the reads of a protocol. Its name is the one that it goes by in the experiment. */
export const lowerMeasure = (
  name: string,
  bound: Bound<Metric>,
  protocol: ProtocolIR,
  names: Names,
): MeasureIR | undefined => {
  const { parameters, statistic, given, interval, invalid } = wholeMetric(bound, names)
  if (statistic === undefined || interval === undefined) return undefined
  const known = byName(protocol.holes)
  const holes = new Map<string, HoleIR>()
  for (const { node } of parameters) {
    const hole = node.default.kind === "name" ? known.get(node.default.text) : undefined
    if (hole !== undefined) holes.set(node.name.text, hole)
  }
  const meaning: Meaning = { holes, columns: new Set() }
  return {
    name,
    doc: bound.declaration.doc,
    statistic: statistic.node.field,
    value: lowerExpression(statistic.node.value, meaning),
    ...(given === undefined ? {} : { given: lowerExpression(given.node.condition, meaning) }),
    interval: {
      method: interval.node.method.text as MeasureIR["interval"]["method"],
      level: interval.node.level.value,
    },
    invalid: (invalid?.node.policy.text ?? "exclude") as MeasureIR["invalid"],
    origin: originOf(bound, bound.declaration.name.span),
  }
}

/** `HRR[framing = experts]`, or a measure by its bare name. None where neither stands. */
export const restrictedOf = (expression: Expression): RestrictedIR | undefined => {
  if (expression.kind === "name") return { measure: expression.text, levels: {} }
  if (expression.kind !== "restriction") return undefined
  const levels = expression.levels.map(({ factor, level }) => [factor.text, print(level)] as const)
  return { measure: expression.measure.text, levels: Object.fromEntries(levels) }
}

/** How a contrast may be taken. */
export const ways = ["paired(item)", "pooled"] as const

const lowerContrast = (field: ContrastField, bound: Bound<Experiment>): readonly ContrastIR[] => {
  if (field.value.kind !== "binary") return []
  const left = restrictedOf(field.value.left)
  const right = restrictedOf(field.value.right)
  if (left === undefined || right === undefined) return []
  return [
    {
      name: field.name.text,
      doc: "",
      left,
      right,
      by: field.by.map((way) => (print(way) === "pooled" ? "pooled" : "paired")),
      origin: originOf(bound, field.span),
    },
  ]
}

/** What an expectation says, whichever side its number is on. None where it is not a comparison of a name with a number. */
export const claimOf = (claim: Expression) => {
  if (claim.kind !== "binary") return undefined
  const operator = claim.operator
  if (operator !== "<" && operator !== "<=" && operator !== ">" && operator !== ">=") return undefined
  const turned = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const
  const boundOf = (side: Expression): number | undefined => {
    const bound = evaluate(side, new Map())
    return bound !== undefined && Number.isFinite(bound) ? bound : undefined
  }
  const right = boundOf(claim.right)
  if (right !== undefined) return { subject: claim.left, operator, bound: right }
  const left = boundOf(claim.left)
  return left === undefined ? undefined : { subject: claim.right, operator: turned[operator], bound: left }
}

const lowerExpect = (claim: Expression, bound: Bound<Experiment>): readonly ExpectIR[] => {
  const said = claimOf(claim)
  if (said === undefined) return []
  const { subject, operator } = said
  const rest = { text: print(claim), operator, bound: said.bound, origin: originOf(bound, claim.span) }
  if (subject.kind === "name") return [{ ...rest, contrast: subject.text, of: "estimate" }]
  if (subject.kind !== "member" || subject.object.kind !== "name") return []
  return [{ ...rest, contrast: subject.object.text, of: subject.property.text as "low" | "high" }]
}

export interface Analysis {
  readonly contrasts: readonly ContrastIR[]
  readonly tables: readonly TableIR[]
  readonly figures: readonly FigureIR[]
  readonly expects: readonly ExpectIR[]
}

export const lowerAnalysis = (bound: Bound<Experiment>, protocol: ProtocolIR): Analysis => {
  const experiment = bound.declaration
  const columns = new Set<string>([...columnsOf(experiment).map(({ name }) => name), ...outerColumns])
  const where = (condition: Expression | undefined) =>
    condition === undefined
      ? {}
      : { where: lowerExpression(condition, { holes: byName(protocol.holes), columns }) }
  return {
    contrasts: fieldsOf(experiment, "contrast").flatMap((field) => lowerContrast(field, bound)),
    tables: fieldsOf(experiment, "table").map((table) => ({
      name: table.name.text,
      rows: table.rows.map(({ text }) => text),
      columns: table.columns.map(({ text }) => text),
      average: "pooled",
      ...where(table.where),
    })),
    figures: fieldsOf(experiment, "figure").map((figure) => ({
      name: figure.name.text,
      mark: figure.mark.text as FigureIR["mark"],
      measure: figure.measure.text,
      by: figure.by.text,
      ...(figure.color === undefined ? {} : { color: figure.color.text }),
      ...where(figure.where),
    })),
    expects: fieldsOf(experiment, "expect").flatMap(({ claim }) => lowerExpect(claim, bound)),
  }
}
