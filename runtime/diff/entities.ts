/** What a program consists of, each part under a name and in the language's own words: parts whose words differ have changed. */
import { posix } from "node:path"
import { isAddress } from "../../compiler/address.ts"
import { canonicalJson, withoutCommentary } from "../../compiler/hash.ts"
import type {
  CellIR,
  ContrastIR,
  ExperimentIR,
  ExprIR,
  FigureIR,
  ItemFields,
  MeasureIR,
  ModelFitIR,
  ModelIR,
  OptionOrderIR,
  PoolIR,
  PoolSourceIR,
  PoolUseIR,
  Program,
  RestrictedIR,
  SummaryIR,
  TableIR,
  TargetIR,
} from "../../compiler/ir.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import { statisticWords } from "../measure/statistic.ts"
import { columnText, pathText } from "./columns.ts"
import { recordsLines } from "./records.ts"

/** Words by name. */
export type Entities = ReadonlyMap<string, string>

/** Of the whole program. */
export const programEntities = ({ models, pools }: Program): Readonly<Record<string, Entities>> => ({
  model: named(models, modelText),
  pool: named(pools, poolText),
})

/** Of one experiment. */
export const experimentEntities = (experiment: ExperimentIR): Readonly<Record<string, Entities>> => {
  const { cells, only, independent, protocol } = experiment
  const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(", ")
  const stated: Readonly<Record<string, string | undefined>> = {
    models: experiment.models.join(", "),
    target: distinct(cells.map(({ target }) => targetText(target))),
    seed: distinct([experiment.seed, ...cells.map(({ seed }) => seed)].map(String)),
    options: distinct(cells.map(({ options }) => orderText(options))),
    replicates: String(Math.max(0, ...cells.map(({ replicate }) => replicate))),
    only: only && printExpression(only),
    draws: independent ? "independent" : "shared by arms that render the same prompt",
    assume: experiment.assume && canonicalJson(experiment.assume),
    protocol: protocol.name,
    slots: protocol.slots.join(", "),
    roles: protocol.roles.join(", "),
    "drawn items": protocol.draws.map(drawText).join(", "),
    answers: `{answer} is the ${protocol.answers}`,
    "repeated reads": Object.entries(protocol.lists)
      .map(([name, holes]) => `${name} = ${holes.join(", ")}`)
      .join("; "),
  }
  const arms = [...new Set(cells.map(({ arm }) => arm))]
  return {
    arm: new Map(arms.map((arm) => [arm, armText(cells.filter((cell) => cell.arm === arm))])),
    factor: named(experiment.factors, ({ levels }) => levels.join(", ")),
    setting: new Map(Object.entries(stated).flatMap(([key, text]) => (text ? [[key, text] as const] : []))),
    records: new Map(recordsLines(experiment.records)),
    items: new Map(experiment.pools.map((use) => [use.pool, useText(use)])),
    turn: new Map(experiment.protocol.turns.map((turn) => [turn.name, turnText(turn)])),
    read: new Map(
      experiment.protocol.holes.map(({ name, ...hole }) => [name, canonicalJson(withoutCommentary(hole))]),
    ),
    measure: named(experiment.measures, measureText),
    summary: named(experiment.summaries, summaryText),
    contrast: named(experiment.contrasts, contrastText),
    family: named(experiment.families, ({ contrasts, adjust }) => `${contrasts.join(", ")} by ${adjust}`),
    model_fit: named(experiment.fits, fitText),
    table: named(experiment.tables, tableText),
    figure: new Map([
      ...named(experiment.figures, figureText),
      ...named(experiment.forests, ({ contrasts }) => `forest ${contrasts.join(", ")}`.trimEnd()),
    ]),
    expect: new Map([...experiment.expects, ...experiment.published].map(({ text }) => [text, text])),
  }
}

const named = <T extends { readonly name: string }>(all: readonly T[], text: (one: T) => string): Entities =>
  new Map(all.map((one) => [one.name, text(one)]))

/** "4 cells", with the factors that the arm has. */
const armText = (cells: readonly CellIR[]): string => {
  const own = [...new Set(cells.flatMap(({ levels }) => Object.keys(levels)))].filter(
    (name) => name !== "arm",
  )
  return `${count(cells.length, "cell")}${own.length === 0 ? "" : ` by ${own.join(", ")}`}`
}

const drawText = ({ name, count: items, pool }: ExperimentIR["protocol"]["draws"][number]): string =>
  `${name} ${count(items, "item")}${pool === undefined ? "" : ` of ${pool}`}`

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

const rest = (value: object): string => {
  const text = canonicalJson(withoutCommentary(value))
  return text === "{}" ? "" : ` ${text}`
}

/** A sum says which model it is, wherever its file lies. */
const modelText = (model: ModelIR): string => {
  const { engine, file, sha256, bytes, attributes, served, template, system, device } = model
  const address = isAddress(file) ? file : posix.basename(file)
  const known = sha256 === undefined ? address : `sha256 ${sha256}`
  const size = sha256 === undefined && bytes !== undefined ? ` bytes ${bytes}` : ""
  const own = Object.entries(attributes).map(([key, value]) => ` ${key} ${JSON.stringify(value)}`)
  const asked = served === undefined ? undefined : { name: served.name, logprobs: served.logprobs }
  return `${engine} ${known}${size}${own.join("")}${rest({ served: asked, template, system, context: device?.context })}`
}

const poolText = ({ source, fields, where, shuffle, published }: PoolIR): string => {
  const parts = [
    sourceText(source),
    fieldsText(fields),
    given("where", where).trim(),
    shuffle ? "shuffle options" : "",
    rest(published).trim(),
  ]
  return parts.filter((part) => part !== "").join(" ")
}

const sourceText = (source: PoolSourceIR): string => {
  switch (source.kind) {
    case "files":
      return source.files.map((file) => posix.basename(file)).join(", ")
    case "hub":
      return source.address
    case "run": {
      const { folder, experiment, keep, by, exceptStudied } = source
      const one = by === undefined ? "" : ` one per item by max ${by.name} (${measureText(by)}) over model`
      const studied = exceptStudied ? " except model" : ""
      return `run ${posix.basename(folder)} experiment ${experiment} keep ${keep.join(", ")}${one}${studied}`
    }
    default:
      return source satisfies never
  }
}

/** A mapping as it is written. */
const fieldsText = ({ id, question, options, labels, gold, columns, records }: ItemFields): string => {
  const list = "each" in options ? options.each.map(columnText).join(", ") : columnText(options.list)
  const mapped: readonly (readonly [string, string])[] = [
    ...(id === undefined ? [] : [["id", columnText(id)] as const]),
    ["question", columnText(question)],
    ["options", list],
    ...(labels === undefined ? [] : [["labels", columnText(labels)] as const]),
    ["gold", columnText(gold)],
    ...Object.entries(columns).map(([name, column]) => [name, columnText(column)] as const),
  ]
  const where = records === undefined ? "" : `records ${pathText(records)} `
  return where + mapped.map(([field, column]) => `${field} = ${column}`).join(" ")
}

const useText = ({ sample, per, where }: PoolUseIR): string =>
  `${sample === undefined ? "all" : `sample ${sample}`}${per === undefined ? "" : ` per ${per}`}${given("where", where)}`

const given = (word: string, condition: ExprIR | undefined): string =>
  condition === undefined ? "" : ` ${word} ${printExpression(condition)}`

/** How a turn hangs together with others; its texts are compared as prompts. */
const turnText = ({ continues, by, when }: ExperimentIR["protocol"]["turns"][number]): string => {
  const asked = by === undefined ? "" : ` by ${"role" in by ? by.role : by.model}`
  return `${continues === undefined ? "fresh" : `continues ${continues}`}${asked}${given("when", when)}`
}

const targetText = (target: TargetIR): string => {
  switch (target.kind) {
    case "ranked_wrong":
      return target.rank === 1 ? `top_wrong(${target.hole})` : `ranked_wrong(${target.hole}, ${target.rank})`
    case "least_wrong":
      return `least_wrong(${target.hole})`
    case "option":
      return `option(${target.position})`
    default:
      return target.kind
  }
}

const orderText = (order: OptionOrderIR): string =>
  order.kind === "rotate" ? `rotate(${order.by})` : order.kind

const measureText = (measure: MeasureIR): string => {
  const { statistic, given: condition, weight, interval, invalid } = measure
  return `${statisticWords(statistic)} ${printOperands(measure)}${given("given", condition)}${given("weight", weight)} interval ${interval.method} ${interval.level} invalid ${invalid}`
}

const restrictedText = ({ measure, levels, where }: RestrictedIR): string => {
  const filters = [
    ...Object.entries(levels).map(([factor, level]) => `${factor} = ${level}`),
    ...(where === undefined ? [] : [printExpression(where)]),
  ]
  return filters.length === 0 ? measure : `${measure}[${filters.join(", ")}]`
}

const contrastText = ({ terms, by }: ContrastIR): string => {
  const sides = terms.map(
    (term, index) =>
      `${term.sign < 0 ? (index === 0 ? "-" : "- ") : index === 0 ? "" : "+ "}${restrictedText(term)}`,
  )
  const ways = by.map((way) =>
    typeof way === "string" ? way : `${way.signs ? "signs" : "cells"}(${way.cells.join(", ")})`,
  )
  return `${sides.join(" ")} by ${ways.join(", ")}`
}

const summaryText = ({ of, measure, against, over, by, where }: SummaryIR): string => {
  const other = against === undefined ? "" : ` against ${restrictedText(against)}`
  const each = by.length === 0 ? "" : ` by ${by.join(", ")}`
  return `${of} ${restrictedText(measure)}${other} over ${over.join(", ")}${each}${given("where", where)}`
}

const fitText = ({ measure, terms, random, slopes, where }: ModelFitIR): string => {
  const products = terms.map((term) => term.map(printExpression).join(" * "))
  const steep = slopes.map(
    ({ factor, by, correlated }) => `${factor} by ${by}${correlated ? " correlated" : ""}`,
  )
  return `logit ${measure} ~ ${products.join(" + ")} random [${random.join(", ")}]${steep.length === 0 ? "" : ` slopes [${steep.join(", ")}]`}${given("where", where)}`
}

const tableText = ({ rows, columns, average, where }: TableIR): string => {
  const mean = typeof average === "string" ? average : `${average.of ?? "macro"}(${average.macro.join(", ")})`
  return `rows ${rows.join(", ")} columns ${columns.join(", ")} average ${mean}${given("where", where)}`
}

const figureText = ({ mark, measure, by, color, facet, where }: FigureIR): string =>
  `${mark} ${measure} by ${by}${color === undefined ? "" : ` color ${color}`}${facet === undefined ? "" : ` facet ${facet}`}${given("where", where)}`
