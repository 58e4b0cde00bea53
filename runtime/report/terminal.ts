/** The report for a terminal: every table and contrast with its n and what was not counted, and the figure as bars of text. */
import type { MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { estimatorName, isLogit, oddsText, signsWords } from "./contrastGrid.ts"
import { enginePartsOf } from "./engine.ts"
import { terminalLine } from "./escape.ts"
import { figureLines } from "./figures/terminal.ts"
import {
  counted,
  differenceText,
  excludedText,
  intervalText,
  measureText,
  missingIntervals,
  nText,
  overText,
  pText,
  sidesText,
} from "./format.ts"
import { MARK, NONE } from "./grid.ts"
import type { ReportInput } from "./input.ts"
import { type Line, type Paint, padded, paint, shortened, wrapped } from "./layout.ts"
import { type ContrastView, type ExpectView, type Summary, summaries } from "./summary.ts"
import { letteredReason, tableNotes } from "./tableNotes.ts"
import type { TableView } from "./tableViews.ts"
import { gridLines } from "./terminalGrid.ts"
import { unitOf, unitWords } from "./unit.ts"
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
    ...summary.grids.flatMap((grid) => ["", ...gridLines(grid, width, look)]),
    ...summary.fits.flatMap(({ name, words, cautions, grids }) => [
      "",
      ...wrapped(`Model ${name}: ${words}`, width).map(look.bold),
      ...cautions.flatMap((caution) => wrapped(`caution: ${caution}`, width).map(look.warn)),
      ...grids.flatMap((grid) => gridLines(grid, width, look)),
    ]),
    ...(summary.left.length === 0 ? [] : ["", look.bold("Not computed")]),
    ...summary.left.flatMap((words) => wrapped(words, width).map(look.warn)),
    ...(summary.contrasts.length === 0 ? [] : ["", look.bold("Contrasts")]),
    ...summary.contrasts.flatMap((contrast) => contrastLines(contrast, width, look)),
    ...(summary.expects.length === 0 ? [] : ["", look.bold("Expected")]),
    ...summary.expects.flatMap((expect) => expectLines(expect, width, look)),
    ...(summary.reasons === undefined ? [] : ["", ...gridLines(summary.reasons, width, look)]),
  ]
}

/** One block per measure: what it is, and a row for each set of trials, with estimate, interval, n and what was not counted. */
function tableLines(table: TableView, width: number, look: Paint): readonly Line[] {
  const factors = table.factors.map((factor, column) => [
    factor,
    ...table.rows.map((row) => terminalLine(row.levels[column] ?? NONE)),
  ])
  const blocks = table.measures.map((measure, column) => {
    const results = table.rows.map((row) => row.results[column]!)
    const unit = unitOf(measure)
    const words = unitWords(measure)
    return {
      about: [
        // Percent stands behind its numbers.
        words === undefined || words === "%"
          ? measureWords(measure)
          : `${measureWords(measure).replace(/\.$/, "")}. Unit: ${words}.`,
        ...(results.some(sharesItems)
          ? [
              "Where trials of a row share items, its interval is Wilson's over effective trials, in parentheses behind n: as many independent ones as they are worth.",
            ]
          : []),
        ...missingIntervals(results).map((why) => `${capital(why)}.`),
      ],
      estimate: [
        measure.name,
        ...table.rows.map(
          ({ results, cautions }) =>
            `${estimateCell(table, results[column]!, measure)}${cautions[column] === undefined ? "" : MARK}`,
        ),
      ],
      interval: [
        `${measure.interval.level}% interval`,
        ...results.map((result) => intervalText(result, unit)),
      ],
      n: ["n", ...results.map((result) => nText(result, unit))],
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
  const natural = factors.map((cells) => widest([cells]))
  const folded = foldedFactors(natural, width - numbers)
  const [above, beside] = [factors.slice(0, folded), factors.slice(folded)]
  const factorWidths = narrowed(natural.slice(folded), width - numbers - (folded > 0 ? GAP.length : 0))
  const indent = folded > 0 ? GAP : ""
  const headings = table.rows.map((_, row) =>
    above.map((cells) => `${cells[0]} = ${cells[row + 1]}`).join(", "),
  )
  const head = `Table ${table.name}: ${pooledWords(table)}`
  return [
    ...wrapped(head, width).map(look.bold),
    ...blocks.flatMap((block, at) => [
      ...(at === 0 ? [] : [""]),
      ...block.about.flatMap((words) => wrapped(words, width).map(look.faint)),
      ...block.estimate.flatMap((_, row) => {
        const cells = beside.map((cells, column) =>
          padded(shortened(cells[row]!, factorWidths[column]!), factorWidths[column]!),
        )
        const left = `${indent}${[
          ...cells,
          padded(block.estimate[row]!, wide.estimate, "right"),
          padded(block.interval[row]!, wide.interval),
          padded(block.n[row]!, wide.n, "right"),
        ].join(GAP)}`
        // As many lines as the reasons take: each of them says what a number does not count.
        const lines = wrapped(block.excluded[row]!, width - left.length - GAP.length).map((words, at) =>
          `${at === 0 ? left : " ".repeat(left.length)}${GAP}${words}`.trimEnd(),
        )
        if (row === 0) return lines.map(look.faint)
        const heading = headings[row - 1]!
        return folded > 0 && heading !== headings[row - 2] ? [...wrapped(heading, width), ...lines] : lines
      }),
    ]),
    ...tableNotes(table).flatMap((note) => wrapped(note, width)),
  ]
}

/** How many factors, from the first, have to be headings above their rows, so that the others fit beside their numbers. */
function foldedFactors(widths: readonly number[], room: number): number {
  const fits = (from: number): boolean =>
    widths.slice(from).reduce((sum, width) => sum + width + GAP.length, from > 0 ? GAP.length : 0) <= room
  let folded = 0
  while (folded < widths.length - 1 && !fits(folded)) folded++
  return folded
}

const GAP = "  "

function estimateCell(table: TableView, result: Result, measure: MeasureIR): string {
  return result.estimate === undefined
    ? `no value (${letteredReason(table, result)})`
    : measureText(result.estimate, measure, result)
}

function contrastLines(
  { contrast, result, unit, words, caution }: ContrastView,
  width: number,
  look: Paint,
): readonly Line[] {
  const several = contrast.by.length > 1
  const name = terminalLine(several ? `${contrast.name}, ${estimatorName(result)}` : contrast.name)
  const over = overText(result)
  if (result.estimate === undefined) {
    return [
      ...wrapped(`${name}: no value (${over}; ${result.method})`, width),
      ...wrapped(words, width, "  ").map(look.faint),
    ]
  }
  const logit = isLogit(result)
  const interval = intervalText(result, logit ? "mean" : unit)
  const { odds, adjusted, signs } = result
  const parts = [
    `${differenceText(result.estimate, logit ? "mean" : unit, result)}${logit ? " logits" : ""}${interval === "" ? "" : ` ${interval}`}`,
    ...(odds === undefined ? [] : [`odds ratio ${oddsText(odds)}`]),
    ...(result.p === undefined ? [] : [pText(result.p)]),
    ...(adjusted === undefined ? [] : [`${pText(adjusted.p)} adjusted in family ${adjusted.family}`]),
    over,
  ]
  const excluded = excludedText(result.excluded)
  const detail = [
    words,
    ...(result.sides === undefined ? [] : [sidesText(result.sides, unit)]),
    ...(result.discordant === undefined ? [] : [discordantWords(result.discordant)]),
    ...(signs === undefined ? [] : [signsWords(signs)]),
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
