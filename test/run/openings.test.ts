/** How often each model is opened over the specs of both papers: once for all that it can answer by then, and freed before the next. */
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { Backend } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { modelsAsked, openings } from "../../runtime/run/openings.ts"
import { run } from "../../runtime/run/run.ts"
import { compiled, invented, specs } from "../specs/support.ts"
import { silently } from "./request.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()

/** Every model argues, and every model reads what every other wrote: the last to write has read all by then, the others come again. */
const CROSSED = ["specs/who-flips/exhaustive.cfx", "specs/who-flips/stability.cfx"]

describe.each(specs.filter((spec) => !spec.includes("/field/")))("%s", (spec) => {
  it(`opens each model ${CROSSED.includes(spec) ? "once to write and once to read, but for the last" : "once"}`, () => {
    const { program } = compiled(spec)
    const order = openings(program)
    const names = [...new Set(program.experiments.flatMap(modelsAsked))]
    expect(new Set(order)).toEqual(new Set(names))
    expect(order).toHaveLength(CROSSED.includes(spec) ? 2 * names.length - 1 : names.length)
  }, 120_000)
})

describe("a run of a crossed design", () => {
  it("holds one model at a time, opened as often as the order says", async () => {
    const { spec, pools } = invented(compiled("specs/who-flips/stability.cfx"))
    const opened: string[] = []
    let held = 0
    let most = 0
    const layer = Layer.succeed(Backend, {
      load: (file) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            opened.push(file.name)
            held += 1
            most = Math.max(most, held)
            return simulatedModel(file)
          }),
          () =>
            Effect.sync(() => {
              held -= 1
            }),
        ),
    })
    const directory = join(folder, "crossed")
    const request = {
      compiled: spec,
      invented: pools,
      directory,
      engine: "simulated",
      mode: "exact",
      limit: 1,
    } as const
    await Effect.runPromise(run({ ...request, ...silently }).pipe(Effect.provide(layer)))
    expect(opened).toEqual(openings(spec.program))
    expect([most, held]).toEqual([1, 0])
  }, 300_000)
})
