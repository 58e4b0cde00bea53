/** A pilot that grows, a run that is looked at in part: one spec in one directory, with other limits and other experiments. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { run } from "../../runtime/run/run.ts"
import type { RunState } from "../../runtime/run/state.ts"
import { contents } from "./contents.ts"
import { experiment, program } from "./fixture.ts"
import { request } from "./request.ts"
import { carryOut, failureOf, goOn, ITEMS, reported, watched } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let directories = 0
const fresh = (): string => join(folder, `run-${directories++}`)

type Change = Parameters<typeof carryOut>[1]

/** All but the ledger, which may hold more than a run of its own would. */
const written = (directory: string): Readonly<Record<string, string>> => {
  const { "ledger.jsonl": _, ...others } = contents(directory)
  return others
}
const anew = async (change: Change): Promise<Readonly<Record<string, string>>> => {
  const directory = fresh()
  await carryOut(directory, change)
  return written(directory)
}
const state = (directory: string): RunState => JSON.parse(readFileSync(join(directory, "run.json"), "utf8"))

/** Two experiments, of which the second asks what the first does and a re-ask in other words. */
const [reask, ...pressed] = experiment.cells
const both = {
  ...program,
  experiments: [
    { ...experiment, cells: [reask!, ...pressed.slice(0, 1)] },
    { ...experiment, name: "other", cells: [reask!, ...pressed.slice(1)] },
  ],
}

describe("a run with another limit into the same directory", () => {
  it("goes on with what was answered when it grows, and comes to what a new run would", async () => {
    const directory = fresh()
    await carryOut(directory, { limit: 2 })
    const { seen, layer } = watched()
    const { counts, session } = await carryOut(directory, {}, layer)
    expect(seen.asked).toBe((ITEMS - 2) * 5)
    expect(session).toMatchObject({ asked: (ITEMS - 2) * 5 })
    expect(counts).toEqual({ trials: 18, reads: 54, answered: ITEMS * 5, failed: 0 })
    expect(written(directory)).toEqual(await anew({}))
    expect(state(directory)).toMatchObject({ state: "finished", counts })
    expect(state(directory).sessions.map(({ asked }) => asked)).toEqual([10, 20])
  })

  it("asks nothing when it shrinks, counts what it uses, and can be reported and resumed", async () => {
    const directory = fresh()
    await carryOut(directory)
    const { seen, layer } = watched()
    const { counts, report } = await carryOut(directory, { limit: 2 }, layer)
    expect(seen.asked).toBe(0)
    expect(counts).toMatchObject({ trials: 6, reads: 18, answered: 10 })
    expect(report.reads).toEqual({ all: 18, distinct: 10 })
    const expected = await anew({ limit: 2 })
    expect(written(directory)).toEqual(expected)
    await reported(directory)
    await goOn(directory)
    expect(written(directory)).toEqual(expected)
    await carryOut(directory, { limit: 4 })
    expect(written(directory)).toEqual(await anew({ limit: 4 }))
  })

  it("takes what a pilot answered that was stopped", async () => {
    const directory = fresh()
    let answered = 0
    let stop = (): void => {}
    const { layer } = watched((model) => ({
      ...model,
      score: (reads) =>
        Stream.tap(model.score(reads), () =>
          Effect.suspend(() => {
            if (++answered < 12) return Effect.void
            stop()
            return Effect.never
          }),
        ),
    }))
    await carryOut(directory, { limit: 1 })
    const fiber = Effect.runFork(run(request(directory, { items: ITEMS })).pipe(Effect.provide(layer)))
    stop = () => fiber.interruptUnsafe()
    await new Promise((done) => fiber.addObserver(done))
    expect(state(directory)).toMatchObject({ state: "interrupted", counts: { trials: 18, answered: 16 } })
    expect((await reported(directory)).complete).toBe(false)
    await carryOut(directory, { limit: 3 })
    expect(written(directory)).toEqual(await anew({ limit: 3 }))
    await carryOut(directory)
    expect(contents(directory)).toEqual(contents(await whole()))
  })
})

const whole = async (): Promise<string> => {
  const directory = fresh()
  await carryOut(directory)
  return directory
}

describe("a run of other experiments into the same directory", () => {
  it("goes on with what they share, and comes to what a new run would", async () => {
    const directory = fresh()
    await carryOut(directory, { program: both, experiment: "study" })
    const { seen, layer } = watched()
    await carryOut(directory, { program: both, experiment: "other" }, layer)
    // Only the framing that the first had not is new.
    expect(seen.asked).toBe(ITEMS)
    expect(written(directory)).toEqual(await anew({ program: both, experiment: "other" }))
    const rest = watched()
    await carryOut(directory, { program: both }, rest.layer)
    expect(rest.seen.asked).toBe(0)
    expect(written(directory)).toEqual(await anew({ program: both }))
  })

  it("is still refused where the spec means something else", async () => {
    const directory = fresh()
    await carryOut(directory, { program: both, experiment: "study" })
    const changed = { ...both, experiments: both.experiments.map((one) => ({ ...one, seed: 8 })) }
    const failure = await failureOf(carryOut(directory, { program: changed, experiment: "study" }))
    expect(failure.what).toBe("the folder holds another run; it differs in what the spec means")
  })
})
