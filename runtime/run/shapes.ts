/**
 * The shapes of the conversations that a model is to have: with a system message or without, and how many turns. Whether its chat template can say
 * them is found when it is opened, before hours of work.
 */
import { Effect } from "effect"
import type { Template, Trial, TurnPrompt } from "../../compiler/trial.ts"
import type { LoadedModel } from "../backend/backend.ts"
import { type Way, waysOf } from "../chat/ways.ts"
import { EnvironmentFailure } from "../failure.ts"
import { isAsked } from "./asked.ts"
import type { Cohort } from "./cohorts.ts"

export interface AskedShape extends Way {
  /** Of the first turn that has it. */
  readonly experiment: string
  readonly turn: string
}

/** One of each shape that the trials of these items have, found on the first item of each pool and experiment. */
export function shapesAsked(cohorts: readonly Cohort[]): readonly AskedShape[] {
  const found = new Map<string, AskedShape>()
  for (const trial of firstTrials(cohorts)) {
    const { name, protocol } = trial.experiment
    const asking = new Set(protocol.holes.filter(isAsked).map(({ turn }) => turn))
    for (const turn of trial.turns) {
      if (!asking.has(turn.name) || turn.model !== cohorts[0]?.model) continue
      const line = lineage(trial, turn)
      const way = { system: says(line[0]?.system ?? []), turns: line.length }
      const key = `${way.system} ${way.turns}`
      if (!found.has(key)) found.set(key, { ...way, experiment: name, turn: turn.name })
    }
  }
  return [...found.values()]
}

/** All trials of one item of each pool and experiment. */
function* firstTrials(cohorts: readonly Cohort[]): Generator<Trial> {
  const seen = new Set<string>()
  const pools = new Map<string, number>()
  for (const cohort of cohorts) {
    // Items of a pool have the same experiments, but for samples: some dozen of them show all.
    const looked = pools.get(cohort.pool) ?? 0
    if (looked >= itemsLookedAt) continue
    pools.set(cohort.pool, looked + 1)
    const trials = cohort.trials()
    const fresh = new Set(
      trials.flatMap(({ trial: { experiment, pool } }) => {
        const key = JSON.stringify([experiment.name, pool])
        return seen.has(key) ? [] : [key]
      }),
    )
    for (const { trial } of trials) {
      if (fresh.has(JSON.stringify([trial.experiment.name, trial.pool]))) yield trial
    }
    for (const key of fresh) seen.add(key)
  }
}

const itemsLookedAt = 24

/** The turn and those that it continues, oldest first. */
function lineage(trial: Trial, turn: TurnPrompt): readonly TurnPrompt[] {
  const before = trial.turns.find(({ name }) => name === turn.continues)
  return before === undefined ? [turn] : [...lineage(trial, before), turn]
}

const says = (template: Template): boolean =>
  template.some((piece) => piece.kind !== "text" || piece.text !== "")

/** Fails where the model's chat template cannot say a conversation of a shape that it will be asked. */
export function checkShapes(
  model: LoadedModel,
  cohorts: readonly Cohort[],
): Effect.Effect<void, EnvironmentFailure> {
  if (model.kind === "chat") return Effect.void
  const shapes = shapesAsked(cohorts)
  const { problems } = waysOf(model, shapes)
  const [first] = problems
  if (first === undefined) return Effect.void
  const { experiment, turn } = shapes.find(
    ({ system, turns }) => system === first.system && turns === first.turns,
  ) as AskedShape
  return Effect.fail(
    new EnvironmentFailure({
      what: `the model ${model.name} cannot be asked: ${first.problem}`,
      where: `experiment ${experiment}, turn ${turn}: ${describeWay(first)}`,
      todo: first.system
        ? "declare the model with `system into_user`, or leave the system message out"
        : "choose an instruction-tuned model, or declare it with `template plain`",
    }),
  )
}

/** `a conversation of 2 turns with a system message`. */
export const describeWay = ({ system, turns }: Way): string =>
  `a conversation of ${turns} turn${turns === 1 ? "" : "s"}${system ? " with a system message" : ""}`
