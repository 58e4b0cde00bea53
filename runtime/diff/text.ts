/** A comparison of two specs as a person reads it. */
import { visible } from "../../compiler/diagnostics/visible.ts"
import type { PromptDifference } from "./prompts.ts"
import type { Change, ExperimentComparison, ItemChange, SpecComparison } from "./specs.ts"
import type { Stretch } from "./words.ts"

export interface DiffTextOptions {
  /** Without it removed and added words stand in brackets. */
  readonly color: boolean
}

export function diffText(comparison: SpecComparison, options: DiffTextOptions): string {
  const { same, changes, items, experiments } = comparison
  if (same) return "The two specs mean the same: every prompt, target, measure and item.\n"
  const sections = [
    changes.flatMap((change) => changeLines(change, "")),
    items.flatMap(itemLines),
    ...experiments.map((experiment) => experimentLines(experiment, options)),
  ].filter((lines) => lines.length > 0)
  const found = changes.length + items.length > 0 || experiments.some(differs)
  const nothing = "The two specs do not mean the same, but differ in nothing that is compared here."
  return `${[...sections.map((lines) => lines.join("\n")), ...(found ? [] : [nothing])].join("\n\n")}\n`
}

const differs = ({ renamed, changes, prompts, cells, elsewhere }: ExperimentComparison): boolean =>
  renamed !== undefined ||
  [changes, prompts.differences, cells.before, cells.now, elsewhere].some((all) => all.length > 0)

function changeLines({ kind, name, before, now }: Change, indent: string): readonly string[] {
  const what = `${indent}${kind} ${visible(name)}`
  if (before === undefined)
    return [`${what}: added`, ...(now === undefined ? [] : [`${indent}  + ${visible(now)}`])]
  if (now === undefined) return [`${what}: removed`, `${indent}  - ${visible(before)}`]
  return [`${what}: changed`, `${indent}  - ${visible(before)}`, `${indent}  + ${visible(now)}`]
}

function itemLines({ pool, before, now, added, removed, changed }: ItemChange): readonly string[] {
  return [
    `items of ${visible(pool)}: ${before} before, ${now} now`,
    ...[["added", added] as const, ["removed", removed] as const, ["changed", changed] as const].flatMap(
      ([what, ids]) => (ids.length === 0 ? [] : [`  ${ids.length} ${what}: ${listed(ids)}`]),
    ),
  ]
}

/** Ids or cells that are named one by one. */
const NAMED = 5

const listed = (names: readonly string[]): string =>
  `${names.slice(0, NAMED).map(visible).join("; ")}${names.length > NAMED ? `; and ${names.length - NAMED} more` : ""}`

function experimentLines(experiment: ExperimentComparison, options: DiffTextOptions): readonly string[] {
  const { name, renamed, changes, prompts, asks, cells, elsewhere } = experiment
  const lines = [
    ...changes.flatMap((change) => changeLines(change, "  ")),
    ...cellLines("before", cells.before),
    ...cellLines("now", cells.now),
    ...(asks && prompts.item === undefined
      ? ["  The two ask about no item in common: their prompts are not compared."]
      : []),
    ...prompts.differences.flatMap((difference) => promptLines(difference, prompts.item?.id ?? "", options)),
    ...(elsewhere.length === 0 ? [] : [`  texts differ, though not on this item: ${listed(elsewhere)}`]),
  ]
  if (lines.length === 0 && renamed === undefined) return []
  return [`experiment ${visible(name)}${renamed === undefined ? "" : `, now ${visible(renamed)}`}`, ...lines]
}

const cellLines = (when: string, cells: readonly string[]): readonly string[] =>
  cells.length === 0 ? [] : [`  cells only ${when}: ${listed(cells)}`]

function promptLines(
  difference: PromptDifference,
  item: string,
  options: DiffTextOptions,
): readonly string[] {
  const { cells, everywhere, turn, part, lines } = difference
  const where = everywhere ? "every arm" : listed(cells)
  return [
    `  prompt of ${where}: turn ${visible(turn)}, ${part} (item ${visible(item)})`,
    ...lines.flatMap(({ words, gap }) => [
      ...(gap ? ["    ..."] : []),
      `    ${words.map((one) => marked(one, options)).join("")}`,
    ]),
  ]
}

/** A line break is shown as a sign. */
function marked({ kind, text }: Stretch, { color }: DiffTextOptions): string {
  const shown = visible(text.replaceAll("\n", "⏎"))
  if (kind === "same") return shown
  if (kind === "removed") return color ? `\u001b[31m${shown}\u001b[39m` : `[-${shown}-]`
  return color ? `\u001b[32m${shown}\u001b[39m` : `{+${shown}+}`
}
