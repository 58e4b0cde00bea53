/** Metrics: their fields, the types in them, and what they ask of the reads that they are given. */
import type { Metric, Name } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import { suggest } from "../diagnostics/suggest.ts"
import { article } from "../diagnostics/words.ts"
import type { Module } from "../load.ts"
import { ancestry, operandsOf, type StatisticField, type WholeMetric, wholeMetric } from "../lower/inherit.ts"
import { namesIn } from "../lower/metricNames.ts"
import { print } from "../lower/print.ts"
import { onceForBound } from "../memo.ts"
import type { Bound } from "../resolve.ts"
import { expectAlike, isDesignColumn } from "./comparisons.ts"
import { checkCycle } from "./cycles.ts"
import { distinctNames, missing, onlyOnce, type Scene } from "./scene.ts"
import { type Environment, type Expected, expect, knownNames } from "./types.ts"
import { agree, type Use } from "./uses.ts"

const resampled = ["bootstrap", "bca"] as const

/** How intervals of a statistic are taken; `wilson` is that of a proportion. */
const methods: Readonly<Record<StatisticField, readonly string[]>> = {
  rate: ["wilson", ...resampled],
  mean: resampled,
  sum: resampled,
  count: resampled,
  quantile: resampled,
  ratio: resampled,
  kappa: resampled,
  auroc: resampled,
  difference: resampled,
}

const policies = ["exclude", "wrong", "error"] as const

/** Names that an expression knows without a parameter. */
const ownNames = ["item", "line", "model", "target", "pushed"]

export const checkMetric = (metric: Metric, scene: Scene): void => {
  const bound = { declaration: metric, module: scene.module }
  distinctNames(
    scene,
    "parameter",
    metric.parameters.map(({ name }) => name),
  )
  for (const { name, default: read } of metric.parameters) {
    if (read.kind !== "name") {
      scene.say("CFX2315", { what: `\`${print(read)}\` is not the name of a read, and` }, read)
    }
    if (ownNames.includes(name.text)) scene.say("CFX2003", { kind: "value", name: name.text }, name)
  }
  onlyOnce(scene, metric, metric.fields, ({ field }) => field)
  const statistics = metric.fields.filter(({ field }) => Object.hasOwn(methods, field))
  const other = statistics.find(({ field }) => field !== statistics[0]?.field)
  if (other !== undefined) scene.say("CFX2304", { metric: metric.name.text }, other)

  const { chain, cyclic } = ancestry(bound, scene.names)
  if (cyclic) {
    checkCycle(metric, chain, scene)
    return
  }
  checkFields(bound, scene)
  const parentLost = metric.parent !== undefined && chain.length === 1
  if (!parentLost) checkExpressions(bound, scene)
}

const checkFields = (bound: Bound<Metric>, scene: Scene): void => {
  const metric = bound.declaration
  // What a child lacks, the metric at the root of its inheritance lacks: it is reported there.
  const isRoot = metric.parent === undefined
  const whole = wholeMetric(bound, scene.names)
  const { statistic, interval, invalid } = whole
  if (statistic === undefined && isRoot) missing(scene, metric, "rate", "rate second != item.gold")
  if (statistic?.node.field === "quantile" && statistic.from.declaration === metric) {
    const { at } = statistic.node
    if (!(at.value > 0 && at.value < 1)) scene.say("CFX2507", { at: at.value }, at)
  }
  if (interval === undefined && isRoot) {
    const method = (statistic?.node.field ?? "rate") === "rate" ? "wilson" : "bootstrap"
    missing(scene, metric, "interval", `interval ${method} 95`)
  }
  // What is inherited whole was checked with the declaration that it stands in.
  const own = interval?.from.declaration === metric || statistic?.from.declaration === metric
  if (interval !== undefined && own) {
    const { method, level } = interval.node
    const at = interval.from.declaration === metric ? method : metric.name
    const known = methods.rate
    if (!known.includes(method.text)) {
      if (at === method) scene.say("CFX2013", { field: "interval", found: method.text, known }, method)
    } else if (statistic !== undefined) {
      const statisticName = statistic.node.field
      const fits = methods[statisticName]
      if (!fits.includes(method.text)) {
        scene.say("CFX2305", { method: method.text, statistic: statisticName, fits }, at)
      }
    }
    if (at === method && !(level.value > 50 && level.value < 100)) {
      scene.say("CFX2306", { level: level.value }, level)
    }
  }
  checkWeight(metric, whole, scene)
  if (invalid?.from.declaration === metric) {
    const { policy } = invalid.node
    const known: readonly string[] = policies
    if (!known.includes(policy.text)) {
      scene.say("CFX2013", { field: "invalid", found: policy.text, known }, policy)
    }
  }
}

/** Reports a weight of what has none, and one whose interval takes trials as equal. Inherited whole, it was reported with the parent. */
const checkWeight = (metric: Metric, { statistic, weight, interval }: WholeMetric, scene: Scene): void => {
  if (weight === undefined || statistic === undefined) return
  const isOwn = [statistic, weight, interval].some((part) => part?.from.declaration === metric)
  if (!isOwn) return
  const { field } = statistic.node
  const method = interval?.node.method
  const at = weight.from.declaration === metric ? weight.node : metric.name
  if (field !== "rate" && field !== "mean") scene.say("CFX2526", { statistic: field }, at)
  else if (method?.text === "wilson") scene.say("CFX2526", { statistic: undefined }, at)
}

/** What a metric asks of one of its parameters. */
interface Demand {
  readonly parameter: string
  readonly as: Use
  /** Where it asks that, in the file of the declaration that the field stands in. */
  readonly at: { readonly source: Scene["module"]["source"]; readonly span: Span }
}

/**
 * Reports what does not fit in a metric's expressions, whatever reads it will be given. `speakingFor` says in which scene the expressions of a
 * declaration speak.
 */
const checkUses = (bound: Bound<Metric>, scene: Scene, speakingFor: (from: Bound<Metric>) => Scene): void => {
  const { parameters } = wholeMetric(bound, scene.names)
  const demands: Demand[] = []
  const unknown = new Map<Bound<Metric>, Name[]>()
  const environment = (from: Bound<Metric>, speaking: Scene): Environment => ({
    reads: new Map(parameters.map(({ node }) => [node.name.text, { type: "read" as const }])),
    columns: new Map(),
    roles: new Set(),
    items: undefined,
    attributes: undefined,
    metric: from.declaration.name.text,
    onUnknown: (name) => {
      unknown.set(from, [...(unknown.get(from) ?? []), name])
    },
    onRead: (name: Name, as) => {
      const clash = demands.find((one) => one.parameter === name.text && !agree(one.as, as))
      if (clash === undefined)
        demands.push({ parameter: name.text, as, at: { source: from.module.source, span: name.span } })
      else {
        const what = `\`${name.text}\`, which is used as ${article(clash.as)} elsewhere,`
        speaking.say("CFX2301", { what, expected: clash.as, found: as }, name, [
          { ...clash.at, label: `used as ${article(clash.as)} here` },
        ])
      }
    },
  })
  typeMetric(bound, scene, environment, speakingFor)
  const known = knownNames(environment(bound, scene))
  for (const [from, found] of unknown) sayUnknown(found, from, known, speakingFor(from))
}

/**
 * Reports names that stand for nothing in a metric. Those that are near to no other name are reads without a parameter, and one mistake: the
 * list of parameters lacks them.
 */
const sayUnknown = (
  found: readonly Name[],
  from: Bound<Metric>,
  known: readonly string[],
  scene: Scene,
): void => {
  const byText = new Map<string, Name>()
  for (const name of found) if (!byText.has(name.text)) byText.set(name.text, name)
  const distinct = [...byText.values()]
  const isOwn = ({ text }: Name): boolean => isDesignColumn(text) || suggest(text, known) !== undefined
  const [first, ...others] = distinct.filter((name) => !isOwn(name))
  const metric = {
    name: from.declaration.name.text,
    parameters: from.declaration.parameters.map(({ name, default: read }) => `${name.text} = ${print(read)}`),
    others: others.map(({ text }) => text),
  }
  if (first !== undefined) {
    const related = others.map(({ span }) => ({ source: scene.module.source, span, label: "nor is this" }))
    scene.say("CFX2314", { name: first.text, known, metric: { ...metric, isFactor: false } }, first, related)
  }
  for (const name of distinct.filter(isOwn)) {
    const isFactor = isDesignColumn(name.text)
    scene.say("CFX2314", { name: name.text, known, metric: { ...metric, isFactor, others: [] } }, name)
  }
}

/** Whether a metric has a mistake of its own, so that what it asks of its reads is not to be relied on. */
export const isFlawed = (bound: Bound<Metric>, scene: Scene): boolean => {
  if (scene.torn) return findsFlaw(bound, scene)
  const known = flaws(bound, scene.names)
  const flawed = known.get(scene.module) ?? findsFlaw(bound, scene)
  known.set(scene.module, flawed)
  return flawed
}

/** By the file in which the metric is asked for. */
const flaws = onceForBound((_: Bound<Metric>) => new Map<Module, boolean>())

const findsFlaw = (bound: Bound<Metric>, scene: Scene): boolean => {
  let flawed = false
  const listening: Scene = {
    ...scene,
    say: () => {
      flawed = true
    },
  }
  checkUses(bound, scene, () => listening)
  return flawed
}

/** Reports what does not fit in a metric's own expressions, and parameters without a part in them. */
const checkExpressions = (bound: Bound<Metric>, scene: Scene): void => {
  const { parameters, statistic, given, weight } = wholeMetric(bound, scene.names)
  // Mistakes in what is inherited are its own declaration's.
  checkUses(bound, scene, (from) =>
    from.declaration === bound.declaration ? scene : { ...scene, say: () => undefined },
  )
  const used = [
    ...(statistic === undefined ? [] : operandsOf(statistic.node)),
    given?.node.condition,
    weight?.node.value,
  ].flatMap(namesIn)
  // A name that stands for nothing may be a parameter, misspelt.
  const known = new Set([...parameters.map(({ node }) => node.name.text), ...ownNames])
  const isKnown = (name: Name) => known.has(name.text) || scene.names.find(name, "lexicon") !== undefined
  if (!used.every(isKnown)) return
  for (const { node, from } of parameters) {
    const isUsed = used.some(({ text }) => text === node.name.text)
    if (isUsed || from.declaration !== bound.declaration || statistic === undefined || scene.torn) continue
    const fix = "Delete the parameter, or use it in what is measured or in `given`."
    scene.say(
      "CFX2103",
      { what: `The parameter \`${node.name.text}\``, why: "the metric does not use it", fix },
      node,
    )
  }
}

/** Types the expressions of a metric, its own and those that it inherits, each in the scene that its declaration speaks in. */
export const typeMetric = (
  bound: Bound<Metric>,
  scene: Scene,
  environment: (from: Bound<Metric>, speaking: Scene) => Environment,
  speakingFor: (from: Bound<Metric>) => Scene,
): void => {
  const { statistic, given, weight } = wholeMetric(bound, scene.names)
  if (statistic !== undefined) {
    const { node, from } = statistic
    const speaking = speakingFor(from)
    const around = environment(from, speaking)
    if (node.field === "kappa") expectAlike(node.value, node.other, around, speaking)
    else {
      const [first, second] = operandTypes[node.field]
      expect(node.value, first, `What ${called(node.field)} is taken of`, around, speaking)
      if ("other" in node && second !== undefined)
        expect(node.other, second.type, `${second.what} of ${called(node.field)}`, around, speaking)
    }
  }
  if (weight !== undefined) {
    const { node, from } = weight
    const speaking = speakingFor(from)
    expect(node.value, "number", "What a `weight` is", environment(from, speaking), speaking)
  }
  if (given !== undefined) {
    const { node, from } = given
    const speaking = speakingFor(from)
    expect(node.condition, "truth value", "The condition of `given`", environment(from, speaking), speaking)
  }
}

const called = (statistic: StatisticField): string =>
  article(statistic).replace(statistic, `\`${statistic}\``)

/** What a statistic is taken of: of two, the second by what it is in it. */
const operandTypes: Readonly<
  Record<
    Exclude<StatisticField, "kappa">,
    readonly [Expected, { readonly type: Expected; readonly what: string }?]
  >
> = {
  rate: ["truth value"],
  count: ["truth value"],
  mean: ["number"],
  sum: ["number"],
  quantile: ["number"],
  ratio: ["number or truth value", { type: "number or truth value", what: "The divisor" }],
  auroc: ["truth value", { type: "number", what: "The score" }],
  difference: ["number or truth value", { type: "truth value", what: "The group" }],
}
