/** A forecast as a person reads it. */
import type { Counts, Forecast, ModelForecast } from "../../run/forecast.ts"
import { duration } from "../../run/progress.ts"

export const planText = ({ experiments, models, assumption }: Forecast): string =>
  [
    ...experiments.flatMap(({ experiment, arms, models, items, cells, trials }) => [
      `experiment ${experiment}: ${number(trials)} trials`,
      `  ${plural(cells, "cell")} in ${plural(arms.length, "arm")} (${arms.join(", ")})`,
      `  ${Object.entries(items)
        .map(([pool, count]) => `${plural(count, "item")} of ${pool}`)
        .join(", ")}`,
      `  ${plural(models.length, "model")} (${models.join(", ")})`,
      "",
    ]),
    ...models.flatMap(modelText),
    models.every(({ waves }) => waves.every(({ exact }) => exact))
      ? "All counts are exact."
      : `Counts marked ~ are estimates, since later prompts hold earlier answers. Assumed: ${assumption}.`,
    "",
  ].join("\n")

function modelText(model: ModelForecast): readonly string[] {
  const { sharedTokens, promptTokens, seconds, weightBytes, unreadable } = model
  const exact = model.waves.every((wave) => wave.exact)
  const rows = [
    ["wave", "reads", "distinct", "answered", "prompt tokens", "after sharing", "holes"],
    ...model.waves.map((wave) => [String(wave.wave), ...row(wave, wave.exact), wave.holes.join(" ")]),
    ["all", ...row(model, exact), ""],
  ]
  const saved = promptTokens === 0 ? 0 : 1 - sharedTokens / promptTokens
  return [
    `model ${model.model}: ${number(model.trials)} trials`,
    ...aligned(rows).map((line) => `  ${line}`),
    ...(promptTokens > 0 ? [`  sharing of prefixes saves ${(100 * saved).toFixed(1)} % of the tokens`] : []),
    ...(model.distinct > 0 && model.answered === model.distinct
      ? ["  all of it is answered: a run asks nothing"]
      : []),
    ...(seconds === undefined || sharedTokens === 0
      ? []
      : [
          `  about ${duration(seconds)}, at ${number(Math.round(sharedTokens / Math.max(seconds, 1e-9)))} tokens/s as just measured`,
        ]),
    ...(weightBytes === undefined ? [] : [`  ${(weightBytes / 1e6).toFixed(1)} MB of weights in memory`]),
    ...unreadable.map(
      ({ pool, item, hole, problem }) => `  cannot be asked: item ${item} of ${pool}, ${hole}: ${problem}`,
    ),
    "",
  ]
}

const row = (
  { reads, distinct, answered, promptTokens, sharedTokens }: Counts,
  exact: boolean,
): readonly string[] => {
  const mark = exact ? "" : "~"
  return [
    number(reads),
    `${mark}${number(distinct)}`,
    number(answered),
    `${mark}${number(promptTokens)}`,
    `${mark}${number(sharedTokens)}`,
  ]
}

/** Columns to the right, but for the first and the last. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === row.length - 1
          ? cell.padEnd(widths[column]!)
          : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd(),
  )
}

const number = (value: number): string => value.toLocaleString("en-US")

const plural = (count: number, word: string): string => `${number(count)} ${word}${count === 1 ? "" : "s"}`
