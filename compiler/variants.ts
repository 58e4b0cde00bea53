/**
 * Which cells have a text in common. A text is settled once for all cells that show the item alike, draw the same other items, and fill the slots
 * that it has with the same; so an experiment of many cells keeps few prompts.
 */
import { canonicalJson } from "./hash.ts"
import type { CellIR, ExperimentIR, StimulusIR, TextIR } from "./ir.ts"
import { stimulusIn } from "./settle.ts"
import { textsOfStimulus } from "./stimulusTexts.ts"

/** Numbers from 0, one for each different key. */
export class Interned {
  readonly #numbers = new Map<string, number>()

  numberOf(key: string): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const fresh = this.#numbers.size
    this.#numbers.set(key, fresh)
    return fresh
  }

  get size(): number {
    return this.#numbers.size
  }
}

/** By cell: what of it a kind of thing depends on, as a number. */
export interface CellVariants {
  /** Of the item as it is shown. */
  readonly shown: number
  /** Of the other items that are drawn. */
  readonly drawn: number
  /** Of each text of the protocol's turns: by turn, `system`, `user` and `assistant`. */
  readonly texts: readonly (readonly [system: number, user: number, assistant: number])[]
}

/** What a cell's random streams are drawn by, besides what is drawn. */
export const seedOf = ({ seed, replicate }: Pick<CellIR, "seed" | "replicate">): string =>
  `${seed}:${replicate}`

/** Whether what a text says hangs on a random stream: other items, or lines in a shuffled order. */
const isDrawn = (texts: readonly TextIR[]): boolean =>
  texts.some((text) => text.some(({ kind }) => kind === "other"))

const stimulusIsDrawn = (stimulus: StimulusIR): boolean =>
  (stimulus.kind === "assertion" && stimulus.order === "shuffled") || isDrawn(textsOfStimulus(stimulus))

/** The texts of a turn; a turn that continues another has no system message. */
export const textsOf = (
  experiment: ExperimentIR,
  turn: ExperimentIR["protocol"]["turns"][number],
): readonly [system: TextIR, user: TextIR, assistant: TextIR] => [
  turn.continues === undefined ? (turn.system ?? experiment.protocol.system ?? []) : [],
  turn.user,
  turn.assistant,
]

/** The variants of an experiment's cells, in the order of its grid. */
export const variantsOf = (experiment: ExperimentIR): readonly CellVariants[] => {
  const { protocol } = experiment
  const shown = new Interned()
  const drawn = new Interned()
  const stimuli = new Interned()
  const texts = new Interned()
  // Cells often have a stimulus in common; its text need not be written out again for each of them.
  const written = new Map<StimulusIR, { readonly number: number; readonly drawn: boolean }>()
  const numberOf = (stimulus: StimulusIR) => {
    const known = written.get(stimulus)
    if (known !== undefined) return known
    const fresh = {
      number: stimuli.numberOf(canonicalJson(stimulus)),
      drawn: stimulusIsDrawn(stimulus),
    }
    written.set(stimulus, fresh)
    return fresh
  }
  const turns = protocol.turns.map((turn) =>
    textsOf(experiment, turn).map((text) => ({
      slots: text.flatMap((piece) => (piece.kind === "slot" ? [piece.slot] : [])),
      drawn: isDrawn([text]),
    })),
  )
  return experiment.cells.map((cell): CellVariants => {
    const seed = seedOf(cell)
    const order = canonicalJson(cell.options)
    const shownAs = shown.numberOf(cell.options.kind === "shuffled" ? `${order} ${seed}` : order)
    return {
      shown: shownAs,
      drawn: protocol.draws.length === 0 ? drawn.numberOf("") : drawn.numberOf(seed),
      texts: turns.map(
        (own, turn) =>
          own.map(({ slots, drawn }, text) => {
            const fillings = slots.map((slot) => numberOf(stimulusIn(slot, protocol, cell)))
            const random = drawn || fillings.some((one) => one.drawn)
            const key = [turn, text, shownAs, random ? seed : "", ...fillings.map(({ number }) => number)]
            return texts.numberOf(key.join(" "))
          }) as unknown as readonly [number, number, number],
      ),
    }
  })
}
