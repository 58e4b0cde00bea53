/** What a declaration that extends another comes to: its own fields, and for the rest those of its parent. */
import type { Framing, Metric, MetricField, Name, Parameter, Text } from "../../grammar/ast.ts"
import type { Bound, Names } from "../resolve.ts"

/** A declaration, its parent, and so on to the root. Stops before a declaration that it has met: `cyclic` says that it did. */
export const ancestry = <D extends Framing | Metric>(
  bound: Bound<D>,
  names: Names,
): { readonly chain: readonly Bound<D>[]; readonly cyclic: boolean } => {
  const chain: Bound<D>[] = []
  let next: Bound<D> | undefined = bound
  while (next !== undefined) {
    if (chain.some(({ declaration }) => declaration === next?.declaration)) return { chain, cyclic: true }
    chain.push(next)
    const { kind, parent }: Framing | Metric = next.declaration
    next = parent === undefined ? undefined : (names.find(parent, kind) as Bound<D> | undefined)
  }
  return { chain, cyclic: false }
}

/** A part of a declaration, and the declaration that it stands in. */
export interface Part<N, D extends Framing | Metric> {
  readonly node: N
  readonly from: Bound<D>
}

export interface WholeFraming {
  readonly preamble?: Part<Text, Framing>
  readonly lines?: Part<readonly Text[], Framing>
  readonly speakers?: Part<Name, Framing>
}

/** A framing with what it inherits. Of a field that is written twice, the first counts. */
export const wholeFraming = (bound: Bound<Framing>, names: Names): WholeFraming => {
  let whole: WholeFraming = {}
  for (const from of ancestry(bound, names).chain) {
    const own: { -readonly [F in keyof WholeFraming]: WholeFraming[F] } = {}
    for (const field of from.declaration.fields) {
      if (field.field === "preamble") own.preamble ??= { node: field.text, from }
      else if (field.field === "lines") own.lines ??= { node: field.texts, from }
      else own.speakers ??= { node: field.roster, from }
    }
    whole = { ...own, ...whole }
  }
  return whole
}

type FieldOf<F extends MetricField["field"]> = Extract<MetricField, { field: F }>

export interface WholeMetric {
  readonly parameters: readonly Part<Parameter, Metric>[]
  readonly statistic?: Part<FieldOf<"rate" | "mean">, Metric>
  readonly given?: Part<FieldOf<"given">, Metric>
  readonly interval?: Part<FieldOf<"interval">, Metric>
  readonly invalid?: Part<FieldOf<"invalid">, Metric>
}

/** A metric with what it inherits. A parameter of a child stands for its parent's of the same name. */
export const wholeMetric = (bound: Bound<Metric>, names: Names): WholeMetric => {
  let whole: Omit<WholeMetric, "parameters"> = {}
  const parameters = new Map<string, Part<Parameter, Metric>>()
  for (const from of ancestry(bound, names).chain) {
    const own: { -readonly [F in keyof WholeMetric]?: WholeMetric[F] } = {}
    for (const field of from.declaration.fields) {
      if (field.field === "rate" || field.field === "mean") own.statistic ??= { node: field, from }
      else if (field.field === "given") own.given ??= { node: field, from }
      else if (field.field === "interval") own.interval ??= { node: field, from }
      else if (field.field === "invalid") own.invalid ??= { node: field, from }
    }
    whole = { ...own, ...whole }
    for (const parameter of from.declaration.parameters) {
      const { text } = parameter.name
      if (!parameters.has(text)) parameters.set(text, { node: parameter, from })
    }
  }
  return { ...whole, parameters: [...parameters.values()] }
}
