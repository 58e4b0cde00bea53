/** What the names of experiments stand for, and what these decide of names elsewhere: which read a metric or a target takes. */
import type { AssumeEntry, Expression, Name } from "../../grammar/ast.ts"
import { claimOf } from "../lower/claims.ts"
import { fieldsOf } from "../lower/columns.ts"
import { wholeMetric } from "../lower/inherit.ts"
import type { MeasureField } from "../lower/measures.ts"
import { mappingsOfRecords } from "../lower/recorded.ts"
import { readOfTarget, targetsOf } from "../lower/target.ts"
import { type Around, tellExpression, tellLevel } from "./expressionNames.ts"
import { type Meaning, partsNamed, type Table } from "./meanings.ts"
import { parameterOf } from "./metricNames.ts"
import { tellDraws, tellWordings } from "./stimulusNames.ts"
import { columnNamed, levelsIn, type Used } from "./uses.ts"

export const tellExperiment = (used: Used, table: Table): void => {
  const { experiment, protocol, read } = used
  const { declaration } = experiment
  const column = (text: string) => columnNamed(text, protocol, [experiment])
  const columnMeaning = (text: string): readonly Meaning[] => column(text)?.meanings ?? []
  const measure = (text: string) => partsNamed(experiment, ["measure"], text)
  const contrast = (text: string) => partsNamed(experiment, ["contrast"], text)
  const tellEach = (find: (text: string) => readonly Meaning[], names: readonly (Name | undefined)[]) => {
    for (const name of names) if (name !== undefined) table.tell(name, find(name.text))
  }
  const around: Around = {
    value: (text) => column(text)?.meanings ?? read(text),
    levels: (text) => column(text)?.levels,
    isModel: (text) => column(text)?.isModel === true,
  }
  const where = (condition: Expression | undefined) => {
    if (condition !== undefined) tellExpression(condition, around, table)
  }

  // Levels first: what is compared with one stands for the same.
  for (const { factor } of fieldsOf(declaration, "factor")) table.tell(factor, columnMeaning(factor.text))
  tellWordings(used, table)
  tellDraws(used, table)
  for (const target of targetsOf(declaration)) {
    const taken = readOfTarget(target, table.names)
    if (taken !== undefined) table.tell(taken, read(taken.text))
  }
  for (const field of fieldsOf(declaration, "measure")) tellMeasure(field, read, table)

  for (const field of declaration.fields) {
    switch (field.field) {
      case "only":
      case "except":
        where(field.condition)
        break
      case "contrast":
        tellMeasured(field.value)
        for (const way of field.by) tellEach(columnMeaning, columnsOf(way))
        break
      case "summary":
        tellMeasured(field.measure)
        if (field.against !== undefined) tellMeasured(field.against)
        tellEach(columnMeaning, [...field.over, ...field.by])
        where(field.where)
        break
      case "family":
      case "forest":
        tellEach(contrast, field.contrasts)
        break
      case "model_fit":
        tellEach(measure, [field.metric])
        where(field.terms)
        tellEach(columnMeaning, [...field.random, ...field.slopes.flatMap(({ factor, by }) => [factor, by])])
        where(field.where)
        break
      case "table":
        tellEach(columnMeaning, field.rows)
        tellEach(measure, field.columns)
        if (field.average !== undefined) tellEach(columnMeaning, columnsOf(field.average))
        where(field.where)
        break
      case "figure":
        tellEach(measure, [field.measure])
        tellEach(columnMeaning, [field.by, field.color, field.facet])
        where(field.where)
        break
      case "assume":
        for (const { name, value } of field.entries) {
          tellEach(measure, [name])
          if (!("kind" in value)) tellAssumed(name, value)
        }
        break
      case "expect":
        if (field.claim.kind === "published") tellMeasured(field.claim.measure)
        else if (field.claim.kind === "equivalent") tellEach(contrast, [field.claim.contrast])
        else tellEach(contrast, [subjectOf(field.claim.value)])
        break
      case "records":
        for (const { target, part, levels } of mappingsOfRecords(field)) {
          const own = partsNamed(experiment, ["read"], target.text)
          const known = column(target.text)
          tellEach(() => known?.meanings ?? (own.length > 0 ? own : read(target.text)), [target])
          if (part === undefined)
            for (const { level } of levels ?? []) tellLevel(level, known?.levels ?? [], table)
        }
        break
    }
  }

  /** A measure, a measure over some of the trials, and what is added and subtracted of these. */
  function tellMeasured(value: Expression): void {
    if (value.kind === "name") tellEach(measure, [value])
    else if (value.kind === "unary") tellMeasured(value.operand)
    else if (value.kind === "binary") {
      tellMeasured(value.left)
      tellMeasured(value.right)
    } else if (value.kind === "restriction") {
      tellEach(measure, [value.measure])
      for (const { factor, level } of value.levels) {
        tellEach(columnMeaning, [factor])
        tellLevel(level, column(factor.text)?.levels ?? [], table)
      }
      value.conditions.forEach(where)
    }
  }

  /** What is assumed of a measure goes by a level of any column, deviations go by columns. */
  function tellAssumed(name: Name, entries: readonly AssumeEntry[]): void {
    for (const entry of entries) {
      if (measure(name.text).length === 0) tellEach(columnMeaning, [entry.name])
      else tellLevel(entry.name, levelsIn(declaration), table)
    }
  }
}

/** The columns in `cells(model, pool)`, `macro(model)` and the like. */
const columnsOf = (expression: Expression): readonly Name[] =>
  expression.kind === "call"
    ? expression.arguments.flatMap((argument) => (argument.kind === "name" ? [argument] : []))
    : []

/** The contrast that an expectation speaks of. */
const subjectOf = (claim: Expression): Name | undefined => {
  const subject = claimOf(claim)?.subject
  const named = subject?.kind === "member" ? subject.object : subject
  return named?.kind === "name" ? named : undefined
}

/** The parameters that a measure gives reads to; those that it leaves out take what the metric says, which stands for a read of this protocol then. */
const tellMeasure = (
  { metric, arguments: given }: MeasureField,
  read: (text: string) => readonly Meaning[],
  table: Table,
): void => {
  const bound = table.names.find(metric, "metric")
  for (const { parameter, value } of given) {
    if (bound !== undefined) table.tell(parameter, parameterOf(bound, parameter.text, table.names))
    if (value.kind === "name") table.tell(value, read(value.text))
  }
  if (bound === undefined) return
  const named = given.map(({ parameter }) => parameter.text)
  for (const { node } of wholeMetric(bound, table.names).parameters)
    if (!named.includes(node.name.text) && node.default.kind === "name")
      table.tell(node.default, read(node.default.text))
}
