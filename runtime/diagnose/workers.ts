/** Simulations on all cores: tasks go to whichever thread is free, and what they come to is put together by number, so that no number hangs on how many there are. */
import { Worker } from "node:worker_threads"
import { EnvironmentFailure } from "../failure.ts"
import type { Simulation } from "./estimates.ts"
import type { Point } from "./point.ts"
import type { Simulated, Simulator, Task } from "./worker.ts"

export interface Simulations {
  /** The simulations of a point, by their numbers from 0. `done`: is told how many more are done. */
  readonly run: (point: Point, count: number, done: (more: number) => void) => Promise<readonly Simulation[]>
  readonly close: () => Promise<void>
}

/** Simulations of a task: few enough for a progress that moves, many enough that messages cost nothing. */
const AT_A_TIME = 2

/**
 * `threads`: how many are started; with 0 this one simulates. A thread can be started with JavaScript alone: from the sources, as tests have them,
 * everything is done in this one. What it is started with is a file of the bundle's own, since it is imported when it is needed.
 */
export async function simulationsOf(
  simulated: Simulated,
  threads: number,
  signal?: AbortSignal,
): Promise<Simulations> {
  const { address, SIMULATES, Simulator } = await import("./worker.ts")
  if (threads === 0 || !/\.m?js$/.test(address)) return alone(new Simulator(simulated), signal)
  const workerData = { serves: SIMULATES, simulated }
  return threaded(
    Array.from({ length: threads }, () => new Worker(new URL(address), { workerData })),
    signal,
  )
}

/** Of so many threads, those that so many simulations keep busy: each that is started makes the design anew. */
export const busy = (threads: number, simulations: number): number =>
  Math.min(threads, Math.ceil(simulations / AT_A_TIME))

const tasksOf = (point: Point, count: number): readonly Task[] =>
  Array.from({ length: Math.ceil(count / AT_A_TIME) }, (_, at) => ({
    point,
    from: at * AT_A_TIME,
    to: Math.min(count, (at + 1) * AT_A_TIME),
  }))

function alone(simulator: Simulator, signal: AbortSignal | undefined): Simulations {
  return {
    run: async (point, count, done) => {
      const all: Simulation[] = []
      for (const task of tasksOf(point, count)) {
        // A turn of the loop, in which a signal can arrive.
        await new Promise((resolve) => setImmediate(resolve))
        signal?.throwIfAborted()
        all.push(...simulator.run(task))
        done(task.to - task.from)
      }
      return all
    },
    close: async () => {},
  }
}

/** Threads that have ended hold the whole up, however they came to it: what they had under way comes never. */
export function threaded(workers: readonly Worker[], signal?: AbortSignal): Simulations {
  let closing = false
  let failed: { readonly why: unknown } | undefined
  let stop = (_why: unknown): void => {}
  const fail = (why: unknown): void => {
    if (closing || failed !== undefined) return
    failed = { why }
    stop(why)
  }
  for (const worker of workers) {
    worker.on("error", fail)
    worker.on("messageerror", fail)
    worker.on("exit", (code) => fail(endedEarly(code)))
  }
  return {
    run: (point, count, done) =>
      new Promise((resolve, reject) => {
        const tasks = tasksOf(point, count)
        const found: (readonly Simulation[])[] = []
        let next = 0
        let left = tasks.length
        const aborted = (): void => stop(signal?.reason)
        const end = (): void => {
          signal?.removeEventListener("abort", aborted)
          for (const worker of workers) worker.removeAllListeners("message")
          stop = () => {}
        }
        stop = (why) => {
          end()
          reject(why)
        }
        const give = (worker: Worker): void => {
          const at = next++
          const task = tasks[at]
          if (task === undefined) return
          worker.once("message", (simulations: readonly Simulation[]) => {
            found[at] = simulations
            left -= 1
            done(simulations.length)
            if (left === 0) {
              end()
              resolve(found.flat())
            } else give(worker)
          })
          worker.postMessage(task)
        }
        signal?.addEventListener("abort", aborted)
        if (failed !== undefined) stop(failed.why)
        else if (signal?.aborted) aborted()
        else if (left === 0) {
          end()
          resolve([])
        } else for (const worker of workers) give(worker)
      }),
    close: async () => {
      closing = true
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

const endedEarly = (code: number): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `a thread that simulates ended before its work was done (code ${code})`,
    where: "cfx diagnose",
    todo: "give it less at a time with --items and --sims, or set CFX_THREADS=1",
  })
