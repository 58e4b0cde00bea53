/** What a model's chat template does to the conversations of a design, in words for a plan, for `cfx doctor` and for a run. */
import type { TokenModel } from "../backend/backend.ts"
import { goesOn } from "./history.ts"
import { findShape, type Shape } from "./shape.ts"
import { fixedDay } from "./template.ts"

/** With a system message or without, and how many turns, the last of them open. */
export interface Way {
  readonly system: boolean
  readonly turns: number
}

export interface Ways {
  /** What a reader should know of it. */
  readonly notes: readonly string[]
  /** Ways that it cannot say, and why, in words. */
  readonly problems: readonly (Way & { readonly problem: string })[]
}

export function waysOf(model: TokenModel, ways: readonly Way[]): Ways {
  const found = ways.map((way) => ({ way, shape: findShape(model, way.system, way.turns) }))
  const shapes = found.flatMap(({ way, shape }) => ("problem" in shape ? [] : [{ way, shape }]))
  const notes = [
    ...(shapes.some(({ shape }) => shape.merges)
      ? [
          "the chat template has no place for a system message: it opens the first user message, followed by an empty line, as declared",
        ]
      : []),
    ...shapes.flatMap(({ way, shape }) => historyNote(model, way, shape)),
    ...shapes.slice(0, 1).flatMap(({ shape }) => clockNote(shape)),
  ]
  return {
    notes: [...new Set(notes)],
    problems: found.flatMap(({ way, shape }) =>
      "problem" in shape ? [{ ...way, problem: shape.problem }] : [],
    ),
  }
}

/** Of turns that continue others, where the longer conversation does not begin with the shorter one. */
function historyNote(model: TokenModel, { system, turns }: Way, shape: Shape): readonly string[] {
  if (turns < 2) return []
  const shorter = findShape(model, system, turns - 1)
  if ("problem" in shorter || goesOn(shorter.layout, shape.layout)) return []
  return [
    "the chat template writes an answer that is over otherwise than one that is open: turns that continue others are read again from there",
  ]
}

function clockNote({ chat: { template } }: Shape): readonly string[] {
  if (!template.includes("strftime_now")) return []
  const { year, month, day } = fixedDay
  const date = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-")
  return [`the chat template asks for the date, and is always told ${date}`]
}
