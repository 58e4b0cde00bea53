/** Records alone: their models, pools, levels and labels are those that the file turns out to have. */
import type { CellIR, ExperimentIR, RecordsIR } from "../../compiler/ir.ts"
import { emptyBlock } from "../../compiler/lower/block.ts"
import { ONLY_ARM } from "../../compiler/lower/columns.ts"
import { ONLY_OUTER } from "../../compiler/lower/recorded.ts"
import { NO_TARGET } from "../../compiler/lower/target.ts"
import { cellName, trialsOfItem } from "../../compiler/trialId.ts"
import type { TrialRecord } from "../record.ts"
import { type Crossing, Crossings } from "./crossings.ts"
import { cellKey, type ExpectedCell, type RecordedDesign } from "./design.ts"
import { goldOf, labelsBy, targetsOf } from "./labels.ts"
import { namesIn } from "./names.ts"
import { Prompts } from "./prompts.ts"
import { columnsOf, readingsOf } from "./row.ts"
import { type EachRow, type Survey, survey } from "./survey.ts"

export async function designOfRecords(
  experiment: ExperimentIR,
  records: RecordsIR,
  each: EachRow,
): Promise<RecordedDesign> {
  const factors = experiment.factors.map(({ name }) => name)
  const crossings = new Crossings(factors, factors.includes("arm") ? {} : { arm: ONLY_ARM })
  const found = await survey(experiment, records, crossings, each)
  const completed = completedBy(found, experiment)
  const labelsFor = labelsBy(found, experiment, records)
  const prompts = new Prompts(experiment.protocol, records)
  const nameOf = cellNames(found.cells, factors)
  const endings = new Map<Crossing, string>()
  /** What the trials of a crossing are called behind their item. */
  const endingOf = (crossing: Crossing): string => {
    const ending = endings.get(crossing) ?? nameOf(crossing.levels)
    endings.set(crossing, ending)
    return ending
  }
  return {
    experiment: completed,
    trialOf: (row, say) => {
      const names = namesIn(row, records, factors, say)
      if (names === undefined) return undefined
      const { item, model = ONLY_OUTER, pool = ONLY_OUTER } = names
      const crossing = crossings.of(model, pool, names.levels)
      const { levels, key } = crossing
      const id = trialsOfItem({ experiment: experiment.name, model, pool, item }) + endingOf(crossing)
      return {
        id,
        unit: key,
        item,
        cell: key,
        record: () => {
          const labels = labelsFor(row, pool, item, say)
          if (labels === undefined) return undefined
          const gold = goldOf(row, records, labels, say)
          const readings = readingsOf(row, experiment, records, labels, say)
          const columns = columnsOf(row, "item", records.items, found.numbers, say)
          const attributes = columnsOf(row, "model", records.attributes, found.numbers, say)
          const targets = targetsOf(row, records, labels, say)
          if (
            gold === undefined ||
            readings === undefined ||
            columns === undefined ||
            attributes === undefined ||
            targets === undefined
          )
            return undefined
          return {
            trial: id,
            experiment: experiment.name,
            model,
            pool,
            item,
            levels,
            labels,
            shown: labels,
            gold,
            columns,
            attributes,
            roles: {},
            ...targets,
            readings,
            prompts: prompts.of(row, readings),
          } satisfies TrialRecord
        },
      }
    },
    expected: () => expectedOf(found),
  }
}

type Levels = Readonly<Record<string, string>>

/**
 * Cells in the names of trials: their levels in the order of the factors. Where two cells would have the same name, as where one lacks a factor and the
 * other another, the factors stand in the names of all.
 */
function cellNames(cells: readonly Levels[], factors: readonly string[]): (levels: Levels) => string {
  const named = (say: (level: string, factor: string) => string) => (levels: Levels) =>
    cellName(
      factors.flatMap((factor) => (levels[factor] === undefined ? [] : say(levels[factor], factor))),
    ) || ONLY_ARM
  const plain = named((level) => level)
  if (new Set(cells.map(plain)).size === cells.length) return plain
  return named((level, factor) => `${factor}=${level}`)
}

const identity = { kind: "identity" } as const

/** The experiment with what its records have. */
export function completedBy(found: Survey, experiment: ExperimentIR): ExperimentIR {
  const { levels: levelsBy } = found
  const factors = experiment.factors.map(({ name }) => ({ name, levels: levelsBy.get(name) ?? [] }))
  const rank = (levels: Readonly<Record<string, string>>): readonly number[] =>
    factors.map(({ name, levels: known }) => known.indexOf(levels[name] ?? ""))
  const cells = found.cells
    .map((levels) => ({ levels, rank: rank(levels) }))
    .sort((a, b) => compare(a.rank, b.rank))
    .map(
      ({ levels }): CellIR => ({
        arm: levels.arm ?? ONLY_ARM,
        levels,
        stimulus: emptyBlock,
        fills: {},
        roles: {},
        seed: experiment.seed,
        target: NO_TARGET,
        options: identity,
        replicate: replicateOf(levels.replicate),
      }),
    )
  return { ...experiment, models: found.models, pools: found.pools.map((pool) => ({ pool })), factors, cells }
}

const replicateOf = (level: string | undefined): number => {
  const value = Number(level ?? 1)
  return Number.isSafeInteger(value) && value >= 1 ? value : 1
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) if (rank !== b[at]) return rank - (b[at] ?? 0)
  return 0
}

/** Every cell that a model and pool have should have each of the pool's items. */
const expectedOf = ({ crossed, items }: Survey): readonly ExpectedCell[] =>
  crossed.map(({ model, pool, levels }) => ({
    key: cellKey(model, pool, levels),
    model,
    pool,
    levels,
    count: items.get(pool) ?? 0,
  }))
