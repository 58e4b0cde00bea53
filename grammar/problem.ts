/** What can be wrong with a text before its names mean anything. The compiler's catalogue gives each its code and words. */
import type { Span } from "./source.ts"

export type Problem = { readonly span: Span } & (
  | { readonly kind: "stray_character"; readonly found: string }
  | { readonly kind: "unclosed_text" }
  | { readonly kind: "unclosed_placeholder" }
  | { readonly kind: "stray_brace" }
  | { readonly kind: "bad_escape"; readonly found: string }
  /** `expected` lists what could stand here, in words or quoted keywords; `within` names the construct, such as "framing". */
  | { readonly kind: "unexpected"; readonly found: string; readonly expected: readonly string[]; readonly within: string }
  | { readonly kind: "unknown_keyword"; readonly found: string; readonly expected: readonly string[]; readonly within: string }
)
