/**
 * Which trials a report shows one by one: for each arm some in which the answer moved to either side, and some in which it held. They are drawn by a
 * hash of their own identity, keyed by the experiment's seed, so that the same ones come up whatever the order in which trials are met.
 */
import { sha256 } from "../../compiler/hash.ts"
import type { HoleIR, ProtocolIR } from "../../compiler/ir.ts"

/**
 * From the right answer to another, from another to it, between others, or not at all; where there is one answer only, whether it is right. Where no answer is
 * known to be right, an answer changed or held, and one alone was given.
 */
export type Move = "left" | "reached" | "changed" | "held" | "right" | "wrong" | "given"

/** How many trials of an arm are shown, by how the answer moved. */
const SHOWN: Readonly<Record<Move, number>> = {
  left: 2,
  reached: 2,
  changed: 1,
  held: 2,
  right: 2,
  wrong: 2,
  given: 2,
}

/**
 * The reads that are compared: the first and the last answer of the studied model that is an option of the trial's own item; one twice where there is no
 * other. What another model answers, in a role or by its name, is no move of this one.
 */
export function compared({
  turns,
  holes,
}: Pick<ProtocolIR, "turns" | "holes">): readonly [HoleIR, HoleIR] | undefined {
  const ofOthers = new Set(turns.flatMap(({ name, by }) => (by === undefined ? [] : [name])))
  const answers = holes.filter(
    (hole) =>
      !ofOthers.has(hole.turn) &&
      ((hole.type === "option" && hole.of === undefined) ||
        (hole.type === "extract" && hole.as.type === "option")),
  )
  const [first, last] = [answers[0], answers.at(-1)]
  return first === undefined || last === undefined ? undefined : [first, last]
}

/** How an answer moved, all three as numbers of options, `gold` -1 where none is known to be right; undefined where an answer is missing. */
export function moveOf(
  [first, last]: readonly [HoleIR, HoleIR],
  answerOf: (hole: string) => number | null | undefined,
  gold: number,
): Move | undefined {
  const [before, after] = [answerOf(first.name) ?? undefined, answerOf(last.name) ?? undefined]
  if (before === undefined || after === undefined) return undefined
  if (first.name === last.name) return gold < 0 ? "given" : after === gold ? "right" : "wrong"
  if (before === after) return "held"
  if (before === gold) return "left"
  return after === gold ? "reached" : "changed"
}

interface Kept<Value> {
  readonly trial: string
  readonly rank: string
  readonly value: Value
}

/** The drawn trials so far, with what is kept of each. */
export class Drawn<Value> {
  readonly #seed: number
  /** By arm and move, in the order of their ranks. */
  readonly #kept = new Map<string, Kept<Value>[]>()

  /** `seed`: of the experiment whose trials these are. */
  constructor(seed: number) {
    this.#seed = seed
  }

  /**
   * `make` is called where the trial is drawn by now: what it makes is kept until trials of lower ranks take its place. One that is offered again, when
   * more of it is known, is made anew.
   */
  offer(trial: string, arm: string, move: Move, make: () => Value): void {
    const key = JSON.stringify([arm, move])
    const kept = this.#kept.get(key) ?? []
    this.#kept.set(key, kept)
    const rank = sha256(`trial to show ${this.#seed} ${trial}`)
    const place = kept.findIndex((other) => rank <= other.rank)
    if (kept[place]?.trial === trial) {
      kept[place] = { trial, rank, value: make() }
      return
    }
    const at = place === -1 ? kept.length : place
    if (at >= SHOWN[move]) return
    kept.splice(at, 0, { trial, rank, value: make() })
    kept.length = Math.min(kept.length, SHOWN[move])
  }

  /** Those of an arm that moved so. */
  of(arm: string, move: Move): readonly { readonly trial: string; readonly value: Value }[] {
    return this.#kept.get(JSON.stringify([arm, move])) ?? []
  }

  /** All, in the order in which their arms and moves were met. */
  all(): readonly { readonly trial: string; readonly value: Value }[] {
    return [...this.#kept.values()].flat()
  }
}

/** In the order in which they are shown. */
export const MOVES = Object.keys(SHOWN) as readonly Move[]
