/** The report for a terminal: every table and contrast with its n and what was not counted, and the figure as bars of text. */
import type { MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { enginePartsOf } from "./engine.ts"
import { terminalLine } from "./escape.ts"
import { titleOf } from "./figure.ts"
import {
  counted,
  differenceText,
  estimateText,
  excludedText,
  intervalText,
  measureText,
  missingIntervals,
  nText,
  overText,
  pText,
} from "./format.ts"
import type { ReportInput } from "./input.ts"
import { type Line, type Paint, padded, paint, shortened, wrapped } from "./layout.ts"
import {
  type ContrastView,
  type ExpectView,
  type FigureView,
  type Summary,
  summaries,
  type TableView,
} from "./summary.ts"
import {
  capital,
  discordantWords,
  measureWords,
  noticesOf,
  pooledWords,
  sharesItems,
  skippedReads,
  titleAndLead,
  verdictWords,
} from "./words.ts"

export interface TerminalOptions {
  /** Columns that a line may take; 60 at least. */
  readonly columns: number
  readonly color: boolean
}

/** Lines end with a line feed; none is wider than `columns`. Colour only repeats what words say. */
export function terminalReport(input: ReportInput, options: TerminalOptions): string {
  const width = Math.max(60, options.columns)
  const look = paint(options.color)
  const lines: Line[] = []
  const { title } = titleAndLead(input)
  lines.push(...wrapped(title, width).map(look.bold))
  for (const notice of noticesOf(input)) lines.push("", ...wrapped(`note: ${notice}`, width).map(look.warn))
  for (const summary of summaries(input)) lines.push("", ...experimentLines(summary, width, look))
  const without = [
    ...input.failed.map(
      ({ experiment, model, hole, why, count }) =>
        `${hole} of ${model} in ${experiment} has no value in ${counted(count, "trial")}: ${why}`,
    ),
    ...input.program.experiments.flatMap(({ name }, _, { length }) =>
      skippedReads(input, name).map((words) => (length > 1 ? `in ${name}, ${words}` : words)),
    ),
  ]
  if (without.length > 0) lines.push("", look.bold("Reads without a value"))
  for (const words of without) lines.push(...wrapped(words, width).map(look.warn))
  for (const { id, title, words } of enginePartsOf(input)) {
    lines.push("", look.bold(title))
    for (const one of words)
      lines.push(...wrapped(one, width).map(id === "low-mass" ? look.warn : (line) => line))
  }
  return `${lines.join("\n")}\n`
}

function experimentLines(summary: Summary, width: number, look: Paint): readonly Line[] {
  const { experiment } = summary
  const { models, seed } = experiment
  const head = `${experiment.name}: ${counted(models.length, "model")} (${models.join(", ")}), ${counted(summary.items, "item")}, ${counted(summary.trials, "trial")}, seed ${seed}`
  return [
    ...wrapped(head, width),
    ...summary.tables.flatMap((table) => ["", ...tableLines(table, width, look)]),
    ...summary.figures.flatMap((figure) => ["", ...figureLines(figure, width, look)]),
    ...(summary.left.length === 0 ? [] : ["", look.bold("Not computed")]),
    ...summary.left.flatMap((words) => wrapped(words, width).map(look.warn)),
    ...(summary.contrasts.length === 0 ? [] : ["", look.bold("Contrasts")]),
    ...summary.contrasts.flatMap((contrast) => contrastLines(contrast, width, look)),
    ...(summary.expects.length === 0 ? [] : ["", look.bold("Expected")]),
    ...summary.expects.flatMap((expect) => expectLines(expect, width, look)),
  ]
}

/** One block per measure: what it is, and a row for each set of trials, with estimate, interval, n and what was not counted. */
function tableLines(table: TableView, width: number, look: Paint): readonly Line[] {
  const factors = table.factors.map((factor, column) => [
    factor,
    ...table.rows.map((row) => terminalLine(row.levels[column] ?? "-")),
  ])
  const blocks = table.measures.map((measure, column) => {
    const results = table.rows.map((row) => row.results[column]!)
    const unit = measure.statistic
    return {
      about: [
        measureWords(measure),
        ...(results.some(sharesItems)
          ? [
              "Where trials of a row share items, its interval is Wilson's over effective trials: as many independent ones as they are worth.",
            ]
          : []),
        ...missingIntervals(results).map((why) => `${capital(why)}.`),
      ],
      estimate: [measure.name, ...results.map((result) => estimateCell(result, measure))],
      interval: [
        `${measure.interval.level}% interval`,
        ...results.map((result) => intervalText(result, unit)),
      ],
      n: ["n", ...results.map(nText)],
      excluded: ["not counted", ...results.map((result) => excludedText(result.excluded))],
    }
  })
  // All blocks share their columns, so that rates stand under rates.
  const widest = (cells: readonly (readonly string[])[]) =>
    Math.max(...cells.flat().map((cell) => cell.length))
  const wide = {
    estimate: widest(blocks.map(({ estimate }) => estimate)),
    interval: widest(blocks.map(({ interval }) => interval)),
    n: widest(blocks.map(({ n }) => n)),
  }
  const numbers = wide.estimate + wide.interval + wide.n + 3 * GAP.length + 16
  const factorWidths = narrowed(
    factors.map((cells) => widest([cells])),
    width - numbers,
  )
  const head = `Table ${table.name}: ${pooledWords(table)}`
  return [
    ...wrapped(head, width).map(look.bold),
    ...blocks.flatMap((block, at) => [
      ...(at === 0 ? [] : [""]),
      ...block.about.flatMap((words) => wrapped(words, width).map(look.faint)),
      ...block.estimate.flatMap((_, row) => {
        const cells = [
          ...factors.map((cells, column) =>
            padded(shortened(cells[row]!, factorWidths[column]!), factorWidths[column]!),
          ),
          padded(block.estimate[row]!, wide.estimate, "right"),
          padded(block.interval[row]!, wide.interval),
          padded(block.n[row]!, wide.n, "right"),
        ]
        const left = cells.join(GAP)
        // As many lines as the reasons take: each of them says what a number does not count.
        const lines = wrapped(block.excluded[row]!, width - left.length - GAP.length).map((words, at) =>
          `${at === 0 ? left : " ".repeat(left.length)}${GAP}${words}`.trimEnd(),
        )
        return row === 0 ? lines.map(look.faint) : lines
      }),
    ]),
  ]
}

const GAP = "  "

function estimateCell(result: Result, measure: MeasureIR): string {
  return result.estimate === undefined ? "no value" : measureText(result.estimate, measure)
}

/** Bars in eighths of a column or dots on their intervals, from 0, their numbers beside them; values below 0 stand as numbers alone. */
function figureLines(figure: FigureView, width: number, look: Paint): readonly Line[] {
  const unit = figure.measure.statistic
  const bars = figure.groups.flatMap(({ level, bars }) =>
    bars.map(({ color, result }) => ({
      name: terminalLine(color === undefined ? level : `${level}, ${color}`),
      known: result.estimate !== undefined,
      value: result.estimate ?? 0,
      low: result.low,
      high: result.high,
      number: `${estimateCell(result, figure.measure)} ${intervalText(result, unit)}`.trim(),
    })),
  )
  const title = `Figure ${figure.name}: ${titleOf(figure)}${unit === "rate" ? ` (${figure.mark}s: of 100%)` : ""}`
  const head = wrapped(title, width).map(look.bold)
  const names = Math.min(24, Math.max(0, ...bars.map(({ name }) => name.length)))
  const numbers = Math.max(0, ...bars.map(({ number }) => number.length))
  const room = Math.min(50, width - names - numbers - 2 * GAP.length)
  const dots = figure.mark === "dot"
  const ends = bars.flatMap(({ value, high }) => (dots && high !== undefined ? [value, high] : [value]))
  const full = unit === "rate" ? 1 : Math.max(Number.MIN_VALUE, ...ends)
  const drawn = room >= 10 && bars.every(({ value }) => value >= 0)
  const rows = bars.map(({ name, known, value, low, high, number }) => {
    const column = (at: number) => Math.round((Math.max(0, at) / full) * (room - 1))
    const mark = dots
      ? dotted(column(value), column(low ?? value), column(high ?? value))
      : blocks((value / full) * room)
    const shape = known ? mark : ""
    const bar = drawn ? [look.bar(padded(shape, room))] : []
    return [padded(shortened(name, names), names), ...bar, number].join(GAP)
  })
  return [...head, ...rows]
}

/** "    ├──●─┤": a dot at its column, between the columns of its interval's ends. */
function dotted(at: number, low: number, high: number): string {
  const columns = Array.from({ length: high + 1 }, (_, column) => {
    if (column === at) return "●"
    if (column === low) return "├"
    return column === high ? "┤" : column > low ? "─" : " "
  })
  return columns.join("")
}

function blocks(length: number): string {
  const eighths = Math.round(length * 8)
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
}

function contrastLines(
  { contrast, result, unit, words, caution }: ContrastView,
  width: number,
  look: Paint,
): readonly Line[] {
  const name = terminalLine(contrast.name)
  const over = overText(result)
  if (result.estimate === undefined) {
    return [
      ...wrapped(`${name}: no value (${over}; ${result.method})`, width),
      ...wrapped(words, width, "  ").map(look.faint),
    ]
  }
  const interval = intervalText(result, unit)
  const parts = [
    `${differenceText(result.estimate, unit)}${interval === "" ? "" : ` ${interval}`}`,
    ...(result.p === undefined ? [] : [pText(result.p)]),
    over,
  ]
  const excluded = excludedText(result.excluded)
  const detail = [
    words,
    ...(result.sides === undefined
      ? []
      : [`${estimateText(result.sides.left, unit)} against ${estimateText(result.sides.right, unit)}`]),
    ...(result.discordant === undefined ? [] : [discordantWords(result.discordant)]),
    result.method,
    ...(caution === undefined ? [] : [caution]),
    ...(excluded === "" ? [] : [`not counted: ${excluded}`]),
  ]
  return [
    ...wrapped(`${name}: ${parts.join(", ")}`, width),
    ...wrapped(detail.join("; "), width, "  ").map(look.faint),
  ]
}

function expectLines({ result, words }: ExpectView, width: number, look: Paint): readonly Line[] {
  const colour = result.held === true ? look.good : look.bad
  const text = `${verdictWords(result)}: ${terminalLine(result.name)} (${words})`
  const [first = "", ...rest] = wrapped(text, width)
  return [colour(first), ...rest]
}

/** Widths that sum to the room: the widest give way first, none below 6. */
function narrowed(widths: readonly number[], room: number): readonly number[] {
  const fitted = [...widths]
  const total = () => fitted.reduce((sum, width) => sum + width + GAP.length, 0)
  while (total() > room) {
    const widest = fitted.indexOf(Math.max(...fitted))
    if (fitted[widest] === undefined || fitted[widest] <= 6) break
    fitted[widest]--
  }
  return fitted
}
