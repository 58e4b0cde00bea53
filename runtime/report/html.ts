/** `report.html`: one file that needs no network, and no script but to sort its tables; its content policy forbids the one, and every other script. */
import { engineHtml } from "./engine.ts"
import { escapeHtml } from "./escape.ts"
import { figureSvg } from "./figures/figure.ts"
import { captionOf } from "./figures/words.ts"
import type { FitView } from "./fitGrids.ts"
import { foldingOf } from "./fold.ts"
import { counted, grouped, printed } from "./format.ts"
import { promptsHtml } from "./htmlPrompts.ts"
import { gridHtml, type Links } from "./htmlTable.ts"
import { definitionsHtml, tableHtml } from "./htmlTables.ts"
import { trialsHtml } from "./htmlTrials.ts"
import type { ReportInput } from "./input.ts"
import { sourcesOf } from "./provenance.ts"
import { reproduction } from "./reproduce.ts"
import { SORTING, SORTING_HASH } from "./sortable.ts"
import { STYLE } from "./style.ts"
import { type Summary, summaries } from "./summary.ts"
import {
  capital,
  failedItems,
  noticesOf,
  OPEN_NOT_KEPT,
  ofExperiment,
  ownDoc,
  skippedReads,
  titleAndLead,
  trialsIn,
  unfinishedTrials,
  verdictWords,
} from "./words.ts"

export function htmlReport(input: ReportInput): string {
  const all = summaries(input)
  const { title, lead } = titleAndLead(input)
  const sections = all.flatMap((summary) => experimentSections(input, summary, all.length > 1))
  const closing = [
    ...engineHtml(input),
    stimuliSection(input),
    materialSection(input),
    reproduceSection(input),
  ]
  const body = [...sections, ...closing].map(sectionHtml).join("\n")
  const contents = [...sections, ...closing].map(
    ({ id, title: name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${SORTING_HASH}'; style-src 'unsafe-inline'; img-src data:">
<meta name="generator" content="cfx ${escapeHtml(input.version)}">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${foldingOf(body)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the results</a>
<header class="page">
<p class="eyebrow">cfx report</p>
<h1>${escapeHtml(title)}</h1>
${lead.map((paragraph) => `<p class="lead">${escapeHtml(paragraph)}</p>`).join("\n")}
${noticesOf(input)
  .map((notice) => `<p class="notice" role="note">${escapeHtml(notice)}</p>`)
  .join("\n")}
${factsHtml(input, all)}
<nav aria-label="Contents"><ul>${contents.join("")}</ul></nav>
</header>
<main id="content">
${body}
</main>
<footer>Made by cfx ${escapeHtml(input.version)}. All numbers stand in <code>results.json</code>, all trials in <code>trials.csv</code>.</footer>
<script>${SORTING}</script>
</body>
</html>
`
}

interface Section {
  readonly id: string
  readonly title: string
  readonly body: string
}

function sectionHtml({ id, title, body }: Section): string {
  return `<section id="${id}" aria-labelledby="${id}-heading">\n<h2 id="${id}-heading">${escapeHtml(title)}</h2>\n${body}\n</section>`
}

/** The sections of one experiment; names carry the experiment's only where there are several. */
function experimentSections(input: ReportInput, summary: Summary, several: boolean): readonly Section[] {
  const { experiment } = summary
  const suffix = several ? `-${input.program.experiments.indexOf(experiment) + 1}` : ""
  const named = (id: string, title: string, body: string): Section => ({
    id: `${id}${suffix}`,
    title: several ? `${experiment.name}: ${title}` : title,
    body,
  })
  const figures = summary.figures.map(
    (figure, at) =>
      `<figure>\n<div class="scroll" role="group" tabindex="0" aria-label="Figure ${escapeHtml(figure.name)}">${figureSvg(figure, `figure${suffix}-${at + 1}`)}</div><figcaption>${escapeHtml(captionOf(figure))}</figcaption>\n</figure>`,
  )
  const doc = ownDoc(input, experiment).map((paragraph) => `<p>${escapeHtml(paragraph)}</p>\n`)
  const prompts = input.prompts.filter(
    (prompt) => prompt.experiment === experiment.name && prompt.trial === undefined,
  )
  const links: Links = {
    definition: (measure) =>
      `measure-${experiment.measures.findIndex(({ name }) => name === measure) + 1}${suffix}`,
  }
  const trials = trialsHtml(input, experiment)
  const sections = [
    ...(summary.contrastGrid !== undefined || summary.expects.length > 0
      ? [named("contrasts", "Contrasts", contrastsHtml(summary, links, suffix))]
      : []),
    ...summary.tables.map((table, at) =>
      named(
        `table-${at + 1}`,
        summary.tables.length > 1 ? `Table: ${table.name}` : "Table",
        tableHtml(table, at, links, suffix),
      ),
    ),
    ...summary.grids.map((grid) => named(grid.id, grid.title, gridHtml(grid, links, suffix))),
    ...summary.fits.map((fit, at) =>
      named(`model-${at + 1}`, `Model: ${fit.name}`, fitHtml(fit, links, suffix)),
    ),
    ...(figures.length > 0
      ? [named("figure", figures.length > 1 ? "Figures" : "Figure", figures.join("\n"))]
      : []),
    ...(summary.left.length > 0 ? [named("left", "Not computed", leftHtml(summary))] : []),
    named(
      "denominators",
      "What each number counts",
      definitionsHtml(experiment, summary.tables, links, suffix) + failedHtml(input, summary, links, suffix),
    ),
    ...(trials === "" ? [] : [named("trials", "Single trials", trials)]),
    named("prompts", "Prompts as sent", promptsHtml(experiment, prompts, input.promptsLost)),
  ]
  return sections.map((section, at) =>
    at === 0 ? { ...section, body: doc.join("") + section.body } : section,
  )
}

function fitHtml({ words, cautions, grids }: FitView, links: Links, suffix: string): string {
  return [
    ...cautions.map((caution) => `<p class="notice" role="note">${escapeHtml(capital(caution))}.</p>`),
    `<p>${escapeHtml(printed(words))}</p>`,
    ...grids.map((grid) => `<h3>${escapeHtml(grid.title)}</h3>\n${gridHtml(grid, links, suffix)}`),
  ].join("\n")
}

function factsHtml(input: ReportInput, all: readonly Summary[]): string {
  const models = input.program.models.map(({ name }) => name)
  const facts: readonly (readonly [string, string])[] = [
    ["Experiment", all.map(({ experiment }) => experiment.name).join(", ")],
    [models.length === 1 ? "Model" : "Models", models.join(", ")],
    ["Items", input.pools.map(({ name, count }) => `${grouped(count)} (${name})`).join(", ")],
    ["Trials", grouped(trialsIn(input))],
    ["Reads", `${grouped(input.reads.all)} (${grouped(input.reads.distinct)} distinct)`],
    ["Seed", [...new Set(all.map(({ experiment }) => experiment.seed))].join(", ")],
  ]
  const entries = facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`)
  return `<dl class="facts">${entries.join("")}</dl>`
}

function contrastsHtml({ contrastGrid, expects }: Summary, links: Links, suffix: string): string {
  const verdicts = expects.map(({ result, words }) => {
    const kind = result.held === undefined ? "open" : result.held ? "held" : "missed"
    return `<li><span class="verdict ${kind}">${verdictWords(result)}</span> <span>expected <code>${escapeHtml(result.name)}</code> (${escapeHtml(printed(words))})</span></li>`
  })
  return [
    ...(contrastGrid === undefined ? [] : [gridHtml(contrastGrid, links, suffix)]),
    ...(verdicts.length > 0 ? [`<ul class="verdicts">${verdicts.join("")}</ul>`] : []),
  ].join("\n")
}

function leftHtml({ left }: Summary): string {
  return `<ul class="plain">${left.map((words) => `<li>${escapeHtml(capital(words))}.</li>`).join("")}</ul>`
}

function failedHtml(
  input: ReportInput,
  { experiment: { name: experiment }, reasons }: Summary,
  links: Links,
  suffix: string,
): string {
  const failed = input.failed.filter((one) => one.experiment === experiment)
  const skipped = skippedReads(input, experiment).map((words) => `<li>${escapeHtml(words)}</li>`)
  if (failed.length + skipped.length === 0 && reasons === undefined)
    return `\n<p>Every read${unfinishedTrials(input) === 0 ? "" : " that was asked"} came to a value.</p>`
  const rows = failed.map(
    ({ model, hole, why, count, items }) =>
      `<li><code>${escapeHtml(hole)}</code> of ${escapeHtml(model)}: ${escapeHtml(why)} (${counted(count, "trial")}: ${escapeHtml(failedItems(items))})</li>`,
  )
  const lines = [...rows, ...skipped]
  return [
    `\n<h3>Reads without a value</h3>`,
    ...(lines.length === 0 ? [] : [`<ul class="plain">${lines.join("")}</ul>`]),
    ...(reasons === undefined ? [] : [gridHtml(reasons, links, suffix)]),
  ].join("\n")
}

function stimuliSection(input: ReportInput): Section {
  const sources = input.program.experiments.flatMap(sourcesOf)
  const unique = [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()]
  const rows = unique.map(
    ({ kind, declaration, note, place }) =>
      `<li><span class="tag">${kind}</span> <span><code>${escapeHtml(declaration)}</code>: ${escapeHtml(note)} <small>(${escapeHtml(place)})</small></span></li>`,
  )
  const list =
    rows.length === 0
      ? "<p>No text declares a source.</p>"
      : `<ul class="plain tagged">${rows.join("\n")}</ul>`
  const allowed = input.allowed.map(
    ({ experiment, code, title, reason }) =>
      `<li><code>${escapeHtml(code)}</code> ${escapeHtml(`${title}${ofExperiment(input, experiment)}`)}. Allowed, because: ${escapeHtml(reason)}</li>`,
  )
  const warnings =
    allowed.length === 0 ? "<p>The spec allows none.</p>" : `<ul class="plain">${allowed.join("\n")}</ul>`
  const body = `<p><em>Verbatim</em> texts are printed in the work that they cite; <em>reconstructed</em> ones had to be made up.</p>\n${list}\n<h3>Warnings that stand open</h3>\n${openHtml(input)}\n<h3>Warnings that the spec allows</h3>\n${warnings}`
  return { id: "stimuli", title: "Where the texts come from", body }
}

function openHtml(input: ReportInput): string {
  const { open } = input
  if (open === undefined) return `<p>${escapeHtml(OPEN_NOT_KEPT)}</p>`
  const lines = open.map(
    ({ experiment, code, title, message }) =>
      `<li><code>${escapeHtml(code)}</code> ${escapeHtml(`${title}${ofExperiment(input, experiment)}. ${message}`)}</li>`,
  )
  return lines.length === 0 ? "<p>None.</p>" : `<ul class="plain">${lines.join("\n")}</ul>`
}

function materialSection(input: ReportInput): Section {
  const models = input.models.map((model) => {
    const { doc } = input.program.models.find(({ name }) => name === model.name) ?? { doc: "" }
    const facts = Object.entries(model.facts).map(([name, value]) => `${name}: ${value}`)
    const lines: readonly (readonly [string, string])[] = [
      ["size", model.bytes === undefined ? "" : counted(model.bytes, "byte")],
      ["sha256", model.sha256 ?? ""],
      ["fingerprint", model.fingerprint],
      ["engine", facts.join(", ")],
    ]
    return `<h3>${escapeHtml(model.name)}</h3>\n${doc === "" ? "" : `<p>${escapeHtml(doc)}</p>\n`}${linesHtml(lines)}`
  })
  const pools = input.pools.map(
    ({ name, count, sha256 }) =>
      `<h3>${escapeHtml(name)}</h3>\n${linesHtml([
        ["items", grouped(count)],
        ["sha256", sha256],
      ])}`,
  )
  return { id: "material", title: "Models and items", body: [...models, ...pools].join("\n") }
}

function linesHtml(lines: readonly (readonly [string, string])[]): string {
  const shown = lines.filter(([, value]) => value !== "")
  return `<ul class="plain tagged">${shown
    .map(
      ([name, value]) =>
        `<li><span class="tag">${escapeHtml(name)}</span> <code>${escapeHtml(value)}</code></li>`,
    )
    .join("")}</ul>`
}

function reproduceSection(input: ReportInput): Section {
  const { command, notes } = reproduction(input)
  const body = [
    `<pre class="block">${escapeHtml(command)}</pre>`,
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
    `<p>Hash of the spec's meaning: <code>${escapeHtml(input.hash)}</code></p>`,
    `<details><summary>${escapeHtml(input.spec.name)}<small>the spec as it was run</small></summary>\n<pre dir="ltr">${escapeHtml(input.spec.text)}</pre></details>`,
  ].join("\n")
  return { id: "reproduce", title: "How to reproduce this", body }
}
