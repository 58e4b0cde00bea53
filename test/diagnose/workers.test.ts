/** Threads that simulate: whatever becomes of them, a diagnosis ends. */
import { Worker } from "node:worker_threads"
import { expect, it } from "vitest"
import type { Simulation } from "../../runtime/diagnose/estimates.ts"
import { threaded } from "../../runtime/diagnose/workers.ts"

const started = (code: string) =>
  threaded(
    [1, 2].map(
      () => new Worker(`const { parentPort } = require("node:worker_threads")\n${code}`, { eval: true }),
    ),
  )

const answers = `const answer = ({ from, to }) => parentPort.postMessage(Array.from({ length: to - from }, (_, at) => from + at))\n`

it.each([
  ["that listens to nothing", "", /ended before its work was done \(code 0\)/],
  [
    "that exits over its work",
    `parentPort.on("message", () => process.exit(7))`,
    /ended before .* \(code 7\)/,
  ],
  ["that throws", `parentPort.on("message", () => { throw new Error("out of numbers") })`, /out of numbers/],
])("a thread %s ends the simulations, and says so", async (_, code, said) => {
  const simulations = started(code)
  await expect(simulations.run({ items: 3 }, 9, () => {})).rejects.toThrow(said)
  // What is asked of them afterwards ends too.
  await expect(simulations.run({ items: 3 }, 9, () => {})).rejects.toThrow(said)
  await simulations.close()
})

it("threads put simulations together by number, run after run", async () => {
  const simulations = started(`${answers}parentPort.on("message", answer)`)
  for (const count of [9, 4]) {
    const found = (await simulations.run({ items: 3 }, count, () => {})) as readonly (Simulation | number)[]
    expect(found).toEqual(Array.from({ length: count }, (_, at) => at))
  }
  await simulations.close()
})
