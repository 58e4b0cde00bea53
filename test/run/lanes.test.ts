import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Item } from "../../compiler/item.ts"
import { Backend, type Lane, type TokenModel } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { execute } from "../../runtime/run/execute.ts"
import { openLedger } from "../../runtime/run/ledger.ts"
import { readLedger } from "../../runtime/run/readLedger.ts"
import { recordsOf } from "../../runtime/run/records.ts"
import type { Walk } from "../../runtime/run/walk.ts"
import { deaf } from "./deaf.ts"
import { pool, program } from "./fixture.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let files = 0

/** Carries out the program on so many lanes, each slower at some reads than the others, so that they overtake one another. */
async function carryOut(items: ReadonlyMap<string, readonly Item[]>, lanes: number) {
  const path = join(folder, `ledger-${files++}.jsonl`)
  const asked: string[] = []
  const walked: string[] = []
  let open = 0
  let mostOpen = 0
  let evaluated = 0
  const watched = (lane: Lane, number: number): Lane => ({
    ...lane,
    score: (requests) => {
      asked.push(...requests.map(({ key }) => key))
      mostOpen = Math.max(mostOpen, ++open)
      return lane.score(requests).pipe(
        Stream.tap(() => Effect.sleep((asked.length * 7 + number * 3) % 5)),
        Stream.ensuring(
          Effect.sync(() => {
            open--
          }),
        ),
      )
    },
  })
  const opened = (model: TokenModel): TokenModel => ({
    ...model,
    ...watched(model, 0),
    extraLanes: model.extraLanes.map((lane, index) => watched(lane, index + 1)),
  })
  const backend = Layer.succeed(Backend, {
    load: (file) => Effect.sync(() => opened(simulatedModel(file, { lanes }))),
  })
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const ledger = yield* openLedger(path)
        const models = new Map(program.models.map(({ name, file }) => [name, { name, path: file }]))
        const hooks = {
          ...deaf,
          answered: (tokens: number) => {
            evaluated += tokens
          },
          walked: ({ trials }: Pick<Walk, "trials">) => {
            walked.push(trials[0]!.trial.item.id)
          },
        }
        yield* execute({ program, items, files: models, ledger, audit: 0, hooks })
        yield* ledger.close
      }).pipe(Effect.provide(backend)),
    ),
  )
  return { records: [...recordsOf(program, items, readLedger(path))], asked, walked, mostOpen, evaluated }
}

describe("a model with several lanes", () => {
  it("reads several items at a time, and comes to the records and the order of one lane, for hardly more tokens", async () => {
    const one = await carryOut(pool(12), 1)
    const three = await carryOut(pool(12), 3)
    expect(one.mostOpen).toBe(1)
    expect(three.mostOpen).toBe(3)
    expect(three.records).toEqual(one.records)
    // What all items begin with is evaluated once on each lane.
    expect(three.evaluated).toBeGreaterThanOrEqual(one.evaluated)
    expect(three.evaluated).toBeLessThan(1.02 * one.evaluated)
    expect(three.walked).toEqual(one.walked)
    expect([...three.asked].sort()).toEqual([...one.asked].sort())
  })

  it("asks once what two lanes come to at the same time", async () => {
    const [name, items] = [...pool(3)][0]!
    const twins = items.flatMap((item) => [item, { ...item, id: `${item.id}-twin` }])
    const { asked, records } = await carryOut(new Map([[name, twins]]), 2)
    expect(new Set(asked).size).toBe(asked.length)
    const readingsOf = (id: string) => records.filter(({ item }) => item === id).map((one) => one.readings)
    for (const { id } of items) expect(readingsOf(`${id}-twin`)).toEqual(readingsOf(id))
  })
})
