/** Figures as lines of text: bars and dots of block characters, matrices as tables with shades, distributions as rows of blocks. */
import { terminalLine } from "../escape.ts"
import { intervalText, measureText } from "../format.ts"
import { type Line, type Paint, padded, shortened, wrapped } from "../layout.ts"
import { unitOf } from "../unit.ts"
import { binsOf, sharesIn } from "./bins.ts"
import { numbersOf } from "./levels.ts"
import {
  type DistributionFigure,
  type FigureView,
  type ForestFigure,
  hasNumbers,
  type Mark,
  type MeasuredFigure,
} from "./view.ts"
import { effectText, medianText, placeName, shareNotes, titleOf, whyEmpty } from "./words.ts"

const GAP = "  "
/** Columns that names may take: of many, two fifths. */
const namesIn = (width: number, names: readonly string[]): number =>
  Math.min(Math.max(24, Math.floor(width * 0.4)), Math.max(0, ...names.map((name) => name.length)))

/** Lines of at most `width` columns. */
export function figureLines(figure: FigureView, width: number, look: Paint): readonly Line[] {
  const title = `Figure ${figure.name}: ${titleOf(figure)}`
  if (!hasNumbers(figure))
    return [...wrapped(title, width).map(look.bold), ...wrapped(whyEmpty(figure), width)]
  if (figure.mark === "forest")
    return [...wrapped(title, width).map(look.bold), ...forestLines(figure, width, look)]
  // What a dash in place of a level stands for.
  const lacking = figure.lacking.flatMap((note) => wrapped(note, width).map(look.faint))
  if (figure.mark === "distribution")
    return [...wrapped(title, width).map(look.bold), ...distributionLines(figure, width, look), ...lacking]
  if (figure.mark === "matrix") {
    const unit = unitOf(figure.measure) === "rate" ? " (%)" : ""
    return [
      ...wrapped(`${title}${unit}`, width).map(look.bold),
      ...matrixLines(figure, width, look),
      ...lacking,
      ...shareNotes(figure).flatMap((note) => wrapped(note, width).map(look.faint)),
    ]
  }
  const unit = unitOf(figure.measure) === "rate" ? ` (${figure.mark}s: of 100%)` : ""
  return [...wrapped(`${title}${unit}`, width).map(look.bold), ...markLines(figure, width, look), ...lacking]
}

interface Row {
  readonly name: string
  readonly value?: number
  readonly low?: number
  readonly high?: number
  readonly number: string
}

/** A row for each mark: bars from 0, or dots on their intervals; of lines, series by series in the order of x. */
function markLines(figure: MeasuredFigure, width: number, look: Paint): readonly Line[] {
  const line = figure.mark === "line"
  const rows = (line ? bySeries(figure) : figure.marks).map((mark): Row => {
    const { estimate, low, high } = mark.result
    return {
      name: terminalLine(line ? seriesName(mark) : placeName(mark)),
      ...(estimate === undefined ? {} : { value: estimate }),
      ...(low === undefined || high === undefined ? {} : { low, high }),
      number: numberText(figure, mark),
    }
  })
  return drawn(rows, width, look, {
    bars: figure.mark === "bar",
    ...(unitOf(figure.measure) === "rate" ? { full: 1 } : {}),
  })
}

/** "qwen_7b, 3": the points of a line stand together. */
const seriesName = ({ level, color, panel }: Mark): string =>
  [panel, color, level].filter((part) => part !== undefined).join(", ")

function bySeries(figure: MeasuredFigure): readonly Mark[] {
  const numbers = numbersOf(figure)
  const x = ({ level }: Mark) => numbers?.[figure.levels.indexOf(level)] ?? figure.levels.indexOf(level)
  const rank = (mark: Mark) => [
    figure.panels.indexOf(mark.panel ?? ""),
    figure.colors.indexOf(mark.color ?? ""),
    x(mark),
  ]
  return [...figure.marks].sort((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    const at = one.findIndex((value, index) => value !== other[index])
    return at < 0 ? 0 : one[at]! - other[at]!
  })
}

function numberText(figure: MeasuredFigure, { result }: Mark): string {
  if (result.estimate === undefined) return "no value"
  return `${measureText(result.estimate, figure.measure, result)} ${intervalText(result, unitOf(figure.measure))}`.trim()
}

/** `full`: what the whole width stands for, where that is known. Values below 0 have their zero in between; bars begin there. */
function drawn(
  rows: readonly Row[],
  width: number,
  look: Paint,
  { bars, full, log = false }: { bars: boolean; full?: number; log?: boolean },
): readonly Line[] {
  const names = namesIn(
    width,
    rows.map(({ name }) => name),
  )
  const numbers = Math.max(0, ...rows.map(({ number }) => number.length))
  const room = Math.min(50, width - names - numbers - 2 * GAP.length)
  const scaled = (value: number) => (log ? Math.log(value) : value)
  const ends = rows.flatMap(({ value, low, high }) =>
    [value, ...(bars ? [] : [low, high])].flatMap((end) =>
      end === undefined || !Number.isFinite(scaled(end)) ? [] : [scaled(end)],
    ),
  )
  const least = Math.min(0, ...ends)
  const most = Math.max(least < 0 ? 0 : (full ?? 0), ...ends)
  const span = most > least ? most - least : 1
  const column = (value: number) =>
    Math.max(0, Math.min(room - 1, Math.round(((scaled(value) - least) / span) * (room - 1))))
  const zero = least < 0 ? column(log ? 1 : 0) : undefined
  return rows.map(({ name, value, low, high, number }) => {
    const shape =
      value === undefined
        ? ""
        : bars && zero === undefined
          ? blocks((value / span) * room)
          : bars
            ? from(zero!, column(value))
            : dotted(column(value), column(low ?? value), column(high ?? value), zero)
    const bar = room < 10 ? [] : [look.bar(padded(shape, room))]
    return [padded(shortened(name, names), names), ...bar, number].join(GAP)
  })
}

/** "    ├──●─┤": a dot at its column, between the columns of its interval's ends, and a stroke at zero. */
function dotted(at: number, low: number, high: number, zero: number | undefined): string {
  const columns = Array.from({ length: Math.max(high, zero ?? 0) + 1 }, (_, column) => {
    if (column === at) return "●"
    if (column === zero) return "│"
    if (column < low || column > high) return " "
    return column === low ? "├" : column === high ? "┤" : "─"
  })
  return columns.join("")
}

/** A bar from zero to a column on either side of it. */
function from(zero: number, at: number): string {
  const [first, last] = [Math.min(zero, at), Math.max(zero, at)]
  return Array.from({ length: last + 1 }, (_, column) =>
    column === zero ? "│" : column < first ? " " : "█",
  ).join("")
}

/** In eighths of a column. */
function blocks(length: number): string {
  const eighths = Math.round(length * 8)
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
}

const SHADES = [" ", "░", "▒", "▓", "█"]

/** A table with a shade before each number; of more columns than fit, one table after the other. */
function matrixLines(figure: MeasuredFigure, width: number, look: Paint): readonly Line[] {
  const columns = figure.color === undefined ? [""] : figure.colors
  const estimates = figure.marks.flatMap(({ result }) => result.estimate ?? [])
  const rate = unitOf(figure.measure) === "rate"
  const [least, most] = [rate ? 0 : Math.min(...estimates), rate ? 1 : Math.max(...estimates)]
  const shade = (value: number) =>
    SHADES[Math.min(4, Math.max(0, Math.floor(((value - least) / (most - least || 1)) * 5)))]!
  const text = (mark: Mark | undefined) => {
    if (mark === undefined) return ""
    const { estimate } = mark.result
    if (estimate === undefined) return "none"
    return `${shade(estimate)} ${measureText(estimate, figure.measure, mark.result).replace(/%$/, "")}`
  }
  const corner = terminalLine(figure.by)
  const names = namesIn(width, [corner, ...figure.levels.map(terminalLine)])
  const widest = Math.max(...figure.marks.map((mark) => text(mark).length))
  const cell = Math.min(14, Math.max(widest, ...columns.map((name) => terminalLine(name).length)))
  const fit = Math.max(1, Math.floor((width - names) / (cell + GAP.length)))
  const panels = figure.panels.length === 0 ? [undefined] : figure.panels
  return panels.flatMap((panel) => {
    const at = new Map(
      figure.marks
        .filter((mark) => mark.panel === panel)
        .map((mark) => [JSON.stringify([mark.level, mark.color ?? ""]), mark]),
    )
    const head = panel === undefined ? [] : wrapped(`${figure.facet} = ${panel}`, width)
    const parts = Array.from({ length: Math.ceil(columns.length / fit) }, (_, part) =>
      columns.slice(part * fit, (part + 1) * fit),
    )
    const tables = parts.flatMap((part) => [
      look.faint(
        [
          padded(shortened(corner, names), names),
          ...part.map((name) => padded(shortened(terminalLine(name), cell), cell, "right")),
        ].join(GAP),
      ),
      ...figure.levels.map((level) =>
        [
          padded(shortened(terminalLine(level), names), names),
          ...part.map((name) => padded(text(at.get(JSON.stringify([level, name]))), cell, "right")),
        ].join(GAP),
      ),
    ])
    return [...head, ...tables]
  })
}

const HEIGHTS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/** A row of blocks for each level, as high as the share of its values in each step: one eighth at least where there is a value. */
function distributionLines(figure: DistributionFigure, width: number, look: Paint): readonly Line[] {
  const bins = binsOf(figure.spreads.map(({ values }) => values))
  const shares = figure.spreads.map(({ values }) => sharesIn(values, bins))
  const most = Math.max(...shares.flat())
  const rows = figure.spreads.map((spread, at) => ({
    name: terminalLine(placeName(spread)),
    bars: shares[at]!.map(
      (share) => HEIGHTS[share === 0 ? 0 : Math.max(1, Math.round((share / most) * 8))],
    ).join(""),
    number:
      spread.values.length === 0 ? "no value" : `${medianText(spread.values)}, n = ${spread.values.length}`,
  }))
  const numbers = Math.max(0, ...rows.map(({ number }) => number.length))
  const left = width - numbers - bins.count - 2 * GAP.length
  const names = Math.min(
    Math.max(8, left),
    namesIn(
      width,
      rows.map(({ name }) => name),
    ),
  )
  const bars = names <= left
  const lines = rows.map(({ name, bars: shape, number }) =>
    [
      padded(shortened(name, names), names),
      ...(bars ? [look.bar(padded(shape, bins.count))] : []),
      number,
    ].join(GAP),
  )
  const { axis } = bins
  const scale = `blocks: from ${axis.label(axis.low)} to ${axis.label(axis.high)} in ${bins.count} steps; the highest is ${(most * 100).toFixed(1)}% of its level's values`
  return [...lines, ...(bars ? wrapped(scale, width).map(look.faint) : [])]
}

/** A row for each contrast and estimator, differences in points, other differences and odds ratios each on an axis of their own. */
function forestLines(figure: ForestFigure, width: number, look: Paint): readonly Line[] {
  const kinds = [
    { title: "difference in percentage points", of: "points", log: false },
    { title: "difference", of: "other", log: false },
    { title: "odds ratio, on a logarithmic axis", of: "odds", log: true },
  ] as const
  const kindOf = ({ result, unit }: ForestFigure["rows"][number]) =>
    result.odds !== undefined ? "odds" : unit === "rate" ? "points" : "other"
  const known = figure.rows.filter(({ result }) => result.estimate !== undefined)
  const blocks = kinds.flatMap(({ title, of, log }) => {
    const rows = known.filter((row) => kindOf(row) === of)
    if (rows.length === 0) return []
    const lines = rows.map((row): Row => {
      const { estimate, low, high } = row.result.odds ?? row.result
      return {
        name: terminalLine(`${row.contrast}, ${row.by}`),
        value: estimate!,
        ...(low === undefined || high === undefined ? {} : { low, high }),
        number: effectText(row)
          .replace(/^odds ratio /, "")
          .replaceAll("−", "-"),
      }
    })
    return [look.faint(title), ...drawn(lines, width, look, { bars: false, log })]
  })
  const without = figure.rows.filter(({ result }) => result.estimate === undefined)
  return [
    ...blocks,
    ...without.flatMap(({ contrast, by, result }) =>
      wrapped(`${contrast}, ${by}: no value (${result.method})`, width).map(look.faint),
    ),
  ]
}
