/** What can be said of a model's chat template and of the conversations that a spec has with it. */
import type { TokenModel } from "../../backend/backend.ts"
import { findShape } from "../../chat/shape.ts"
import { unreadVariables, unreadWords } from "../../chat/variables.ts"
import { waysOf } from "../../chat/ways.ts"
import { cohortsOf } from "../../run/cohorts.ts"
import { describeWay, shapesAsked } from "../../run/shapes.ts"
import { templateNotes } from "../../run/templateNotes.ts"
import type { Sound } from "../compiled.ts"
import { type Finding, fine, wrong } from "./finding.ts"

export function templateFindings(spec: Sound, model: TokenModel): readonly Finding[] {
  const subject = `${model.name}: chat template`
  if (model.chatTemplate === null && model.declared !== "plain")
    return [
      wrong(
        subject,
        "the file has none: it is a base model",
        "choose an instruction-tuned model, or write `template plain` in the model's declaration: turns are then written one below the other",
      ),
    ]
  const cohorts = cohortsOf(spec.program, spec.items, {}).get(model.name) ?? []
  const { problems } = waysOf(model, shapesAsked(cohorts))
  const unread = unreadVariables(model)
  return [
    fine(subject, sourceOf(model)),
    ...(unread === undefined
      ? []
      : [
          wrong(
            subject,
            unreadWords(unread),
            "correct the name in `template { ... }` of the model's declaration, or delete it: as it stands it changes nothing",
          ),
        ]),
    ...problems.map((way) =>
      wrong(
        subject,
        `${describeWay(way)}: ${way.problem}`,
        way.system
          ? "declare the model with `system into_user`, or leave the system message out"
          : "choose another model, or declare it with `template plain`",
      ),
    ),
    ...templateNotes(model, cohorts).map((note) => fine(subject, note)),
    bosFinding(model),
  ]
}

function sourceOf({ declared, chatTemplate, vocabulary }: TokenModel): string {
  if (declared === "plain") return "none: turns are written one below the other, as declared"
  const template = chatTemplate ?? ""
  const used = [...vocabulary.control.keys()].filter((text) => template.includes(text))
  const marks = used.length === 0 ? "no control tokens in it" : `control tokens ${used.join(" ")}`
  const variables = declared === undefined ? "" : `, with ${JSON.stringify(declared)} as declared`
  return `the file's own, ${template.length} characters, ${marks}${variables}`
}

/** The token that begins a text. */
function bosFinding(model: TokenModel): Finding {
  const subject = `${model.name}: BOS`
  const shape = findShape(model, false, 1)
  if ("problem" in shape) return wrong(subject, shape.problem, "choose another model")
  const { bos, detokenize, names } = model.vocabulary
  if (shape.writesBos) return fine(subject, `${names?.bos ?? ""}, once: the template writes it`)
  return fine(
    subject,
    bos === null ? "none: the model asks for none" : `${detokenize(bos)}, once: cfx adds it`,
  )
}
