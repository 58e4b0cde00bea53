/** What a plan tells of a model's chat template. */
import { conversationAt } from "../../compiler/prompt.ts"
import type { LoadedModel, TokenModel } from "../backend/backend.ts"
import { conversationRenderer } from "../chat/render.ts"
import { unreadVariables, unreadWords } from "../chat/variables.ts"
import { waysOf } from "../chat/ways.ts"
import { told } from "../show.ts"
import { isAsked } from "./asked.ts"
import type { Cohort } from "./cohorts.ts"
import { shapesAsked } from "./shapes.ts"

/** One sentence for each thing that it does to the conversations of these items. */
export function templateNotes(model: TokenModel, cohorts: readonly Cohort[]): readonly string[] {
  const cut = cutPrompts(model, cohorts[0])
  return [
    ...waysOf(model, shapesAsked(cohorts)).notes,
    ...(cut === undefined
      ? []
      : [
          `the chat template cuts white space or thoughts off messages, in ${cut.cut} of ${cut.prompts} prompts of the first item: what it leaves is what is sent`,
        ]),
  ]
}

/** A sentence on variables that the declaration gives and the template does not read; none of a server's, whose template is not known. */
export function variableNotes(model: LoadedModel): readonly string[] {
  const unread = model.kind === "chat" ? undefined : unreadVariables(model)
  return unread === undefined ? [] : [unreadWords(unread)]
}

/** Of one item, how many prompts hold a message that the template shortens, earlier answers assumed; undefined where none does. */
function cutPrompts(
  model: TokenModel,
  cohort: Cohort | undefined,
): { readonly cut: number; readonly prompts: number } | undefined {
  const renderer = conversationRenderer(model)
  const changes = new Map<string, boolean>()
  for (const { trial } of cohort?.trials() ?? []) {
    const { readings } = told(trial)
    const mine = new Set(trial.turns.filter((turn) => turn.model === model.name).map(({ name }) => name))
    for (const hole of trial.experiment.protocol.holes) {
      if (!isAsked(hole) || !mine.has(hole.turn)) continue
      const conversation = conversationAt(trial, hole.name, readings)
      if ("skipped" in conversation) continue
      const rendered = renderer.render(conversation)
      if (!("problem" in rendered)) changes.set(rendered.tokens.join(), rendered.changed > 0)
    }
  }
  const cut = [...changes.values()].filter((changed) => changed).length
  return cut === 0 ? undefined : { cut, prompts: changes.size }
}
