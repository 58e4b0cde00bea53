/** One whole prompt per cell as it was sent, each span marked with where it comes from. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Segment } from "../../compiler/trial.ts"
import { escapeHtml } from "./escape.ts"
import { lengthOf } from "./format.ts"
import type { PromptSample } from "./input.ts"
import { placeOf } from "./provenance.ts"
import { promptName } from "./words.ts"

/** Kinds of origin, with what the legend says of each. */
const ORIGINS = {
  protocol: "the protocol",
  stimulus: "the arm's stimulus",
  item: "the item",
  target: "the pushed answer",
  read: "an earlier answer of the model",
  template: "the model's chat template",
} as const

type OriginKind = keyof typeof ORIGINS

/** `lost` says why there are none, where it is not that none was sent. */
export function promptsHtml(
  experiment: ExperimentIR,
  prompts: readonly PromptSample[],
  lost = "No prompt was sent.",
): string {
  if (prompts.length === 0) return `<p>${escapeHtml(lost)}</p>`
  const legend = Object.entries(ORIGINS).map(
    ([kind, words]) => `<li><span class="from from-${kind}">${words}</span></li>`,
  )
  const first = firstPressing(experiment, prompts)
  const { shown, left } = fitted(prompts.map((prompt, at) => promptHtml(experiment, prompt, at === first)))
  return [
    `<p>The whole string that the model read up to its last answer, for one item in each cell of the design. Hover over a span to see which declaration it comes from.${left === 0 ? "" : ` To keep this file small, the prompts of ${left} more are left out; <code>prompts.json</code> has them.`}</p>`,
    `<ul class="legend" aria-label="Where spans come from">${legend.join("")}</ul>`,
    ...shown,
  ].join("\n")
}

/** So many characters are given to the prompts of an experiment. */
const ROOM = 1_500_000

function fitted(prompts: readonly string[]): { readonly shown: readonly string[]; readonly left: number } {
  let room = ROOM
  const shown = prompts.filter((prompt) => {
    room -= prompt.length
    return room >= 0
  })
  return { shown, left: prompts.length - shown.length }
}

/** The prompt that is shown open: the first that asserts an answer, since that is what the design is about. */
function firstPressing(experiment: ExperimentIR, prompts: readonly PromptSample[]): number {
  const at = prompts.findIndex(({ rendered }) =>
    rendered.some((segment) => kindOf(experiment, segment) === "target"),
  )
  return Math.max(0, at)
}

function promptHtml(experiment: ExperimentIR, prompt: PromptSample, open: boolean): string {
  const name = promptName(experiment, prompt).map(escapeHtml).join(" · ")
  const about = `item ${escapeHtml(prompt.item)}${lengthOf(prompt)}`
  return `<details${open ? " open" : ""}><summary>${name}<small>${about}</small></summary>\n${promptSpans(experiment, prompt)}</details>`
}

/** The text of a prompt up to its hole, each span marked with where it comes from. */
export function promptSpans(experiment: ExperimentIR, { rendered, hole }: PromptSample): string {
  const spans = joined(rendered).map((segment) => spanHtml(experiment, segment))
  return `<pre dir="ltr">${spans.join("")}<span class="hole" title="what is read here">${escapeHtml(hole)}</span></pre>`
}

/** Line breaks stand outside the marks: a mark around one would run to the end of its line. */
function spanHtml(experiment: ExperimentIR, segment: Segment): string {
  const open = `<span class="from from-${kindOf(experiment, segment)}" title="${escapeHtml(originWords(segment))}">`
  return segment.text
    .split("\n")
    .map((line) => (line === "" ? "" : `${open}${escapeHtml(line)}</span>`))
    .join("\n")
}

/** Neighbours of one origin are one span. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const result: Segment[] = []
  for (const segment of segments) {
    const last = result.at(-1)
    if (last !== undefined && JSON.stringify(last.from) === JSON.stringify(segment.from)) {
      result[result.length - 1] = { ...last, text: last.text + segment.text }
    } else result.push(segment)
  }
  return result
}

function kindOf(experiment: ExperimentIR, { from }: Segment): OriginKind {
  switch (from.kind) {
    case "declaration":
      return from.declaration === experiment.protocol.origin.declaration ? "protocol" : "stimulus"
    case "item":
      return "item"
    case "read":
      return "read"
    case "target":
      return "target"
    case "chat_template":
      return "template"
  }
}

/** "people, std/framings.cfx:12". */
function originWords({ from }: Segment): string {
  switch (from.kind) {
    case "declaration":
      return `${from.declaration}, ${placeOf(from.file, from.line)}`
    case "item":
      return `item ${from.item}: ${from.field}`
    case "read":
      return `the model's answer ${from.hole}`
    case "target":
      return "the pushed answer"
    case "chat_template":
      return "the model's chat template"
  }
}
