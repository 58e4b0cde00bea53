import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { LlamaOptions } from "../../runtime/backend/llama.ts"
import { runQuickstart } from "./quickstartRun.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cfx-exact-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** `CFX_TEST_ITEMS=120` compares the whole pool. */
const limit = Number(process.env.CFX_TEST_ITEMS ?? 12)

const filesOf = async (name: string, engine: LlamaOptions) => {
  const directory = join(folder, name)
  const { session } = await runQuickstart({ directory, limit, engine })
  const read = (file: string) => readFile(join(directory, file), "utf8")
  const { evaluated } = session!
  return { trials: await read("trials.csv"), results: await read("results.json"), evaluated }
}

test("the quickstart's files are the naive run's byte for byte, however its reads were shared, ordered and spread", async () => {
  const naive = await filesOf("naive", { sharing: false, threads: 1 })
  const shared = await filesOf("shared", { threads: 1 })
  const spread = await filesOf("spread", { lanes: 2, threads: 1, order: "reversed" })
  expect(shared.trials).toBe(naive.trials)
  expect(shared.results).toBe(naive.results)
  expect(spread.trials).toBe(naive.trials)
  expect(spread.results).toBe(naive.results)
  expect(naive.evaluated).toBeGreaterThan(1.5 * shared.evaluated)
})
