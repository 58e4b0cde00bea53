/** Numbers as a reader meets them: rates and differences of rates in percent with one decimal, counts whole, other numbers with three, or as powers of ten. */
import type { MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { isDifference, unitOf } from "./unit.ts"

export type Unit = MeasureIR["statistic"]

/** What stands beside a number: its result's estimate and the ends of its interval. They are written alike. */
export type Beside = Pick<Result, "estimate" | "low" | "high">

/** "83.2%", "1,204" or "0.412". */
export function estimateText(value: number, unit: Unit, beside: Beside = {}): string {
  if (unit === "rate") return `${fixed(value * 100, 1)}%`
  return isWhole(value, unit) ? grouped(value) : plain(value, beside)
}

const isWhole = (value: number, unit: Unit): boolean =>
  (unit === "count" || unit === "sum") && Number.isInteger(value)

/** "+47.1 pp" or "+0.412": a difference always has its sign. */
export function differenceText(value: number, unit: Unit, beside: Beside = {}): string {
  const text = unit === "rate" ? fixed(value * 100, 1) : plain(value, beside)
  const signed = text.startsWith("-") ? text : `+${text}`
  return unit === "rate" ? `${signed} pp` : signed
}

/** "82.9% against 36.3%" */
export function sidesText({ left, right }: NonNullable<Result["sides"]>, unit: Unit): string {
  const both = { low: left, high: right }
  return `${estimateText(left, unit, both)} against ${estimateText(right, unit, both)}`
}

/** A measure's own number. One that is a difference, such as probability that moved, has its sign. */
export function measureText(value: number, measure: MeasureIR, beside: Beside = {}): string {
  const unit = unitOf(measure)
  return isDifference(measure) ? differenceText(value, unit, beside) : estimateText(value, unit, beside)
}

/** "[74.7, 89.1]" in the estimate's unit; empty without an interval. */
export function intervalText(result: Beside, unit: Unit): string {
  if (result.low === undefined || result.high === undefined) return ""
  const [low, high] = [result.low, result.high].map((end) =>
    unit === "rate" ? fixed(end * 100, 1) : plain(end, result),
  )
  return `[${low}, ${high}]`
}

/** "0.412"; "1.2e-8" where it, and all that stands beside it, would be 0.000. */
const plain = (value: number, { estimate = 0, low = 0, high = 0 }: Beside): string =>
  decimal(value, 3, Math.max(...[value, estimate, low, high].map(Math.abs)))

/** Less than this is what rounding leaves of 0. */
const NOTHING = 1e-12

/** Fixed decimals, or a power of ten where `most`, the largest of the numbers that it is read with, would hardly be told from 0. */
export function decimal(value: number, decimals: number, most = Math.abs(value)): string {
  if (most >= 10 ** -decimals || most < NOTHING) return fixed(value, decimals)
  return Math.abs(value) < NOTHING ? "0" : value.toExponential(1)
}

/** Why numbers that are there have no interval, each reason once: "no interval, since one item does not vary". */
export function missingIntervals(results: readonly Result[]): readonly string[] {
  const bare = results.filter(({ estimate, low }) => estimate !== undefined && low === undefined)
  return [...new Set(bare.map(({ method }) => method))]
}

/** "p < 0.001", "p = 0.034". */
export function pText(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${fixed(p, 3)}`
}

/** A reason in words; `given` is the measure's own condition. */
export function reasonText(reason: string): string {
  return reason === "given" ? "condition unmet" : reason
}

/** "20 condition unmet, 3 invalid a1"; empty where every trial entered. */
export function excludedText(excluded: Result["excluded"]): string {
  return Object.entries(excluded)
    .map(([reason, count]) => `${grouped(count)} ${reasonText(reason)}`)
    .join(", ")
}

/** What a contrast is over: "99 pairs", "1,200 trials", "41 of 42 cells". */
export function overText({ n, taken, cells }: Pick<Result, "n" | "taken" | "cells">): string {
  if (cells !== undefined) return cellsText(cells)
  return counted(n, taken === "paired" || taken === "permutation" ? "pair" : "trial")
}

/** "41 of 42 cells": a cell without a number is named, not passed over. */
function cellsText({ entered, of }: NonNullable<Result["cells"]>): string {
  return `${grouped(entered)} of ${counted(of, "cell")}`
}

/**
 * "1,200"; where cells are averaged over "1,200 in 41 of 42 cells"; of an AUROC, which rests on its events, "36, 4 events"; where its interval is over fewer
 * effective trials "54 (29.8)".
 */
export function nText(result: Pick<Result, "n" | "k" | "cells" | "method">, unit?: Unit): string {
  const { n, k, cells } = result
  if (cells !== undefined) return `${grouped(n)} in ${cellsText(cells)}`
  const effective = effectiveText(result)
  if (effective !== undefined) return `${grouped(n)} (${effective})`
  return unit === "auroc" && k !== undefined ? `${grouped(n)}, ${counted(k, "event")}` : grouped(n)
}

/** "29.8": the effective trials that a Wilson interval is over, where trials share items. */
export function effectiveText({ method }: Pick<Result, "method">): string | undefined {
  return /^Wilson over ([\d.]+) effective trials/.exec(method)?.[1]
}

/** "1 item", "120 items". */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`
}

/** Thousands apart by a comma: "210,000". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** Fixed decimals without a negative zero. */
export function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? text.replace("-", "") : text
}

/** A hyphen that stands for a minus, as print sets it. */
export function printed(text: string): string {
  return text.replace(/(?<![\w.])-(?=[\d.])/g, "−")
}

/** How long a prompt is, behind what is said of it; nothing where only the server knows. */
export const lengthOf = ({ tokens }: { readonly tokens?: number }): string =>
  tokens === undefined ? "" : `, ${counted(tokens, "token")}`
