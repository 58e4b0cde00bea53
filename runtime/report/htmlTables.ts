/** Tables of the page: measures by row, and what did not enter. */
import type { MeasureIR } from "../../compiler/ir.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { statisticWords } from "../measure/statistic.ts"
import { escapeHtml } from "./escape.ts"
import { excludedText, grouped, intervalText, measureText, nText, printed, reasonText } from "./format.ts"
import type { TableRow, TableView } from "./summary.ts"
import { capital, INVALID_WORDS, intervalKinds, pooledWords } from "./words.ts"

export function tableHtml(table: TableView): string {
  const heads = [
    ...table.factors.map((factor) => `<th scope="col">${escapeHtml(factor)}</th>`),
    ...table.measures.map((measure) => `<th scope="col" class="number">${escapeHtml(measure.name)}</th>`),
  ]
  const rows = table.rows.map((row, at) => {
    const cells = row.results.map((result, column) => resultCell(result, table.measures[column]!))
    return `<tr>${headCells(table.rows, at).join("")}${cells.join("")}</tr>`
  })
  const caption = `${capital(pooledWords(table))}. Below each estimate its interval and the n that entered. ${intervalKinds(table)}.`
  return wrapped(`${table.name} by ${table.factors.join(" and ")}`, caption, heads, rows)
}

/** For each measure: which trials it counts, and why the others do not enter. */
export function denominatorsHtml(table: TableView): string {
  return table.measures
    .map((measure, column) => {
      const reasons = [
        ...new Set(table.rows.flatMap(({ results }) => Object.keys(results[column]!.excluded))),
      ].sort()
      const heads = [
        ...table.factors.map((factor) => `<th scope="col">${escapeHtml(factor)}</th>`),
        ...["trials", ...reasons.map(reasonText), "n"].map(
          (head) => `<th scope="col" class="number">${escapeHtml(head)}</th>`,
        ),
      ]
      const rows = table.rows.map((row, at) => {
        const { n, excluded } = row.results[column]!
        const all = n + Object.values(excluded).reduce((sum, count) => sum + count, 0)
        const numbers = [all, ...reasons.map((reason) => excluded[reason] ?? 0), n]
        const cells = numbers.map((count) => `<td class="number">${grouped(count)}</td>`)
        return `<tr>${headCells(table.rows, at).join("")}${cells.join("")}</tr>`
      })
      return `<h3>${escapeHtml(measure.name)}</h3>\n<p>${definitionHtml(measure)}</p>\n${wrapped(
        `Trials behind ${measure.name}`,
        "All trials, those that did not enter by reason, and those that entered (n).",
        heads,
        rows,
        "plain",
      )}`
    })
    .join("\n")
}

/** A measure's doc and its definition in the language's words. */
function definitionHtml(measure: MeasureIR): string {
  const given =
    measure.given === undefined ? "" : ` given <code>${escapeHtml(printExpression(measure.given))}</code>`
  const definition = `${statisticWords(measure.statistic)} <code>${escapeHtml(printOperands(measure))}</code>${given}`
  const doc = measure.doc === "" ? "" : `${escapeHtml(measure.doc)} `
  return `${doc}Defined as ${definition}; ${INVALID_WORDS[measure.invalid]}.`
}

function resultCell(result: Result, measure: MeasureIR): string {
  if (result.estimate === undefined)
    return `<td class="number none">no value<span class="interval">n = ${nText(result)}</span></td>`
  const shown = measureText(result.estimate, measure)
  const interval = intervalText(result, measure.statistic)
  const detail = [...(interval === "" ? [] : [printed(interval)]), `n = ${nText(result)}`].join(" · ")
  const excluded = excludedText(result.excluded)
  const title = escapeHtml(`${result.method}${excluded === "" ? "" : `; not counted: ${excluded}`}`)
  return `<td class="number" title="${title}"><span class="estimate">${printed(shown)}</span><span class="interval">${detail}</span></td>`
}

/**
 * A factor's level spans the rows below that share it and all factors before it. Its scope is those rows: `rowgroup` would be all rows
 * to the table's end.
 */
function headCells(table: readonly TableRow[], at: number): readonly string[] {
  const row = table[at]!
  return row.levels.flatMap((level, column) => {
    const same = (other: TableRow | undefined) =>
      other !== undefined &&
      row.levels.slice(0, column + 1).every((one, index) => one === other.levels[index])
    if (same(table[at - 1])) return []
    let span = 1
    while (same(table[at + span])) span++
    const rows = span > 1 ? ` rowspan="${span}"` : ""
    const shown =
      level === undefined
        ? `<span aria-hidden="true">–</span><span class="unseen">none</span>`
        : escapeHtml(level)
    return [`<th scope="row"${rows}>${shown}</th>`]
  })
}

function wrapped(
  label: string,
  caption: string,
  heads: readonly string[],
  rows: readonly string[],
  kind = "",
): string {
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`,
    `<table${kind === "" ? "" : ` class="${kind}"`}>`,
    `<caption><span>${escapeHtml(caption)}</span></caption>`,
    `<thead><tr>${heads.join("")}</tr></thead>`,
    `<tbody>\n${rows.join("\n")}\n</tbody>`,
    "</table></div>",
  ].join("\n")
}
