/** What can be said of each read that a spec takes of a model: how its labels are spelt where they stand, how much probability they hold, and whether prompts fit. */
import { Effect, Stream } from "effect"
import type { HoleIR } from "../../../compiler/ir.ts"
import { askAt, conversationAt, modelOf } from "../../../compiler/prompt.ts"
import type { Trial } from "../../../compiler/trial.ts"
import type { TokenModel } from "../../backend/backend.ts"
import { leastMassOf } from "../../measure/lowMass.ts"
import { textOf } from "../../read/key.ts"
import { type PreparedRead, type PreparedTokens, prepare, type Unreadable } from "../../read/prepare.ts"
import { isAsked } from "../../run/asked.ts"
import { type Cohort, cohortsOf } from "../../run/cohorts.ts"
import { told } from "../../show.ts"
import type { Sound } from "../compiled.ts"
import { type Finding, fine, type LabelProof, wrong } from "./finding.ts"

/** One read of a protocol, on the first item and in the first arm that take it. */
interface Probe {
  readonly trial: Trial
  readonly hole: HoleIR
  /** The literal text after the hole. */
  readonly follow: string
  readonly prepared: PreparedTokens | Unreadable
}

export const readFindings = Effect.fnUntraced(function* (spec: Sound, model: TokenModel) {
  const cohorts = cohortsOf(spec.program, spec.items, {}).get(model.name) ?? []
  const probes = probesOf(model, cohorts)
  const reads = probes.flatMap(({ prepared }) =>
    "problem" in prepared || prepared.kind !== "read" ? [] : [prepared],
  )
  const distinct = [...new Map(reads.map(({ request }) => [request.key, request])).values()]
  const answers = yield* Stream.runCollect(model.score(distinct))
  const masses = new Map(answers.map((answer) => [answer.key, answer.invalid ?? answer.mass]))
  return [...probes.flatMap((probe) => probeFindings(model, probe, masses)), ...roomFinding(model, cohorts)]
})

function probesOf(model: TokenModel, cohorts: readonly Cohort[]): readonly Probe[] {
  const found = new Map<string, Probe>()
  for (const cohort of onePerPool(cohorts, () => 0)) {
    for (const { trial } of cohort.trials()) {
      for (const { hole, prepared, follow } of promptsOf(model, trial)) {
        const key = `${trial.experiment.name} ${hole.name}`
        if (!found.has(key)) found.set(key, { trial, hole, prepared, follow })
      }
    }
  }
  return [...found.values()]
}

type Prompt = Omit<Probe, "trial">

/** Prompts of a trial that this model is asked, earlier answers assumed. */
function promptsOf(model: TokenModel, trial: Trial): readonly Prompt[] {
  const { readings } = told(trial)
  return trial.experiment.protocol.holes.flatMap((hole): readonly Prompt[] => {
    if (!isAsked(hole) || modelOf(trial, hole.turn) !== model.name) return []
    const conversation = conversationAt(trial, hole.name, readings)
    if ("skipped" in conversation) return []
    const ask = askAt(trial, hole.name)
    const follow = "follow" in ask ? ask.follow : ""
    return [{ hole, follow, prepared: prepare(model, conversation, ask) }]
  })
}

function probeFindings(
  model: TokenModel,
  { trial, hole, follow, prepared }: Probe,
  masses: ReadonlyMap<string, number | string>,
): readonly Finding[] {
  const subject = (what: string): string => `${model.name}: ${what} {${hole.name}}`
  if ("problem" in prepared) {
    const todo =
      prepared.kind === "too_long"
        ? "choose a model with a longer context, or declare more of it with `context`"
        : "change the protocol's text around the hole, or the model"
    return [wrong(subject("labels of"), prepared.problem, todo)]
  }
  if (prepared.kind === "text")
    return [
      fine(subject("text of"), `up to ${prepared.request.max} tokens after a prompt of ${prepared.tokens}`),
    ]
  const labels = proofsOf(model, prepared)
  const whole = prepared.request.score !== undefined
  const before = lastOf(textOf(prepared.rendered), model)
  const around = `after ${JSON.stringify(before)}${follow === "" ? "" : `, before ${JSON.stringify(follow.slice(0, 20))}`}`
  const proof: Finding = {
    ...fine(
      subject("labels of"),
      `${labels
        .slice(0, mostShown)
        .map((one) => proofText(one, whole))
        .join(", ")}${more(labels)}; ${around}`,
    ),
    labels,
  }
  const mass = masses.get(prepared.request.key)
  // Below this, a model mostly wants to say something else than a label, and its answers mean little.
  const least = leastMassOf(hole) ?? 0
  const share = `${percent(Number(mass))} of the probability of item ${trial.item.id} is on labels`
  return [
    proof,
    typeof mass !== "number"
      ? wrong(
          subject("option mass at"),
          mass ?? "the engine gave no answer",
          "check that the model file is whole",
        )
      : mass < least
        ? wrong(
            subject("option mass at"),
            share,
            "let the prompt ask for a bare label, or choose another model",
          )
        : fine(subject("option mass at"), share),
  ]
}

/** UTF-16 units of the text before a read that a line shows, at least. */
const shownBefore = 20

/** The end of a text; a control token is shown whole. */
function lastOf(text: string, { vocabulary }: TokenModel): string {
  const cut = Math.max(0, text.length - shownBefore)
  const starts = [...vocabulary.control.keys()].flatMap((control) => {
    const start = text.indexOf(control, Math.max(0, cut - control.length + 1))
    return control !== "" && start >= 0 && start < cut ? [start] : []
  })
  return text.slice(Math.min(cut, ...starts))
}

/** `12.5 %`, `0.002 %`: a small share is not written as none. */
export function percent(share: number): string {
  const value = 100 * share
  if (value === 0 || value >= 0.1) return `${value.toFixed(1)} %`
  return value < 0.001 ? "less than 0.001 %" : `${value.toPrecision(1)} %`
}

/** Labels that a line shows; the others are in `--json`. */
const mostShown = 8
const more = (labels: readonly LabelProof[]): string =>
  labels.length <= mostShown ? "" : `, and ${labels.length - mostShown} more`

/** Each label's tokens in its context, and whether it merges with the text before it. */
const proofsOf = ({ vocabulary }: TokenModel, { labels, merged }: PreparedRead): readonly LabelProof[] =>
  Object.entries(labels).map(([label, tokens]) => ({
    label,
    tokens,
    spelt: tokens.map(vocabulary.detokenize),
    merged: merged.has(label),
  }))

/** `A = 68`, `10 = 12 13 (2 tokens)`, `A = 279 (merges with the text before it: read in both spellings)`; whole texts are read as they merge. */
function proofText({ label, tokens, merged }: LabelProof, whole: boolean): string {
  const remarks = [
    ...(tokens.length > 1 ? [`${tokens.length} tokens`] : []),
    ...(merged ? [`merges with the text before it${whole ? "" : ": read in both spellings"}`] : []),
  ]
  return `${JSON.stringify(label).slice(1, -1)} = ${tokens.join(" ")}${remarks.length === 0 ? "" : ` (${remarks.join(", ")})`}`
}

/** The longest prompt of each pool's longest item, against the model's context. */
function roomFinding(model: TokenModel, cohorts: readonly Cohort[]): readonly Finding[] {
  const subject = `${model.name}: longest prompt`
  let longest: { readonly tokens: number; readonly item: string } | undefined
  for (const cohort of onePerPool(cohorts, ({ item }) => JSON.stringify(item).length)) {
    for (const { trial } of cohort.trials()) {
      for (const { prepared } of promptsOf(model, trial)) {
        if ("problem" in prepared) {
          if (prepared.kind === "too_long")
            return [
              wrong(
                subject,
                `item ${trial.item.id}: ${prepared.problem}`,
                "choose a model with a longer context, or declare more of it with `context`",
              ),
            ]
          continue
        }
        const tokens = prepared.tokens + (prepared.kind === "text" ? prepared.request.max : 1)
        if (tokens > (longest?.tokens ?? 0)) longest = { tokens, item: trial.item.id }
      }
    }
  }
  if (longest === undefined) return []
  return [
    fine(subject, `${longest.tokens} tokens with its answer, of ${model.contextSize} (item ${longest.item})`),
  ]
}

/** Of each pool the first item for which this is most. */
function onePerPool(cohorts: readonly Cohort[], by: (cohort: Cohort) => number): readonly Cohort[] {
  const found = new Map<string, { readonly cohort: Cohort; readonly value: number }>()
  for (const cohort of cohorts) {
    const value = by(cohort)
    const best = found.get(cohort.pool)
    if (best === undefined || value > best.value) found.set(cohort.pool, { cohort, value })
  }
  return [...found.values()].map(({ cohort }) => cohort)
}
