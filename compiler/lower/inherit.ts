/** What a declaration that extends another comes to: its own fields, and for the rest those of its parent. */
import type {
  Expression,
  Framing,
  FramingField,
  Metric,
  MetricField,
  Name,
  Parameter,
  Text,
} from "../../grammar/ast.ts"
import { onceForBound } from "../memo.ts"
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
  readonly closing?: Part<Text, Framing>
}

/** The wording that a framing is without its variants. */
export const BASE_WORDING = "base"

type Wording = Extract<FramingField, { field: "wording" }>

/** The variants of a framing, its own and those that it inherits, each once: the framing itself is none of them. */
export const wordingsOf = onceForBound((bound: Bound<Framing>, names): readonly string[] => [
  ...new Set(
    ancestry(bound, names).chain.flatMap(({ declaration }) =>
      declaration.fields.flatMap((field) => (field.field === "wording" ? [field.name.text] : [])),
    ),
  ),
])

/**
 * A framing with what it inherits, in one of its wordings. Of a field that is written twice, the first counts. A variant's fields stand for
 * those of the declaration that it is written in, so those of a child stand for those of a parent's variant.
 */
export const wholeFraming = (
  bound: Bound<Framing>,
  names: Names,
  wording: string = BASE_WORDING,
): WholeFraming => {
  const known = framingsByWording(bound, names)
  const whole = known.get(wording) ?? wholeIn(bound, names, wording)
  known.set(wording, whole)
  return whole
}

const framingsByWording = onceForBound((_: Bound<Framing>) => new Map<string, WholeFraming>())

const wholeIn = (bound: Bound<Framing>, names: Names, wording: string): WholeFraming => {
  let whole: WholeFraming = {}
  for (const from of ancestry(bound, names).chain) {
    const { fields } = from.declaration
    const variant = fields.find(
      (field): field is Wording => field.field === "wording" && field.name.text === wording,
    )
    const own: { -readonly [F in keyof WholeFraming]: WholeFraming[F] } = {}
    for (const field of [...(variant?.fields ?? []), ...fields]) {
      if (field.field === "preamble") own.preamble ??= { node: field.text, from }
      else if (field.field === "lines") own.lines ??= { node: field.texts, from }
      else if (field.field === "speakers") own.speakers ??= { node: field.roster, from }
      else if (field.field === "closing") own.closing ??= { node: field.text, from }
    }
    whole = { ...own, ...whole }
  }
  return whole
}

type FieldOf<F extends MetricField["field"]> = Extract<MetricField, { field: F }>

export type StatisticField =
  | "rate"
  | "mean"
  | "sum"
  | "count"
  | "quantile"
  | "ratio"
  | "kappa"
  | "auroc"
  | "difference"

export interface WholeMetric {
  readonly parameters: readonly Part<Parameter, Metric>[]
  readonly statistic?: Part<FieldOf<StatisticField>, Metric>
  readonly given?: Part<FieldOf<"given">, Metric>
  readonly weight?: Part<FieldOf<"weight">, Metric>
  readonly interval?: Part<FieldOf<"interval">, Metric>
  readonly invalid?: Part<FieldOf<"invalid">, Metric>
}

/** What a statistic is taken of: one expression, or two. */
export const operandsOf = (
  statistic: NonNullable<WholeMetric["statistic"]>["node"],
): readonly Expression[] => ("other" in statistic ? [statistic.value, statistic.other] : [statistic.value])

/** A metric with what it inherits. A parameter of a child stands for its parent's of the same name. */
export const wholeMetric = onceForBound((bound: Bound<Metric>, names): WholeMetric => {
  let whole: Omit<WholeMetric, "parameters"> = {}
  const parameters = new Map<string, Part<Parameter, Metric>>()
  for (const from of ancestry(bound, names).chain) {
    const own: { -readonly [F in keyof WholeMetric]?: WholeMetric[F] } = {}
    for (const field of from.declaration.fields) {
      if (field.field === "given") own.given ??= { node: field, from }
      else if (field.field === "weight") own.weight ??= { node: field, from }
      else if (field.field === "interval") own.interval ??= { node: field, from }
      else if (field.field === "invalid") own.invalid ??= { node: field, from }
      else own.statistic ??= { node: field, from }
    }
    whole = { ...own, ...whole }
    for (const parameter of from.declaration.parameters) {
      const { text } = parameter.name
      if (!parameters.has(text)) parameters.set(text, { node: parameter, from })
    }
  }
  return { ...whole, parameters: [...parameters.values()] }
})
