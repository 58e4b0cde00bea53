/**
 * An experiment as it is simulated: of each kind of item the trials that contrasts look at, each with the tree of what its reads may come to, and
 * of each way in which a trial may come out what every measure makes of it. Measures are taken of such trials by the very queries that a
 * run's are (`measure/outcome.ts`): once for each way, and not in every simulation.
 *
 * Items of a pool are of one kind where all that decides about them is equal: their number of options, and the columns that conditions and
 * measures look at. One of each kind is expanded.
 */
import { evaluate } from "../../compiler/evaluate.ts"
import { expander } from "../../compiler/expand.ts"
import { factsOf, modelIn } from "../../compiler/facts.ts"
import type { ExperimentIR, ExprIR, MeasureIR, ModelIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { isFirstAnswer } from "../../compiler/outcome.ts"
import { itemsOf } from "../../compiler/sampled.ts"
import type { Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import { needsOf } from "../measure/needs.ts"
import { columnOf, type Outcome, outcomes, type Trials, trialsOf } from "../measure/outcome.ts"
import { TrialTable } from "../measure/table.ts"
import type { TrialRecord } from "../record.ts"
import { recordOf } from "../run/records.ts"
import { type At, assumedAt, type Pilot, shareOf, spreadOf, TRIAL_DEVIATION } from "./assumptions.ts"
import { interceptFor } from "./logits.ts"
import { rangeOf } from "./numbers.ts"
import { type Branch, type Kind, type Node, respondent } from "./respondent.ts"
import { cellsOf, isDrawnApart, lookedAt, type Scope } from "./scope.ts"

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
  /** A place in the experiment's grid. */
  readonly cell: number
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

class Builder {
  readonly #request: DesignRequest
  readonly #ends: (leaf: number, record: TrialRecord) => void
  readonly #experiment: ExperimentIR
  readonly #measures: readonly MeasureIR[]
  readonly #assumed: At
  readonly #spread: Readonly<Record<string, number>>
  readonly #table: TrialTable
  #leaves = 0
  readonly #kinds: Kind[] = []
  readonly #effects = new Map<string, { readonly at: number; readonly effect: Effect }>()
  readonly #events = new Map<string, { readonly at: number; readonly event: Event }>()
  /** Unknown reads, with the leaves under each and the trial that they are of. */
  readonly #unknown: {
    readonly hole: string
    readonly trial: Trial
    readonly from: number
    readonly to: number
  }[] = []
  readonly #missing = new Map<string, Missing>()
  readonly #rows: {
    readonly trial: Trial
    readonly kind: number
    readonly from: number
    readonly to: number
  }[] = []
  readonly #slots: Map<string, number>[] = []

  constructor(request: DesignRequest, ends: (leaf: number, record: TrialRecord) => void) {
    this.#request = request
    this.#ends = ends
    const { experiment, measures } = request.scope
    this.#experiment = experiment
    this.#measures = measures
    this.#assumed = assumedAt(experiment, request.pilot)
    this.#spread = spreadOf(experiment, request.pilot)
    this.#table = new TrialTable(experiment)
  }

  build(): Design | { readonly missing: readonly Missing[] } {
    const { models, items } = this.#request
    const experiment = this.#experiment
    const cells = new Set(cellsOf(experiment))
    const order = wavesOf(experiment).flat()
    const looked = lookedAt(experiment, this.#measures)
    const trialsOfUnit = expander(experiment, items, { models })
    const attributes = new Map(models.map((model) => [model.name, model]))
    const decides = decidingColumns(experiment, this.#measures)
    const known = new Map<string, number>()
    const itemKinds: { pool: string; rows: Row[] }[] = []
    const pools = itemsOf(experiment, items).map(({ pool, items: own }) => ({
      pool,
      items: own.map((item) => {
        const key = JSON.stringify([pool, kindOf(item, decides)])
        const kind = known.get(key) ?? this.#addKind(itemKinds, pool)
        if (!known.has(key)) {
          known.set(key, kind)
          for (const model of experiment.models) {
            if (item.only !== undefined && item.only !== model) continue
            for (const trial of trialsOfUnit({ model, pool, item })) {
              const at = experiment.cells.indexOf(trial.cell)
              if (!cells.has(at)) continue
              const assumed = { ...trial, experiment: this.#assumed(trial.cell, at, model, pool) }
              const from = this.#leaves
              const tree = respondent(assumed, order, looked)
              const step = this.#stepOf(tree, { trial, at, kind, model: attributes.get(model) })
              this.#rows.push({ trial, kind, from, to: this.#leaves })
              const beginning = `${experiment.name}/${model}/${pool}/${item.id}/`
              const ending = trial.id.slice(beginning.length)
              const roles = Object.fromEntries(
                experiment.protocol.roles.map((role) => [role, modelIn(role, trial.cell, model) ?? model]),
              )
              const { levels } = trial.cell
              const about = termsAbout(trial)
              itemKinds[kind]!.rows.push({ model, cell: at, ending, levels, roles, about, step })
            }
          }
        }
        return { item, kind }
      }),
    }))
    const told = this.#told()
    if (this.#missing.size > 0) return { missing: [...this.#missing.values()] }
    return {
      experiment,
      kinds: this.#kinds,
      itemDeviation: this.#spread.item ?? 0,
      effects: [...this.#effects.values()].map(({ effect }) => effect),
      events: [...this.#events.values()].map(({ event }) => event),
      itemKinds: itemKinds.map((kind, at) => ({ ...kind, slots: this.#slots[at]!.size })),
      pools,
      told,
    }
  }

  #addKind(kinds: { pool: string; rows: Row[] }[], pool: string): number {
    this.#slots.push(new Map())
    return kinds.push({ pool, rows: [] }) - 1
  }

  #stepOf(
    node: Node,
    at: {
      readonly trial: Trial
      readonly at: number
      readonly kind: number
      readonly model: ModelIR | undefined
    },
  ): Step {
    switch (node.kind) {
      case "leaf": {
        const { trial, model } = at
        const leaf = this.#leaves++
        const record = recordOf(trial, node.readings, node.prompts, model)
        this.#table.take({ ...record, trial: `${record.trial}#${leaf}` })
        this.#ends(leaf, record)
        return { leaf }
      }
      case "unknown": {
        const from = this.#leaves
        const steps = node.branches.map((branch) => this.#stepOf(branch, at))
        this.#unknown.push({ hole: node.hole, trial: at.trial, from, to: this.#leaves })
        const [first] = steps
        if (first === undefined) throw new Error(`internal: ${node.hole} of ${at.trial.id} has no values`)
        return first
      }
      case "event": {
        const { trial, kind } = at
        const { of, hole, asked, read, share } = node
        const event = this.#eventOf({ of, decides: hole, share, trial, asked })
        const ways = (branches: readonly Branch[], end: string): Ways => {
          let total = 0
          return {
            until: branches.length < 2 ? [] : branches.map((branch) => (total += branch.share)),
            slot: branches.length < 2 ? -1 : this.#slotOf(kind, `${of} ${end} ${read}`),
            steps: branches.map((branch) => this.#stepOf(branch.node, at)),
          }
        }
        return {
          event,
          slot: share >= 1 ? -1 : this.#slotOf(kind, `${of} ${read}`),
          yes: ways(node.yes, "yes"),
          no: ways(node.no, "no"),
        }
      }
    }
  }

  #slotOf(kind: number, name: string): number {
    const slots = this.#slots[kind]!
    const known = slots.get(name)
    if (known !== undefined) return known
    slots.set(name, slots.size)
    return slots.size - 1
  }

  #kindOf(of: Kind): number {
    const known = this.#kinds.indexOf(of)
    return known < 0 ? this.#kinds.push(of) - 1 : known
  }

  /** The number of an event: those of which all is equal are one. */
  #eventOf(given: {
    readonly of: Kind
    readonly decides: string
    readonly share: number
    readonly trial: Trial
    readonly asked: string
    readonly range?: Event["range"]
  }): number {
    const { of, decides, share, trial, asked, range } = given
    const effects = this.#effectsOf(of, trial, asked)
    const key = JSON.stringify([of, decides, share, effects.map(({ at }) => at), range])
    const known = this.#events.get(key)
    if (known !== undefined) return known.at
    const own = range === undefined ? 0 : TRIAL_DEVIATION
    const variance = effects.reduce(
      (sum, { effect }) => sum + effect.deviation ** 2,
      (this.#spread.item ?? 0) ** 2 + own ** 2,
    )
    const event: Event = {
      of,
      decides,
      intercept: interceptFor(share, Math.sqrt(variance)),
      effects: effects.map(({ at }) => at),
      kind: this.#kindOf(of),
      ...(range === undefined ? {} : { range }),
    }
    const at = this.#events.size
    this.#events.set(key, { at, event })
    return at
  }

  /** Intercepts of a trial besides its item's: of who is asked, of the pool, and of levels whose spread is assumed, `X by model` for each model apart. */
  #effectsOf(of: Kind, { cell, pool }: Trial, asked: string) {
    return Object.entries(this.#spread).flatMap(([column, deviation]) => {
      if (column === "item" || deviation === 0) return []
      const [factor = column, by] = column.split(" by ")
      const level = factor === "model" ? asked : factor === "pool" ? pool : cell.levels[factor]
      if (level === undefined) return []
      const whole = by === "model" ? `${level} by ${asked}` : level
      const key = JSON.stringify([of, column, whole])
      const known = this.#effects.get(key)
      if (known !== undefined) return [known]
      const made = { at: this.#effects.size, effect: { of, column, level: whole, deviation } }
      this.#effects.set(key, made)
      return [made]
    })
  }

  /** What measures make of the leaves. */
  #told(): readonly Told[] {
    if (this.#leaves === 0) return []
    const trials = trialsOf(this.#table)
    const rowOf = sortedRows(trials, this.#leaves)
    return this.#measures.map((measure) => this.#toldOf(measure, outcomes(trials, measure), rowOf))
  }

  #toldOf(measure: MeasureIR, outcome: Outcome, rowOf: Int32Array): Told {
    const count = this.#leaves
    const reasons: (string | null)[] = [null]
    const codes = new Int32Array(count)
    const values = new Float64Array(count)
    const others = outcome.others === undefined ? undefined : new Float64Array(count)
    const seen = new Map<number, number>()
    const observations = new Int32Array(count)
    for (let leaf = 0; leaf < count; leaf++) {
      const row = rowOf[leaf]!
      const reason = outcome.reasons.at(row) as string | null
      if (!reasons.includes(reason)) reasons.push(reason)
      codes[leaf] = reasons.indexOf(reason)
      values[leaf] = outcome.values[row]!
      if (others !== undefined) others[leaf] = outcome.others![row]!
      const observation = outcome.observations[row]!
      if (!seen.has(observation)) seen.set(observation, seen.size)
      observations[leaf] = seen.get(observation)!
    }
    const [drawn, slots] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)]
    const draw = (leaf: number, trial: Trial, kind: number): boolean => {
      const at = this.#experiment.cells.indexOf(trial.cell)
      const { model, pool, cell } = trial
      const said = shareOf(this.#experiment, measure.name, { cell, at, model, pool }, this.#request.pilot)
      if (said === undefined) return false
      const range = measure.statistic === "mean" ? rangeOf(measure.value) : undefined
      const share = range === undefined ? said : (said - range.low) / (range.high - range.low)
      const of: Kind = `measure ${measure.name}`
      drawn[leaf] = this.#eventOf({
        ...{ of, decides: measure.name, share, trial, asked: model },
        ...(range === undefined ? {} : { range }),
      })
      slots[leaf] = this.#slotOf(kind, `${of} ${observations[leaf]}`)
      return true
    }
    const apart = isDrawnApart(measure)
    for (const { trial, kind, from, to } of this.#rows) {
      if (apart) {
        for (let leaf = from; leaf < to; leaf++) {
          if (codes[leaf] !== 0) continue
          if (!draw(leaf, trial, kind))
            this.#lacks(measure, trial, `${measure.name} is no matter of which answers are given`)
        }
      }
      const unknown = this.#unknown.filter((one) => one.trial === trial)
      for (const { hole, from, to } of unknown) {
        if (apart || alike(codes, values, from, to)) continue
        const enters = codes.subarray(from, to).every((code) => code === 0)
        const own = enters && measure.statistic === "rate"
        for (let leaf = from; leaf < to; leaf++) {
          if (own && draw(leaf, trial, kind)) continue
          this.#lacks(measure, trial, `nothing says how ${hole} is answered`, hole)
          break
        }
      }
    }
    return {
      measure,
      values,
      ...(others === undefined ? {} : { others }),
      codes,
      reasons,
      observations,
      observationCount: seen.size,
      drawn,
      slots,
    }
  }

  /** Notes what `assume` would have to say for a measure of a trial. */
  #lacks({ name }: MeasureIR, { cell }: Trial, because: string, hole?: string): void {
    const { contrasts } = this.#experiment
    if (hole !== undefined && isFirstAnswer(this.#experiment, hole)) {
      this.#missing.set("accuracy", {
        name: "accuracy",
        because: `nothing says how often ${hole} is answered rightly`,
      })
      return
    }
    const level = tellingLevel(contrasts, cell.levels)
    this.#missing.set(`${name} ${level}`, { name, level, because })
  }
}

/** Of each leaf the row that it has in an order by trials. */
function sortedRows(trials: Trials, leaves: number): Int32Array {
  const rows = new Int32Array(leaves)
  const names = columnOf(trials, "trial")
  for (let row = 0; row < trials.rows; row++) {
    const name = names.at(row) as string
    rows[Number(name.slice(name.lastIndexOf("#") + 1))] = row
  }
  return rows
}

/** The terms of contrasts that are about a trial. */
function termsAbout(trial: Trial): ReadonlySet<string> {
  const facts = factsOf(trial, {})
  return new Set(
    trial.experiment.contrasts.flatMap(({ terms }, contrast) =>
      terms.flatMap(({ levels, where }, term) =>
        Object.entries(levels).every(([factor, level]) => facts.level(factor) === level) &&
        (where === undefined || evaluate(where, facts) === true)
          ? [`${contrast}:${term}`]
          : [],
      ),
    ),
  )
}

/** Whether a measure makes the same of all these leaves. */
function alike(codes: Int32Array, values: Float64Array, from: number, to: number): boolean {
  for (let leaf = from + 1; leaf < to; leaf++) {
    if (codes[leaf] !== codes[from] || !Object.is(values[leaf], values[from])) return false
  }
  return true
}

/** Of a cell that some contrast is about, the level that tells it from the contrast's other terms; its arm where none does. */
function tellingLevel(
  contrasts: ExperimentIR["contrasts"],
  levels: Readonly<Record<string, string>>,
): string {
  for (const { terms } of contrasts) {
    const own = terms.find((term) =>
      Object.entries(term.levels).every(([factor, level]) => (levels[factor] ?? level) === level),
    )
    if (own === undefined) continue
    const telling = Object.entries(own.levels).find(
      ([factor, level]) =>
        Object.hasOwn(levels, factor) && terms.some((term) => term.levels[factor] !== level),
    )
    if (telling !== undefined) return telling[1]
  }
  return levels.arm ?? Object.values(levels)[0] ?? ""
}

/** What tells kinds of items apart, besides their pool. */
interface Deciding {
  readonly columns: readonly string[]
  /** Whether it matters where the gold option stands, and what labels are. */
  readonly gold: boolean
  readonly labels: boolean
}

function decidingColumns(experiment: ExperimentIR, measures: readonly MeasureIR[]): Deciding {
  const { only, protocol, cells } = experiment
  const expressions: readonly (ExprIR | undefined)[] = [
    only,
    ...protocol.turns.map(({ when }) => when),
    ...experiment.measures.map(({ given }) => given),
    ...measures.flatMap(({ value, other, weight }) => [value, other, weight]),
    ...experiment.contrasts.flatMap(({ terms }) => terms.map(({ where }) => where)),
  ]
  return {
    columns: needsOf(...expressions).columns,
    gold: cells.some(({ target, options }) => target.kind === "option" || options.kind !== "identity"),
    labels: cells.some(({ target }) => target.kind === "placebo_label"),
  }
}

function kindOf(item: Item, { columns, gold, labels }: Deciding): readonly unknown[] {
  return [
    item.options.length,
    item.only ?? null,
    gold ? item.gold : null,
    labels ? item.labels : null,
    columns.map((column) => item.columns[column] ?? null),
  ]
}
