/** Models that read every prompt by the length that their context was opened with: `rope_factors_long` beyond `original_context_length`. */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
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

const ask = { kind: "option", labels: ["A", "B"], follow: "" } as const

test("the same prompt in a longer context is another read, since its answer may be another", async () => {
  const file = written()
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
