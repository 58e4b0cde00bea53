/** `report.md`: the same for a pull request or a paper's repository. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import { statisticWords } from "../measure/statistic.ts"
import { engineMarkdown } from "./engine.ts"
import { escapeMarkdown, markdownBlock, markdownCode } from "./escape.ts"
import { describe, titleOf } from "./figure.ts"
import {
  counted,
  differenceText,
  excludedText,
  grouped,
  intervalText,
  lengthOf,
  measureText,
  missingIntervals,
  nText,
  pText,
} from "./format.ts"
import type { PromptSample, ReportInput } from "./input.ts"
import { sourcesOf } from "./provenance.ts"
import { type ContrastView, figureFile, type Summary, summaries, type TableView } from "./summary.ts"
import {
  capital,
  discordantWords,
  failedItems,
  INVALID_WORDS,
  intervalKinds,
  noticesOf,
  pooledWords,
  promptName,
  reproduction,
  skippedReads,
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
    ...(input.program.experiments.length > 1 && experiment.doc !== ""
      ? [escapeMarkdown(experiment.doc)]
      : []),
    ...(summary.contrasts.length === 0 ? [] : [contrastsText(summary.contrasts)]),
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
      escapeMarkdown(`${capital(pooledWords(table))}; in brackets ${intervalKinds(table)}.`),
      tableText(table),
      ...table.measures.flatMap(({ name }, column) =>
        missingIntervals(table.rows.map(({ results }) => results[column]!)).map(
          (why) => `${markdownCode(name)}: ${escapeMarkdown(why)}.`,
        ),
      ),
    ]),
    ...summary.figures.flatMap((figure) => [
      `### ${escapeMarkdown(titleOf(figure))}`,
      `![${escapeMarkdown(describe(figure))}](${encodeURI(figureFile(input, experiment.name, figure.name))})`,
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
        return `- ${markdownCode(measure.name)}: ${statisticWords(measure.statistic)} ${markdownCode(printOperands(measure))}${given}; ${INVALID_WORDS[measure.invalid]}.${doc}`
      })
      .join("\n"),
    ...(failed.length + skipped.length === 0
      ? []
      : [
          "### Reads without a value",
          [
            ...failed.map(
              ({ hole, model, why, count, items }) =>
                `- ${markdownCode(hole)} of ${escapeMarkdown(model)}: ${escapeMarkdown(why)} (${counted(count, "trial")}: ${escapeMarkdown(failedItems(items))})`,
            ),
            ...skipped.map((words) => `- ${escapeMarkdown(words)}`),
          ].join("\n"),
        ]),
    "### Prompts as sent",
    ...(input.promptsLost === undefined ? [] : [escapeMarkdown(input.promptsLost)]),
    ...prompts.map((prompt) => promptText(experiment, prompt)),
  ]
}

function contrastsText(contrasts: readonly ContrastView[]): string {
  const rows = contrasts.map(({ contrast, result, unit, words, caution }) => [
    markdownCode(contrast.name),
    markdownCode(words),
    result.estimate === undefined ? "no value" : `**${differenceText(result.estimate, unit)}**`,
    intervalText(result, unit) === "" ? "" : escapeMarkdown(`${result.level}% ${intervalText(result, unit)}`),
    nText(result),
    result.p === undefined ? "" : escapeMarkdown(pText(result.p)),
    escapeMarkdown(
      [
        result.method,
        ...(result.discordant === undefined ? [] : [discordantWords(result.discordant)]),
        ...(caution === undefined ? [] : [caution]),
      ].join("; "),
    ),
    escapeMarkdown(excludedText(result.excluded)),
  ])
  return markdownTable(
    ["contrast", "difference", "estimate", "interval", "n", "p", "method", "not counted"],
    rows,
  )
}

function tableText(table: TableView): string {
  const heads = [...table.factors, ...table.measures.flatMap(({ name }) => [name, "n", "not counted"])]
  const rows = table.rows.map((row) => [
    ...row.levels.map((level) => (level === undefined ? "–" : escapeMarkdown(level))),
    ...row.results.flatMap((result, column) => {
      const measure = table.measures[column]!
      const excluded = escapeMarkdown(excludedText(result.excluded))
      if (result.estimate === undefined) return ["no value", nText(result), excluded]
      const shown = measureText(result.estimate, measure)
      const interval = escapeMarkdown(intervalText(result, measure.statistic))
      return [`${shown} ${interval}`.trim(), nText(result), excluded]
    }),
  ])
  return markdownTable(heads.map(escapeMarkdown), rows)
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

function allowedText(input: ReportInput): string {
  return input.allowed
    .map(
      ({ code, title, reason }) =>
        `- ${markdownCode(code)} ${escapeMarkdown(title)}. ${escapeMarkdown(reason)}`,
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

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n")
}
