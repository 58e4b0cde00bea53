/** What simulations will take, before the first of them. */
import { fitSeconds } from "../mixed/forecast.ts"
import type { Design } from "./design.ts"
import { simulate, takenIn } from "./estimates.ts"
import { possible, sizedTo } from "./sized.ts"

export interface Forecast {
  /** Of all simulations on all threads, in seconds, within a factor of two or three. */
  readonly seconds: number
  /** Of them, those that mixed-effects models are fitted in; absent where none is. */
  readonly fits?: {
    readonly seconds: number
    readonly count: number
    /** Of the largest fit, on one core. */
    readonly longest: number
  }
}

/** Steps towards a contrast's smallest effect: there are one or two as a rule. */
export const USUAL_STEPS = 2

export interface Planned {
  readonly design: Design
  readonly sizes: readonly number[]
  /** The number of items with which smallest effects are sought. */
  readonly main: number
}

export function forecastOf(
  planned: readonly Planned[],
  { simulations, threads }: { readonly simulations: number; readonly threads: number },
): Forecast {
  const cores = Math.max(1, threads)
  let seconds = 0
  const fits = { seconds: 0, count: 0, longest: 0 }
  for (const one of planned) {
    const { design, sizes, main } = one
    const steps = USUAL_STEPS * takenIn(design).length
    const points = [...sizes, ...Array.from({ length: steps }, () => main)]
    const perItem = secondsOfItem(one)
    for (const items of points) {
      seconds += (simulations * items * perItem) / cores
      for (const fit of fitsIn(design, items)) {
        fits.seconds += (simulations * fit) / cores
        fits.count += simulations
        fits.longest = Math.max(fits.longest, fit)
      }
    }
  }
  return { seconds: seconds + fits.seconds, ...(fits.count === 0 ? {} : { fits }) }
}

/** Items with which a simulation is timed: enough that what does not go by items is small. */
const TIMED = 60

/** Of a simulation without fits, by the second of two that are taken: the first finds the code cold. */
function secondsOfItem({ design, main }: Planned): number {
  const { experiment } = design
  const plain: Design = {
    ...design,
    experiment: {
      ...experiment,
      contrasts: experiment.contrasts.map((contrast) => ({
        ...contrast,
        by: contrast.by.filter((by) => by !== "mixed_logistic"),
      })),
      families: [],
      expects: [],
    },
    ways: design.ways.filter(({ by, isSimulated }) => isSimulated && by !== "mixed_logistic"),
  }
  const items = possible(design, Math.min(main, TIMED))
  const sized = sizedTo(plain, items)
  simulate(sized, 0, 0)
  const started = performance.now()
  simulate(sized, 0, 1)
  return (performance.now() - started) / 1000 / items
}

/** Seconds of each fit in one simulation: of every contrast by a model, as large as it is where all its trials enter. */
function fitsIn(design: Design, items: number): readonly number[] {
  const fitted = takenIn(design).filter(({ by }) => by === "mixed_logistic")
  if (fitted.length === 0) return []
  const sized = sizedTo(design, items)
  return fitted.map(({ contrast }) => {
    const place = design.experiment.contrasts.indexOf(contrast)
    let rows = 0
    const [models, pools] = [new Set<string>(), new Set<string>()]
    for (const { pool, kinds } of sized.pools) {
      for (const kind of kinds) {
        for (const { about, model } of design.itemKinds[kind]!.rows) {
          const sides = contrast.terms.filter((_, term) => about.has(`${place}:${term}`)).length
          if (sides === 0) continue
          rows += sides
          models.add(model)
          pools.add(pool)
        }
      }
    }
    const random = [models.size, pools.size, items]
      .filter((levels) => levels > 1)
      .map((levels) => ({ levels, effects: 1, parameters: 1 }))
    return fitSeconds({ rows, fixed: contrast.terms.length, random })
  })
}
