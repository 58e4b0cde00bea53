import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { ggufBytes } from "./gguf/format.ts"
import { smallModel, writeSmallModel } from "./gguf/model.ts"
import { conversationOf, prepared, scoreAll, withModel } from "./support.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-small-"))
afterAll(() => rmSync(folder, { recursive: true }))

const conversation = conversationOf([["Which is a bird?\nA. robin\nB. oak", "Answer:("]])
const letters = { kind: "option", labels: ["A", "B"], follow: "" } as const

describe("a small model that a test writes", () => {
  test.each(["llama", "qwen2", "qwen3", "gemma2", "gemma3", "phi3", "mamba"] as const)(
    "of the architecture %s loads, and gives a distribution",
    (architecture) =>
      withModel(
        async (model) => {
          const read = prepared(model, conversation, letters)
          const { answers } = await scoreAll(model, [read.request])
          expect(answers[0]?.invalid).toBeUndefined()
          expect(answers[0]!.probabilities[0]! + answers[0]!.probabilities[1]!).toBeCloseTo(1, 6)
          expect(answers[0]!.mass).toBeGreaterThan(0)
        },
        { threads: 1 },
        writeSmallModel(folder, architecture, { architecture }),
      ),
  )

  test("in half precision answers as in single precision, nearly", async () => {
    const p = (type: "F32" | "F16") =>
      withModel(
        async (model) =>
          (await scoreAll(model, [prepared(model, conversation, letters).request])).answers[0]!
            .probabilities[0]!,
        { threads: 1 },
        writeSmallModel(folder, type, { type }),
      )
    expect(await p("F16")).toBeCloseTo(await p("F32"), 1)
  })

  test("is the same file each time, and another with another seed", () => {
    const bytes = (seed: number) => ggufBytes(smallModel({ seed }))
    expect(bytes(1).equals(bytes(1))).toBe(true)
    expect(bytes(1).equals(bytes(2))).toBe(false)
  })
})
