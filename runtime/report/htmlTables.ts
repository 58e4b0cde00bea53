/** Tables of measures on the page, and what did not enter each number. */
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { statisticWords } from "../measure/statistic.ts"
import { escapeHtml } from "./escape.ts"
import { breakable, inPieces, leastColumn, longest } from "./fold.ts"
import { excludedText, grouped, intervalText, measureText, nText, printed, reasonText } from "./format.ts"
import {
  headCell,
  type Links,
  markHtml,
  notesHtml,
  numberCell,
  type RowName,
  rowHeads,
  tableElement,
  tableRow,
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
      const name = `<a href="#${links.definition(measure.name)}">${breakable(measure.name)}</a>`
      const below = [
        ...(unit === undefined ? [] : [escapeHtml(unit)]),
        `<a href="#${countsId(table, at, measure, suffix)}">n<span class="unseen"> of ${escapeHtml(measure.name)}</span></a>`,
      ]
      return headCell(measure.name, true, name, `<span class="unit">${below.join(" · ")}</span>`)
    }),
  ]
  const rows = table.rows.map(({ results, cautions }, row) => {
    const cells = results.map((result, column) =>
      resultCell(table, result, table.measures[column]!, cautions[column]),
    )
    return tableRow([...rowHeads(namesOf(table, row)!, namesOf(table, row - 1)), ...cells])
  })
  const kinds = intervalKinds(table)
  const caption = `${capital(pooledWords(table))}. Below each estimate ${kinds === undefined ? "" : "its interval and "}the n that entered.${kinds === undefined ? "" : ` ${kinds}.`}`
  return `${tableElement({
    label: `${table.name}${table.factors.length === 0 ? "" : ` by ${table.factors.join(" and ")}`}`,
    caption: escapeHtml(caption),
    heads,
    rows,
    widths: [...nameWidths(table), ...table.measures.map((_, column) => measureWidth(table, column))],
  })}${notesHtml([...missingWords(table), ...tableNotes(table)])}`
}

/** What a row is about; undefined where there is none. */
const namesOf = ({ factors, rows }: TableView, row: number): readonly RowName[] | undefined =>
  rows[row]?.levels.map((name, column) => ({ head: factors[column]!, name }))

/** In rem. */
const nameWidths = ({ factors, rows }: TableView): readonly number[] =>
  factors.map((factor, column) =>
    leastColumn(
      factor,
      rows.map(({ levels }) => [longest(levels[column] ?? ""), "name"]),
    ),
  )

/** In rem. */
function measureWidth(table: TableView, column: number): number {
  const measure = table.measures[column]!
  return Math.max(
    leastColumn(measure.name, []),
    leastColumn("", [
      [`${unitWords(measure) ?? ""} n`, "small"],
      ...table.rows.flatMap(({ results }) => {
        const result = results[column]!
        const shown =
          result.estimate === undefined ? "no value (a)" : measureText(result.estimate, measure, result)
        const below = [intervalText(result, unitOf(measure)), nWords(result, measure)]
        return [[`${shown} `, "number"] as const, ...below.map((piece) => [`${piece} ·`, "small"] as const)]
      }),
    ]),
  )
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
  const counts = ["trials", ...reasons.map(reasonText), "n"]
  return tableElement({
    id: countsId(table, at, measure, suffix),
    label: `Trials behind ${measure.name}${of}`,
    caption: escapeHtml(
      `${several ? `Table ${table.name}: all` : "All"} trials, those that did not enter by reason, and those that entered (n).`,
    ),
    heads: [
      ...table.factors.map((factor) => headCell(factor, false)),
      ...counts.map((head) => headCell(head, true)),
    ],
    rows: table.rows.map(({ results }, row) => {
      const { n, excluded } = results[column]!
      const all = n + Object.values(excluded).reduce((sum, count) => sum + count, 0)
      const numbers = [all, ...reasons.map((reason) => excluded[reason] ?? 0), n]
      const cells = numbers.map((count, at) => numberCell(counts[at]!, count, grouped(count)))
      return tableRow([...rowHeads(namesOf(table, row)!, namesOf(table, row - 1)), ...cells])
    }),
    widths: [...nameWidths(table), ...counts.map((head) => leastColumn(head, [["1,000,000", "name"]]))],
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
  const n = nWords(result, measure)
  if (result.estimate === undefined)
    return numberCell(
      measure.name,
      undefined,
      `no value <span class="letter">(${letteredReason(table, result)})</span><span class="interval">${n}</span>`,
      { look: " none", title: result.method },
    )
  const shown = measureText(result.estimate, measure, result)
  const interval = intervalText(result, unitOf(measure))
  const detail =
    interval === "" ? n : `${inPieces([printed(interval)])}<span class="dot"> · </span>${inPieces([n])}`
  const excluded = excludedText(result.excluded)
  const mark = caution === undefined ? "" : markHtml(caution)
  return numberCell(
    measure.name,
    result.estimate,
    `<span class="estimate piece">${printed(shown)}</span>${mark}<span class="interval">${detail}</span>`,
    { title: `${result.method}${excluded === "" ? "" : `; not counted: ${excluded}`}` },
  )
}

const nWords = (result: Result, { statistic }: MeasureIR): string => `n = ${nText(result, statistic)}`
