/** What can be wrong with a text before its names mean anything. The compiler's catalogue gives each its code and words. */
import type { Span } from "./source.ts"

export type Problem = { readonly span: Span } & (
  | { readonly kind: "stray_character"; readonly found: string }
  | { readonly kind: "unclosed_text" }
  | { readonly kind: "unclosed_placeholder" }
  | { readonly kind: "stray_brace" }
  | { readonly kind: "bad_escape"; readonly found: string }
  /**
   * `found` and `expected` are for people: words or signs in backquotes, or words such as "a name", "an expression", "the end
   * of the file". `within` names the construct, such as "framing". The span is empty where the file ends too early.
   */
  | {
      readonly kind: "unexpected"
      readonly found: string
      readonly expected: readonly string[]
      readonly within: string
      /** Something is still missing where an earlier line ends: there the span is, and empty. */
      readonly ends?: boolean
      /** The bracket that should be closed here, where it is an earlier line that opens it. */
      readonly opened?: Span
    }
  /** A sign that other languages have for what is meant: `&&` for `and`, `=` for `==`. It is read as that. */
  | { readonly kind: "other_sign"; readonly found: string; readonly meant: string }
  /** A name that every object of the machine has already, such as `constructor`: no record by names could hold it apart. */
  | { readonly kind: "taken_name"; readonly found: string }
  /** A word where only certain keywords can stand, or what `besides` says: `found` and `expected` are bare words. */
  | {
      readonly kind: "unknown_keyword"
      readonly found: string
      readonly expected: readonly string[]
      readonly besides: readonly string[]
      readonly within: string
    }
)
