import { expect, test } from "vitest"
import { prepared, referenceRows, scoreAll, withModel } from "./support.ts"

const rows = referenceRows()

test("reads of the pocket respondent equal PyTorch's over the same weights", { timeout: 120_000 }, () =>
  withModel(async (model) => {
    const reads = rows.map((row) => prepared(model, row.conversation, row.ask))
    const counted = model.count(reads.map((read) => read.request))
    const t0 = performance.now()
    const { answers, evaluated } = await scoreAll(
      model,
      reads.map((read) => read.request),
    )
    console.log("ms", performance.now() - t0)

    expect(rows).toHaveLength(468)
    expect(reads.map((read) => read.tokens)).toEqual(rows.map((row) => row.tokens))
    expect(evaluated).toBe(counted)
    const apart = rows.map((row, i) =>
      Math.max(...row.p.map((p, k) => Math.abs(p - answers[i]!.probabilities[k]!))),
    )
    console.log("max", Math.max(...apart), apart.filter((x) => x > 0.001).length, model.facts, counted)
    expect(Math.max(...apart)).toBeLessThanOrEqual(0.001)
    for (const [i, row] of rows.entries()) {
      const answer = answers[i]!
      expect(Math.abs(answer.mass - row.mass)).toBeLessThanOrEqual(0.001)
      const [first, second] = [...row.p].sort((a, b) => b - a) as [number, number]
      if (first - second > 0.001) expect(argmax(answer.probabilities)).toBe(argmax(row.p))
    }
  }),
)

const argmax = (values: readonly number[]): number => values.indexOf(Math.max(...values))
