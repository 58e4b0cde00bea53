/**
 * An experiment as it is simulated: of each kind of item the trials that contrasts look at, each with the tree of what its reads may come to, and
 * of each way in which a trial may come out what every measure makes of it. Measures are taken of such trials by the very queries that a
 * run's are (`measure/outcome.ts`): once for each way, and not in every simulation.
 *
 * Items of a pool are of one kind where all that decides about them is equal: their number of options, and the columns that conditions and
 * measures look at. One of each kind is expanded.
 */
import type { ExperimentIR, MeasureIR, ModelIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { TrialRecord } from "../record.ts"
import type { Pilot } from "./assumptions.ts"
import { Builder } from "./builder.ts"
import type { Kind } from "./respondent.ts"
import type { Scope } from "./scope.ts"

/** What may come about, with a probability that hangs on the item and on who and what else has an intercept. */
export interface Event {
  readonly of: Kind
  /** The read that decides; of what is drawn apart, the measure. */
  readonly decides: string
  readonly intercept: number
  /** Places in `Design.effects`; the item's own are by `kind`. */
  readonly effects: readonly number[]
  /** A place in `Design.kinds`. */
  readonly kind: number
  /** Of a mean: its bounds. Then the value is drawn between them, and not whether something comes about. */
  readonly range?: { readonly low: number; readonly high: number }
}

/** A random intercept of something other than the item. */
export interface Effect {
  readonly of: Kind
  readonly column: string
  readonly level: string
  readonly deviation: number
}

/** A tree with its events by number, and its ends by theirs. */
export type Step =
  | { readonly leaf: number }
  | { readonly event: number; readonly slot: number; readonly yes: Ways; readonly no: Ways }

export interface Ways {
  /** Running sums of shares; one way needs none. */
  readonly until: readonly number[]
  readonly slot: number
  readonly steps: readonly Step[]
}

export interface Row {
  readonly model: string
  /** How the trial's name goes on behind its item. */
  readonly ending: string
  readonly levels: Readonly<Record<string, string>>
  /** The model in each role, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** By term of a contrast, `2:1` of the third contrast's second: whether it is about this trial. */
  readonly about: ReadonlySet<string>
  readonly step: Step
}

export interface ItemKind {
  readonly pool: string
  readonly rows: readonly Row[]
  /** Uniform numbers that an item takes. */
  readonly slots: number
}

/** What a measure makes of each way in which a trial may come out. */
export interface Told {
  readonly measure: MeasureIR
  /** By leaf; NaN where the trial does not enter. */
  readonly values: Float64Array
  readonly others?: Float64Array
  /** By leaf, a place in `reasons`, which begins with null. */
  readonly codes: Int32Array
  readonly reasons: readonly (string | null)[]
  /** By leaf: ways with the same number are one observation. */
  readonly observations: Int32Array
  readonly observationCount: number
  /** By leaf: what is drawn apart, and with which uniform number; -1 where nothing is. */
  readonly drawn: Int32Array
  readonly slots: Int32Array
}

export interface Design {
  readonly experiment: ExperimentIR
  readonly ways: Scope["ways"]
  readonly kinds: readonly Kind[]
  /** The standard deviation of an item's intercept, in logits. */
  readonly itemDeviation: number
  readonly effects: readonly Effect[]
  readonly events: readonly Event[]
  readonly itemKinds: readonly ItemKind[]
  /** By pool, in the order of the experiment: its items, each with its kind. */
  readonly pools: readonly {
    readonly pool: string
    readonly items: readonly { readonly item: Item; readonly kind: number }[]
  }[]
  readonly told: readonly Told[]
}

/** What `assume` would have to say. */
export interface Missing {
  /** `accuracy`, or a measure. */
  readonly name: string
  /** Of a measure. */
  readonly level?: string
  readonly because: string
}

export interface DesignRequest {
  readonly scope: Scope
  readonly models: readonly ModelIR[]
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly pilot?: Pilot | undefined
}

/** The design, or what it lacks. `ends`: is told of each way in which a trial may come out, as a record, by its number. */
export function designOf(
  request: DesignRequest,
  ends: (leaf: number, record: TrialRecord) => void = () => {},
): Design | { readonly missing: readonly Missing[] } {
  return new Builder(request, ends).build()
}
