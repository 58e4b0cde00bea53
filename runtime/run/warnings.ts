/** Warnings about a design: those that its spec allows, with the reason, and those that it leaves open. */
import { catalogue, isCode } from "../../compiler/diagnostics/catalogue.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import type { Program } from "../../compiler/ir.ts"
import type { ReportInput } from "../report/input.ts"

/** A warning that the spec does not allow, as a run keeps it. */
export interface KeptWarning {
  readonly experiment: string
  readonly code: string
  readonly message: string
}

/** Of what compiling found, the open warnings about the design of the program's experiments. */
export const openWarnings = (
  diagnostics: readonly Diagnostic[],
  { experiments }: Program,
): readonly KeptWarning[] =>
  diagnostics.flatMap(({ severity, code, message, experiment }) =>
    severity === "warning" && experiments.some(({ name }) => name === experiment) && experiment !== undefined
      ? [{ experiment, code, message }]
      : [],
  )

/** As a report lists them. `kept`: undefined where nobody kept which are open. */
export const warningsIn = (
  { experiments }: Program,
  kept: readonly KeptWarning[] | undefined,
): Pick<ReportInput, "allowed" | "open"> => ({
  allowed: experiments.flatMap(({ name, allows }) =>
    allows.map(({ code, reason }) => ({ experiment: name, code, title: titleOf(code), reason })),
  ),
  ...(kept === undefined ? {} : { open: kept.map((one) => ({ ...one, title: titleOf(one.code) })) }),
})

const titleOf = (code: string): string => (isCode(code) ? catalogue[code].title : code)
