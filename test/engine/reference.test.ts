import { expect, test } from "vitest"
import { prepared, referenceRows, scoreAll, withModel } from "./support.ts"

/** PyTorch in single precision against the engine's kernels, with flash attention on and in canonical chunks. */
const tolerance = 0.001

test("reads of the pocket respondent equal PyTorch's over the same weights", { timeout: 120_000 }, () =>
  withModel(async (model) => {
    const rows = referenceRows()
    const reads = rows.map((row) => prepared(model, row.conversation, row.ask))
    const requests = reads.map((read) => read.request)
    const counted = model.count(requests)
    const { answers, evaluated } = await scoreAll(model, requests)

    expect(rows).toHaveLength(468)
    expect(reads.map((read) => read.tokens)).toEqual(rows.map((row) => row.tokens))
    expect(evaluated).toBe(counted)
    for (const [i, { p, mass }] of rows.entries()) {
      const answer = answers[i]!
      expect(answer.probabilities).toHaveLength(p.length)
      for (const [k, probability] of answer.probabilities.entries())
        expect(Math.abs(probability - p[k]!), `row ${i + 1}, label ${k + 1}`).toBeLessThanOrEqual(tolerance)
      expect(Math.abs(answer.mass - mass), `row ${i + 1}, mass`).toBeLessThanOrEqual(tolerance)
      const [first, second] = [...p].sort((a, b) => b - a) as [number, number]
      if (first - second > tolerance) expect(argmax(answer.probabilities)).toBe(argmax(p))
    }
  }),
)

const argmax = (values: readonly number[]): number => values.indexOf(Math.max(...values))
