/**
 * Simulations of one experiment, in whatever thread. The bundle has this module as a file of its own, which a worker thread is started with; it then
 * answers what it is sent. A simulation's numbers follow from its own number and from nothing that was simulated before.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads"
import { type Design, type DesignRequest, designOf } from "./design.ts"
import { type Simulation, simulate } from "./estimates.ts"
import { type Point, shiftOf } from "./point.ts"
import { type Sized, sizedTo } from "./sized.ts"

/** Where this module is. */
export const address = import.meta.url

/** Simulations `from` up to and without `to` of a point. */
export interface Task {
  readonly point: Point
  readonly from: number
  readonly to: number
}

export interface Simulated {
  readonly request: DesignRequest
  readonly seed: number
}

/** Sizes that are kept: the one of the design, and the one that is under way. */
const KEPT = 2

export class Simulator {
  readonly #design: Design
  readonly #seed: number
  readonly #sized = new Map<number, Sized>()

  constructor({ request, seed }: Simulated) {
    const design = designOf(request)
    if ("missing" in design) throw new Error("internal: a design that lacks assumptions is simulated")
    this.#design = design
    this.#seed = seed
  }

  run({ point, from, to }: Task): readonly Simulation[] {
    const sized = this.#sizedTo(point.items)
    const shift = shiftOf(this.#design, point)
    return Array.from({ length: to - from }, (_, at) => simulate(sized, this.#seed, from + at, shift))
  }

  #sizedTo(items: number): Sized {
    const known = this.#sized.get(items)
    if (known !== undefined) return known
    const [oldest] = this.#sized.keys()
    if (this.#sized.size >= KEPT && oldest !== undefined) this.#sized.delete(oldest)
    const made = sizedTo(this.#design, items)
    this.#sized.set(items, made)
    return made
  }
}

/** How a worker thread is told that it is one of these. */
export const SIMULATES = "cfx diagnose"

if (!isMainThread && parentPort !== null && workerData?.serves === SIMULATES) {
  const port = parentPort
  let simulator: Simulator | undefined
  port.on("message", (task: Task) => {
    simulator ??= new Simulator(workerData.simulated as Simulated)
    port.postMessage(simulator.run(task))
  })
}
