/** How likely it is that a read is taken: through gates and what they look at, by what is assumed of answers and texts. */
import { evaluate, type Facts } from "../evaluate.ts"
import { designFacts } from "../facts.ts"
import type { ExperimentIR, ExprIR, HoleIR, TurnIR } from "../ir.ts"
import { holesIn, looksAtTarget } from "../looks.ts"
import { assumedShare, claimOf, isAnswer, isFirstAnswer } from "../outcome.ts"
import type { Attributes } from "./groups.ts"
import type { Keys, Place } from "./keys.ts"

/** What a read may have come to: what conditions can tell. */
type State = NonNullable<ReturnType<Facts["reading"]>>

type States = ReadonlyMap<string, State>

/** A trial, with the reads before some read as they have come out. */
interface Now {
  readonly place: Place
  readonly states: States
  readonly facts: Facts
}

export interface Chance {
  readonly probability: number
  /** Reads that it hangs on. */
  readonly of: readonly string[]
  /** Whether something is not said that it hangs on: then it is taken to let the read through. */
  readonly isBound: boolean
}

const skipped: State = { status: "skipped", why: "" }
const certain: Chance = { probability: 1, of: [], isBound: false }

const comesTo = (state: State | undefined): boolean =>
  state !== undefined && ["value", "answer", "text", "something"].includes(state.status)

/** Beyond so many reads that one hangs on, nothing is worked out: it is taken to be read. */
const MOST = 14

/** Chances of an experiment's reads. */
export class Chances {
  readonly #experiment: ExperimentIR
  readonly #keys: Keys
  /** In the order of the waves. */
  readonly #holes: readonly HoleIR[]
  readonly #attributes: Attributes
  readonly #gates = new Map<string, readonly ExprIR[]>()
  /** What has been worked out for the trials that were asked about last. */
  #last: (Pick<Place, "group" | "model" | "cell"> & { readonly chances: Map<string, Chance> }) | undefined

  constructor(experiment: ExperimentIR, keys: Keys, holes: readonly HoleIR[], attributes: Attributes) {
    this.#experiment = experiment
    this.#keys = keys
    this.#holes = holes
    this.#attributes = attributes
  }

  /** The chance that a hole is read in a trial. It does not hang on which wrong option the trial is about. */
  of(hole: string, place: Place): Chance {
    const { group, model, cell } = place
    if (this.#last?.group !== group || this.#last.model !== model || this.#last.cell !== cell) {
      this.#last = { group, model, cell, chances: new Map() }
    }
    const { chances } = this.#last
    const known = chances.get(hole)
    if (known !== undefined) return known
    const fresh = this.#chanceOf(hole, place)
    chances.set(hole, fresh)
    return fresh
  }

  /** Over all that the reads before it may come to. */
  #chanceOf(hole: string, place: Place): Chance {
    const needed = this.#neededFor(hole, place)
    const gated = this.#gatesOf(hole).length > 0
    if (needed.length === 0 && !gated) return certain
    if (needed.length > MOST) return { probability: 1, of: needed, isBound: true }
    let isBound = false
    // Reads are given one state after another, in place.
    const states = new Map<string, State>()
    const now: Now = { place, states, facts: this.#factsOf(place, states) }
    const goOn = (at: number, probability: number): number => {
      const name = needed[at]
      if (name === undefined) {
        const isRead = this.#isRead(hole, now)
        if (isRead === undefined) isBound = true
        return isRead === false ? 0 : probability
      }
      const spread = this.#spreadOf(name, now)
      if (spread.isBound) isBound = true
      let sum = 0
      for (const { state, share } of spread.states) {
        if (share === 0) continue
        states.set(name, state)
        sum += goOn(at + 1, probability * share)
      }
      states.delete(name)
      return sum
    }
    return { probability: goOn(0, 1), of: needed, isBound }
  }

  /** The reads that a hole hangs on, in the order of the waves. */
  #neededFor(hole: string, place: Place): readonly string[] {
    const needed = new Set<string>()
    const add = (name: string): void => {
      for (const one of this.#before(name, place)) {
        if (needed.has(one)) continue
        needed.add(one)
        add(one)
      }
    }
    add(hole)
    return this.#holes.flatMap(({ name }) => (needed.has(name) && name !== hole ? [name] : []))
  }

  #before(hole: string, place: Place): readonly string[] {
    const { holes, target } = this.#keys.standingIn(hole, place)
    const gates = this.#gatesOf(hole)
    const isAbout = target || gates.some(looksAtTarget)
    const { cell } = place
    return [
      ...holes,
      ...gates.flatMap(holesIn),
      ...(isAbout && "hole" in cell.target ? [cell.target.hole] : []),
    ]
  }

  #declared(name: string): HoleIR {
    return this.#holes.find((hole) => hole.name === name) as HoleIR
  }

  /** The conditions of a hole's turn and of those that it continues. */
  #gatesOf(name: string): readonly ExprIR[] {
    const known = this.#gates.get(name)
    if (known !== undefined) return known
    const fresh = this.#gatesFor(name)
    this.#gates.set(name, fresh)
    return fresh
  }

  #gatesFor(name: string): readonly ExprIR[] {
    const hole = this.#declared(name)
    if (hole.type === "extract" || hole.type === "rule") return []
    const { turns } = this.#experiment.protocol
    const gates: ExprIR[] = []
    let turn: TurnIR | undefined = turns.find((one) => one.name === hole.turn)
    while (turn !== undefined) {
      if (turn.when !== undefined) gates.push(turn.when)
      const before: string | undefined = turn.continues
      turn = before === undefined ? undefined : turns.find((one) => one.name === before)
    }
    return gates
  }

  #factsOf(place: Place, states: States): Facts {
    const { group, model, cell } = place
    const design = { model, pool: group.pool, cell, attributes: this.#attributes.get(model) ?? {} }
    return {
      ...designFacts(design, group.item),
      reading: (hole) => states.get(hole),
      hole: (name) => this.#declared(name),
    }
  }

  /** Whether a hole is read once these reads are as they are; undefined where that hangs on what nothing is known of. */
  #isRead(hole: string, { place, states, facts }: Now): boolean | undefined {
    const { holes, target } = this.#keys.standingIn(hole, place)
    if (!holes.every((name) => comesTo(states.get(name)))) return false
    const source = "hole" in place.cell.target ? place.cell.target.hole : undefined
    if (target && source !== undefined && !comesTo(states.get(source))) return false
    let isKnown = true
    for (const gate of this.#gatesOf(hole)) {
      const open = evaluate(gate, facts)
      if (open === false) return false
      if (open === true) continue
      // For want of a read the gate is closed; for want of knowledge it is taken to be open.
      if (!holesIn(gate).every((name) => comesTo(states.get(name)))) return false
      isKnown = false
    }
    return isKnown ? true : undefined
  }

  /** What a read may come to, once those before it are as they are. */
  #spreadOf(
    name: string,
    now: Now,
  ): {
    readonly states: readonly { readonly state: State; readonly share: number }[]
    readonly isBound: boolean
  } {
    const { place, states } = now
    const hole = this.#declared(name)
    const isRead = this.#isRead(name, now)
    if (isRead === false) {
      const from = hole.type === "extract" || hole.type === "rule" ? states.get(hole.from) : undefined
      const state = from?.status === "refused" ? from : skipped
      return { states: [{ state, share: 1 }], isBound: false }
    }
    const unknown = isRead === undefined
    if (hole.type === "text") {
      const share = this.#experiment.assume?.refusal
      const canRefuse = hole.refusal.length > 0
      const refusal = canRefuse ? (share ?? 0) : 0
      return {
        states: [
          { state: { status: "refused", text: "", tokens: 0, marker: "" }, share: refusal },
          { state: { status: "something" }, share: 1 - refusal },
        ],
        isBound: unknown || (canRefuse && share === undefined),
      }
    }
    const right = isAnswer(hole) ? this.#shareRight(name, now) : undefined
    if (right === undefined) {
      return { states: [{ state: { status: "something" }, share: 1 }], isBound: unknown }
    }
    return {
      states: [
        { state: answer(hole, place, true), share: right },
        { state: answer(hole, place, false), share: 1 - right },
      ],
      isBound: unknown,
    }
  }

  /** The share of right answers: by the measures that speak of the read, else by accuracy; undefined where nothing is assumed. */
  #shareRight(name: string, { place, facts }: Now): number | undefined {
    const { measures, assume } = this.#experiment
    const of = { cell: place.cell, model: place.model, pool: place.group.pool }
    for (const measure of measures) {
      const claim = claimOf(measure)
      const share = assumedShare(measure.name, of, this.#experiment)
      if (claim?.hole !== name || share === undefined) continue
      const { given } = measure
      if (given !== undefined && evaluate(given, facts) !== true) continue
      const claimed = claim.is ? share : 1 - share
      return claim.option === "gold" ? claimed : 1 - claimed
    }
    return isFirstAnswer(this.#experiment, name) ? assume?.accuracy : undefined
  }
}

/** A right answer, or a wrong one of which no more is known (`Facts.reading`). */
const answer = (hole: HoleIR, { group }: Place, isRight: boolean): State => {
  const type = hole.type === "extract" ? hole.as : hole
  const { gold, labels } = group.item
  if (type.type !== "label" && type.type !== "rule") {
    return isRight
      ? { status: "answer", value: labels[gold] ?? "", index: gold }
      : { status: "answer", value: "", index: Number.NaN }
  }
  const value = isRight ? type.gold : type.labels.find((label) => label !== type.gold)
  return { status: "answer", value: value ?? "", index: type.labels.indexOf(value ?? "") }
}
