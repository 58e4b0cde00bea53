/** Random choices do not move one another: what is added to a design or to a pool leaves the draws of the rest as they were. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expand } from "../../compiler/expand.ts"
import type { CellIR, ExperimentIR, ProtocolIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { sampled } from "../../compiler/sampled.ts"
import { targetOf } from "../../compiler/target.ts"
import type { Trial } from "../../compiler/trial.ts"
import { assertion, block, cell, experiment, item, protocolOf, turn } from "./support.ts"

const anyId = fc.string({ unit: "binary", minLength: 1, maxLength: 5 })
const anyIds = (minLength: number) => fc.uniqueArray(anyId, { minLength, maxLength: 14 })

const withOthers: ProtocolIR = protocolOf(
  [
    turn("history", "<past[1].question> <past[2].wrong.label>", "<:h>"),
    turn("first", "<block>\n<item.question>\n<item.options>", "<:a0>", { continues: "history" }),
  ],
  {},
  { draws: [{ name: "past", count: 2 }] },
)

const drawn = (arm: string, parts: Partial<CellIR> = {}): CellIR =>
  cell(
    arm,
    assertion({ structure: "mixed", order: "shuffled" }),
    {},
    {
      target: { kind: "random_wrong" },
      options: { kind: "shuffled" },
      ...parts,
    },
  )

const study = (parts: Partial<ExperimentIR> = {}): ExperimentIR =>
  experiment({ protocol: withOthers, cells: [drawn("arm")], ...parts })

const trialsOf = (one: ExperimentIR, ids: readonly string[]): readonly Trial[] =>
  expand(one, new Map([["kinds", ids.map((id) => item({ id, question: `What is ${id}?` }))]]))

/** All that is drawn for a trial. */
const drawsOf = (trial: Trial) => ({
  order: trial.item.original ?? null,
  target: targetOf(trial, {}),
  others: trial.others.past?.map(({ id }) => id),
  lines: trial.turns.map(({ user }) => user.filter(({ kind }) => kind === "answer")),
  turns: trial.turns,
})

const byItem = (trials: readonly Trial[], model = "m", arm = "arm") =>
  Object.fromEntries(
    trials
      .filter((trial) => trial.model === model && trial.cell.arm === arm && trial.cell.replicate === 1)
      .map((trial) => [trial.item.id, drawsOf(trial)]),
  )

describe("the draws of a trial", () => {
  it("do not move when an arm, a model, a seed or a replicate is added", () => {
    fc.assert(
      fc.property(anyIds(3), (ids) => {
        const base = byItem(trialsOf(study(), ids))
        const more = study({
          name: "another",
          models: ["n", "m"],
          cells: [
            cell("reask", block("Again.")),
            drawn("arm"),
            drawn("later", { seed: 1 }),
            drawn("arm", { replicate: 2 }),
          ],
        })
        expect(byItem(trialsOf(more, ids))).toEqual(base)
      }),
      { numRuns: 15 },
    )
  })
  it("do not move when an item is added, but for at most one of the other items that are drawn", () => {
    fc.assert(
      fc.property(anyIds(4), ([added, ...ids]) => {
        const before = byItem(trialsOf(study(), ids))
        const after = byItem(trialsOf(study(), [...ids, added as string]))
        for (const [id, { others, turns: _, ...draws }] of Object.entries(before)) {
          const { others: now, turns: __, ...kept } = after[id] ?? { others: [], turns: [] }
          expect(kept).toEqual(draws)
          const fresh = now?.filter((one) => !others?.includes(one)) ?? []
          expect(fresh.every((one) => one === added)).toBe(true)
          // Those that stay keep their order.
          expect(now?.filter((one) => one !== added)).toEqual(others?.slice(0, 2 - fresh.length))
        }
      }),
      { numRuns: 30 },
    )
  })
  it("are others under another seed, and under another replicate", () => {
    const ids = Array.from({ length: 12 }, (_, index) => `i${index}`)
    const draws = (parts: Partial<CellIR>) =>
      trialsOf(study({ cells: [drawn("arm", parts)] }), ids).map((trial) => {
        const { order, target, others } = drawsOf(trial)
        return JSON.stringify([order, target, others])
      })
    const base = draws({})
    for (const parts of [{ seed: 1 }, { replicate: 2 }, { replicate: 3 }]) {
      const same = draws(parts).filter((one, index) => one === base[index])
      expect(same.length).toBeLessThan(2)
    }
  })
})

describe("other items", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `i${index}`)

  it("are never the item itself, nor one twice, and each comes as often as another", () => {
    const times = new Map<string, number>()
    for (let seed = 0; seed < 40; seed += 1) {
      for (const { item: own, others } of trialsOf(study({ cells: [drawn("arm", { seed })] }), ids)) {
        const past = others.past?.map(({ id }) => id) ?? []
        expect(new Set([own.id, ...past]).size).toBe(3)
        for (const id of past) times.set(id, (times.get(id) ?? 0) + 1)
      }
    }
    // 80 of each expected, standard deviation 8.6.
    for (const id of ids) expect(Math.abs((times.get(id) ?? 0) - 80)).toBeLessThan(40)
  })
  it("come from another pool where the draw says so, and from what its use lets through", () => {
    const protocol = { ...withOthers, draws: [{ name: "past", count: 2, pool: "more" }] }
    const art = {
      kind: "binary",
      operator: "==",
      left: { kind: "column", column: "subject" },
      right: { kind: "string", value: "art" },
    } as const
    const more = ids.map((id, index) => item({ id, columns: { subject: index % 2 === 0 ? "art" : "law" } }))
    const both = study({ protocol, pools: [{ pool: "kinds" }, { pool: "more", where: art }] })
    const trials = expand(
      both,
      new Map([
        ["kinds", [item()]],
        ["more", more],
      ]),
    )
    const past = trials[0]?.others.past ?? []
    expect(past.map(({ columns }) => columns.subject)).toEqual(["art", "art"])
  })
  it("do not hang on a sample or a limit", () => {
    const others = (parts: Partial<ExperimentIR>, limit?: number) => {
      const items = new Map([["kinds", ids.map((id) => item({ id }))]])
      const trials = expand(study(parts), items, limit === undefined ? {} : { limit })
      return new Map(trials.map((trial) => [trial.item.id, trial.others.past?.map(({ id }) => id)]))
    }
    const all = others({})
    for (const [id, past] of others({ pools: [{ pool: "kinds", sample: 8 }] }, 5))
      expect(past).toEqual(all.get(id))
  })
})

describe("a sample of each stratum", () => {
  const items = (ids: readonly string[]): readonly Item[] =>
    ids.map((id) => item({ id, columns: { subject: id.length % 3 } }))
  const sampleOf = (all: readonly Item[], seed = 0): readonly string[] =>
    sampled({ pool: "kinds", sample: 2, per: "subject" }, all, seed).map(({ id }) => id)

  it("has so many of each, in the order of the file", () => {
    const ids = Array.from({ length: 60 }, (_, index) => "x".repeat(index % 6) + index)
    const drawn = sampleOf(items(ids))
    expect(drawn).toEqual(ids.filter((id) => drawn.includes(id)))
    for (const stratum of [0, 1, 2]) {
      expect(drawn.filter((id) => id.length % 3 === stratum)).toHaveLength(2)
    }
    expect(drawn).toHaveLength(6)
  })
  it("changes by at most one member when an item is added", () => {
    fc.assert(
      fc.property(anyIds(3), fc.integer(), ([added, ...ids], seed) => {
        const before = new Set(sampleOf(items(ids), seed))
        const after = sampleOf(items([...ids, added as string]), seed)
        expect(after.filter((id) => !before.has(id)).every((id) => id === added)).toBe(true)
      }),
    )
  })
  it("takes the items of one name together, each for a model of its own", () => {
    const own = ["a", "b", "c"].flatMap((id) => ["m", "n"].map((only) => item({ id, only })))
    const drawn = sampled({ pool: "kinds", sample: 2 }, own, 0)
    expect(drawn).toHaveLength(4)
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(2)
  })
})
