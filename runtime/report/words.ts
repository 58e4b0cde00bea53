/** Sentences that more than one form of the report says. */
import type { ExpectIR, ExperimentIR, MeasureIR, RestrictedIR } from "../../compiler/ir.ts"
import type { Column } from "../measure/column.ts"
import { holds } from "../measure/expect.ts"
import { printExpression, printOperands } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { NOT_ASKED, skippedWords } from "../measure/skipped.ts"
import { statisticWords } from "../measure/statistic.ts"
import type { TrialTable } from "../measure/table.ts"
import { namingColumns } from "../measure/units.ts"
import { scoredNotices } from "../records/words.ts"
import { counted, differenceText, effectiveText, fixed, grouped, type Unit } from "./format.ts"
import type { FailedReads, PromptSample, ReportInput } from "./input.ts"
import { whyNoInterval, whyNoValue, whyNoVerdict } from "./missing.ts"
import { firstSentence, paragraphsOf, withoutStop } from "./prose.ts"
import type { TableView } from "./tableViews.ts"

/** The first sentence of the spec's doc is the title, the rest the lead; without a doc, that of its first experiment, or the experiments' names. */
export function titleAndLead(input: ReportInput): {
  readonly title: string
  readonly lead: readonly string[]
} {
  const { doc, experiments } = input.program
  const [first, ...others] = paragraphsOf(doc || (experiments[0]?.doc ?? ""))
  if (first === undefined) return { title: experiments.map(({ name }) => name).join(", "), lead: [] }
  const sentence = firstSentence(first)
  const rest = first.slice(sentence.length).trim()
  return { title: withoutStop(sentence), lead: [...(rest === "" ? [] : [rest]), ...others] }
}

/** What an experiment's doc says, paragraph by paragraph: nothing where title and lead say it. */
export const ownDoc = (
  { program }: Pick<ReportInput, "program">,
  experiment: ExperimentIR,
): readonly string[] =>
  program.doc === "" && experiment === program.experiments[0] ? [] : paragraphsOf(experiment.doc)

/** What a reader must know before any number. */
export function noticesOf(input: ReportInput): readonly string[] {
  const unfinished = unfinishedTrials(input)
  return [
    ...scoredNotices(input.scored),
    ...(input.backend === undefined
      ? []
      : [
          `No model was asked: the answers are ${input.backend}, made up from a hash of each prompt. The numbers say nothing about any model.`,
        ]),
    ...(input.invented === undefined || input.invented.length === 0
      ? []
      : [
          `The data of ${input.invented.join(", ")} were not at hand: ${input.invented.length === 1 ? "its" : "their"} items are made up, questions and answers.`,
        ]),
    ...(input.replayed === true ? ["Replayed: answers are taken from an earlier run."] : []),
    ...(input.experiment === undefined
      ? []
      : [
          `One experiment of several: of those that ${input.scored === undefined ? "the spec has" : "have records"}, ${input.experiment} alone was ${input.scored === undefined ? "run" : "scored"}.`,
        ]),
    ...(input.limit === undefined
      ? []
      : [`Cut short: the run took at most ${counted(input.limit, "item")} of each pool.`]),
    ...(unfinished === 0
      ? []
      : [`Not finished: ${counted(unfinished, "trial")} of ${trialsIn(input)} still have reads to ask.`]),
  ]
}

export function trialsIn({ tables }: Pick<ReportInput, "tables">): number {
  return [...tables.values()].reduce((sum, { rows }) => sum + rows, 0)
}

/** How many trials have reads that a stopped run has not asked. */
export function unfinishedTrials({ tables }: Pick<ReportInput, "tables">): number {
  let count = 0
  for (const table of tables.values()) {
    const reads = readsOf(table)
    for (let row = 0; row < table.rows; row++) {
      if (reads.some(({ status, why }) => status.at(row) === "skipped" && why.at(row) === NOT_ASKED)) count++
    }
  }
  return count
}

/** "a1 of respondent was skipped in 8 trials: no target: the item has no option 9"; what a stopped run has not asked is in its notice. */
export function skippedReads({ tables }: Pick<ReportInput, "tables">, experiment: string): readonly string[] {
  const table = tables.get(experiment)
  if (table === undefined) return []
  const counts = new Map<string, number>()
  const reads = readsOf(table)
  const model = table.columns().get("model")
  for (let row = 0; row < table.rows; row++) {
    for (const { hole, status, why } of reads) {
      if (status.at(row) !== "skipped") continue
      const words = skippedWords(why.at(row) as string)
      if (words === NOT_ASKED) continue
      const key = JSON.stringify([hole, model?.at(row), words.replace(/^skipped: /, "")])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([key, count]) => {
    const [hole, model, why] = JSON.parse(key) as readonly [string, string, string]
    return `${hole} of ${model} was skipped in ${counted(count, "trial")}: ${why}`
  })
}

interface ReadState {
  readonly hole: string
  readonly status: Column
  readonly why: Column
}

function readsOf(table: TrialTable): readonly ReadState[] {
  const columns = table.columns()
  return table.experiment.protocol.holes.flatMap(({ name }) => {
    const [status, why] = [columns.get(`${name}.status`), columns.get(`${name}.why`)]
    return status === undefined || why === undefined ? [] : [{ hole: name, status, why }]
  })
}

/**
 * What tells a prompt from the others: its cell's levels of all that varies, model and pool included; its turn, where the protocol has several
 * conversations; and who reads it, where that is not the studied model. In a design of one cell there are no others.
 */
export function promptName(
  experiment: ExperimentIR,
  { levels, model, asked, pool, hole }: PromptSample,
): readonly string[] {
  const { turns, holes } = experiment.protocol
  const all: Readonly<Record<string, string>> = { ...levels, model, pool }
  const turn = holes.find(({ name }) => name === hole)?.turn
  const severalTalks = turns.filter(({ continues }) => continues === undefined).length > 1
  const parts = [
    ...namingColumns(experiment).flatMap((factor) => all[factor] ?? []),
    ...(severalTalks && turn !== undefined ? [`turn ${turn}`] : []),
    ...(asked === undefined ? [] : [`asked of ${asked}`]),
  ]
  return parts.length === 0 ? ["all trials"] : parts
}

/** "HRR: of the items answered rightly at first, the share that ...", or its definition where it has no doc. */
export function measureWords(measure: MeasureIR): string {
  const { name, doc, statistic, given } = measure
  const condition = given === undefined ? "" : ` given ${printExpression(given)}`
  return `${name}: ${doc || `${statisticWords(statistic)} ${printOperands(measure)}${condition}`}`
}

/** What becomes of a trial in which a read that a measure needs is invalid. */
export const INVALID_WORDS: Readonly<Record<MeasureIR["invalid"], string>> = {
  exclude: "a trial with an invalid read is left out and counted",
  wrong:
    "an invalid read counts as an answer that is no option; one that must have a probability is left out and counted",
  error: "an invalid read leaves it without an estimate",
}

/** "pooled over trials where arm == pressure": how a table's numbers are taken. What all rows share is said here. */
export function pooledWords({
  where,
  macro,
  of,
  constant,
}: Pick<TableView, "where" | "macro" | "of" | "constant">): string {
  const taken =
    macro === undefined
      ? "pooled over trials"
      : `${of ?? "mean"} over cells by ${macro.join(" and ")}, each pooled over its trials`
  // What the condition says is not said again.
  const shared = Object.entries(constant).flatMap(([factor, level]) =>
    where?.includes(`${factor} == ${level}`) ? [] : [`${factor} = ${level}`],
  )
  const all = shared.length === 0 ? "" : `, all rows with ${shared.join(" and ")}`
  return `${taken}${where === undefined ? "" : ` where ${where}`}${all}`
}

/** `HRR[framing = experts]`, `AFR[source != model]`. */
export function restricted({ measure, levels, where }: RestrictedIR): string {
  const inside = [
    ...Object.entries(levels).map(([factor, level]) => `${factor} = ${level}`),
    ...(where === undefined ? [] : [printExpression(where)]),
  ]
  return inside.length === 0 ? measure : `${measure}[${inside.join(", ")}]`
}

/** "Pooled over trials where arm == pressure; in brackets 95% Wilson intervals." */
export function tableCaption(table: TableView): string {
  const kinds = intervalKinds(table)
  return `${capital(pooledWords(table))}${kinds === undefined ? "" : `; in brackets ${kinds}`}.`
}

/**
 * "HRR, BenR: 95% Wilson intervals; delta_p_pushed: 95% percentile intervals from a cluster bootstrap by item, 2000 draws": by the methods that made the table's
 * intervals. Undefined where none has one.
 */
export function intervalKinds({ measures, rows }: Pick<TableView, "measures" | "rows">): string | undefined {
  const names = new Map<string, string[]>()
  for (const [column, { name }] of measures.entries()) {
    const results = rows.map((row) => row.results[column]!).filter(({ low }) => low !== undefined)
    const shared = results.some(sharesItems)
    for (const kind of new Set(results.map((result) => intervalKind(result, shared))))
      names.set(kind, [...(names.get(kind) ?? []), name])
  }
  if (names.size === 0) return undefined
  if (names.size === 1) return [...names.keys()].join("")
  return [...names].map(([kind, of]) => `${of.join(", ")}: ${kind}`).join("; ")
}

/** `shared`: whether another interval of the same column is over effective trials. */
function intervalKind({ method, level, average }: Result, shared: boolean): string {
  // How a number over cells is taken stands before how its interval is.
  const words = average === undefined ? method : method.slice(method.indexOf("; ") + 2)
  if (words.startsWith("Wilson"))
    return `${level}% Wilson intervals${shared ? ", over effective trials (in parentheses behind n) where trials share items" : ""}`
  if (words.startsWith("Student t interval")) return `${level}% intervals by Student's t over cells`
  // Of how many draws a number has a value differs from row to row.
  const [, bca, drawn] = /^(BCa )?(cluster bootstrap .*?)(?:, \d+ of them with a value)?$/.exec(words) ?? []
  if (drawn === undefined) return `${level}% intervals (${words})`
  return `${level}% ${bca === undefined ? "percentile" : "BCa"} intervals from a ${drawn}`
}

/** Whether its Wilson interval counts trials of one item for less than so many of their own. */
export function sharesItems(result: Result): boolean {
  return effectiveText(result) !== undefined
}

/** Why a report has no list of open warnings. */
export const OPEN_NOT_KEPT =
  "Which warnings stand open was not kept: an earlier cfx made the run. To have them, run the spec into the run's folder again."

/** ", of experiment ladder" behind the title of a warning, where there are several. */
export const ofExperiment = ({ program }: Pick<ReportInput, "program">, experiment: string): string =>
  program.experiments.length > 1 ? `, of experiment ${experiment}` : ""

/** "the sides differ in 53 pairs: 51 for the first alone, 2 for the second alone" */
export function discordantWords({ left, right }: NonNullable<Result["discordant"]>): string {
  return `the sides differ in ${counted(left + right, "pair")}: ${grouped(left)} for the first alone, ${grouped(right)} for the second alone`
}

export function verdictWords(result: Result): "held" | "did not hold" | "could not be judged" {
  if (result.held === undefined) return "could not be judged"
  return result.held ? "held" : "did not hold"
}

/**
 * "it is 0.444, +44.4 pp": what an expectation is about, as the spec writes it, and of a rate as the report writes it. With three decimals, or as many as it
 * takes to stand on its side of the bound. Where it cannot be judged, why. `way`: that by which it is judged, of a contrast that is taken in several.
 */
export function judgedWords(
  result: Result,
  expect: ExpectIR,
  { unit = "mean", way }: { readonly unit?: Unit; readonly way?: string | undefined } = {},
): string {
  const by = way === undefined ? "" : `by ${way} `
  if (result.estimate === undefined) return `${by}it has no value: ${whyNoValue(result)}`
  const verdict = result.held === undefined ? whyNoVerdict(result) : undefined
  const said = numbersWords(result, expect, unit)
  if (said === undefined) return `${by}there is ${verdict ?? whyNoInterval(result) ?? "no interval"}`
  return `${by}${said}${verdict === undefined ? "" : `; ${verdict}`}`
}

/** Undefined without the interval that is asked for. */
function numbersWords(result: Result, expect: ExpectIR, unit: Unit): string | undefined {
  if (expect.kind === "equivalent") {
    const { equivalence } = result
    if (equivalence === undefined) return undefined
    const inUnit = (one: number): string => (unit === "rate" ? fixed(100 * one, 2) : fixed(one, 4))
    const [low, high, margin] = [equivalence.low, equivalence.high, expect.margin].map(inUnit)
    const points = unit === "rate" ? " pp" : ""
    return `its ${equivalence.level}% interval is [${low}, ${high}]${points}, the margin ${Number(margin)}${points}`
  }
  const value = result[expect.of]
  if (value === undefined) return undefined
  const met = holds(value, expect)
  for (let decimals = 3; decimals <= 12; decimals++) {
    const shown = fixed(value, decimals)
    const points = unit === "rate" ? `, ${differenceText(value, unit)}` : ""
    if (holds(Number(shown), expect) === met) return `it is ${shown}${points}`
  }
  return `it is ${value}`
}

/** "robin-1 and oak-2 of kinds, stone-1 of rocks": all of them. */
export function failedItems(items: FailedReads["items"]): string {
  const byPool = new Map<string, Set<string>>()
  for (const { pool, item } of items) byPool.set(pool, (byPool.get(pool) ?? new Set()).add(item))
  return [...byPool].map(([pool, ids]) => `${[...ids].join(", ")} of ${pool}`).join("; ")
}

/** The words as the start of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
