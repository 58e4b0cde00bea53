/** Where what a row names stands among what may be named there. */
import type { Target } from "../../compiler/trial.ts"
import type { Say } from "./reading.ts"
import type { Value } from "./values.ts"

/** What may be named, in the order of the pool; `texts` of options, where they are known. */
export interface Alternatives {
  readonly labels: readonly string[]
  readonly texts?: readonly string[]
}

/** By label, then by label but for white space around it, then but for case, then by the option's text. -1 for none. */
export function placeAmong(value: Value, { labels, texts }: Alternatives): number {
  if (value.kind !== "text") return -1
  if (value.option !== undefined) return value.option < labels.length ? value.option : -1
  const { text } = value
  const exact = labels.indexOf(text)
  if (exact >= 0) return exact
  const plain = text.trim()
  const trimmed = labels.findIndex((label) => label.trim() === plain)
  if (trimmed >= 0) return trimmed
  const same = labels.findIndex((label) => folded(label) === folded(text))
  if (same >= 0) return same
  return texts?.findIndex((one) => one.trim() === plain) ?? -1
}

const folded = (text: string): string => text.trim().toLowerCase()

/**
 * The option that a row says a trial is about, or that is pushed in it; undefined where it says something else, which was told. `placebo`: the label that
 * no option has and that may stand there all the same.
 */
export function targetAmong(
  value: Value,
  what: "target" | "pushed option",
  alternatives: Alternatives,
  placebo: () => string | undefined,
  say: Say,
): Target | undefined {
  if (value.kind === "empty" || value.kind === "absent")
    return { kind: "none", why: `the record has no ${what}` }
  const index = placeAmong(value, alternatives)
  if (index >= 0) return { kind: "option", index }
  const label = placebo()
  if (label !== undefined && placeAmong(value, { labels: [label] }) === 0) return { kind: "placebo", label }
  tellNone(value, what, alternatives, say)
  return undefined
}

/** Tells that an option which a row names is none of its item's. */
export function tellNone(value: Value, what: string, { labels }: Alternatives, say: Say): void {
  if (value.kind === "text")
    say("unknown", `the ${what} ${JSON.stringify(value.text)} is none of ${labels.join(", ")}`)
  else say("missing", value.kind === "unfit" ? `the ${what}: ${value.why}` : `it has no ${what}`)
}
