/** What an expression looks at, so that it can be said why one has no value, and which trials it cannot tell apart. */
import type { ExperimentIR, ExprIR } from "../../compiler/ir.ts"
import { nodesOf } from "../../compiler/looks.ts"

type Lines = ExprIR & { readonly kind: "lines" }

/** In order, each once. */
export interface Needs {
  /** Reads that must have a value. */
  readonly holes: readonly string[]
  /** Reads of which only the state is asked for. */
  readonly states: readonly string[]
  readonly options: readonly ("target" | "pushed")[]
  readonly levels: readonly string[]
  /** Targets whose probability is asked for. */
  readonly probabilities: readonly ("target" | "pushed")[]
  /** Reads that are asked for the probability of an option, and those that are asked for that of a placebo label. */
  readonly distributions: readonly string[]
  readonly placebos: readonly string[]
  /** Columns of items, attributes of models. */
  readonly columns: readonly string[]
  readonly attributes: readonly string[]
  readonly roles: readonly string[]
  /** What it asks about the arm's lines. */
  readonly lines: readonly Lines["of"][]
}

export function needsOf(...expressions: readonly (ExprIR | undefined)[]): Needs {
  const holes = new Set<string>()
  const states = new Set<string>()
  const options = new Set<"target" | "pushed">()
  const levels = new Set<string>()
  const probabilities = new Set<"target" | "pushed">()
  const distributions = new Set<string>()
  const placebos = new Set<string>()
  const columns = new Set<string>()
  const attributes = new Set<string>()
  const roles = new Set<string>()
  const lines = new Set<Lines["of"]>()
  for (const expression of expressions) {
    for (const e of expression === undefined ? [] : nodesOf(expression)) {
      if (e.kind === "state") states.add(e.hole)
      else if (e.kind === "sequence") for (const hole of e.holes) holes.add(hole)
      else if ("hole" in e) holes.add(e.hole)
      if (e.kind === "target" || e.kind === "pushed") options.add(e.kind)
      if (e.kind === "level") levels.add(e.factor)
      if (e.kind === "column") columns.add(e.column)
      if (e.kind === "attribute") attributes.add(e.attribute)
      if (e.kind === "role") roles.add(e.role)
      if (e.kind === "lines") lines.add(e.of)
      if (e.kind !== "p" && e.kind !== "raw") continue
      distributions.add(e.hole)
      if (e.option.kind !== "target" && e.option.kind !== "pushed") continue
      if (e.kind === "p") probabilities.add(e.option.kind)
      else placebos.add(e.hole)
    }
  }
  return {
    holes: [...holes],
    states: [...states],
    options: [...options],
    levels: [...levels],
    probabilities: [...probabilities],
    distributions: [...distributions],
    placebos: [...placebos],
    columns: [...columns],
    attributes: [...attributes],
    roles: [...roles],
    lines: [...lines],
  }
}

/** Whether the cell of a trial settles an expression, its model and its pool included. */
export function isSettledByCell(expression: ExprIR): boolean {
  const settled: readonly ExprIR["kind"][] = ["number", "string", "level", "role", "among", "unary", "binary"]
  return nodesOf(expression).every(({ kind }) => settled.includes(kind))
}

/** Every expression of an experiment's analysis. */
export function expressionsOf(experiment: ExperimentIR): readonly ExprIR[] {
  const { measures, tables, figures, fits, summaries, contrasts, published } = experiment
  const restrictions = [
    ...summaries.flatMap(({ measure, against }) => [measure, ...(against === undefined ? [] : [against])]),
    ...contrasts.flatMap(({ terms }) => terms),
    ...published.map(({ measure }) => measure),
  ]
  return [
    ...measures.flatMap(({ value, other, given, weight }) => [value, other, given, weight]),
    ...[...tables, ...figures, ...fits, ...summaries, ...restrictions].map(({ where }) => where),
    ...fits.flatMap(({ terms }) => terms.flat()),
  ].flatMap((expression) => expression ?? [])
}

/** Columns of items that an experiment tells sets of trials apart by, besides those of its design. */
export function groupingColumns(experiment: ExperimentIR): readonly string[] {
  const own = new Set(["model", "pool", "arm", ...experiment.factors.map(({ name }) => name)])
  const named = [
    ...experiment.tables.flatMap(({ rows, average }) => [
      ...rows,
      ...(average === "pooled" ? [] : average.macro),
    ]),
    ...experiment.figures.flatMap(({ by, color, facet }) => [by, color, facet]),
    ...experiment.summaries.flatMap(({ over, by }) => [...over, ...by]),
    ...experiment.contrasts.flatMap(({ by }) =>
      by.flatMap((estimator) => (typeof estimator === "string" ? [] : estimator.cells)),
    ),
  ]
  return [...new Set(named.flatMap((name) => (name === undefined || own.has(name) ? [] : name)))]
}
