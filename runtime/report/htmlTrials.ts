/** Single trials on the page: what was answered before and after, how far each option's probability moved, and the prompts. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { escapeHtml } from "./escape.ts"
import { leastColumn, longest } from "./fold.ts"
import { differenceText, estimateText, fixed, lengthOf, printed } from "./format.ts"
import { promptSpans } from "./htmlPrompts.ts"
import { headCell, numberCell, rowHeads, tableElement, tableRow } from "./htmlTable.ts"
import type { ReportInput } from "./input.ts"
import { type ReadView, type TrialView, trialViews } from "./trialViews.ts"
import { capital } from "./words.ts"

/** So many characters at most are given to all trials of an experiment: of each arm first one, then a second, as far as they go. */
const ROOM = 400_000
/** A text that a model wrote is cut here. */
const TEXT = 2000

/** "A → B, left the right answer"; where no answer is known to be right, whether it changed and no more. */
function answerWords({ move, before, after, labels, gold }: TrialView): string {
  const both = `${before} → ${after}`
  switch (move) {
    case "left":
      return `${both}, left the right answer`
    case "reached":
      return `${both}, came to the right answer`
    case "changed":
      return `${both}, ${gold < 0 ? "changed" : "from one wrong answer to another"}`
    case "held":
      return `${both}, held${gold < 0 ? "" : before === labels[gold] ? " the right answer" : " a wrong answer"}`
    case "right":
    case "wrong":
      return `${after}, ${move}`
    case "given":
      return after
  }
}

/** Which trials of an arm may be drawn (`browse.ts`). */
function drawnWords(views: readonly TrialView[]): string {
  const isKnown = views.some(({ gold }) => gold >= 0)
  if (views.some(({ compared: [first, last] }) => first !== last))
    return isKnown
      ? "up to two in which the answer left the right one, two in which it came to it, one that went from one wrong answer to another, and two that held"
      : "up to one in which the answer changed, and two in which it held"
  return isKnown ? "up to two in which the answer is right, and two in which it is wrong" : "up to two"
}

/** Empty where no trial has answers to show. */
export function trialsHtml(input: ReportInput, experiment: ExperimentIR): string {
  const views = trialViews(input, experiment)
  if (views.length === 0) return ""
  const { shown, left } = fitted(views.map((view) => ({ view, html: trialHtml(experiment, view) })))
  const arms = [...new Set(shown.map(({ view }) => view.arm))]
  const lost = input.promptsLost === undefined ? "" : `<p>${escapeHtml(input.promptsLost)}</p>`
  return [
    `<p>Some trials of each arm, drawn by a hash of their own identity and the seed: ${drawnWords(views)}. They show what a number is made of, and are too few to be counted.${left === 0 ? "" : ` To keep this file small, ${left} more that were drawn are left out.`}</p>`,
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
  const { item, pool, model, levels } = view
  const several = [
    ...(experiment.models.length > 1 ? [model] : []),
    ...(experiment.pools.length > 1 ? [pool] : []),
    ...levels.map(([factor, level]) => `${factor} ${level}`),
  ]
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
    `<details class="trial"><summary>${about}<small>${escapeHtml(answerWords(view))}</small></summary>`,
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

/** The probability of each option in every read of them, and how far it moved between the two that are compared. */
function probabilitiesHtml({ reads, labels, gold, pushed, item, compared }: TrialView): string {
  const own = reads.filter(({ probabilities }) => probabilities.some((p) => p !== undefined))
  if (own.length === 0) return ""
  const [first, last] = compared.map((name) => own.find(({ hole }) => hole === name))
  const several = first !== undefined && last !== undefined && first !== last
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
      const cells = [
        ...own.map((read) => probabilityCell(read, index)),
        ...(several ? [movedCell(first, last, index)] : []),
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

/** Probabilities are written as parts of 1, however small. */
const WHOLE = { high: 1 }

function movedCell(first: ReadView, last: ReadView, index: number): string {
  const [before, after] = [first.probabilities[index], last.probabilities[index]]
  const moved = before === undefined || after === undefined ? undefined : after - before
  const shown = moved === undefined ? "" : printed(differenceText(moved, "mean", WHOLE))
  return numberCell("moved", moved, shown)
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
    ...(mass === undefined ? [] : [`${estimateText(mass, "mean")} of the probability on its labels`]),
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
