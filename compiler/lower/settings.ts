/** What a turn's `read` fields say: how a text is written, and how a distribution is read. */
import type { Name, ReadSetting, Turn } from "../../grammar/ast.ts"
import type { DistributionIR, HoleTypeIR } from "../ir.ts"
import { lowerPlain } from "./text.ts"

/** What a turn says about a read of its own. */
export const readSettings = (turn: Turn, hole: string): readonly ReadSetting[] =>
  turn.fields.flatMap((field) => (field.field === "read" && field.hole.text === hole ? field.settings : []))

/** Ways to recognise an option: by its label, or by its whole text, whose tokens count together or on average. */
export const scores = ["label", "text", "text_per_token"] as const

export type Score = Extract<HoleTypeIR, { type: "option" }>["score"]

/** None for reads over labels. */
export const scoreOf = (turn: Turn, hole: string): Score =>
  readSettings(turn, hole).flatMap((one) => (one.setting === "score" ? (lowerScore(one.by) ?? []) : []))[0]

const lowerScore = ({ text }: Name): Score =>
  text === "text" ? "sum" : text === "text_per_token" ? "mean" : undefined

type Numeric = Extract<ReadSetting, { readonly value: unknown }>["setting"]

const numberIn = (settings: readonly ReadSetting[], setting: Numeric): number | undefined =>
  settings.flatMap((one) => (one.setting === setting && "value" in one ? [one.value.value] : []))[0]

/** Tokens that a text may have where no `read` says, which the checks report. */
export const textSettings = (
  turn: Turn,
  hole: string,
): Omit<Extract<HoleTypeIR, { type: "text" }>, "type"> => {
  const settings = readSettings(turn, hole)
  const strings = (setting: "until" | "refusal"): readonly string[] =>
    settings.flatMap((one) => (one.setting === setting && "texts" in one ? one.texts.map(lowerPlain) : []))
  return {
    max: numberIn(settings, "max") ?? 1,
    until: strings("until"),
    temperature: numberIn(settings, "temperature") ?? 0,
    topP: numberIn(settings, "top_p") ?? 1,
    refusal: strings("refusal"),
  }
}

export const distributionSettings = (turn: Turn, hole: string): DistributionIR => {
  const settings = readSettings(turn, hole)
  const leastMass = numberIn(settings, "mass")
  const trials = numberIn(settings, "generate")
  return {
    ...(leastMass === undefined ? {} : { leastMass }),
    ...(trials === undefined ? {} : { generate: { trials, max: numberIn(settings, "max") ?? 1 } }),
  }
}
