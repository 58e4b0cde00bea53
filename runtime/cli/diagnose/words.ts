/** How a diagnosis says its numbers. */
import type { EstimatorIR } from "../../../compiler/ir.ts"
import type { DiagnosedContrast } from "../../diagnose/diagnose.ts"
import type { Found } from "../../diagnose/summary.ts"
import { differenceText, estimateText, fixed } from "../../report/format.ts"

/** "paired", "cells(model, pool)", "signs(model)": as a contrast's `by` says it. */
export function estimatorText(by: EstimatorIR): string {
  if (typeof by === "string") return by === "paired" || by === "permutation" ? `${by}(item)` : by
  return `${by.signs ? "signs" : "cells"}(${by.cells.join(", ")})`
}

/** Of a share of simulations: "83.2% ±1.7". */
export const shareText = (found: Found | undefined): string =>
  found === undefined ? "—" : `${fixed(found.value * 100, 1)}% ±${fixed(found.error * 100, 1)}`

/** Of a factor: "1.08 ±0.01". */
export const factorText = (found: Found | undefined): string =>
  found === undefined
    ? "—"
    : `${fixed(found.value, 2)} ±${Number.isFinite(found.error) ? fixed(found.error, 2) : "?"}`

type InUnit = Pick<DiagnosedContrast, "statistic" | "by">

/** A value of a contrast, with its sign: "+12.0 pp", "+0.81 logits". */
export function valueText(value: number | undefined, { statistic, by }: InUnit): string {
  if (value === undefined) return "—"
  if (by !== "mixed_logistic") return differenceText(value, statistic)
  return `${value < 0 ? "-" : "+"}${fixed(Math.abs(value), 2)} logits`
}

/** A value with how far it may be off: "+3.1 pp ±0.2". */
export const foundText = (found: Found | undefined, contrast: InUnit): string =>
  found === undefined ? "—" : `${valueText(found.value, contrast)} ±${sizeOf(found.error, contrast)}`

/** A width, which has no sign: "5.3 pp ±0.1". */
export const widthText = (found: Found | undefined, contrast: InUnit): string =>
  found === undefined
    ? "—"
    : `${sizeOf(found.value, contrast)}${unitOf(contrast)} ±${sizeOf(found.error, contrast)}`

const unitOf = ({ statistic, by }: InUnit): string =>
  by === "mixed_logistic" ? " logits" : statistic === "rate" ? " pp" : ""

function sizeOf(value: number, { statistic, by }: InUnit): string {
  if (!Number.isFinite(value)) return "?"
  return by === "mixed_logistic" ? fixed(value, 2) : estimateText(value, statistic).replace("%", "")
}
