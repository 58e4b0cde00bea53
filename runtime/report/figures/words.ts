/** Figures in words: their titles, their captions, and every number that they show. */
import type { Result } from "../../measure/result.ts"
import { oddsText } from "../contrastGrid.ts"
import {
  counted,
  decimal,
  differenceText,
  excludedText,
  fixed,
  grouped,
  intervalText,
  measureText,
  missingIntervals,
  overText,
  printed,
  pText,
} from "../format.ts"
import { possibleRange, unitOf } from "../unit.ts"
import { APART, drawsBands, numbersOf } from "./levels.ts"
import { hasChance, isCut } from "./range.ts"
import {
  type DistributionFigure,
  type FigureView,
  type ForestFigure,
  type ForestRow,
  hasNumbers,
  type MeasuredFigure,
  NONE,
  type Place,
} from "./view.ts"

/** "HRR by dose, one line per framing; arm pressure". */
export function titleOf(figure: FigureView): string {
  if (figure.mark === "forest") return "Contrasts with their intervals"
  const { measure, by, color, facet, where } = figure
  const of = figure.mark === "distribution" ? `Distribution of ${measure.name}` : measure.name
  const panels = facet === undefined ? "" : `, one panel per ${facet}`
  return `${of} by ${by}${color === undefined ? "" : colorWords(figure.mark, color)}${panels}${where === undefined ? "" : `; ${whereWords(where)}`}`
}

const colorWords = (mark: Exclude<FigureView["mark"], "forest">, color: string): string =>
  mark === "matrix"
    ? ` (rows) and ${color} (columns)`
    : mark === "distribution"
      ? ` and ${color}`
      : `, one ${mark} per ${color}`

/** "arm pressure", "arm one_voice or speakers", of several joined by `and`; another condition as it is written: "where ...". */
function whereWords(where: string): string {
  const parts = where.split(" and ").map((part) => {
    const [, one, level] = /^(\w+) == (\w+)$/.exec(part) ?? []
    if (one !== undefined) return `${one} ${level}`
    const [, factor, levels] = /^(\w+) in \{ ?(\w+(?:, \w+)*) ?\}$/.exec(part) ?? []
    return factor === undefined ? undefined : `${factor} ${levels!.split(", ").join(" or ")}`
  })
  return parts.every((part) => part !== undefined) ? parts.join(" and ") : `where ${where}`
}

/** What stands below a figure, in sentences: what is measured, what the strokes are, what else a reader must know. */
export function captionOf(figure: FigureView): string {
  const title = `${titleOf(figure)}.`
  if (!hasNumbers(figure)) return `${title} ${whyEmpty(figure)}`
  if (figure.mark === "forest") return [title, ...forestNotes(figure)].join(" ")
  const doc = figure.measure.doc === "" ? [] : [sentence(figure.measure.doc)]
  const notes = figure.mark === "distribution" ? distributionNotes(figure) : measuredNotes(figure)
  return [title, ...doc, ...notes].join(" ")
}

/** Every number of a figure in words, for who cannot see it. */
export function describe(figure: FigureView): string {
  if (figure.mark === "forest") {
    const rows = figure.rows.map((row) => `${row.contrast}, ${row.by}: ${contrastText(row)}.`)
    return [`${titleOf(figure)}.`, ...rows, ...forestNotes(figure)].join(" ")
  }
  const doc = sentence(figure.measure.doc === "" ? figure.measure.name : figure.measure.doc)
  if (figure.mark === "distribution") {
    const spreads = figure.spreads.map((one) => `${placeName(one)}: ${spreadText(one.values)}.`)
    return [doc, ...spreads, ...distributionNotes(figure)].join(" ")
  }
  const marks = figure.marks.map((mark) => `${placeName(mark)}: ${resultText(figure, mark.result)}.`)
  return [doc, ...marks, ...measuredNotes(figure)].join(" ")
}

/** "experts, qwen_7b, 3 lines". */
export const placeName = ({ level, color, panel }: Place): string =>
  [level, color, panel].filter((part) => part !== undefined).join(", ")

/** "83.2% [74.7, 89.1], n = 100", or that there is none and why. */
export function resultText({ measure }: MeasuredFigure, result: Result): string {
  if (result.estimate === undefined)
    return `no value (${result.method.replace(/^none: /, "")}), n = ${grouped(result.n)}`
  const interval = intervalText(result, unitOf(measure))
  return printed(
    `${measureText(result.estimate, measure, result)}${interval === "" ? "" : ` ${interval}`}, n = ${grouped(result.n)}`,
  )
}

/** What a reader sees who points at a mark. */
export function tooltip(figure: MeasuredFigure, mark: Place & { readonly result: Result }): string {
  const excluded = excludedText(mark.result.excluded)
  const left = excluded === "" ? "" : `, not counted: ${excluded}`
  return `${placeName(mark)}: ${resultText(figure, mark.result)}${left}`
}

/** "+47.1 pp [40.2, 54.0], p < 0.001, over 100 pairs", or why there is none. */
export function contrastText({ result, unit }: ForestRow): string {
  if (result.estimate === undefined) return `no value, ${result.method}`
  const p = result.p === undefined ? [] : [pText(result.p)]
  const adjusted =
    result.adjusted === undefined ? [] : [`${pText(result.adjusted.p)} adjusted in ${result.adjusted.family}`]
  return [effectText({ result, unit }), ...p, ...adjusted, `over ${overText(result)}`].join(", ")
}

/** "+47.1 pp [40.2, 54.0]", or of a model "odds ratio 2.31 [1.80, 2.96]". */
export function effectText({ result, unit }: Pick<ForestRow, "result" | "unit">): string {
  if (result.odds !== undefined) return `odds ratio ${oddsText(result.odds)}`
  const interval = intervalText(result, unit)
  return printed(`${differenceText(result.estimate!, unit, result)}${interval === "" ? "" : ` ${interval}`}`)
}

/** "median 0.97, middle half 0.91 to 0.99, from 0.42 to 1.00, n = 412". */
export function spreadText(values: Float64Array): string {
  if (values.length === 0) return "no value, n = 0"
  const [least, lower, middle, upper, most] = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    shortNumber(quantile(values, share), values),
  )
  return `median ${middle}, middle half ${lower} to ${upper}, from ${least} to ${most}, n = ${grouped(values.length)}`
}

/** Of ascending values, between the two that are nearest (type 7 of Hyndman & Fan 1996). */
export function quantile(values: Float64Array, share: number): number {
  const at = (values.length - 1) * share
  const below = values[Math.floor(at)]!
  return below + (values[Math.ceil(at)]! - below) * (at - Math.floor(at))
}

/** "median 0.97" */
export const medianText = (values: Float64Array): string =>
  `median ${shortNumber(quantile(values, 0.5), values)}`

/** A number of ascending values. */
function shortNumber(value: number, values: Float64Array): string {
  if (Number.isInteger(value)) return printed(grouped(value))
  const most = Math.max(Math.abs(values[0]!), Math.abs(values.at(-1)!))
  return printed(decimal(value, Math.abs(value) < 10 ? 2 : 1, most))
}

/** Why a figure has nothing to draw. */
export function whyEmpty(figure: FigureView): string {
  if (figure.mark === "forest") {
    const reasons = figure.rows.map(({ contrast, by, result }) => `${contrast}, ${by}: ${result.method}`)
    return `No value to draw${reasons.length === 0 ? ": there is no contrast" : `; ${reasons.join("; ")}`}.`
  }
  const excluded =
    figure.mark === "distribution"
      ? figure.spreads.map((one) => one.excluded)
      : figure.marks.map(({ result }) => result.excluded)
  const total: Record<string, number> = {}
  for (const one of excluded)
    for (const [reason, count] of Object.entries(one)) total[reason] = (total[reason] ?? 0) + count
  const left = excludedText(total)
  const reasons =
    figure.mark === "distribution"
      ? []
      : [...new Set(figure.marks.map(({ result }) => result.method.replace(/^none: /, "")))]
  const entered = figure.mark !== "distribution" && figure.marks.some(({ result }) => result.n > 0)
  if (entered)
    return `No value to draw: ${reasons.join("; ")}${left === "" ? "" : ` (not counted: ${left})`}.`
  return `No value to draw: no trial enters ${figure.measure.name}${left === "" ? "" : ` (not counted: ${left})`}.`
}

/** What shows the intervals of a figure, as drawn. */
function strokesName(figure: MeasuredFigure): string {
  if (figure.mark === "matrix") return "Intervals in the description"
  if (figure.mark !== "line") return "Whiskers"
  const numbers = numbersOf(figure)
  const x = (level: string) => numbers?.[figure.levels.indexOf(level)] ?? figure.levels.indexOf(level)
  const panels = figure.panels.length === 0 ? [undefined] : figure.panels
  const colors = figure.colors.length === 0 ? [undefined] : figure.colors
  const names = panels.map((panel) => {
    const points = colors.map((color) =>
      figure.marks
        .filter((mark) => mark.panel === panel && mark.color === color && mark.result.estimate !== undefined)
        .map(({ level }) => x(level)),
    )
    return drawsBands(points) ? "Bands" : "Whiskers"
  })
  return new Set(names).size > 1 ? "Whiskers and bands" : names[0]!
}

function measuredNotes(figure: MeasuredFigure): readonly string[] {
  const results = figure.marks.map(({ result }) => result)
  const methods = new Map<number, Set<string>>()
  for (const { level, method } of results) {
    if (level === undefined) continue
    const known = methods.get(level) ?? new Set()
    // How many trials the trials of a level are worth differs from level to level, and is told in tables.
    known.add(method.replace(/over [\d.,]+ effective trials/, "over effective trials"))
    methods.set(level, known)
  }
  const intervals = [...methods].map(
    ([level, words]) => `${strokesName(figure)} are ${level}% intervals (${[...words].join("; ")}).`,
  )
  const bare = missingIntervals(results).map(sentence)
  const missing = new Set(
    results.flatMap(({ estimate, method }) =>
      estimate === undefined ? [method.replace(/^none: /, "")] : [],
    ),
  )
  const range = possibleRange(figure.measure)
  const cut = figure.mark !== "matrix" && results.some((result) => isCut(result, range))
  const own = figure.mark === "matrix" && figure.levels.some((level) => figure.colors.includes(level))
  return [
    ...(methods.size === 0 ? [] : intervals),
    ...(cut
      ? [`Where an interval reaches further than ${figure.measure.name} can be, its stroke ends there.`]
      : []),
    ...(hasChance(figure) && figure.mark !== "matrix" ? ["Dashed: chance, 0.5."] : []),
    ...bare,
    ...[...missing].map((why) => `No value: ${why}.`),
    ...(figure.mark === "matrix" ? [] : ["n counts the trials that enter."]),
    ...(figure.mark === "line" && numbersOf(figure)?.includes(APART)
      ? [`${NONE} has no number and stands apart, left of the axis; no line leads to it.`]
      : []),
    ...figure.lacking,
    ...(own ? [`Outlined: ${figure.by} and ${figure.color} are the same.`] : []),
    ...shareNotes(figure),
  ]
}

/** "Of the variance between cells: rows (source) 12.3%, columns (model) 80.1%, neither alone 7.6%." */
export function shareNotes({ shares, by, color, facet }: MeasuredFigure): readonly string[] {
  const named = { rows: `rows (${by})`, columns: `columns (${color ?? ""})`, residual: "neither alone" }
  const panels = new Map<string | undefined, Result[]>()
  for (const share of shares) {
    const panel = facet === undefined ? undefined : share.by[facet]
    panels.set(panel, [...(panels.get(panel) ?? []), share])
  }
  return [...panels].map(([panel, own]) => {
    const where = panel === undefined ? "" : ` where ${facet} is ${panel}`
    const parts = own.flatMap(({ part, estimate }) =>
      estimate === undefined || !(part === "rows" || part === "columns" || part === "residual")
        ? []
        : `${named[part]} ${fixed(estimate * 100, 1)}%`,
    )
    const { method } = own[0]!
    return parts.length > 0
      ? `Of the variance between cells${where}: ${parts.join(", ")} (${method}).`
      : `The variance between cells${where} is not split: ${method}.`
  })
}

const distributionNotes = ({ spreads, lacking }: DistributionFigure): readonly string[] => [
  `${counted(
    spreads.reduce((sum, { values }) => sum + values.length, 0),
    "value",
  )}, one for each trial that enters; the mark is the median.`,
  ...lacking,
]

function forestNotes({ rows }: ForestFigure): readonly string[] {
  const levels = [...new Set(rows.flatMap(({ result }) => result.level ?? []))]
  const adjusted = new Map(
    rows.flatMap(({ result }) =>
      result.adjusted === undefined ? [] : [[result.adjusted.family, result.adjusted.method]],
    ),
  )
  return [
    ...(levels.length === 0
      ? []
      : [`Whiskers are ${levels.map((level) => `${level}%`).join(" and ")} intervals.`]),
    ...(rows.some(({ result, range }) => result.odds === undefined && isCut(result, range))
      ? ["Where an interval reaches further than its difference can be, its stroke ends there."]
      : []),
    "The last column says how many pairs or trials a row is over, or cells of how many.",
    ...(rows.some(({ result }) => result.odds !== undefined)
      ? ["Odds ratios stand on an axis of their own, on which ratios are distances."]
      : []),
    ...[...adjusted].map(
      ([family, method]) =>
        `p adjusted in ${family} by ${method === "holm" ? "Holm" : "Benjamini and Hochberg"}.`,
    ),
  ]
}

function sentence(text: string): string {
  const trimmed = text.trim()
  const first = `${trimmed.slice(0, 1).toUpperCase()}${trimmed.slice(1)}`
  return /[.!?]$/.test(first) ? first : `${first}.`
}
