/** The counts of an experiment as a person reads them. */
import type { AssumeIR } from "../../../compiler/ir.ts"
import { aligned, number, plural } from "./aligned.ts"
import type { AbsentCount, PlannedExperiment } from "./plan.ts"

export function experimentText(counts: PlannedExperiment, absent: readonly AbsentCount[]): readonly string[] {
  const { experiment, arms, models, items, published, cells, trials, collapsed } = counts
  const pools = Object.entries(items).map(
    ([pool, count]) =>
      `${plural(count, "item")} of ${pool}${published.includes(pool) ? " (as published)" : ""}`,
  )
  return [
    `experiment ${experiment}: ${number(trials)} trials`,
    `  ${plural(cells, "cell")} in ${plural(arms.length, "arm")} (${arms.map(({ arm, trials }) => `${arm} ${number(trials)}`).join(", ")})`,
    `  ${pools.join(", ")}`,
    `  ${plural(models.length, "model")} (${models.join(", ")})`,
    ...(collapsed === 0
      ? []
      : [
          `  ${plural(collapsed, "trial")} ${collapsed === 1 ? "asks" : "ask"} just what another of the same item and model asks, and ${collapsed === 1 ? "is no observation" : "are no observations"} of ${collapsed === 1 ? "its" : "their"} own`,
        ]),
    ...absent.flatMap((pool) => (Object.hasOwn(items, pool.pool) ? [absentText(pool)] : [])),
    ...callsText(counts),
    "",
  ]
}

const absentText = ({ pool, why, unknown }: AbsentCount): string => {
  const words = {
    size: "its size (none counted)",
    choices: "its number of options (4 assumed)",
    where: "what its `where` lets through (all assumed)",
  }
  const guessed = unknown.map((one) => {
    const column = /^strata (.+)$/.exec(one)?.[1]
    if (column !== undefined) return `how many values \`${column}\` has (one assumed)`
    return words[one as keyof typeof words] ?? one
  })
  const unsaid = guessed.length === 0 ? "" : `; nothing says ${guessed.join(" or ")}`
  return `  ${pool} is not at hand (${why})${unsaid}`
}

/** Whether some calls hang on answers, so that how many are expected is said beside how many there may be. */
export const isGated = ({ turns }: Pick<PlannedExperiment, "turns">): boolean =>
  turns.some((turn) => turn.expected !== turn.calls || turn.atMost === true)

/** Calls by turn, and through gates where some hang on answers. */
function callsText({ turns, calls, expected, byModel, assume }: PlannedExperiment): readonly string[] {
  const gated = isGated({ turns })
  const row = (
    name: string,
    one: { readonly calls: number; readonly expected: number; readonly atMost?: boolean },
    holes: string,
  ): readonly string[] => [
    name,
    number(one.calls),
    ...(gated ? [`${one.atMost ? "<=" : ""}${number(one.expected)}`] : []),
    holes,
  ]
  const several = Object.keys(byModel).length > 1
  const rows = [
    ["turn", "calls", ...(gated ? ["expected"] : []), "reads"],
    ...turns.map((turn) => row(turn.turn, turn, `${turn.holes.join(" ")}${turn.writes ? " (writes)" : ""}`)),
    ...(turns.length > 1
      ? [row("all", { calls, expected, atMost: turns.some(({ atMost }) => atMost) }, "")]
      : []),
    ...(several ? Object.entries(byModel).map(([model, one]) => row(`of ${model}`, one, "")) : []),
  ]
  return [
    ...aligned(rows).map((line) => `  ${line}`),
    ...(gated ? [`  expected through gates, ${assumed(assume)}`] : []),
    ...(turns.some(({ atMost }) => atMost)
      ? ["  <= stands where a gate hangs on something of which nothing is assumed: it is taken to be open"]
      : []),
  ]
}

/** `if accuracy is 0.8 and refusal 0.2, as the spec assumes`. */
function assumed(assume: AssumeIR | undefined): string {
  const { accuracy, refusal, measures = {} } = assume ?? {}
  const said = [
    ...(accuracy === undefined ? [] : [`accuracy ${accuracy}`]),
    ...(refusal === undefined ? [] : [`refusal ${refusal}`]),
    ...Object.keys(measures),
  ]
  return said.length === 0
    ? "about which the spec assumes nothing"
    : `as the spec assumes (${said.join(", ")})`
}
