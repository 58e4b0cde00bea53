/** What can be wrong with an item file. The catalogue of diagnostics gives each kind its code and words. */
import type { Span } from "../../grammar/source.ts"
import type { ItemFields } from "../ir.ts"

/** `span` is in the item file: the cell where there is one, else its row. Places are counted from 1. */
export type ItemProblem = { readonly span: Span } & (
  | { readonly kind: "unknown_format"; readonly known: readonly string[] }
  /** The text is not what its extension says: `format` is "YAML", "JSON" or "CSV", `why` a clause such as "this quote is not closed". */
  | { readonly kind: "unreadable"; readonly format: string; readonly why: string }
  | { readonly kind: "empty_pool" }
  /** A row that is no record, such as a bare text in a list of records. */
  | { readonly kind: "not_a_row"; readonly found: string }
  /** No row has it; `known` are the columns that the first rows have, as paths. Reported once, at the first row. */
  | {
      readonly kind: "missing_column"
      readonly field: Field
      readonly column: string
      readonly known: readonly string[]
    }
  /** Other rows have it. */
  | { readonly kind: "missing_field"; readonly field: Field; readonly column: string }
  /** `expected` and `found` are phrases such as "a text" and "a list". */
  | {
      readonly kind: "wrong_type"
      readonly field: Field
      readonly expected: string
      readonly found: string
    }
  /** `column`: where it stands, for a field that has several columns. */
  | { readonly kind: "empty_text"; readonly field: Field; readonly column?: string }
  | { readonly kind: "duplicate_id"; readonly id: string; readonly first: Span }
  | { readonly kind: "gold_not_a_label"; readonly gold: string; readonly labels: readonly string[] }
  | {
      readonly kind: "equal_options"
      readonly option: string
      readonly first: number
      readonly second: number
    }
  | { readonly kind: "too_few_options"; readonly options: number }
  | { readonly kind: "label_count"; readonly labels: number; readonly options: number }
  | { readonly kind: "duplicate_label"; readonly label: string }
  /** More options than there are letters; such items need labels of their own. */
  | { readonly kind: "no_label_left"; readonly options: number }
)

export type Field = keyof ItemFields
