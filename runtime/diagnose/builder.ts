/** Expands a trial of each kind of item in each cell, and numbers the ways in which it may come out. */
import { evaluate } from "../../compiler/evaluate.ts"
import { expander } from "../../compiler/expand.ts"
import { factsOf, modelIn } from "../../compiler/facts.ts"
import type { ExperimentIR, MeasureIR, ModelIR } from "../../compiler/ir.ts"
import { itemsOf } from "../../compiler/sampled.ts"
import type { Trial } from "../../compiler/trial.ts"
import { trialsOfItem } from "../../compiler/trialId.ts"
import { wavesOf } from "../../compiler/waves.ts"
import { TrialTable } from "../measure/table.ts"
import type { TrialRecord } from "../record.ts"
import { recordOf } from "../run/records.ts"
import { type At, assumedAt, spreadOf } from "./assumptions.ts"
import type { Design, DesignRequest, Missing, Row, Step, Ways } from "./design.ts"
import { Events } from "./events.ts"
import { decidingColumns, kindOf } from "./itemKinds.ts"
import { type Branch, type Node, respondent } from "./respondent.ts"
import { cellsOf, lookedAt } from "./scope.ts"
import { type Leaves, toldIn } from "./told.ts"

export class Builder {
  readonly #request: DesignRequest
  readonly #ends: (leaf: number, record: TrialRecord) => void
  readonly #experiment: ExperimentIR
  readonly #measures: readonly MeasureIR[]
  readonly #assumed: At
  readonly #table: TrialTable
  readonly #events: Events
  #leaves = 0
  readonly #unknown: Leaves["unknown"][number][] = []
  readonly #rows: Leaves["rows"][number][] = []

  constructor(request: DesignRequest, ends: (leaf: number, record: TrialRecord) => void) {
    this.#request = request
    this.#ends = ends
    const { experiment, measures } = request.scope
    this.#experiment = experiment
    this.#measures = measures
    this.#assumed = assumedAt(experiment, request.pilot)
    this.#events = new Events(spreadOf(experiment, request.pilot))
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
        const kind = known.get(key) ?? itemKinds.push({ pool, rows: [] }) - 1
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
              const beginning = trialsOfItem({ experiment: experiment.name, model, pool, item: item.id })
              const ending = trial.id.slice(beginning.length)
              const roles = Object.fromEntries(
                experiment.protocol.roles.map((role) => [role, modelIn(role, trial.cell, model) ?? model]),
              )
              const { levels } = trial.cell
              const about = termsAbout(trial)
              itemKinds[kind]!.rows.push({ model, ending, levels, roles, about, step })
            }
          }
        }
        return { item, kind }
      }),
    }))
    const missing = new Map<string, Missing>()
    const events = this.#events
    const leaves: Leaves = {
      ...{ experiment, pilot: this.#request.pilot, events, table: this.#table, count: this.#leaves },
      ...{ rows: this.#rows, unknown: this.#unknown, missing },
    }
    const told = toldIn(leaves, this.#measures)
    if (missing.size > 0) return { missing: [...missing.values()] }
    return {
      experiment,
      ways: this.#request.scope.ways,
      kinds: events.kinds,
      itemDeviation: events.itemDeviation,
      effects: events.effects,
      events: events.events,
      itemKinds: itemKinds.map((kind, at) => ({ ...kind, slots: events.slotsOf(at) })),
      pools,
      told,
    }
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
        const event = this.#events.eventOf({ of, decides: hole, share, trial, asked })
        const ways = (branches: readonly Branch[], end: string): Ways => {
          let total = 0
          return {
            until: branches.length < 2 ? [] : branches.map((branch) => (total += branch.share)),
            slot: branches.length < 2 ? -1 : this.#events.slotOf(kind, `${of} ${end} ${read}`),
            steps: branches.map((branch) => this.#stepOf(branch.node, at)),
          }
        }
        return {
          event,
          slot: share >= 1 ? -1 : this.#events.slotOf(kind, `${of} ${read}`),
          yes: ways(node.yes, "yes"),
          no: ways(node.no, "no"),
        }
      }
    }
  }
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
