/** What can be said of a model on a server: whether it answers, to which name, and what can be read of it. */
import { Effect } from "effect"
import type { ModelIR } from "../../../compiler/ir.ts"
import { conversationAt, modelOf } from "../../../compiler/prompt.ts"
import { type Inspection, inspect } from "../../backend/http/inspect.ts"
import { LOGPROBS } from "../../backend/http/questions.ts"
import { modelFileOf } from "../../backend/modelOf.ts"
import { textOf } from "../../read/key.ts"
import { isAsked } from "../../run/asked.ts"
import { cohortsOf } from "../../run/cohorts.ts"
import type { Sound } from "../compiled.ts"
import { type Finding, fine, wrong } from "./finding.ts"

export const serverFindings = Effect.fnUntraced(function* (spec: Sound, model: ModelIR) {
  const found = yield* inspect(modelFileOf(model, model))
  const { address, keyed, took } = found
  return [
    fine(
      `${model.name}: server`,
      `${address} answers in ${Math.round(took)} ms, ${keyed ? `with the key in ${model.served?.key ?? "OPENAI_API_KEY"}` : "without a key"}`,
    ),
    nameFinding(model, found),
    listedFinding(model, found),
    ...countFinding(model, found),
    begunFinding(model, found, openingOf(spec, model)),
  ]
})

function nameFinding({ name: model, served }: ModelIR, { names, answeredAs }: Inspection): Finding {
  const name = served?.name ?? model
  const subject = `${model}: name`
  const as = answeredAs === undefined || answeredAs === name ? "" : `, and answers as ${answeredAs}`
  if (names === undefined) return fine(subject, `${name}; the server does not list its models${as}`)
  if (names.includes(name)) return fine(subject, `${name}, which the server lists${as}`)
  return fine(
    subject,
    `${name}; the server lists ${few(names)}${as === "" ? ", and answers all the same" : as}`,
  )
}

const few = (names: readonly string[]): string =>
  names.length === 0 ? "none" : `${names.slice(0, 3).join(", ")}${names.length > 3 ? ", ..." : ""}`

function listedFinding({ name, served }: ModelIR, { listed }: Inspection): Finding {
  const subject = `${name}: probabilities`
  const asked = served?.logprobs ?? LOGPROBS
  if (asked === 0) return fine(subject, "none are listed, as declared: the model can write texts only")
  return listed === 0
    ? wrong(
        subject,
        "the server lists none, though it was asked to",
        "declare the model with `logprobs 0` and let it write texts, or ask it on a server that lists them",
      )
    : fine(
        subject,
        `of the ${listed} most probable tokens, ${asked} asked for; labels beyond them are censored`,
      )
}

const countFinding = ({ name }: ModelIR, { counts }: Inspection): readonly Finding[] =>
  counts
    ? []
    : [
        wrong(
          `${name}: tokens`,
          "the server does not count the tokens of prompts and texts (`usage`)",
          "choose a server that counts them if texts are to be written",
        ),
      ]

function begunFinding({ name }: ModelIR, { continues }: Inspection, opening: string): Finding {
  const subject = `${name}: begun turns`
  if (continues) return fine(subject, "the server goes on with what the assistant has begun")
  const closes = "the server does not go on with what the assistant has begun"
  return opening === ""
    ? fine(subject, `${closes}, and the first read asks for nothing of the kind`)
    : wrong(
        subject,
        `${closes}, and the first read stands behind ${JSON.stringify(opening)}`,
        "let the hole open the assistant's turn in the protocol, or ask the model on a server that continues (llama.cpp's, vLLM, SGLang)",
      )
}

/** What the assistant has said before the model's first read. */
function openingOf({ program, items }: Sound, { name }: ModelIR): string {
  const [cohort] = cohortsOf(program, items, { limit: 1 }).get(name) ?? []
  for (const { trial } of cohort?.trials() ?? []) {
    for (const hole of trial.experiment.protocol.holes) {
      if (!isAsked(hole) || modelOf(trial, hole.turn) !== name) continue
      const conversation = conversationAt(trial, hole.name, {})
      if (!("skipped" in conversation)) return textOf(conversation.turns.at(-1)?.assistant ?? [])
    }
  }
  return ""
}
