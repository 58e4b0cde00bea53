/** What can be wrong with an item file. The catalogue of diagnostics gives each kind its code and words. */
import type { Source, Span } from "../../grammar/source.ts"

/** `span` is in the item file: the cell where there is one, else its row. Places are counted from 1. */
export type ItemProblem = { readonly span: Span } & (
  | { readonly kind: "unknown_format"; readonly known: readonly string[] }
  /** The text is not what its extension says: `format` is "YAML", "JSON" or "CSV", `why` a clause such as "this quote is not closed". */
  | { readonly kind: "unreadable"; readonly format: string; readonly why: string }
  | { readonly kind: "empty_pool" }
  /** A JSON file that is no list; `lists` are the paths in it where there is one. */
  | { readonly kind: "no_rows"; readonly found: string; readonly lists: readonly string[] }
  /** There is no list at the path of `records`; `found` is what there is. */
  | {
      readonly kind: "no_records"
      readonly path: string
      readonly found?: string
      readonly lists: readonly string[]
    }
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
  | { readonly kind: "duplicate_id"; readonly id: string; readonly first: Placed }
  | { readonly kind: "gold_not_a_label"; readonly gold: string; readonly labels: readonly string[] }
  /** A place past the options; `place` is counted from 1. */
  | { readonly kind: "gold_out_of_range"; readonly place: number; readonly options: number }
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

/** A place in one of a pool's files. */
export interface Placed {
  readonly source: Source
  readonly span: Span
}

export type FoundProblem = ItemProblem & { readonly source: Source }

/** A field of an item, or the name of a further column. */
export type Field = string
