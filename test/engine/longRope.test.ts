/**
 * Models that read every prompt by the length that their context was opened with: `rope_factors_long` beyond `original_context_length`
 * (`get_rope_factors` in llama.cpp, src/llama-model.cpp).
 */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { afterAll, describe, expect, it, test } from "vitest"
import type { Choice, Evaluator } from "../../runtime/backend/evaluator.ts"
import { leastBeside } from "../../runtime/backend/longRope.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { f32, ggufBytes, type Tensor, u32 } from "./gguf/format.ts"
import { smallModel } from "./gguf/model.ts"
import { conversationOf, prepared, scoreAll, withModel } from "./support.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-long-rope-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Half of the 32 dimensions that are rotated. */
const factors = (name: string, step: number): Tensor => ({
  name: `${name}.weight`,
  shape: [16],
  values: Float32Array.from({ length: 16 }, (_, i) => 1 + step * i),
  type: "F32",
})

const written = () => {
  const { metadata, tensors } = smallModel({
    architecture: "phi3",
    window: 2048,
    metadata: {
      "phi3.rope.scaling.original_context_length": u32(512),
      "phi3.rope.scaling.attn_factor": f32(1),
    },
    // Stronger than at random, so that it matters which token stands where.
    weights: (tensor) =>
      tensor.name.includes("attn_qkv")
        ? { ...tensor, values: tensor.values.map((value) => 4 * value) }
        : tensor,
  })
  const bytes = ggufBytes({
    metadata,
    tensors: [...tensors, factors("rope_factors_long", 20), factors("rope_factors_short", 0)],
  })
  const path = join(folder, "long.gguf")
  writeFileSync(path, bytes)
  return {
    name: "long",
    path,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  }
}

const file = written()
const ask = { kind: "option", labels: ["A", "B"], follow: "" } as const

test("the same prompt in a longer context is another read, since its answer may be another", async () => {
  const at = (context: number) =>
    withModel(
      async (model) => {
        const { request } = prepared(
          model,
          conversationOf([["Which is a bird?\nA. robin\nB. oak", "Answer:("]]),
          ask,
        )
        const { answers } = await scoreAll(model, [request])
        return { key: request.key, probabilities: answers[0]?.probabilities }
      },
      { threads: 1 },
      { ...file, device: { context } },
    )
  const [short, long] = [await at(512), await at(1024)]
  expect(long.probabilities).not.toEqual(short.probabilities)
  expect(long.key).not.toBe(short.key)
}, 120_000)

/** What the engine gives to some tokens at the end of a prompt, where it is read and where a text begins. */
const atTheEnd = async (context: number, texts: readonly { readonly max: number }[]) => {
  const seen: Record<"read" | "text", Choice[]> = { read: [], text: [] }
  const watching =
    (of: "read" | "text") =>
    <Engine extends Evaluator>(engine: Engine): Engine => ({
      ...engine,
      evaluate: async (parts) => {
        await engine.evaluate(parts)
        const [part, ...others] = parts
        const offset = part?.keep.at(-1)
        // Its last chunk alone has more than a token and less than all that stands before.
        if (others.length > 0 || offset === undefined) return
        seen[of].push(await engine.choose({ part: 0, offset }, [40, 41, 42, 43, 44]))
      },
    })
  const written = await withModel(
    async (model) => {
      const conversation = conversationOf([["Which is a bird?\nA. robin\nB. oak", "Answer:("]])
      await scoreAll(model, [prepared(model, conversation, ask).request])
      const found: string[] = []
      for (const { max } of texts) {
        const how = { until: [], temperature: 0, topP: 1, draw: "0" }
        const text = prepare(model, conversation, { kind: "text", max, ...how })
        if (text.kind !== "text") throw new Error("it cannot be asked")
        const [answer] = await Effect.runPromise(Stream.runCollect(model.generate([text.request])))
        found.push(answer?.text ?? "")
      }
      return found
    },
    { threads: 1, wrap: watching("read"), wrapTexts: watching("text") },
    { ...file, device: { context } },
  )
  return { read: seen.read.at(-1), texts: seen.text, written }
}

describe("a text of such a model", () => {
  it.each([512, 1024])(
    "goes on from what is read, in a context of %i tokens",
    async (context) => {
      const { read, texts } = await atTheEnd(context, [{ max: 1 }])
      const at = texts.at(-1)
      for (const [index, p] of (read?.probabilities ?? []).entries())
        expect(at?.probabilities[index]).toBeCloseTo(p, 4)
      expect(at?.mass).toBeCloseTo(read?.mass ?? Number.NaN, 4)
    },
    120_000,
  )

  it("begins alike, whatever room the longest of a batch takes", async () => {
    const { written } = await atTheEnd(1024, [{ max: 8 }, { max: 600 }, { max: 8 }])
    const [first = "", long, last] = written
    expect(first.length).toBeGreaterThan(0)
    expect(long?.startsWith(first)).toBe(true)
    expect(last).toBe(first)
  }, 120_000)
})

test("a room for texts is as long as the long factors take, where the reads have those, and any length elsewhere", () => {
  expect(leastBeside(4096, 4096)).toBe(0)
  // llama.cpp rounds up to a multiple of 256 before it compares.
  expect(leastBeside(4097, 4300)).toBe(4301)
  expect(leastBeside(4097, 4352)).toBe(0)
  expect(leastBeside(131_072, 4096)).toBe(4097)
  expect(leastBeside(131_072, undefined)).toBe(0)
})
