/**
 * What an experiment would ask, counted without making a trial: a turn is asked once for each distinct binding of what stands in its prompt, and an
 * expected number of times where gates hang on answers. Exact but for that; equal prompts of two experiments are not put together here.
 */
import { isMade } from "../expand.ts"
import type { ExperimentIR, HoleIR, Program } from "../ir.ts"
import type { Item } from "../item.ts"
import type { PoolCount } from "../items/count.ts"
import { Interned, variantsOf } from "../variants.ts"
import { wavesOf } from "../waves.ts"
import { Chances } from "./chances.ts"
import { type Group, type GroupOptions, groupsOf } from "./groups.ts"
import { type Key, Keys, type Place } from "./keys.ts"
import { Tally } from "./tally.ts"

export interface CountOptions extends GroupOptions {
  /** Items of the pools that are at hand; without them a pool is counted as its `PoolCount` says. */
  readonly items?: ReadonlyMap<string, readonly Item[]>
}

export interface ProgramCounts {
  readonly experiments: readonly ExperimentCounts[]
  readonly trials: number
  readonly calls: number
  readonly expected: number
}

export interface Calls {
  /** Distinct prompts, if every gate were open. */
  readonly calls: number
  /** How many of them are expected to be asked. Not rounded. */
  readonly expected: number
}

export interface ExperimentCounts extends Calls {
  readonly experiment: string
  readonly models: readonly string[]
  /** Items that are asked about, by pool. */
  readonly items: Readonly<Record<string, number>>
  /** Pools whose data are not at hand, so that what is published is counted. */
  readonly published: readonly string[]
  readonly cells: number
  readonly trials: number
  readonly arms: readonly { readonly arm: string; readonly cells: number; readonly trials: number }[]
  /** Trials all of whose prompts are those of another trial of the same model and item: no observations of their own. */
  readonly collapsed: number
  /** In the protocol's order; without turns in which nothing is read. */
  readonly turns: readonly TurnCounts[]
  /** By the model that is asked. */
  readonly byModel: Readonly<Record<string, Calls>>
}

export interface TurnCounts extends Calls {
  readonly turn: string
  /** What is read in it, in order. */
  readonly holes: readonly string[]
  /** Distinct reads: one for each hole of each call, and fewer where a hole stands before what tells the calls apart. */
  readonly reads: number
  /** Whether a text is written. */
  readonly writes: boolean
  /** Whether `expected` is an upper bound: its gates hang on something of which nothing is assumed. */
  readonly atMost: boolean
}

export const countsOf = (
  program: Program,
  pools: ReadonlyMap<string, PoolCount>,
  options: CountOptions = {},
): ProgramCounts => {
  const experiments = program.experiments.map((one) => countExperiment(one, program, pools, options))
  const sum = (of: (counts: ExperimentCounts) => number): number =>
    experiments.reduce((total, one) => total + of(one), 0)
  return {
    experiments,
    trials: sum(({ trials }) => trials),
    calls: sum(({ calls }) => calls),
    expected: sum(({ expected }) => expected),
  }
}

const countExperiment = (
  experiment: ExperimentIR,
  program: Program,
  pools: ReadonlyMap<string, PoolCount>,
  options: CountOptions,
): ExperimentCounts => {
  const holes = wavesOf(experiment).flat()
  const attributes = new Map(program.models.map((model) => [model.name, model.attributes]))
  const groups = groupsOf(experiment, options.items ?? new Map(), pools, attributes, options)
  const keys = new Keys(experiment, new Interned())
  const chances = new Chances(experiment, keys, holes, attributes)
  const variants = variantsOf(experiment)
  const tally = new Tally()
  const trials = new Map<string, number>()
  let made = 0
  let distinct = 0
  for (const group of groups) {
    for (const model of experiment.models) {
      if (group.item.only !== undefined && group.item.only !== model) continue
      const seen = new Set<string>()
      for (const [index, cell] of experiment.cells.entries()) {
        const design = { model, pool: group.pool, cell, attributes: attributes.get(model) ?? {} }
        if (!isMade(experiment, design, group.item)) continue
        const base = { group, model, cell, variant: variants[index] as Place["variant"] }
        for (const place of placesOf(base)) {
          const own = keys.of(place, holes)
          tallyTrial(place, own)
          seen.add([...own.values()].map(({ key }) => key).join(";"))
          made += group.count
          trials.set(cell.arm, (trials.get(cell.arm) ?? 0) + group.count)
        }
      }
      distinct += seen.size * group.count
    }
    tally.close(group.count)
  }
  tally.end()
  return {
    experiment: experiment.name,
    models: experiment.models,
    items: itemsIn(experiment, groups),
    published: [...new Set(groups.filter(({ isKnown }) => !isKnown).map(({ pool }) => pool))],
    cells: experiment.cells.length,
    trials: made,
    arms: [...new Set(experiment.cells.map(({ arm }) => arm))].map((arm) => ({
      arm,
      cells: experiment.cells.filter((cell) => cell.arm === arm).length,
      trials: trials.get(arm) ?? 0,
    })),
    collapsed: made - distinct,
    ...callsIn(experiment, tally),
  }

  function tallyTrial(place: Place, own: ReadonlyMap<string, Key>): void {
    for (const { name } of holes) {
      const key = own.get(name)
      if (key?.asked === undefined) continue
      const chance = chances.of(name, place)
      tally.add(name, { ...key, asked: key.asked }, chance, () =>
        chance.of.map((hole) => own.get(hole)?.key ?? "").join(";"),
      )
    }
  }
}

/** The trials of a cell: one, or one for each wrong option. */
const placesOf = (base: Place): readonly Place[] =>
  base.cell.target.kind === "each_wrong"
    ? base.group.item.options.flatMap((_, choice) =>
        choice === base.group.item.gold ? [] : [{ ...base, choice }],
      )
    : [base]

const itemsIn = ({ pools }: ExperimentIR, groups: readonly Group[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    pools.map(({ pool }) => [
      pool,
      groups.reduce((sum, group) => sum + (group.pool === pool ? group.count : 0), 0),
    ]),
  )

const isAsked = ({ type }: HoleIR): boolean => type !== "extract" && type !== "rule"

const callsIn = (
  { protocol }: ExperimentIR,
  tally: Tally,
): Pick<ExperimentCounts, "turns" | "calls" | "expected" | "byModel"> => {
  const turns = protocol.turns.flatMap((turn): TurnCounts[] => {
    const holes = protocol.holes.filter((hole) => hole.turn === turn.name && isAsked(hole))
    const counts = holes.map(({ name }) => tally.of(name))
    // The last read of a turn stands behind all that tells its calls apart.
    const last = counts.at(-1)
    if (last === undefined) return []
    return [
      {
        turn: turn.name,
        holes: holes.map(({ name }) => name),
        calls: last.calls,
        expected: last.expected,
        reads: counts.reduce((sum, { calls }) => sum + calls, 0),
        writes: holes.some(({ type }) => type === "text"),
        atMost: last.isBound,
      },
    ]
  })
  const lasts = protocol.turns.flatMap(
    ({ name }) => protocol.holes.findLast((hole) => hole.turn === name && isAsked(hole))?.name ?? [],
  )
  return {
    turns,
    calls: turns.reduce((sum, { calls }) => sum + calls, 0),
    expected: turns.reduce((sum, { expected }) => sum + expected, 0),
    byModel: tally.byModel(lasts),
  }
}
