/** A plan as a person reads it. */

import { duration } from "../../run/duration.ts"
import type { Counts, ModelForecast } from "../../run/forecast.ts"
import { aligned, number, plural } from "./aligned.ts"
import { experimentText, isGated } from "./experimentText.ts"
import type { PlanReport } from "./plan.ts"

export const planText = ({ experiments, models, uncounted, pools, assumption }: PlanReport): string =>
  [
    ...experiments.flatMap((counts) => experimentText(counts, pools)),
    ...models.flatMap(modelText),
    ...uncountedText(uncounted),
    ...(models.length > 0 && pools.length > 0
      ? [
          `Tokens are those of the items that are at hand: without ${pools.map(({ pool }) => pool).join(", ")}.`,
        ]
      : []),
    ...(models.length === 0
      ? []
      : [
          models.every(({ waves, estimated }) => estimated !== true && waves.every(({ exact }) => exact))
            ? "All counts are exact."
            : `Counts marked ~ are estimates, since ${reasons(models).join(", and ")}. Prompts and their tokens are counted on the assumption that ${assumption}.${assumeText(experiments)}`,
        ]),
    "",
  ].join("\n")

/** That what a spec assumes is not what the counts of tokens take for granted. */
const assumeText = (experiments: PlanReport["experiments"]): string => {
  if (experiments.every(({ assume }) => assume === undefined)) return ""
  return experiments.some(isGated)
    ? " Calls expected through gates, above, go by the spec's `assume` instead."
    : " The spec's `assume` changes no count, since no call hangs on an answer."
}

/** Why some counts are no more than estimates. */
const reasons = (models: readonly ModelForecast[]): readonly string[] => [
  ...(models.some(({ waves }) => waves.some(({ exact }) => !exact))
    ? ["later prompts hold earlier answers"]
    : []),
  ...(models.some(({ estimated }) => estimated)
    ? ["only a server can count its tokens (4 characters are taken for one)"]
    : []),
]

/** Models that are not at hand for one reason, on one line. */
function uncountedText(uncounted: PlanReport["uncounted"]): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const { model, why } of uncounted) byReason.set(why, [...(byReason.get(why) ?? []), model])
  const lines = [...byReason].map(
    ([why, models]) => `tokens are not counted for ${models.join(", ")}: ${why}`,
  )
  return lines.length === 0 ? [] : [...lines, ""]
}

function modelText(model: ModelForecast): readonly string[] {
  const { sharedTokens, promptTokens, writtenTokens, seconds, weightBytes, unreadable, audit } = model
  const { distinct, answered, elsewhere, sameAs } = model
  const exact = model.waves.every((wave) => wave.exact)
  const isServed = model.estimated === true
  const rows = [
    ["wave", "reads", "distinct", "answered", "prompt tokens", "after sharing", "holes"],
    ...model.waves.map((wave) => [
      String(wave.wave),
      ...row(wave, wave.exact, isServed),
      wave.holes.join(" "),
    ]),
    ["all", ...row(model, exact, isServed), ""],
  ]
  const saved = promptTokens === 0 ? 0 : 1 - sharedTokens / promptTokens
  return [
    `model ${model.model}: ${number(model.trials)} trials`,
    ...aligned(rows).map((line) => `  ${line}`),
    ...(isServed
      ? ["  on a server: what its cache saves is not known, so nothing is taken to be shared"]
      : []),
    ...(promptTokens > 0 && !isServed
      ? [`  sharing of prefixes saves ${(100 * saved).toFixed(1)} % of the tokens`]
      : []),
    ...(writtenTokens > 0 ? [`  texts take at most ${number(writtenTokens)} tokens more`] : []),
    ...(elsewhere > 0
      ? [
          `  its file is that of ${sameAs.join(" and ")}, which ${sameAs.length === 1 ? "is" : "are"} asked ${number(elsewhere)} of the distinct reads, and this model not again`,
        ]
      : []),
    ...(distinct > 0 && answered === distinct && audit.reads === 0
      ? ["  all of it is answered: a run asks nothing"]
      : []),
    ...auditText(model, exact),
    ...(seconds === undefined || sharedTokens + audit.tokens === 0
      ? []
      : [
          `  about ${duration(seconds)}, at ${number(Math.round((sharedTokens + audit.tokens) / Math.max(seconds, 1e-9)))} tokens/s as just measured`,
        ]),
    ...(weightBytes === undefined ? [] : [`  ${(weightBytes / 1e6).toFixed(1)} MB of weights in memory`]),
    ...model.template.map((note) => `  ${note}`),
    ...unreadableText(unreadable),
    "",
  ]
}

/** What is sent besides the distinct reads. */
function auditText(
  { audit: { reads, tokens, writtenTokens }, estimated }: ModelForecast,
  exact: boolean,
): readonly string[] {
  if (reads === 0) return []
  const guessed = exact && estimated !== true ? "" : "~"
  const written = writtenTokens > 0 ? `, and at most ${number(writtenTokens)} of texts` : ""
  return [
    `  at the end ${plural(reads, "read")} more, to see how far the engine agrees with itself: ${guessed}${number(tokens)} tokens${written}`,
  ]
}

/** One line for each problem, with the first prompt that has it. */
function unreadableText(unreadable: ModelForecast["unreadable"]): readonly string[] {
  const byProblem = new Map<string, ModelForecast["unreadable"][number][]>()
  for (const one of unreadable) byProblem.set(one.problem, [...(byProblem.get(one.problem) ?? []), one])
  return [...byProblem].map(([problem, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` (and ${plural(others.length, "other prompt")})`
    return `  cannot be asked: item ${first!.item} of ${first!.pool}, ${first!.hole}${more}: ${problem}`
  })
}

const row = (
  { reads, distinct, answered, promptTokens, sharedTokens }: Counts,
  exact: boolean,
  isServed: boolean,
): readonly string[] => {
  const mark = exact ? "" : "~"
  const guessed = exact && !isServed ? "" : "~"
  return [
    number(reads),
    `${mark}${number(distinct)}`,
    number(answered),
    `${guessed}${number(promptTokens)}`,
    `${guessed}${number(sharedTokens)}`,
  ]
}
