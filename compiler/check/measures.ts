/** What an experiment measures: whether its metrics can be taken of the reads of its protocol. */
import type { Binary, Experiment, Expression, Metric, Protocol } from "../../grammar/ast.ts"
import { fieldsOf, modelsOf, poolsOf } from "../lower/columns.ts"
import { ancestry, operandsOf, wholeMetric } from "../lower/inherit.ts"
import { itemColumnsOf } from "../lower/items.ts"
import { type MeasureField, measureName } from "../lower/measures.ts"
import { attributesOf } from "../lower/models.ts"
import { print } from "../lower/print.ts"
import { type ReadInfo, readsOf } from "../lower/reads.ts"
import { isRecordsAlone, recordedParts, recordedProtocol } from "../lower/recorded.ts"
import type { Bound, Names } from "../resolve.ts"
import { readFacts } from "./environment.ts"
import { isFlawed, typeMetric } from "./metrics.ts"
import { type Range, settledBy } from "./ranges.ts"
import { declaredAt, distinctNames, type Scene } from "./scene.ts"
import type { Environment } from "./types.ts"
import type { ReadFacts } from "./uses.ts"

/** What a measure may look at besides reads: columns of the items, attributes of the models. */
export interface Around {
  /** None where a pool or a model is not known, so that any name may be meant. */
  readonly items: ReadonlySet<string> | undefined
  readonly attributes: ReadonlySet<string> | undefined
}

/** What an experiment asks; of records alone, what they have. */
export const protocolOf = (
  experiment: Experiment,
  { names, module }: Pick<Scene, "names" | "module">,
): Bound<Protocol> | undefined => {
  const recorded = recordedProtocol(experiment)
  if (recorded !== undefined) return { declaration: recorded, module }
  return fieldsOf(experiment, "protocol")
    .map((field) => names.find(field.protocol, "protocol"))
    .find((found) => found !== undefined)
}

export const aroundOf = (experiment: Experiment, names: Names): Around => {
  if (isRecordsAlone(experiment)) {
    const [items, attributes] = [recordedParts(experiment, "item"), recordedParts(experiment, "model")]
    return { items: new Set(items), attributes: new Set(attributes) }
  }
  const pools = poolsOf(experiment).map(({ pool }) => names.find(pool, "items")?.declaration)
  const models = modelsOf(experiment).map((model) => names.find(model, "model")?.declaration)
  const all = <T>(found: readonly (T | undefined)[], keys: (one: T) => readonly string[]) =>
    found.includes(undefined)
      ? undefined
      : new Set(found.flatMap((one) => (one === undefined ? [] : keys(one))))
  return { items: all(pools, itemColumnsOf), attributes: all(models, attributesOf) }
}

export const checkMeasures = (experiment: Experiment, scene: Scene): void => {
  const fields = fieldsOf(experiment, "measure")
  distinctNames(scene, "measure", fields.map(measureName))
  const protocol = protocolOf(experiment, scene)
  const around = aroundOf(experiment, scene.names)
  for (const field of fields) {
    const metric = scene.names.find(field.metric, "metric")
    if (metric === undefined || ancestry(metric, scene.names).cyclic) continue
    const given = checkArguments(field, metric, scene)
    if (protocol !== undefined) checkMeasure(field, metric, given, protocol, around, scene)
  }
}

/** Reports arguments that a metric does not take. Gives the name of a read by parameter. */
const checkArguments = (
  { metric: used, arguments: given }: MeasureField,
  metric: Bound<Metric>,
  scene: Scene,
): ReadonlyMap<string, Expression> => {
  distinctNames(
    scene,
    "argument",
    given.map(({ parameter }) => parameter),
  )
  const known = wholeMetric(metric, scene.names).parameters.map(({ node }) => node.name.text)
  for (const { parameter, value } of given) {
    if (!known.includes(parameter.text)) {
      const parameters = { metric: used.text, parameter: parameter.text, known }
      scene.say("CFX2506", parameters, parameter, [declaredAt(metric, "declared here")])
    }
    if (value.kind !== "name")
      scene.say("CFX2315", { what: `\`${print(value)}\` is not the name of a read, and` }, value)
  }
  return new Map(given.map(({ parameter, value }) => [parameter.text, value]))
}

const checkMeasure = (
  field: MeasureField,
  metric: Bound<Metric>,
  given: ReadonlyMap<string, Expression>,
  protocol: Bound<Protocol>,
  around: Around,
  scene: Scene,
): void => {
  const reads = readsOf(protocol, scene.names)
  const facts = readFacts(reads)
  const parameters = new Map<string, ReadFacts>()
  const sources = new Map<string, string>()
  for (const { node, from } of wholeMetric(metric, scene.names).parameters) {
    const parameter = node.name.text
    const source = given.get(parameter) ?? node.default
    const known = source.kind === "name" ? facts.get(source.text) : undefined
    parameters.set(parameter, known ?? { type: "read" })
    if (source.kind !== "name") continue
    sources.set(parameter, source.text)
    // Of two reads with one name, one may be the read that seems to be missing.
    if (known !== undefined || isTwofold(reads)) continue
    const told = {
      given: given.has(parameter),
      hole: source.text,
      metric: field.metric.text,
      parameter,
      protocol: protocol.declaration.name.text,
      known: [...facts.keys()],
    }
    if (given.has(parameter)) scene.say("CFX2312", told, source, [declaredAt(protocol, "this protocol")])
    else {
      const label = "taken from this read"
      scene.say("CFX2312", told, field.metric, [{ source: from.module.source, span: node.span, label }])
    }
  }
  const environment = (from: Bound<Metric>): Environment => ({
    reads: parameters,
    columns: new Map(),
    roles: new Set(),
    ...around,
    metric: from.declaration.name.text,
    given: sources,
  })
  // What does not fit whatever the metric is given was reported where it is declared.
  if (isFlawed(metric, scene)) return
  typeMetric(metric, scene, environment, (from) => ({
    ...scene,
    say: (code, told, at) => {
      const related = [{ source: from.module.source, span: at.span, label: "asked for here" }]
      scene.say(code, told, field.metric, related)
    },
  }))
  checkValues(field, metric, parameters, scene)
}

const isTwofold = (reads: readonly ReadInfo[]): boolean =>
  new Set(reads.map(({ name }) => name)).size < reads.length

/** Reports comparisons of an integer that this protocol's range of it settles. Those of probabilities are the metric's own mistake. */
const checkValues = (
  field: MeasureField,
  metric: Bound<Metric>,
  facts: ReadonlyMap<string, ReadFacts>,
  scene: Scene,
): void => {
  const { statistic, given } = wholeMetric(metric, scene.names)
  const valuesOf = (read: string): Range | undefined => rangeOfRead(facts.get(read))
  const fields = [
    ...(statistic === undefined ? [] : operandsOf(statistic.node)).map((expression) => ({
      from: statistic?.from,
      expression,
    })),
    { from: given?.from, expression: given?.node.condition },
  ]
  for (const { from, expression } of fields) {
    for (const binary of binariesIn(expression)) {
      const settled = settledBy(binary, valuesOf)
      if (from === undefined || settled === undefined || settledBy(binary, () => undefined)) continue
      const related = [{ source: from.module.source, span: binary.span, label: "compared here" }]
      scene.say("CFX2316", { ...settled, of: "fraction" }, field.metric, related)
    }
  }
}

/** What `.value` of a read can be. */
export const rangeOfRead = (facts: ReadFacts | undefined): Range | undefined =>
  facts?.low === undefined || facts.high === undefined ? undefined : { low: facts.low, high: facts.high }

const binariesIn = (expression: Expression | undefined): readonly Binary[] => {
  if (expression?.kind === "unary") return binariesIn(expression.operand)
  return expression?.kind === "binary"
    ? [expression, ...binariesIn(expression.left), ...binariesIn(expression.right)]
    : []
}
