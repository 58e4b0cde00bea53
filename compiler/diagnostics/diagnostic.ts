import type { Source, Span } from "../../grammar/source.ts"
import type { Code } from "./catalogue.ts"

/** One thing that is wrong, or doubtful, with its place. `message` and `hint` come from the catalogue. */
export interface Diagnostic {
  readonly code: Code
  readonly severity: "error" | "warning" | "note"
  readonly title: string
  readonly message: string
  /** What stands under the frame, at the span. */
  readonly label: string
  readonly source: Source
  readonly span: Span
  readonly hint?: string
  /** The experiment whose design it is about. */
  readonly experiment?: string
  /** Other places that explain it, such as the declaration of what was used. */
  readonly related: readonly { readonly source: Source; readonly span: Span; readonly label: string }[]
}
