/**
 * Whether a model writes what is read off its distribution: at a hole with `generate`, some trials of each arm are also asked for a text, with the
 * same prompt up to the hole, greedily and to the end of the line.
 */
import type { Ask } from "../../compiler/conversation.ts"
import { spell } from "../../compiler/draw.ts"
import { isMade, unitsOf } from "../../compiler/expand.ts"
import { sha256 } from "../../compiler/hash.ts"
import type { CellIR, ExperimentIR, HoleIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { askAt, conversationAt, modelOf, type Readings } from "../../compiler/prompt.ts"
import type { Trial } from "../../compiler/trial.ts"
import { promptId } from "../read/key.ts"
import { isWritten, labelsOf } from "../read/reading.ts"
import type { FreeAnswer } from "../record.ts"
import type { Answers } from "./answers.ts"
import type { Fingerprints } from "./reads.ts"
import type { RecordOptions } from "./records.ts"
import { Smallest } from "./smallest.ts"

/** Whether a trial is one of those that are also asked for a text at a hole. */
export type FreeTexts = (trial: Trial, hole: HoleIR) => boolean

/**
 * Of each arm and studied model as many trials as its holes say: those that a keyed hash of item and cell ranks first, so that a longer sample
 * contains a shorter one, and an item that is added moves one trial at most. With `each_wrong` the trials of a cell stand or fall together.
 */
export function freeTexts(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  options: RecordOptions = {},
): FreeTexts {
  const chosen = new Map<ExperimentIR, ReadonlyMap<string, ReadonlySet<string>>>()
  for (const experiment of program.experiments) {
    const holes = experiment.protocol.holes.flatMap((hole) => {
      const trials = generateOf(hole)?.trials
      return trials === undefined ? [] : [[hole.name, sampleOf(experiment, hole.name, trials)] as const]
    })
    if (holes.length > 0) chosen.set(experiment, new Map(holes))
  }
  return ({ experiment, model, pool, item, cell }, { name }) =>
    chosen
      .get(experiment)
      ?.get(name)
      ?.has(nameOf(model, pool, item.id, cell)) ?? false

  function sampleOf(experiment: ExperimentIR, hole: string, size: number): ReadonlySet<string> {
    const samples = new Map<string, Smallest<string>>()
    const attributes = new Map(program.models.map((model) => [model.name, model.attributes]))
    for (const { model, pool, item } of unitsOf(experiment, items, options)) {
      for (const cell of experiment.cells) {
        if (!isMade(experiment, { model, pool, cell, attributes: attributes.get(model) }, item)) continue
        const of = JSON.stringify([model, cell.arm])
        const sample = samples.get(of) ?? new Smallest<string>(size)
        samples.set(of, sample)
        sample.offer(rankOf(hole, pool, item, cell), () => nameOf(model, pool, item.id, cell))
      }
    }
    return new Set([...samples.values()].flatMap((sample) => sample.all()))
  }
}

const rankOf = (hole: string, pool: string, item: Item, { seed, replicate, arm, levels }: CellIR): string =>
  sha256(
    spell({
      seed,
      declaration: `generate ${hole} ${pool}`,
      item: item.id,
      replicate,
      factors: { ...levels, arm },
    }),
  )

const nameOf = (
  model: string,
  pool: string,
  item: string,
  { arm, levels, seed, replicate }: CellIR,
): string => JSON.stringify([model, pool, item, arm, levels, seed, replicate])

export const isCompared = (hole: HoleIR): boolean => generateOf(hole) !== undefined

const generateOf = (hole: HoleIR) => ("generate" in hole ? hole.generate : undefined)

/** What a text came to beside the read that it is compared with; undefined where that one has no value. */
export function freeAnswer(
  trial: Trial,
  hole: HoleIR,
  readings: Readings,
  fingerprints: Fingerprints,
  { byPrompt }: Answers,
): FreeAnswer | undefined {
  const reading = readings[hole.name]
  const fingerprint = fingerprints(modelOf(trial, hole.turn))
  const conversation = conversationAt(trial, hole.name, readings)
  if (reading?.status !== "value" || fingerprint === undefined || "skipped" in conversation) return undefined
  const answered = byPrompt.get(promptId(fingerprint, conversation, freeAsk(hole)))
  if (answered === undefined) return { status: "open" }
  if (answered.kind === "unreadable") return { status: "invalid", why: answered.problem }
  const { answer } = answered
  if (!isWritten(answer) || answer.invalid !== undefined)
    return { status: "invalid", why: answer.invalid ?? "the engine gave no text" }
  const ask = askAt(trial, hole.name)
  const labels = ask.kind === "text" ? [] : labelsOf(ask)
  const index = labelBegun(answer.text, labels)
  return {
    status: "text",
    text: answer.text,
    ...(index === undefined ? {} : { label: labels[index] as string }),
    agrees: index === reading.index,
  }
}

/** What is asked there besides. */
export function freeAsk(hole: HoleIR): Ask & { readonly kind: "text" } {
  const generate = generateOf(hole)
  if (generate === undefined) throw new Error(`internal: nothing is written freely at ${hole.name}`)
  return { kind: "text", max: generate.max, until: ["\n"], temperature: 0, topP: 1, draw: "0" }
}

/**
 * The index of the label with which a text begins, after white space: as it is written, or else but for case. A label ends where no letter and no
 * digit follows, and the longest counts. Undefined where it begins with none.
 */
export function labelBegun(text: string, labels: readonly string[]): number | undefined {
  const said = text.trimStart()
  for (const fold of [(one: string) => one, (one: string) => one.toLowerCase()]) {
    let found: number | undefined
    for (const [index, label] of labels.entries()) {
      const whole =
        fold(said).startsWith(fold(label)) && !/^[\p{L}\p{N}]/u.test(fold(said).slice(fold(label).length))
      if (whole && (found === undefined || label.length > (labels[found] as string).length)) found = index
    }
    if (found !== undefined) return found
  }
  return undefined
}
