/** What `cfx plan` tells: the design's counts, and tokens for the models that are at hand. */
import { countsOf, type ExperimentCounts } from "../../../compiler/counts/counts.ts"
import type { Diagnostic } from "../../../compiler/diagnostics/diagnostic.ts"
import { toJson } from "../../../compiler/diagnostics/render.ts"
import type { AssumeIR, Program } from "../../../compiler/ir.ts"
import { countPools, unsaidStrata } from "../../../compiler/items/count.ts"
import type { Forecast, ModelForecast } from "../../run/forecast.ts"
import { itemsUsed } from "../../run/plan.ts"
import type { RecordOptions } from "../../run/records.ts"
import type { Sound } from "../compiled.ts"
import { absentPools, placeOf } from "../pools.ts"

export interface PlanReport {
  readonly experiments: readonly PlannedExperiment[]
  readonly models: readonly ModelForecast[]
  /** Models whose tokens cannot be counted, and why, in words. */
  readonly uncounted: readonly { readonly model: string; readonly why: string }[]
  /** Pools whose data are not at hand, so that what is published of them is counted. */
  readonly pools: readonly AbsentCount[]
  /** What the tokens of later waves assume, in words. */
  readonly assumption: string
  readonly warnings: readonly Diagnostic[]
}

export interface PlannedExperiment extends ExperimentCounts {
  /** What the expected counts rest on; absent where the experiment expects nothing. */
  readonly assume?: AssumeIR
}

export interface AbsentCount {
  readonly pool: string
  readonly where: string
  readonly why: string
  /** What nothing says, so that it is guessed: as in `PoolCount`, and `strata subject` where a sample is per value of a column. */
  readonly unknown: readonly string[]
}

/** The counts of a program, whose pools and models need not be at hand. */
export function counted(
  program: Program,
  spec: Sound,
  options: RecordOptions,
): Pick<PlanReport, "experiments" | "pools"> {
  const items = itemsUsed(program, spec.items)
  const pools = countPools(program.pools, items)
  const { experiments } = countsOf(program, pools, { ...options, items })
  return {
    experiments: experiments.map((counts, index) => {
      const assume = program.experiments[index]?.assume
      return { ...counts, ...(assume === undefined ? {} : { assume }) }
    }),
    pools: absentPools(program, spec).map(({ name, source, why }) => ({
      pool: name,
      where: placeOf(source),
      why,
      unknown: [
        ...(pools.get(name)?.unknown ?? []),
        ...unsaidStrata(name, pools.get(name), program.experiments).map((column) => `strata ${column}`),
      ],
    })),
  }
}

/** Of forecasts that were made one model at a time. */
export const joined = (forecasts: readonly Forecast[]): Pick<PlanReport, "models" | "assumption"> => ({
  models: forecasts.flatMap(({ models }) => models),
  assumption: forecasts[0]?.assumption ?? "nothing",
})

/** As `--json` prints it. */
export const planJson = (
  spec: string,
  { experiments, models, uncounted, pools, assumption, warnings }: PlanReport,
): string => {
  const value = {
    spec,
    experiments: experiments.map(({ arms, ...counts }) => ({
      ...counts,
      arms: arms.map(({ arm }) => arm),
      trialsByArm: Object.fromEntries(arms.map(({ arm, trials }) => [arm, trials])),
    })),
    models,
    uncounted,
    pools,
    assumption,
    warnings: warnings.map(toJson),
  }
  return `${JSON.stringify(value, null, 2)}\n`
}
