/** The plan of the quickstart against what the real engine evaluates for it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { Backend } from "../../runtime/backend/backend.ts"
import { llamaBackend } from "../../runtime/backend/llama.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { execute } from "../../runtime/run/execute.ts"
import { forecast } from "../../runtime/run/forecast.ts"
import { openLedger } from "../../runtime/run/ledger.ts"
import { deaf } from "../run/deaf.ts"

const root = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "cfx-forecast-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Of 120 items: enough to see every arm, few enough to be quick. */
const limit = 4

describe("the quickstart's forecast", () => {
  it("is within 2 % of the tokens that the engine evaluates, and exact in what it knows", async () => {
    const files = diskFiles({ here: root, stdlib: `${root}/stdlib` })
    const { program, items } = compile(`${root}/specs/quickstart.cfx`, files)
    if (program === undefined) throw new Error("the quickstart does not compile")
    const counted = { evaluated: 0, asked: 0 }
    const hooks = {
      ...deaf,
      answered: (tokens: number) => {
        counted.evaluated += tokens
        counted.asked += 1
      },
    }
    const models = new Map(program.models.map(({ name, file }) => [name, { name, path: file }]))
    const planned = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const backend = yield* Backend
          const loaded = yield* backend.load(models.values().next().value as { name: string; path: string })
          return forecast(program, items, new Map([[loaded.name, loaded]]), { limit })
        }).pipe(Effect.provide(llamaBackend({ threads: 1 }))),
      ),
    )
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const ledger = yield* openLedger(join(folder, "ledger.jsonl"))
          yield* execute({ program, items, limit, files: models, ledger, audit: 0, hooks })
          yield* ledger.close
        }).pipe(Effect.provide(llamaBackend({ threads: 1 }))),
      ),
    )
    const [model] = planned.models
    expect(model).toMatchObject({
      trials: limit * 6,
      reads: limit * 18,
      skipped: 0,
      answered: 0,
      unreadable: [],
    })
    expect(Math.abs((model?.sharedTokens ?? 0) / counted.evaluated - 1)).toBeLessThan(0.02)
    expect(Math.abs((model?.distinct ?? 0) / counted.asked - 1)).toBeLessThan(0.02)
  }, 60_000)
})
