/** `report.md`: the same for a pull request or a paper's repository. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import { statisticWords } from "../measure/statistic.ts"
import { engineMarkdown } from "./engine.ts"
import { escapeMarkdown, markdownAlt, markdownBlock, markdownCode, markdownCodeCell } from "./escape.ts"
import { captionOf, describe, titleOf } from "./figures/words.ts"
import type { FitView } from "./fitGrids.ts"
import {
  counted,
  excludedText,
  grouped,
  intervalText,
  lengthOf,
  measureText,
  missingIntervals,
  nText,
} from "./format.ts"
import { type Grid, type GridCell, type GridHead, MARK, NONE, notesOf } from "./grid.ts"
import type { PromptSample, ReportInput } from "./input.ts"
import { sourcesOf } from "./provenance.ts"
import { reproduction } from "./reproduce.ts"
import { figureFile, type Summary, summaries } from "./summary.ts"
import { letteredReason, tableNotes } from "./tableNotes.ts"
import type { TableView } from "./tableViews.ts"
import { unitOf, unitWords } from "./unit.ts"
import {
  capital,
  failedItems,
  INVALID_WORDS,
  noticesOf,
  OPEN_NOT_KEPT,
  ofExperiment,
  ownDoc,
  promptName,
  skippedReads,
  tableCaption,
  titleAndLead,
  trialsIn,
  verdictWords,
} from "./words.ts"

export function markdownReport(input: ReportInput): string {
  const { title, lead } = titleAndLead(input)
  const models = input.program.models.map(({ name }) => escapeMarkdown(name)).join(", ")
  const pools = input.pools.map(({ name, count }) => `${grouped(count)} (${escapeMarkdown(name)})`).join(", ")
  const facts = `${input.program.models.length === 1 ? "Model" : "Models"}: ${models}. Items: ${pools}. ${counted(trialsIn(input), "trial")}, ${counted(input.reads.all, "read")}, ${grouped(input.reads.distinct)} distinct.`
  const { command, notes } = reproduction(input)
  return `${[
    `# ${escapeMarkdown(title)}`,
    ...lead.map(escapeMarkdown),
    ...noticesOf(input).map((notice) => `> **Note.** ${escapeMarkdown(notice)}`),
    facts,
    ...summaries(input).flatMap((summary) => experimentParts(input, summary)),
    ...engineMarkdown(input),
    "## Where the texts come from",
    sourcesText(input),
    ...openText(input),
    ...(input.allowed.length === 0 ? [] : ["## Warnings that the spec allows", allowedText(input)]),
    "## Models and items",
    materialText(input),
    "## How to reproduce this",
    markdownBlock(command, "sh"),
    ...notes.map(escapeMarkdown),
    `Hash of the spec's meaning: ${markdownCode(input.hash)}. Made by cfx ${escapeMarkdown(input.version)}.`,
  ].join("\n\n")}\n`
}

function experimentParts(input: ReportInput, summary: Summary): readonly string[] {
  const { experiment } = summary
  const prompts = input.prompts.filter(
    (prompt) => prompt.experiment === experiment.name && prompt.trial === undefined,
  )
  const failed = input.failed.filter((one) => one.experiment === experiment.name)
  const skipped = skippedReads(input, experiment.name)
  return [
    // A spec without a doc has its experiment's name for a title already.
    `## ${escapeMarkdown(titleAndLead(input).title === experiment.name ? "Results" : experiment.name)}`,
    ...ownDoc(input, experiment).map(escapeMarkdown),
    ...(summary.contrastGrid === undefined ? [] : ["### Contrasts", ...gridText(summary.contrastGrid)]),
    ...(summary.expects.length === 0
      ? []
      : [
          summary.expects
            .map(
              ({ result, words }) =>
                `- expected ${markdownCode(result.name)}: **${verdictWords(result)}** (${escapeMarkdown(words)})`,
            )
            .join("\n"),
        ]),
    ...summary.tables.flatMap((table) => [
      `### Table ${escapeMarkdown(table.name)}`,
      escapeMarkdown(tableCaption(table)),
      tableText(table),
      ...table.measures.flatMap(({ name }, column) =>
        missingIntervals(table.rows.map(({ results }) => results[column]!)).map(
          (why) => `${markdownCode(name)}: ${escapeMarkdown(why)}.`,
        ),
      ),
      ...notesText(tableNotes(table)),
    ]),
    ...summary.grids.flatMap((grid) => [`### ${escapeMarkdown(grid.title)}`, ...gridText(grid)]),
    ...summary.fits.flatMap(fitText),
    ...summary.figures.flatMap((figure) => [
      `### ${escapeMarkdown(titleOf(figure))}`,
      `![${markdownAlt(describe(figure))}](${encodeURI(figureFile(input, experiment.name, figure.name))})`,
      escapeMarkdown(captionOf(figure)),
    ]),
    ...(summary.left.length === 0
      ? []
      : ["### Not computed", summary.left.map((words) => `- ${escapeMarkdown(words)}`).join("\n")]),
    "### What each number counts",
    experiment.measures
      .map((measure) => {
        const given =
          measure.given === undefined ? "" : ` given ${markdownCode(printExpression(measure.given))}`
        const doc = measure.doc === "" ? "" : ` ${escapeMarkdown(measure.doc)}`
        const weight =
          measure.weight === undefined ? "" : ` weighed by ${markdownCode(printExpression(measure.weight))}`
        const unit = unitWords(measure)
        const inUnit = unit === undefined ? "" : ` Unit: ${escapeMarkdown(unit)}.`
        return `- ${markdownCode(measure.name)}: ${statisticWords(measure.statistic)} ${markdownCode(printOperands(measure))}${given}${weight}; ${INVALID_WORDS[measure.invalid]}.${inUnit}${doc}`
      })
      .join("\n"),
    ...(failed.length + skipped.length === 0 && summary.reasons === undefined
      ? []
      : ["### Reads without a value"]),
    ...(failed.length + skipped.length === 0
      ? []
      : [
          [
            ...failed.map(
              ({ hole, model, why, count, items }) =>
                `- ${markdownCode(hole)} of ${escapeMarkdown(model)}: ${escapeMarkdown(why)} (${counted(count, "trial")}: ${escapeMarkdown(failedItems(items))})`,
            ),
            ...skipped.map((words) => `- ${escapeMarkdown(words)}`),
          ].join("\n"),
        ]),
    ...(summary.reasons === undefined ? [] : gridText(summary.reasons)),
    "### Prompts as sent",
    ...(input.promptsLost === undefined ? [] : [escapeMarkdown(input.promptsLost)]),
    ...prompts.map((prompt) => promptText(experiment, prompt)),
  ]
}

/** A grid with its caption and its notes, each a paragraph. */
function gridText(grid: Grid): readonly string[] {
  const rows = grid.rows.map((row) => row.map((cell, column) => cellText(cell, grid.heads[column]!)))
  return [
    escapeMarkdown(grid.caption),
    markdownTable(
      grid.heads.map(({ text }) => escapeMarkdown(text)),
      rows,
      grid.heads.map(({ kind }) => kind === "number"),
    ),
    ...notesText(notesOf(grid)),
  ]
}

function cellText({ text, caution }: GridCell, { kind }: GridHead): string {
  if (text === "") return kind === "number" ? NONE : ""
  return kind === "code"
    ? markdownCodeCell(text)
    : `${escapeMarkdown(text)}${caution === undefined ? "" : MARK}`
}

const notesText = (notes: readonly string[]): readonly string[] =>
  notes.length === 0 ? [] : [notes.map((note) => `- ${escapeMarkdown(note)}`).join("\n")]

function fitText({ name, words, cautions, grids }: FitView): readonly string[] {
  return [
    `### Model ${escapeMarkdown(name)}`,
    ...cautions.map((caution) => `> **Caution.** ${escapeMarkdown(capital(caution))}.`),
    escapeMarkdown(words),
    ...grids.flatMap((grid) => [`#### ${escapeMarkdown(grid.title)}`, ...gridText(grid)]),
  ]
}

function tableText(table: TableView): string {
  const heads = [
    ...table.factors,
    ...table.measures.flatMap((measure) => {
      const unit = unitWords(measure)
      return [unit === undefined ? measure.name : `${measure.name} (${unit})`, "n", "not counted"]
    }),
  ]
  const rows = table.rows.map((row) => [
    ...row.levels.map((level) => (level === undefined ? NONE : escapeMarkdown(level))),
    ...row.results.flatMap((result, column) => {
      const measure = table.measures[column]!
      const excluded = escapeMarkdown(excludedText(result.excluded))
      if (result.estimate === undefined)
        return [`no value (${letteredReason(table, result)})`, nText(result, measure.statistic), excluded]
      const mark = row.cautions[column] === undefined ? "" : MARK
      const shown = `${measureText(result.estimate, measure, result)}${mark}`
      const interval = escapeMarkdown(intervalText(result, unitOf(measure)))
      return [`${shown} ${interval}`.trim(), nText(result, measure.statistic), excluded]
    }),
  ])
  const numbers = heads.map((_, at) => at >= table.factors.length && (at - table.factors.length) % 3 < 2)
  return markdownTable(heads.map(escapeMarkdown), rows, numbers)
}

function promptText(experiment: ExperimentIR, prompt: PromptSample): string {
  const name = promptName(experiment, prompt).map(escapeMarkdown).join(" · ")
  const text = prompt.rendered.map((segment) => segment.text).join("")
  const about = `item ${escapeMarkdown(prompt.item)}${lengthOf(prompt)}, up to ${markdownCode(prompt.hole)}`
  return `**${name}** (${about})\n\n${markdownBlock(text, "text")}`
}

function sourcesText(input: ReportInput): string {
  const rows = input.program.experiments
    .flatMap(sourcesOf)
    .map(
      ({ kind, declaration, note, place }) =>
        `- ${kind}: ${markdownCode(declaration)} (${escapeMarkdown(place)}): ${escapeMarkdown(note)}`,
    )
  return rows.length === 0 ? "No text declares a source." : [...new Set(rows)].join("\n")
}

function openText(input: ReportInput): readonly string[] {
  const { open } = input
  if (open?.length === 0) return []
  const lines = open?.map(
    ({ experiment, code, title, message }) =>
      `- ${markdownCode(code)} ${escapeMarkdown(`${title}${ofExperiment(input, experiment)}. ${message}`)}`,
  )
  return ["## Warnings that stand open", lines?.join("\n") ?? OPEN_NOT_KEPT]
}

function allowedText(input: ReportInput): string {
  return input.allowed
    .map(
      ({ experiment, code, title, reason }) =>
        `- ${markdownCode(code)} ${escapeMarkdown(`${title}${ofExperiment(input, experiment)}`)}. ${escapeMarkdown(reason)}`,
    )
    .join("\n")
}

function materialText(input: ReportInput): string {
  const models = input.models.map(({ name, fingerprint, sha256 }) => {
    const sum = sha256 === undefined ? "" : `, sha256 ${markdownCode(sha256)}`
    return `- model ${markdownCode(name)}${sum}, fingerprint ${markdownCode(fingerprint)}`
  })
  const pools = input.pools.map(
    ({ name, count, sha256 }) =>
      `- pool ${markdownCode(name)}: ${counted(count, "item")}, sha256 ${markdownCode(sha256)}`,
  )
  return [...models, ...pools].join("\n")
}

/** `numbers`: by column, whether it is set to the right. */
function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly boolean[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(heads), line(numbers.map((right) => (right ? "--:" : "---"))), ...rows.map(line)].join("\n")
}
