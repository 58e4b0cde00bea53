import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Ask } from "../../compiler/conversation.ts"
import type { LlamaOptions } from "../../runtime/backend/llama.ts"
import { placesOf } from "../../runtime/read/steps.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { runQuickstart } from "../engine/quickstartRun.ts"
import { conversationOf, prepared, withModel } from "../engine/support.ts"
import { smollm2 } from "./smollm2.ts"

const fetched = await smollm2()
const model = "missing" in fetched ? { name: "smollm2", path: "" } : fetched
if ("missing" in fetched)
  console.warn(
    `\nNOT RUN: the tests on SmolLM2-135M-Instruct, which cannot be had here.\n  ${fetched.missing}\n`,
  )

describe.skipIf("missing" in fetched)("the quickstart's protocol on SmolLM2-135M-Instruct", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cfx-real-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const runOn = (name: string, limit: number, engine: LlamaOptions) =>
    runQuickstart({ directory: join(folder, name), limit, model: model.path, engine })
  let shared: readonly TrialRecord[] = []

  test("20 items: every read is a distribution, and a good part of it is on the labels", async () => {
    const outcome = await runOn("shared", 20, {})
    shared = outcome.records
    expect(shared).toHaveLength(20 * 6)
    expect(outcome.failed).toEqual([])
    for (const { readings } of shared)
      for (const reading of Object.values(readings)) {
        if (reading.status !== "value") throw new Error(`${reading.status} is no distribution`)
        expect(reading.probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 6)
        expect(reading.mass).toBeGreaterThan(0.01)
        expect(reading.mass).toBeLessThanOrEqual(1)
      }
  })

  test("the naive twin gives the same reads, bit for bit, and so do one thread and two", async () => {
    for (const options of [{ sharing: false }, { threads: 1 }, { threads: 2, order: "reversed" }] as const) {
      const { records } = await runOn(JSON.stringify(options).replace(/\W+/g, "-"), 3, options)
      const same = shared.filter((record) => records.some(({ trial }) => trial === record.trial))
      expect(records).toHaveLength(3 * 6)
      expect(records).toEqual(same)
    }
  })

  test("its template's own system message is shown, its integers are told apart by what follows, a system message replaces it", () =>
    withModel(
      async (loaded) => {
        const ask: Ask = { kind: "integer", low: 1, high: 10, follow: "}" }
        const turns = [["Which?", '{"confidence":']] as const
        const read = prepared(loaded, conversationOf(turns), ask)
        expect(read.rendered[0]).toMatchObject({
          text: expect.stringContaining("You are a helpful AI assistant named SmolLM"),
          from: { kind: "chat_template" },
        })
        expect(read.labels["10"]).toHaveLength(2)
        expect(placesOf(read.request.labels)).toHaveLength(2)
        const own = prepared(loaded, conversationOf(turns, "Be brief."), ask)
        expect(own.rendered.map((segment) => segment.text).join("")).toBe(
          '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhich?<|im_end|>\n<|im_start|>assistant\n{"confidence":',
        )
      },
      { threads: 1 },
      model,
    ))
})
