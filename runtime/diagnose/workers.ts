/** Simulations on all cores: tasks go to whichever thread is free, and what they come to is put together by number, so that no number hangs on how many there are. */
import { Worker } from "node:worker_threads"
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

function threaded(workers: readonly Worker[], signal: AbortSignal | undefined): Simulations {
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return {
    run: (point, count, done) =>
      new Promise((resolve, reject) => {
        const tasks = tasksOf(point, count)
        const found: (readonly Simulation[])[] = []
        let next = 0
        let left = tasks.length
        const stop = (why: unknown): void => {
          end()
          reject(why)
        }
        const aborted = (): void => stop(signal?.reason)
        const end = (): void => {
          signal?.removeEventListener("abort", aborted)
          for (const worker of workers) worker.off("error", stop)
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
        if (signal?.aborted) {
          aborted()
          return
        }
        if (tasks.length === 0) {
          end()
          resolve([])
          return
        }
        for (const worker of workers) {
          worker.on("error", stop)
          give(worker)
        }
      }),
    close,
  }
}
