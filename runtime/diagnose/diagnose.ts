/**
 * Power before data: a spec's design is simulated as it is assumed, with the items that it has and with others, and it is said of every contrast how
 * often it would be found, how wide its interval is, and how far off an estimate may be.
 */
import type { EstimatorIR, ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { type Assumption, assumptionsOf, type Pilot } from "./assumptions.ts"
import { type Design, type DesignRequest, designOf, type Missing } from "./design.ts"
import { type Simulation, takenIn } from "./estimates.ts"
import { type LackingFamily, lackingIn } from "./families.ts"
import { type Forecast, forecastOf, USUAL_STEPS } from "./forecast.ts"
import type { Point } from "./point.ts"
import { type Left, scopeOf } from "./scope.ts"
import { itemsIn, possible, sizedTo } from "./sized.ts"
import { type Smallest, smallestOf } from "./smallest.ts"
import { type Found, heldOf, type Summary, summaryOf } from "./summary.ts"
import { truthOf } from "./truth.ts"
import { busy, simulationsOf } from "./workers.ts"

export interface DiagnoseRequest {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly simulations: number
  /** Numbers of items, over all pools: these alone are simulated, the design's own where there is none; where left out, the design's own, and shares of it. */
  readonly sizes?: readonly number[]
  readonly seed: number
  /** Whether contrasts by a mixed-effects model are fitted in each simulation. */
  readonly fits: boolean
  readonly threads: number
  readonly pilots: ReadonlyMap<string, Pilot>
  readonly signal?: AbortSignal
  /** Work is simulations, each as much as it has items for every item of those that summaries are of. */
  readonly progress: {
    readonly planned: (work: number) => void
    readonly done: (work: number) => void
    /** What all simulations will take, before the first of them. */
    readonly forecast?: (forecast: Forecast) => void
  }
}

export interface Diagnosis {
  readonly seed: number
  readonly experiments: readonly DiagnosedExperiment[]
}

export interface DiagnosedExperiment {
  readonly experiment: string
  readonly models: readonly string[]
  /** Over all pools: the design's own number, or the largest that was asked for where that is not among them. Summaries are of so many. */
  readonly items: number
  /** The design's own number. */
  readonly designItems: number
  /** Trials that its contrasts look at, with `items`. */
  readonly trials: number
  readonly simulations: number
  readonly assumptions: readonly Assumption[]
  readonly contrasts: readonly DiagnosedContrast[]
  readonly expects: readonly { readonly text: string; readonly held?: Found }[]
  readonly left: readonly Left[]
  /** Families of which some contrasts are not simulated. */
  readonly families: readonly LackingFamily[]
}

export interface DiagnosedContrast {
  readonly contrast: string
  readonly doc: string
  readonly by: EstimatorIR
  /** Of its first measure: what its numbers are in. */
  readonly statistic: ExperimentIR["measures"][number]["statistic"]
  /** Of the interval, in percent. */
  readonly level: number
  /** Over all intercepts. */
  readonly truth?: number
  readonly summary: Summary
  readonly smallest: Smallest
  /** By numbers of items, ascending. */
  readonly sizes: readonly { readonly items: number; readonly truth?: number; readonly summary: Summary }[]
}

/** What an experiment's `assume` lacks. */
export interface Lacking {
  readonly experiment: string
  readonly missing: readonly Missing[]
}

/** Shares of the design's items that are simulated besides where nobody says which. */
const USUAL_SIZES = [0.25, 0.5, 2] as const

interface Prepared {
  readonly experiment: ExperimentIR
  readonly design: Design
  readonly request: DesignRequest
  readonly left: readonly Left[]
  readonly sizes: readonly number[]
  /** Of these the one that summaries and the smallest effect are of. */
  readonly main: number
}

/** What `assume` lacks, or what is found. Experiments without contrasts have none. */
export async function diagnose(
  request: DiagnoseRequest,
): Promise<Diagnosis | { readonly lacking: readonly Lacking[] }> {
  const { program, items, fits, pilots, seed, simulations } = request
  const lacking: Lacking[] = []
  const prepared = program.experiments.map((experiment): Prepared | DiagnosedExperiment => {
    const scope = scopeOf(experiment, fits)
    const pilot = pilots.get(experiment.name)
    const own: DesignRequest = { scope, models: program.models, items, pilot }
    if (scope.experiment.contrasts.length === 0) return nothingIn(experiment, scope.left)
    const design = designOf(own)
    if ("missing" in design) {
      lacking.push({ experiment: experiment.name, missing: design.missing })
      return nothingIn(experiment, scope.left)
    }
    const all = itemsIn(design)
    const sizes = asked(all, request.sizes).map((items) => possible(design, items))
    return {
      experiment,
      design,
      request: own,
      left: scope.left,
      sizes: [...new Set(sizes)].sort((a, b) => a - b),
      main: sizes.includes(all) ? all : Math.max(...sizes),
    }
  })
  if (lacking.length > 0) return { lacking }
  const some = prepared.filter((one) => "design" in one)
  if (some.length > 0)
    request.progress.forecast?.(
      forecastOf(some, { simulations, threads: busy(request.threads, simulations) }),
    )
  request.progress.planned(
    prepared.reduce((sum, one) => sum + ("design" in one ? workOf(one, simulations) : 0), 0),
  )
  const experiments: DiagnosedExperiment[] = []
  for (const one of prepared) experiments.push("design" in one ? await diagnosed(one, request) : one)
  return { seed, experiments }
}

const asked = (all: number, sizes: readonly number[] | undefined): readonly number[] => {
  if (sizes === undefined) return [all, ...USUAL_SIZES.map((share) => Math.max(2, Math.round(all * share)))]
  return sizes.length === 0 ? [all] : sizes
}

const nothingIn = (experiment: ExperimentIR, left: readonly Left[]): DiagnosedExperiment => ({
  experiment: experiment.name,
  models: experiment.models,
  items: 0,
  designItems: 0,
  trials: 0,
  simulations: 0,
  assumptions: [],
  contrasts: [],
  expects: [],
  left,
  families: [],
})

function workOf({ design, sizes, main }: Prepared, simulations: number): number {
  const steps = USUAL_STEPS * takenIn(design).length
  return simulations * (sizes.reduce((sum, size) => sum + size / main, 0) + steps)
}

async function diagnosed(prepared: Prepared, request: DiagnoseRequest): Promise<DiagnosedExperiment> {
  const { design, sizes, main, experiment, left } = prepared
  const { seed, signal, simulations, progress } = request
  const threads = busy(request.threads, simulations)
  const simulator = await simulationsOf({ request: prepared.request, seed }, threads, signal)
  try {
    const run = (point: Point): Promise<readonly Simulation[]> =>
      simulator.run(point, simulations, (more) => progress.done((more * point.items) / main))
    const bySize = new Map<number, readonly Simulation[]>()
    for (const items of sizes) bySize.set(items, await run({ items }))
    const contrasts: DiagnosedContrast[] = []
    for (const [at, { contrast, by }] of takenIn(design).entries()) {
      const { measure } = design.told.find((one) => one.measure.name === contrast.terms[0]!.measure)!
      const { level } = measure.interval
      const found = sizes.map((items) => {
        const numbers = bySize.get(items)!.map(({ taken }) => taken[at]!)
        const truth = truthOf(design, items)(contrast, by)
        return {
          items,
          ...(truth === undefined ? {} : { truth }),
          summary: summaryOf(numbers, truth),
          numbers,
        }
      })
      const own = found.find(({ items }) => items === main)!
      const sought = {
        ...{ design, items: main, by, level, at },
        contrast: design.experiment.contrasts.indexOf(contrast),
        truth: own.truth,
        numbers: own.numbers,
      }
      contrasts.push({
        contrast: contrast.name,
        doc: contrast.doc,
        by,
        statistic: measure.statistic,
        level,
        ...(own.truth === undefined ? {} : { truth: own.truth }),
        summary: own.summary,
        smallest: await smallestOf(sought, run),
        sizes: found.map(({ numbers: _numbers, ...rest }) => rest),
      })
    }
    const held = bySize.get(main)!.map((one) => one.held)
    return {
      experiment: experiment.name,
      models: experiment.models,
      items: main,
      designItems: itemsIn(design),
      trials: sizedTo(design, main).trials.rows,
      simulations,
      assumptions: assumptionsOf(experiment, request.pilots.get(experiment.name)),
      contrasts,
      expects: design.experiment.expects.map(({ text }, at) => {
        const share = heldOf(held.map((one) => one[at]!))
        return { text, ...(share === undefined ? {} : { held: share }) }
      }),
      left,
      families: lackingIn(design.experiment, design.ways),
    }
  } finally {
    await simulator.close()
  }
}
