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
import type { Trial } from "../../compiler/trial.ts"
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

const generateOf = (hole: HoleIR) => ("generate" in hole ? hole.generate : undefined)

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
