import { describe, expect, it } from "vitest"
import { countsOf } from "../../compiler/counts/counts.ts"
import { expandEach } from "../../compiler/expand.ts"
import type { Item } from "../../compiler/item.ts"
import { assertion, cell, experiment, pool, text } from "./support.ts"

const framings = Array.from({ length: 10 }, (_, index) => `framing${index}`)

/** 100 cells for 10 models: a million trials of a thousand items. */
const large = experiment({
  models: Array.from({ length: 10 }, (_, index) => `m${index}`),
  cells: framings.flatMap((framing) =>
    Array.from({ length: 10 }, (_, seed) =>
      cell(
        "pressure",
        assertion({ preamble: text(`${framing}:`) }),
        { framing, seed: String(seed) },
        { seed, target: { kind: "random_wrong" } },
      ),
    ),
  ),
})

describe("a million trials", () => {
  it("are counted in well under three seconds", () => {
    const published = { atHand: false, items: 1_000, choices: 4, strata: {}, unknown: [] }
    const program = { version: 1, models: [], pools: [], experiments: [large], doc: "" } as const
    const started = performance.now()
    const [counts] = countsOf(program, new Map([["kinds", published]])).experiments
    expect(performance.now() - started).toBeLessThan(3_000)
    expect(counts?.trials).toBe(1_000_000)
    expect(counts?.turns.map(({ turn, calls }) => [turn, calls])).toEqual([
      ["first", 10_000],
      ["second", 1_000_000],
    ])
  })
  it("are made one item after another, and none before it is asked for", () => {
    const items: Item[] = [...pool(1_000)]
    const made = expandEach(large, new Map([["kinds", items]]))
    const first = Array.from({ length: 100 }, () => made.next().value)
    expect(new Set(first.map((trial) => trial?.item.id))).toEqual(new Set(["kind-0"]))
    expect(made.next().value?.item.id).toBe("kind-1")
  })
})
