/** Contrasts, tables, figures and expectations: that they speak of measures that are taken and trials that there are. */
import type {
  AssertionArgument,
  ContrastField,
  Experiment,
  Expression,
  LevelFilter,
  Name,
  Protocol,
} from "../../grammar/ast.ts"
import { cellsOf } from "../lower/arms.ts"
import {
  armsOf,
  assertionFactors,
  columnsOf,
  fieldsOf,
  fixedLevels,
  isFactor,
  outerColumns,
  print,
} from "../lower/columns.ts"
import { ancestry, wholeMetric } from "../lower/inherit.ts"
import { claimOf, restrictedOf, ways } from "../lower/measures.ts"
import { holesOf } from "../lower/protocol.ts"
import type { Names } from "../resolve.ts"
import { declaredFactors, headOf } from "../resolveReferences.ts"
import { unhalved } from "./arms.ts"
import { combined, fractions, type Range, rangeOf, verdict } from "./ranges.ts"
import { distinctNames, onlyOnce, type Scene } from "./scene.ts"
import { type Environment, expect } from "./types.ts"

/** What the analysis of an experiment may speak of. */
interface Design {
  readonly experiment: Experiment
  readonly measures: readonly string[]
  /** Levels by column, `model` and `pool` among them; none where a level, or that there is none, was reported: any other may be meant. */
  readonly columns: ReadonlyMap<string, readonly string[] | undefined>
  /** Whether a measure, or a factor, or that there are no arms, or that levels do not fit, was reported, so that any other may be meant. */
  readonly unsure: { readonly measures: boolean; readonly columns: boolean; readonly cells: boolean }
  readonly protocol: Protocol | undefined
  readonly names: Names
}

export const checkAnalysis = (experiment: Experiment, protocol: Protocol | undefined, scene: Scene): void => {
  const design = designOf(experiment, protocol, scene.names)
  const contrasts = fieldsOf(experiment, "contrast")
  const tables = fieldsOf(experiment, "table")
  const figures = fieldsOf(experiment, "figure")
  distinctNames(
    scene,
    "contrast",
    contrasts.map(({ name }) => name),
  )
  distinctNames(
    scene,
    "table",
    tables.map(({ name }) => name),
  )
  distinctNames(
    scene,
    "figure",
    figures.map(({ name }) => name),
  )

  for (const contrast of contrasts) checkContrast(contrast, design, scene)
  for (const { rows, columns, average, where } of tables) {
    for (const row of rows) checkColumn(row, design, scene)
    distinctNames(scene, "row", rows)
    for (const column of columns) checkMeasure(column, design, scene)
    distinctNames(scene, "column", columns)
    if (average !== undefined) checkChoice("average", average, ["pooled"], scene)
    if (where !== undefined) checkWhere(where, design, scene)
  }
  for (const { mark, measure, by, color, where } of figures) {
    checkChoice("figure", mark, ["bar", "dot"], scene)
    checkMeasure(measure, design, scene)
    checkColumn(by, design, scene)
    if (color !== undefined) checkColumn(color, design, scene)
    if (where !== undefined) checkWhere(where, design, scene)
  }
  for (const { claim } of fieldsOf(experiment, "expect")) {
    checkClaim(claim, contrasts, design, scene)
  }
}

const designOf = (experiment: Experiment, protocol: Protocol | undefined, names: Names): Design => {
  const models = fieldsOf(experiment, "models").flatMap((field) => field.models)
  const pools = fieldsOf(experiment, "items").flatMap((field) => field.pools.map(({ pool }) => pool))
  const measured = fieldsOf(experiment, "measure").map(({ metric }) => metric)
  const texts = (written: readonly Name[], kind: "model" | "items") =>
    written.length > 0 && written.every((name) => names.find(name, kind) !== undefined)
      ? written.map(({ text }) => text)
      : undefined
  const factors = armsOf(experiment).flatMap(({ stimulus }) =>
    stimulus.kind === "assertion" ? stimulus.arguments : [],
  )
  const doubtful = new Set(
    factors.filter((argument) => !isKnown(argument, names)).map(({ factor }) => factor.text),
  )
  return {
    experiment,
    protocol,
    names,
    measures: measured.map(({ text }) => text),
    columns: new Map([
      ...columnsOf(experiment).map(
        ({ name, levels }) => [name, doubtful.has(name) || levels.length === 0 ? undefined : levels] as const,
      ),
      ["model", texts(models, "model")],
      ["pool", texts(pools, "items")],
    ]),
    unsure: {
      measures: measured.some((name) => names.find(name, "metric") === undefined),
      columns: armsOf(experiment).length === 0 || factors.some(({ factor }) => !isFactor(factor.text)),
      cells: armsOf(experiment).some(
        ({ stimulus }) => stimulus.kind === "assertion" && unhalved(stimulus, names).length > 0,
      ),
    },
  }
}

/** Whether every level of a factor is one that there is. */
const isKnown = ({ factor, levels }: AssertionArgument, names: Names): boolean => {
  const kind = declaredFactors.get(factor.text)
  if (kind === undefined) {
    const known = isFactor(factor.text) ? (fixedLevels[factor.text] ?? []) : []
    return levels.every((level) => known.includes(print(level)))
  }
  return levels.every((level) => {
    const head = headOf(level)
    return head !== undefined && names.find(head, kind) !== undefined
  })
}

const checkChoice = (field: string, name: Name, known: readonly string[], scene: Scene): void => {
  if (!known.includes(name.text)) scene.say("CFX2013", { field, found: name.text, known }, name)
}

const checkMeasure = (name: Name, { experiment, measures, unsure }: Design, scene: Scene): boolean => {
  if (measures.includes(name.text)) return true
  if (scene.torn || unsure.measures) return false
  const declared = scene.names.has(scene.module, name.text, "metric")
  const importable = scene.names.importable(scene.module, name.text, "metric")
  const parameters = { measure: name.text, experiment: experiment.name.text, declared, importable }
  scene.say("CFX2307", { ...parameters, known: measures }, name)
  return false
}

const checkColumn = (name: Name, { experiment, columns, unsure }: Design, scene: Scene): boolean => {
  if (columns.has(name.text)) return true
  if (!scene.torn && !unsure.columns) {
    const known = [...columns.keys()]
    scene.say("CFX2203", { factor: name.text, experiment: experiment.name.text, known }, name)
  }
  return false
}

const checkWhere = (condition: Expression, { columns, protocol, unsure }: Design, scene: Scene): void => {
  const holes = protocol === undefined ? [] : holesOf(protocol)
  const reads: Environment["reads"] = new Map(
    holes.map(({ hole }) => [hole.name.text, `${hole.type.kind} read` as const]),
  )
  const lost = unsure.columns ? assertionFactors.map((name) => [name, undefined] as const) : []
  const written = scene.torn ? [...columns].map(([name]) => [name, undefined] as const) : [...columns]
  const known = new Map<string, readonly string[] | undefined>([...lost, ...written])
  expect(condition, "truth value", "The condition of `where`", { reads, columns: known }, scene)
}

const checkContrast = (contrast: ContrastField, design: Design, scene: Scene): void => {
  for (const way of contrast.by) {
    const found = print(way)
    if (!(ways as readonly string[]).includes(found)) scene.say("CFX2313", { found, known: ways }, way)
  }
  distinctNames(
    scene,
    "way",
    contrast.by.map((way) => ({ text: print(way), span: way.span })),
  )
  const { value } = contrast
  const sides = value.kind === "binary" && value.operator === "-" ? [value.left, value.right] : []
  const [left, right] = sides.map(restrictedOf)
  if (left === undefined || right === undefined) {
    scene.say("CFX2308", { contrast: contrast.name.text }, value)
    return
  }
  const sound = sides.map((side) => checkRestricted(side, design, scene)).every(Boolean)
  if (!sound || !isSettled(design)) return
  const same =
    left.measure === right.measure &&
    linesOf(trialsOf(left.levels, design)) === linesOf(trialsOf(right.levels, design))
  if (same) scene.say("CFX2309", { same: "trials" }, value)
}

const checkRestricted = (side: Expression, design: Design, scene: Scene): boolean => {
  if (side.kind === "name") return checkMeasure(side, design, scene)
  if (side.kind !== "restriction") return false
  const measured = checkMeasure(side.measure, design, scene)
  onlyOnce(scene, design.experiment, side.levels, ({ factor }) => factor.text)
  const known = side.levels.map((filter) => checkFilter(filter, design, scene)).every(Boolean)
  if (!measured || !known) return false
  if (!isSettled(design)) return false
  const levels = restrictedOf(side)?.levels ?? {}
  if (trialsOf(levels, design).length > 0) return true
  const merged = mergedFactors(levels, design)
  // A factor that no arm reads at all was reported where it is given.
  const reported = merged.some((factor) => trialsOf({}, design, factor).length === 0)
  const written = side.levels.filter(({ factor }) => !merged.includes(factor.text))
  const said = written.map(({ factor, level }) => `${factor.text} = ${print(level)}`).join(" and ")
  if (!scene.torn && !reported) scene.say("CFX2215", { levels: said, merged }, side)
  return false
}

/**
 * Of the factors that these levels name, those to leave out so that there are trials: all their levels come to one prompt there, a cell
 * without a level of that factor. None where there would be no such trial either.
 */
const mergedFactors = (levels: Levels, design: Design): readonly string[] => {
  const without = (factors: readonly string[]): Levels =>
    Object.fromEntries(Object.entries(levels).filter(([factor]) => !factors.includes(factor)))
  const written = ["order", "paraphrase"].filter((factor) => Object.hasOwn(levels, factor))
  const rest = without(written)
  // A block has no factors, and so none that come to one.
  const asserted = trialsOf(rest, design, "framing")
  const merged = written.filter((factor) => asserted.every((trial) => !trial.has(factor)))
  return trialsOf(without(merged), design, "framing").length > 0 ? merged : []
}

const checkFilter = ({ factor, level }: LevelFilter, design: Design, scene: Scene): boolean => {
  if (!checkColumn(factor, design, scene)) return false
  const known = design.columns.get(factor.text)
  const written = print(level)
  if (known === undefined) return false
  if (known.includes(written)) return true
  if (!scene.torn) scene.say("CFX2204", { factor: factor.text, level: written, known }, level)
  return false
}

type Levels = Readonly<Record<string, string>>

/** The kinds of trials that have these levels, and any level of `having`: one for each crossing of arm, levels, model and pool. */
const trialsOf = (
  levels: Levels,
  { experiment, names, columns }: Design,
  having = "arm",
): readonly ReadonlyMap<string, string>[] => {
  const cells = armsOf(experiment).flatMap(({ name, stimulus }) => {
    const all = stimulus.kind === "name" ? [{ levels: {} }] : cellsOf(stimulus, names)
    return all.map(({ levels: own }) => new Map<string, string>([["arm", name.text], ...Object.entries(own)]))
  })
  const outer = outerColumns.reduce<readonly ReadonlyMap<string, string>[]>(
    (before, column) =>
      before.flatMap((cell) =>
        (columns.get(column) ?? []).map((level) => new Map([...cell, [column, level]])),
      ),
    cells,
  )
  return outer.filter(
    (cell) =>
      cell.has(having) && Object.entries(levels).every(([factor, level]) => cell.get(factor) === level),
  )
}

const linesOf = (trials: readonly ReadonlyMap<string, string>[]): string =>
  trials.map((trial) => JSON.stringify([...trial])).join("\n")

/** Whether everything that makes trials is known; else what is not was reported, and nothing follows from the rest. */
const isSettled = ({ columns, unsure }: Design): boolean =>
  !unsure.columns && !unsure.cells && [...columns.values()].every((levels) => levels !== undefined)

const checkClaim = (
  claim: Expression,
  contrasts: readonly ContrastField[],
  design: Design,
  scene: Scene,
): void => {
  const said = claimOf(claim)
  const subject = said?.subject.kind === "member" ? said.subject.object : said?.subject
  if (said === undefined || subject?.kind !== "name") {
    const operator =
      claim.kind === "binary" && (claim.operator === "==" || claim.operator === "!=")
        ? claim.operator
        : undefined
    scene.say("CFX2311", { operator }, claim)
    return
  }
  const contrast = contrasts.find(({ name }) => name.text === subject.text)
  const range = contrast === undefined ? undefined : rangeOfContrast(contrast, design)
  const holds = range && verdict(said.operator, range, { low: said.bound, high: said.bound })
  if (contrast === undefined) {
    const known = contrasts.map(({ name }) => name.text)
    if (!scene.torn) scene.say("CFX2310", { contrast: subject.text, known }, subject)
  } else if (range !== undefined && holds !== undefined) {
    const told = { subject: print(said.subject), ...range, bound: said.bound, holds }
    scene.say("CFX2316", { ...told, of: "estimate" }, claim)
  } else if (said.subject.kind === "member") {
    const { property } = said.subject
    const known = ["low", "high"]
    if (!known.includes(property.text))
      scene.say("CFX2303", { property: property.text, of: "contrast", known }, property)
  }
}

/** What a contrast can come to: a difference of rates lies between -1 and 1, one of means goes by what they are taken of. */
const rangeOfContrast = ({ value }: ContrastField, design: Design): Range | undefined => {
  if (value.kind !== "binary" || value.operator !== "-") return undefined
  const [left, right] = [value.left, value.right].map((side) => {
    const measure = restrictedOf(side)?.measure
    return measure === undefined ? undefined : rangeOfMeasure(measure, design)
  })
  return left === undefined || right === undefined ? undefined : combined("-", left, right)
}

const rangeOfMeasure = (measure: string, { experiment, protocol, names }: Design): Range | undefined => {
  const used = fieldsOf(experiment, "measure").find(({ metric }) => metric.text === measure)
  const metric = used === undefined ? undefined : names.find(used.metric, "metric")
  if (metric === undefined || ancestry(metric, names).cyclic) return undefined
  const { statistic, parameters } = wholeMetric(metric, names)
  if (statistic === undefined) return undefined
  if (statistic.node.field === "rate") return fractions
  return rangeOf(statistic.node.value, (read) => {
    const given = parameters.find(({ node }) => node.name.text === read)?.node.default
    const held = protocol === undefined ? [] : holesOf(protocol)
    const hole = held.find(({ hole: one }) => given?.kind === "name" && one.name.text === given.text)?.hole
    return hole?.type.kind === "integer"
      ? { low: hole.type.low.value, high: hole.type.high.value }
      : undefined
  })
}
