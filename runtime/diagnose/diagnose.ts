/**
 * Power before data: a spec's design is simulated as it is assumed, with the items that it has and with others, and it is said of every contrast how
 * often it would be found, how wide its interval is, and how far off an estimate may be.
 */
import type { EstimatorIR, ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { type Assumption, assumptionsOf, type Pilot } from "./assumptions.ts"
import { type Design, type DesignRequest, designOf, type Missing } from "./design.ts"
import { type Simulation, takenIn } from "./estimates.ts"
import type { Point } from "./point.ts"
import { type Left, scopeOf } from "./scope.ts"
import { itemsIn, sizedTo } from "./sized.ts"
import { type Smallest, smallestOf } from "./smallest.ts"
import { type Found, heldOf, type Summary, summaryOf } from "./summary.ts"
import { truthOf } from "./truth.ts"
import { simulationsOf } from "./workers.ts"

export interface DiagnoseRequest {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly simulations: number
  /** Numbers of items, over all pools; those of the design are always among what is simulated. */
  readonly sizes?: readonly number[]
  readonly seed: number
  /** Whether contrasts by a mixed-effects model are fitted in each simulation. */
  readonly fits: boolean
  readonly threads: number
  readonly pilots: ReadonlyMap<string, Pilot>
  readonly signal?: AbortSignal
  /** Work is simulations, each as much as it has items for every item of the design. */
  readonly progress: { readonly planned: (work: number) => void; readonly done: (work: number) => void }
}

export interface Diagnosis {
  readonly seed: number
  readonly experiments: readonly DiagnosedExperiment[]
}

export interface DiagnosedExperiment {
  readonly experiment: string
  readonly models: readonly string[]
  /** Of the design, over all pools. */
  readonly items: number
  /** Trials that its contrasts look at. */
  readonly trials: number
  readonly simulations: number
  readonly assumptions: readonly Assumption[]
  readonly contrasts: readonly DiagnosedContrast[]
  readonly expects: readonly { readonly text: string; readonly held?: Found }[]
  readonly left: readonly Left[]
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
  /** By numbers of items, ascending; the design's among them. */
  readonly sizes: readonly { readonly items: number; readonly truth?: number; readonly summary: Summary }[]
}

/** What an experiment's `assume` lacks. */
export interface Lacking {
  readonly experiment: string
  readonly missing: readonly Missing[]
}

/** Shares of the design's items that are simulated besides where nobody says which. */
const USUAL_SIZES = [0.25, 0.5, 2] as const

/** A step towards the smallest effect, of which there are one or two as a rule. */
const USUAL_STEPS = 2

interface Prepared {
  readonly experiment: ExperimentIR
  readonly design: Design
  readonly request: DesignRequest
  readonly left: readonly Left[]
  readonly sizes: readonly number[]
}

/** What `assume` lacks, or what is found. Experiments without contrasts have none. */
export async function diagnose(
  request: DiagnoseRequest,
): Promise<Diagnosis | { readonly lacking: readonly Lacking[] }> {
  const { program, items, fits, pilots, seed } = request
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
    const sizes = request.sizes ?? USUAL_SIZES.map((share) => Math.max(2, Math.round(all * share)))
    return {
      experiment,
      design,
      request: own,
      left: scope.left,
      sizes: [...new Set([...sizes, all])].sort((a, b) => a - b),
    }
  })
  if (lacking.length > 0) return { lacking }
  request.progress.planned(
    prepared.reduce((sum, one) => sum + ("design" in one ? workOf(one, request.simulations) : 0), 0),
  )
  const experiments: DiagnosedExperiment[] = []
  for (const one of prepared) experiments.push("design" in one ? await diagnosed(one, request) : one)
  return { seed, experiments }
}

const nothingIn = (experiment: ExperimentIR, left: readonly Left[]): DiagnosedExperiment => ({
  experiment: experiment.name,
  models: experiment.models,
  items: 0,
  trials: 0,
  simulations: 0,
  assumptions: [],
  contrasts: [],
  expects: [],
  left,
})

function workOf({ design, sizes }: Prepared, simulations: number): number {
  const all = itemsIn(design)
  const steps = USUAL_STEPS * takenIn(design).length
  return simulations * (sizes.reduce((sum, size) => sum + size / all, 0) + steps)
}

async function diagnosed(prepared: Prepared, request: DiagnoseRequest): Promise<DiagnosedExperiment> {
  const { design, sizes, experiment, left } = prepared
  const { seed, threads, signal, simulations, progress } = request
  const all = itemsIn(design)
  const simulator = await simulationsOf({ request: prepared.request, seed }, threads, signal)
  try {
    const run = (point: Point): Promise<readonly Simulation[]> =>
      simulator.run(point, simulations, (more) => progress.done((more * point.items) / all))
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
          summary: summaryOf(numbers, truth, level),
          numbers,
        }
      })
      const own = found.find(({ items }) => items === all)!
      const sought = {
        ...{ design, items: all, by, level, at },
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
    const held = bySize.get(all)!.map((one) => one.held)
    return {
      experiment: experiment.name,
      models: experiment.models,
      items: all,
      trials: sizedTo(design, all).trials.rows,
      simulations,
      assumptions: assumptionsOf(experiment, request.pilots.get(experiment.name)),
      contrasts,
      expects: design.experiment.expects.map(({ text }, at) => {
        const share = heldOf(held.map((one) => one[at]!))
        return { text, ...(share === undefined ? {} : { held: share }) }
      }),
      left,
    }
  } finally {
    await simulator.close()
  }
}
