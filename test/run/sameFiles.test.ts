/** Runs whose model files are other ones by now: at the same path, or at one that is given. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { Backend } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { sumOf } from "../../runtime/disk/sums.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { resume, run } from "../../runtime/run/run.ts"
import type { RunState } from "../../runtime/run/state.ts"
import { contents } from "./contents.ts"
import { request, silently } from "./request.ts"
import { failureOf } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let made = 0
const fresh = (): string => join(folder, `made-${made++}`)

const fileOf = (content: string): string => {
  const path = `${fresh()}.gguf`
  writeFileSync(path, content)
  return path
}

/** An engine that knows a file by its content, as that of GGUF files does. It may be of another version, break, or stop after so many answers. */
const engine = ({ version = "1", breaks = false, stopAfter = Number.POSITIVE_INFINITY } = {}) => {
  const seen = { opened: 0, asked: 0 }
  let answers = 0
  const layer = Layer.succeed(Backend, {
    load: (file) =>
      Effect.suspend(() => {
        seen.opened += 1
        if (breaks)
          return Effect.fail(new EnvironmentFailure({ what: "out of memory", where: file.path, todo: "-" }))
        const model = simulatedModel(file)
        const sha256 = sumOf(readFileSync(file.path))
        return Effect.succeed({
          ...model,
          fingerprint: `${model.fingerprint}, engine ${version}, sha256 ${sha256}`,
          facts: { ...model.facts, sha256 },
          score: (reads: Parameters<typeof model.score>[0]) => {
            seen.asked += reads.length
            return Stream.mapEffect(model.score(reads), (answer) =>
              answers++ < stopAfter ? Effect.succeed(answer) : Effect.interrupt,
            )
          },
        })
      }),
  })
  return { seen, layer }
}

const carryOut = (directory: string, file: string, { layer } = engine()) =>
  Effect.runPromise(
    run({ ...request(directory), files: { respondent: { file } } }).pipe(Effect.provide(layer)),
  )

const goOn = (directory: string, { layer } = engine()) =>
  Effect.runPromise(resume({ directory, ...silently }).pipe(Effect.provide(layer)))

const state = (directory: string): RunState => JSON.parse(readFileSync(join(directory, "run.json"), "utf8"))

/** A finished run, its model's file, and all that stands in its folder. */
const finished = async () => {
  const directory = fresh()
  const file = fileOf("one model")
  await carryOut(directory, file)
  return { directory, file, before: { files: contents(directory), state: state(directory) } }
}

const now = (directory: string) => ({ files: contents(directory), state: state(directory) })

describe("a finished run", () => {
  it("is not taken for one of a file that was written over that of its model", async () => {
    const { directory, file, before } = await finished()
    writeFileSync(file, "another model")
    const other = engine()
    for (const again of [() => carryOut(directory, file, other), () => goOn(directory, other)]) {
      const failure = await failureOf(again())
      expect(failure.what).toContain("the model respondent is not the one that answered so far")
      expect(failure.where).toContain(file)
      expect(failure.todo).toContain("--model respondent=FILE")
    }
    expect(other.seen).toEqual({ opened: 0, asked: 0 })
    expect(now(directory)).toEqual(before)
    writeFileSync(file, "one model")
    expect((await carryOut(directory, file, other)).complete).toBe(true)
    expect(other.seen.opened).toBe(0)
  })

  it("stays finished, and names its own file, where another is given", async () => {
    const { directory, before } = await finished()
    const failure = await failureOf(carryOut(directory, fileOf("another model")))
    expect(failure.what).toContain("is not the one that answered so far")
    expect(now(directory)).toEqual(before)
    expect((await goOn(directory)).complete).toBe(true)
  })

  it("stays finished where its file stands elsewhere and the engine is another by now", async () => {
    const { directory, file, before } = await finished()
    const copy = fresh()
    copyFileSync(file, copy)
    const failure = await failureOf(carryOut(directory, copy, engine({ version: "2" })))
    expect(failure.what).toContain("another file, engine, version or mode")
    expect(state(directory)).toEqual(before.state)
    expect((await goOn(directory)).complete).toBe(true)
  })

  it("is gone on with from a copy of its file, which is opened and asked nothing", async () => {
    const { directory, file } = await finished()
    const copy = fresh()
    copyFileSync(file, copy)
    const again = engine()
    expect((await carryOut(directory, copy, again)).complete).toBe(true)
    expect(again.seen).toEqual({ opened: 1, asked: 0 })
    expect(state(directory)).toMatchObject({ state: "finished", models: { respondent: { file: copy } } })
  })

  it("has its report without its file", async () => {
    const { directory, file } = await finished()
    rmSync(file)
    const again = engine()
    expect((await carryOut(directory, file, again)).complete).toBe(true)
    expect((await goOn(directory, again)).complete).toBe(true)
    expect(again.seen.opened).toBe(0)
  })
})

describe("a run that was stopped", () => {
  it("is where it was after a try with a file that could not be opened", async () => {
    const directory = fresh()
    const file = fileOf("one model")
    await expect(carryOut(directory, file, engine({ stopAfter: 3 }))).rejects.toThrow()
    const copy = fresh()
    copyFileSync(file, copy)
    expect((await failureOf(carryOut(directory, copy, engine({ breaks: true })))).what).toBe("out of memory")
    expect(state(directory)).toMatchObject({
      state: "interrupted",
      models: { respondent: { file } },
      counts: { answered: 3 },
    })
    rmSync(copy)
    expect((await goOn(directory)).complete).toBe(true)
  })

  it("may be asked another model where nothing was answered", async () => {
    const directory = fresh()
    await expect(carryOut(directory, fileOf("one model"), engine({ stopAfter: 0 }))).rejects.toThrow()
    expect(existsSync(join(directory, "run.json"))).toBe(true)
    expect((await carryOut(directory, fileOf("another model"))).complete).toBe(true)
  })
})
