/**
 * What was read before leaves no trace: P, a framing, Q, and then P, Q gives the cold value of P, Q. On a cache of all tokens, on sliding windows, and on the
 * state of a recurrent model, which cannot go back. The small models have random weights.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import type { ReadAnswer, ReadRequest, TokenModel } from "../../runtime/backend/backend.ts"
import type { LlamaOptions } from "../../runtime/backend/llama.ts"
import type { Step } from "../../runtime/read/steps.ts"
import type { Architecture } from "./gguf/architectures.ts"
import { writeSmallModel } from "./gguf/model.ts"
import { conversationOf, pocketFile, prepared, scoreAll, withModel } from "./support.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-contamination-"))
afterAll(() => rmSync(folder, { recursive: true }))

const letters = { kind: "option", labels: ["A", "B"], follow: "" } as const
const question = `${"Read each of these words with care.\n".repeat(4)}Which is a bird?\nA. robin\nB. oak`
const framings = [
  "",
  "Please double-check.\n",
  "People say:\nPerson 1: B\nPerson 2: B\nPerson 3: B\n",
  "Experts say:\nExpert 1: A\n",
]

/** The same question after a first answer and each framing, and alone. */
const readsOf = (model: TokenModel): readonly ReadRequest[] => [
  prepared(model, conversationOf([[question, "Answer:("]]), letters).request,
  ...framings.map(
    (framing) =>
      prepared(
        model,
        conversationOf([
          [question, "Answer:(A)"],
          [`${framing}${question}`, "Answer:("],
        ]),
        letters,
      ).request,
  ),
]

const cold = (model: TokenModel, reads: readonly ReadRequest[]): Promise<readonly ReadAnswer[]> =>
  Effect.runPromise(Stream.runCollect(model.scoreCold(reads)))

const bits = ({ probabilities, mass }: ReadAnswer) => ({ probabilities, mass })

/** Values of each read from nothing, and then one after the other, each after all the others. */
const coldAndWarm = (architecture: Architecture | "pocket", options: LlamaOptions = {}) =>
  withModel(
    async (model) => {
      const reads = readsOf(model)
      const first = (await cold(model, reads)).map(bits)
      const warm: ReturnType<typeof bits>[] = []
      for (const read of reads) {
        await scoreAll(
          model,
          reads.filter((other) => other !== read),
        )
        const counted = model.count([read])
        const { answers, evaluated } = await scoreAll(model, [read])
        expect(evaluated).toBe(counted)
        warm.push(bits(answers[0]!))
      }
      const steps: readonly Step[] = [...model.steps(reads, [])]
      return { first, warm, steps, paths: reads.map(({ chunks }) => chunks.flat().length) }
    },
    { threads: 1, ...options },
    architecture === "pocket" ? pocketFile : writeSmallModel(folder, architecture, { architecture }),
  )

describe("a read after others gives the bits that it gives from nothing", () => {
  test.each([["pocket"], ["llama"], ["gemma2"], ["gemma3"]] as const)(
    "on %s",
    async (architecture) => {
      const { first, warm, steps, paths } = await coldAndWarm(architecture)
      expect(warm).toEqual(first)
      // Longer than the sliding windows.
      expect(Math.max(...paths)).toBeGreaterThan(2 * 64)
      expect(new Set(first.map((one) => JSON.stringify(one))).size).toBe(first.length)
      const evaluated = steps.reduce((sum, { chunk }) => sum + chunk.length, 0)
      expect(evaluated).toBeLessThan(paths.reduce((sum, length) => sum + length, 0))
    },
    300_000,
  )

  test("on mamba, whose state forgets all or nothing: what stands before is evaluated again", async () => {
    const { first, warm, steps } = await coldAndWarm("mamba")
    expect(warm).toEqual(first)
    let length = 0
    for (const { at, chunk } of steps) {
      expect([0, length]).toContain(at)
      length = at + chunk.length
    }
  }, 300_000)
})

describe("in fast mode a read after others gives what it gives from nothing", () => {
  test.each([["pocket"], ["llama"], ["gemma3"], ["mamba"]] as const)(
    "on %s, to within 0.01",
    async (architecture) => {
      const { first, warm } = await coldAndWarm(architecture, { mode: "fast" })
      const exact = (await coldAndWarm(architecture)).first
      for (const other of [warm, exact])
        for (const [index, { probabilities, mass }] of other.entries()) {
          for (const [label, p] of probabilities.entries())
            expect(Math.abs(p - first[index]!.probabilities[label]!)).toBeLessThan(0.01)
          expect(Math.abs(mass - first[index]!.mass)).toBeLessThan(0.01)
        }
    },
    300_000,
  )
})
