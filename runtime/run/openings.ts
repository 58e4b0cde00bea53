/**
 * In which order models are opened. Most designs ask each trial of one model, which is opened once. Where a turn is asked of another model
 * than the rest of its trial, a model may have to be opened again: it reads what another wrote.
 */
import { isMade } from "../../compiler/expand.ts"
import { modelIn } from "../../compiler/facts.ts"
import type { CellIR, ExperimentIR, Program, TurnIR } from "../../compiler/ir.ts"
import { wavesOf } from "../../compiler/waves.ts"
import { isAsked } from "./asked.ts"

/** The models that answer in each wave of a trial that is still left, the next wave first; none is empty. */
type Left = readonly ReadonlySet<string>[]

/** The model that a turn is asked of, in a cell and for a studied model. */
const askedModel = ({ by }: TurnIR, cell: CellIR, studied: string): string =>
  by === undefined ? studied : "model" in by ? by.model : (modelIn(by.role, cell, studied) ?? studied)

/** All models that an experiment asks something, those that it studies first. */
export const modelsAsked = (experiment: ExperimentIR): readonly string[] => [
  ...new Set([
    ...experiment.models,
    ...experiment.models.flatMap((studied) => modelsAskedFor(experiment, studied)),
  ]),
]

/** The models that answer something in the trials of a studied model. */
export function modelsAskedFor(experiment: ExperimentIR, studied: string): readonly string[] {
  const { cells, protocol } = experiment
  const asking = new Set(protocol.holes.filter(isAsked).map(({ turn }) => turn))
  const turns = protocol.turns.filter(({ name }) => asking.has(name))
  if (turns.every(({ by }) => by === undefined)) return [studied]
  return [...new Set(cells.flatMap((cell) => turns.map((turn) => askedModel(turn, cell, studied))))]
}

/**
 * The models in the order in which they are opened; each time one asks all that can be asked of it by then. Next is the one that will be needed
 * again in the fewest kinds of trials, and of equals the one that the experiments name first.
 */
export function openings(program: Program): readonly string[] {
  const names = [...new Set(program.experiments.flatMap(modelsAsked))]
  let kinds = program.experiments.flatMap((experiment) => kindsOf(experiment, program))
  const order: string[] = []
  while (kinds.length > 0) {
    const ready = names.filter((name) => kinds.some(([next]) => next?.has(name)))
    const again = (name: string): number =>
      kinds.filter((left) => advanced(left, name).some((wave) => wave.has(name))).length
    const next = ready.reduce((best, name) => (again(name) < again(best) ? name : best))
    order.push(next)
    kinds = kinds.map((left) => advanced(left, next)).filter((left) => left.length > 0)
  }
  return order
}

/** What is left once a model has answered all that it can. */
function advanced(left: Left, name: string): Left {
  const [next, ...later] = left
  if (next === undefined || !next.has(name)) return left
  const others = [...next].filter((other) => other !== name)
  return others.length > 0 ? [new Set(others), ...later] : advanced(later, name)
}

/** The different ways in which trials of an experiment go from model to model. */
function kindsOf(experiment: ExperimentIR, { models: declared }: Program): readonly Left[] {
  const { models, pools, cells, protocol } = experiment
  const turns = new Map(protocol.turns.map((turn) => [turn.name, turn]))
  const order = wavesOf(experiment)
  const kinds = new Map<string, Left>()
  for (const cell of cells) {
    for (const model of models) {
      const attributes = declared.find(({ name }) => name === model)?.attributes ?? {}
      const made = pools.some(({ pool }) => isMade(experiment, { model, pool, cell, attributes }, undefined))
      if (!made) continue
      const left = order.flatMap((wave): readonly ReadonlySet<string>[] => {
        const asked = wave.filter(isAsked).flatMap((hole) => {
          const turn = turns.get(hole.turn)
          return turn === undefined ? [] : [askedModel(turn, cell, model)]
        })
        return asked.length === 0 ? [] : [new Set(asked)]
      })
      kinds.set(JSON.stringify(left.map((names) => [...names])), left)
    }
  }
  return [...kinds.values()].filter((left) => left.length > 0)
}
