/** Tables of measures on the page, and what did not enter each number. */
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { statisticWords } from "../measure/statistic.ts"
import { escapeHtml } from "./escape.ts"
import { excludedText, grouped, intervalText, measureText, nText, printed, reasonText } from "./format.ts"
import {
  headCell,
  type Links,
  markHtml,
  notesHtml,
  rowHeads,
  sortAttribute,
  tableElement,
} from "./htmlTable.ts"
import { letteredReason, missingWords, tableNotes } from "./tableNotes.ts"
import type { TableView } from "./tableViews.ts"
import { unitOf, unitWords } from "./unit.ts"
import { capital, INVALID_WORDS, intervalKinds, pooledWords } from "./words.ts"

/** `at`: the table's place in its experiment, from 0. */
export function tableHtml(table: TableView, at: number, links: Links, suffix: string): string {
  const heads = [
    ...table.factors.map((factor) => headCell(factor, false)),
    ...table.measures.map((measure) => {
      const unit = unitWords(measure)
      const name = `<a href="#${links.definition(measure.name)}">${escapeHtml(measure.name)}</a>`
      const below = [
        ...(unit === undefined ? [] : [escapeHtml(unit)]),
        `<a href="#${countsId(table, at, measure, suffix)}">n<span class="unseen"> of ${escapeHtml(measure.name)}</span></a>`,
      ]
      return headCell(measure.name, true, name, `<span class="unit">${below.join(" · ")}</span>`)
    }),
  ]
  const rows = table.rows.map(({ levels, results, cautions }, row) => {
    const cells = results.map((result, column) =>
      resultCell(table, result, table.measures[column]!, cautions[column]),
    )
    return `<tr>${rowHeads(levels, table.rows[row - 1]?.levels).join("")}${cells.join("")}</tr>`
  })
  const kinds = intervalKinds(table)
  const caption = `${capital(pooledWords(table))}. Below each estimate ${kinds === undefined ? "" : "its interval and "}the n that entered.${kinds === undefined ? "" : ` ${kinds}.`}`
  return `${tableElement({
    label: `${table.name} by ${table.factors.join(" and ")}`,
    caption: escapeHtml(caption),
    heads,
    rows,
  })}${notesHtml([...missingWords(table), ...tableNotes(table)])}`
}

/** Of every measure its definition, and for each table which trials it counts and why the others do not enter. */
export function definitionsHtml(
  experiment: ExperimentIR,
  tables: readonly TableView[],
  links: Links,
  suffix: string,
): string {
  return experiment.measures
    .map((measure) => {
      const counts = tables.flatMap((table, at) => {
        const column = table.measures.indexOf(measure)
        return column === -1 ? [] : [countsHtml(table, at, column, suffix, tables.length > 1)]
      })
      return [
        `<h3 id="${links.definition(measure.name)}">${escapeHtml(measure.name)}</h3>`,
        `<p>${definitionHtml(measure)}</p>`,
        ...counts,
      ].join("\n")
    })
    .join("\n")
}

const countsId = (table: TableView, at: number, measure: MeasureIR, suffix: string): string =>
  `counts-${at + 1}-${table.measures.indexOf(measure) + 1}${suffix}`

function countsHtml(table: TableView, at: number, column: number, suffix: string, several: boolean): string {
  const measure = table.measures[column]!
  const reasons = [
    ...new Set(table.rows.flatMap(({ results }) => Object.keys(results[column]!.excluded))),
  ].sort()
  const of = several ? ` in table ${table.name}` : ""
  return tableElement({
    id: countsId(table, at, measure, suffix),
    label: `Trials behind ${measure.name}${of}`,
    caption: escapeHtml(
      `${several ? `Table ${table.name}: all` : "All"} trials, those that did not enter by reason, and those that entered (n).`,
    ),
    heads: [
      ...table.factors.map((factor) => headCell(factor, false)),
      ...["trials", ...reasons.map(reasonText), "n"].map((head) => headCell(head, true)),
    ],
    rows: table.rows.map(({ levels, results }, row) => {
      const { n, excluded } = results[column]!
      const all = n + Object.values(excluded).reduce((sum, count) => sum + count, 0)
      const numbers = [all, ...reasons.map((reason) => excluded[reason] ?? 0), n]
      const cells = numbers.map((count) => `<td class="number"${sortAttribute(count)}>${grouped(count)}</td>`)
      return `<tr>${rowHeads(levels, table.rows[row - 1]?.levels).join("")}${cells.join("")}</tr>`
    }),
    plain: true,
  })
}

/** A measure's doc, its definition in the language's words, and the unit of its numbers. */
function definitionHtml(measure: MeasureIR): string {
  const code = (text: string) => `<code>${escapeHtml(text)}</code>`
  const given = measure.given === undefined ? "" : ` given ${code(printExpression(measure.given))}`
  const weight = measure.weight === undefined ? "" : ` weighed by ${code(printExpression(measure.weight))}`
  const definition = `${statisticWords(measure.statistic)} ${code(printOperands(measure))}${given}${weight}`
  const doc = measure.doc === "" ? "" : `${escapeHtml(measure.doc)} `
  const unit = unitWords(measure)
  return `${doc}Defined as ${definition}; ${INVALID_WORDS[measure.invalid]}.${unit === undefined ? "" : ` Unit: ${escapeHtml(unit)}.`}`
}

function resultCell(
  table: TableView,
  result: Result,
  measure: MeasureIR,
  caution: string | undefined,
): string {
  const n = `n = ${nText(result, measure.statistic)}`
  if (result.estimate === undefined)
    return `<td class="number none"${sortAttribute(undefined)} title="${escapeHtml(result.method)}">no value <span class="letter">(${letteredReason(table, result)})</span><span class="interval">${n}</span></td>`
  const shown = measureText(result.estimate, measure)
  const interval = intervalText(result, unitOf(measure))
  const detail = [...(interval === "" ? [] : [printed(interval)]), n].join(" · ")
  const excluded = excludedText(result.excluded)
  const title = escapeHtml(`${result.method}${excluded === "" ? "" : `; not counted: ${excluded}`}`)
  const mark = caution === undefined ? "" : markHtml(caution)
  return `<td class="number"${sortAttribute(result.estimate)} title="${title}"><span class="estimate">${printed(shown)}</span>${mark}<span class="interval">${detail}</span></td>`
}
