/** Single trials on the page: what was answered before and after, how far each option's probability moved, and the prompts. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Move } from "./browse.ts"
import { escapeHtml } from "./escape.ts"
import { leastColumn, longest } from "./fold.ts"
import { differenceText, fixed, lengthOf, printed } from "./format.ts"
import { promptSpans } from "./htmlPrompts.ts"
import { headCell, numberCell, rowHeads, tableElement, tableRow } from "./htmlTable.ts"
import type { ReportInput } from "./input.ts"
import { type ReadView, type TrialView, trialViews } from "./trialViews.ts"
import { capital } from "./words.ts"

/** So many characters at most are given to all trials of an experiment: of each arm first one, then a second, as far as they go. */
const ROOM = 400_000
/** A text that a model wrote is cut here. */
const TEXT = 2000

const MOVED: Readonly<Record<Move, string>> = {
  left: "left the right answer",
  reached: "came to the right answer",
  changed: "from one wrong answer to another",
  held: "held",
  right: "right",
  wrong: "wrong",
}

/** "held the right answer": of an answer that did not move, also which it is. */
const movedWords = ({ move, before, labels, gold }: TrialView): string =>
  move === "held" ? `held ${before === labels[gold] ? "the right" : "a wrong"} answer` : MOVED[move]

/** Empty where no trial has answers to show. */
export function trialsHtml(input: ReportInput, experiment: ExperimentIR): string {
  const views = trialViews(input, experiment)
  if (views.length === 0) return ""
  const { shown, left } = fitted(views.map((view) => ({ view, html: trialHtml(experiment, view) })))
  const arms = [...new Set(shown.map(({ view }) => view.arm))]
  const lost = input.promptsLost === undefined ? "" : `<p>${escapeHtml(input.promptsLost)}</p>`
  return [
    `<p>Some trials of each arm, drawn by a hash of their own identity and the seed: up to two in which the answer left the right one, two in which it came to it, one that went from one wrong answer to another, and two that held. They show what a number is made of, and are too few to be counted.${left === 0 ? "" : ` To keep this file small, ${left} more that were drawn are left out.`}</p>`,
    lost,
    ...arms.flatMap((arm) => [
      `<h3>${escapeHtml(capital(arm === "all" ? "all trials" : `arm ${arm}`))}</h3>`,
      ...shown.flatMap(({ view, html }) => (view.arm === arm ? [html] : [])),
    ]),
  ].join("\n")
}

interface Sized {
  readonly view: TrialView
  readonly html: string
}

/** As many as there is room for, in their order. */
function fitted(trials: readonly Sized[]): { readonly shown: readonly Sized[]; readonly left: number } {
  const before = new Map<string, number>()
  const turns = trials.map((trial) => {
    const turn = before.get(trial.view.arm) ?? 0
    before.set(trial.view.arm, turn + 1)
    return { trial, turn }
  })
  const kept = new Set<Sized>()
  let room = ROOM
  for (const { trial } of [...turns].sort((a, b) => a.turn - b.turn)) {
    if (trial.html.length > room) continue
    room -= trial.html.length
    kept.add(trial)
  }
  return { shown: trials.filter((trial) => kept.has(trial)), left: trials.length - kept.size }
}

function trialHtml(experiment: ExperimentIR, view: TrialView): string {
  const { item, pool, model, levels, move, before, after } = view
  const several = [
    ...(experiment.models.length > 1 ? [model] : []),
    ...(experiment.pools.length > 1 ? [pool] : []),
    ...levels.map(([factor, level]) => `${factor} ${level}`),
  ]
  const answers = move === "right" || move === "wrong" ? after : `${before} → ${after}`
  const about = [`item ${item}`, ...several].map(escapeHtml).join(" · ")
  const facts = [
    `Right answer: ${view.labels[view.gold] ?? "unknown"}`,
    ...(view.placebo === undefined
      ? view.pushed === undefined
        ? []
        : [`pushed: ${view.labels[view.pushed] ?? ""}`]
      : [`pushed: ${view.placebo}, which no option has`]),
  ]
  return [
    `<details class="trial"><summary>${about}<small>${escapeHtml(`${answers}, ${movedWords(view)}`)}</small></summary>`,
    `<div class="body"><p>${escapeHtml(facts.join("; "))}.</p>`,
    probabilitiesHtml(view),
    readsHtml(view.reads),
    ...view.prompts.map(
      (prompt) =>
        `<details><summary>Prompt as sent, up to <code>${escapeHtml(prompt.hole)}</code><small>${escapeHtml(lengthOf(prompt).replace(/^, /, ""))}</small></summary>\n${promptSpans(experiment, prompt)}</details>`,
    ),
    `<p class="detail"><code>${escapeHtml(view.trial)}</code></p></div></details>`,
  ].join("\n")
}

/** The probability of each option in every read of them, and how far it moved from the first to the last. */
function probabilitiesHtml({ reads, labels, gold, pushed, item }: TrialView): string {
  const own = reads.filter(({ probabilities }) => probabilities.some((p) => p !== undefined))
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return ""
  const several = first !== last
  const bounded = own.some((read) => read.bounded)
  const heads = [...own.map(({ hole }) => hole), ...(several ? ["moved"] : [])]
  const names = labels.map((label, index) => {
    const marks = [...(index === gold ? ["right"] : []), ...(index === pushed ? ["pushed"] : [])]
    return `${label}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`
  })
  return tableElement({
    label: `Probabilities of item ${item}`,
    caption: escapeHtml(
      `Probability of each option${several ? `, and how far it moved from ${first.hole} to ${last.hole}` : ""}.${bounded ? " ≤: an upper bound, since the server did not list every label." : ""}`,
    ),
    heads: [headCell("option", false), ...heads.map((head) => headCell(head, true))],
    rows: names.map((name, index) => {
      const moved = movedBy(first, last, index)
      const cells = [
        ...own.map((read) => probabilityCell(read, index)),
        ...(several
          ? [numberCell("moved", moved, moved === undefined ? "" : printed(differenceText(moved, "mean")))]
          : []),
      ]
      return tableRow([...rowHeads([{ head: "option", name }], undefined), ...cells])
    }),
    widths: [
      leastColumn(
        "option",
        names.map((name) => [longest(name), "name"]),
        false,
      ),
      ...heads.map((head) => leastColumn(head, [[bounded ? "≤ 0.000" : "0.000", "name"]], false)),
    ],
    plain: true,
    short: true,
  })
}

function movedBy(first: ReadView, last: ReadView, index: number): number | undefined {
  const [before, after] = [first.probabilities[index], last.probabilities[index]]
  return before === undefined || after === undefined ? undefined : after - before
}

function probabilityCell({ hole, probabilities, bounded }: ReadView, index: number): string {
  const p = probabilities[index]
  const shown = p === undefined ? (bounded ? "not listed" : "") : `${bounded ? "≤ " : ""}${fixed(p, 3)}`
  return numberCell(hole, p, shown)
}

function readsHtml(reads: readonly ReadView[]): string {
  return `<ul class="plain tagged">${reads.map((read) => `<li><span class="tag">${escapeHtml(read.hole)}</span> <span>${readHtml(read)}</span></li>`).join("")}</ul>`
}

function readHtml({ answer, text, why, confidence, mass, bounded }: ReadView): string {
  const numbers = [
    ...(confidence === undefined ? [] : [`confidence ${bounded ? "at most " : ""}${fixed(confidence, 3)}`]),
    ...(mass === undefined ? [] : [`${fixed(mass, 3)} of the probability on its labels`]),
  ]
  const said = [
    ...(answer === undefined ? [] : [`<code>${escapeHtml(answer)}</code>`]),
    ...numbers,
    ...(why === undefined ? [] : [escapeHtml(why)]),
  ].join(", ")
  const written = text === undefined ? "" : `<pre class="block" dir="auto">${escapeHtml(cut(text))}</pre>`
  return `${said}${written}`
}

const cut = (text: string): string =>
  text.length <= TEXT ? text : `${text.slice(0, TEXT)}… (${text.length - TEXT} more characters)`
