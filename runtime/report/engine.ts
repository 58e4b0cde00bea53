/** What a report says of the engine and of how it was read: its own floor, reads with little probability on their labels, texts beside reads. */
import { recordsParts } from "../records/words.ts"
import { escapeHtml, escapeMarkdown } from "./escape.ts"
import { counted, fixed, grouped } from "./format.ts"
import type { Agreement, DifferingRead, EngineFloor, LowMass, ReportInput } from "./input.ts"
import { unlistedWords } from "./unlisted.ts"

const FLOOR_TITLE = "The engine's own floor"

const FLOOR_LEAD =
  "When a model had answered everything, some of its reads were taken again: from an empty sequence, and in another order. What differs there is the engine's doing and no effect of a stimulus."

/** What was found of each model; nothing where no read was taken again. */
const floorWords = (input: ReportInput): readonly string[] => input.floors.flatMap(wordsOf)

function wordsOf(floor: EngineFloor): readonly string[] {
  const { model, cold, repeated, texts, nearTies } = floor
  const taken = [
    ...(cold === 0 ? [] : [`${counted(cold, "read")} from an empty sequence`]),
    ...(repeated === 0 ? [] : [`${counted(repeated, "read")} in another order`]),
    ...(texts === 0 ? [] : [`${counted(texts, "text")} written again`]),
  ]
  const ties =
    nearTies.of === 0
      ? []
      : [
          `${model}: ${grouped(nearTies.count)} of ${counted(nearTies.of, "distinct read")} ${nearTies.count === 1 ? "is a near tie" : "are near ties"}, the two most probable answers less than ${shortNumber(nearTies.below)} apart.`,
        ]
  return [`${model}: ${taken.join(", ")}; ${agreementWithItself(floor)}.`, ...ties]
}

function agreementWithItself({ floor, flips, differing, tolerance }: EngineFloor): string {
  if (differing.length === 0) return "every bit is the same"
  const allowed =
    tolerance === undefined
      ? ", of a server that promises nothing"
      : tolerance === 0
        ? ", where none is allowed"
        : ` (${tolerance} is allowed in fast mode)`
  const answers =
    flips === 0
      ? "no answer became another"
      : `${counted(flips, "answer")} became ${flips === 1 ? "another" : "others"}`
  return `the largest difference is ${shortNumber(floor)}${allowed}, and ${answers}`
}

/** "item x of pool p, read a0 (cold): p(B) was 0.5 and is 0.6": the reads by which an audit fails. */
export const failedAudits = ({ floors }: Pick<ReportInput, "floors">): readonly string[] =>
  floors.flatMap(({ model, differing }) =>
    differing.filter(({ beyond }) => beyond).map((read) => differingWords(model, read)),
  )

const differingWords = (
  model: string,
  { pool, item, hole, occasion, of, first, again }: DifferingRead,
): string =>
  `item ${item} of pool ${pool}, read ${hole}, model ${model}: ${of} was ${first}, and ${occasion === "cold" ? "from an empty sequence" : "in another order"} ${again}`

/** "a0 of m, arm pressure: 12 of 240 reads hold less than 0.5 of the probability on their labels". */
const lowMassWords = ({ lowMass, program }: ReportInput): readonly string[] =>
  lowMass.map(
    (low) =>
      `${placeOf(low, program.experiments.length)}: ${grouped(low.count)} of ${counted(low.of, "read")} ${low.count === 1 && low.of === 1 ? "holds" : "hold"} less than ${low.least} of the probability on ${low.of === 1 ? "its" : "their"} labels`,
  )

/** "a0 of m, arm pressure: 18 of 20 texts begin with the answer that was read (90.0% [69.9, 97.2]), 1 with no label". */
const agreementWords = ({ agreement, program }: ReportInput): readonly string[] =>
  agreement.map((one) => {
    const { agree, trials, none, low, high } = one
    const share = `${fixed((100 * agree) / trials, 1)}% [${fixed(100 * low, 1)}, ${fixed(100 * high, 1)}]`
    return `${placeOf(one, program.experiments.length)}: ${grouped(agree)} of ${counted(trials, "text")} ${agree === 1 ? "begins" : "begin"} with the answer that was read (${share})${none === 0 ? "" : `, ${grouped(none)} with no label`}`
  })

const placeOf = ({ experiment, hole, model, arm }: LowMass | Agreement, experiments: number): string =>
  `${experiments > 1 ? `${experiment}: ` : ""}${hole} of ${model}, arm ${arm}`

/** "smaller than twice the engine's own floor (0.004)", where an estimate is; undefined where it is not, or nothing differs. */
export function belowFloor(
  estimate: number | undefined,
  models: readonly string[],
  { floors }: Pick<ReportInput, "floors">,
): string | undefined {
  const floor = floors.reduce(
    (most, one) => (models.includes(one.model) ? Math.max(most, one.floor) : most),
    0,
  )
  if (estimate === undefined || floor === 0 || Math.abs(estimate) >= 2 * floor) return undefined
  return `smaller than twice the engine's own floor (${shortNumber(floor)})`
}

/** Enough digits to be told from 0. */
const shortNumber = (value: number): string =>
  value === 0 ? "0" : value >= 0.001 ? String(Number(value.toPrecision(2))) : value.toExponential(1)

/** The sections of the page: titles with their bodies. */
export function engineHtml(
  input: ReportInput,
): readonly { readonly id: string; readonly title: string; readonly body: string }[] {
  const list = (words: readonly string[]): string =>
    `<ul class="plain">${words.map((one) => `<li>${escapeHtml(one)}</li>`).join("")}</ul>`
  return enginePartsOf(input).map(({ id, title, lead, words, failed }) => ({
    id,
    title,
    body: [
      `<p>${escapeHtml(lead)}</p>`,
      list(words),
      ...(failed.length === 0 ? [] : [`<h3>Reads that differ by more than is allowed</h3>`, list(failed)]),
    ].join("\n"),
  }))
}

/** The same as paragraphs of Markdown. */
export const engineMarkdown = (input: ReportInput): readonly string[] =>
  enginePartsOf(input).flatMap(({ title, lead, words, failed }) => [
    `## ${title}`,
    lead,
    words.map((one) => `- ${escapeMarkdown(one)}`).join("\n"),
    ...(failed.length === 0
      ? []
      : [
          "### Reads that differ by more than is allowed",
          failed.map((one) => `- ${escapeMarkdown(one)}`).join("\n"),
        ]),
  ])

export interface EnginePart {
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly words: readonly string[]
  readonly failed: readonly string[]
}

/** What there is to say, in the order of a report. */
export function enginePartsOf(input: ReportInput): readonly EnginePart[] {
  const parts: readonly EnginePart[] = [
    ...recordsParts(input.scored),
    {
      id: "low-mass",
      title: "Reads with little probability on their labels",
      lead: "There the model would rather have said something else: its answer is the most probable of labels that are all improbable.",
      words: lowMassWords(input),
      failed: [],
    },
    {
      id: "unlisted",
      title: "Labels that a server did not list",
      lead: "A server lists the most probable tokens only. What it did not list has no probability here and is never taken for 0; the probabilities of the labels that it did list are made to add up to 1 without it, so that they, and the confidence of such a read, are upper bounds. The answer is the most probable label all the same.",
      words: unlistedWords(input),
      failed: [],
    },
    {
      id: "agreement",
      title: "Reads beside texts",
      lead: "In a sample of trials the model was also asked to write its answer, greedily and from the same prompt. In brackets a 95% Wilson interval.",
      words: agreementWords(input),
      failed: [],
    },
    {
      id: "engine",
      title: FLOOR_TITLE,
      lead: FLOOR_LEAD,
      words: floorWords(input),
      failed: failedAudits(input),
    },
  ]
  return parts.filter(({ words }) => words.length > 0)
}
