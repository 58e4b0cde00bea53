import type { Source, Span } from "../../grammar/source.ts"
import { type Code, catalogue, type Parameters } from "./catalogue.ts"
import type { Diagnostic } from "./diagnostic.ts"

/** Where something stands. */
export interface Place {
  readonly source: Source
  readonly span: Span
}

/** A place that helps to understand a diagnostic, and what to say about it. */
export interface Related extends Place {
  readonly label: string
}

/** The diagnostic of this code at this place. The catalogue supplies the words. */
export const report = <C extends Code>(
  code: C,
  parameters: Parameters<C>,
  place: Place,
  related: readonly Related[] = [],
): Diagnostic => {
  const entry = catalogue[code]
  const hint = entry.hint?.(parameters)
  return {
    code,
    severity: entry.severity,
    title: entry.title,
    message: entry.message(parameters),
    label: entry.label(parameters),
    source: place.source,
    span: place.span,
    ...(hint === undefined ? {} : { hint }),
    related,
  }
}

/** A diagnostic about a row that stands for what is wrong with most rows of its file. */
export const repeated = (diagnostic: Diagnostic, times: number, rows: number): Diagnostic => ({
  ...diagnostic,
  message: `${diagnostic.message} So it is with ${times} of the ${rows} rows; this is the first.`,
})
