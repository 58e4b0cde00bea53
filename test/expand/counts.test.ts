import { describe, expect, it } from "vitest"
import { type CountOptions, countsOf, type ExperimentCounts } from "../../compiler/counts/counts.ts"
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { PoolCount } from "../../compiler/items/count.ts"
import { both, equals, everything, level, mainGrid, named, restricted, rightAt } from "./designs.ts"
import {
  assertion,
  block,
  cell,
  experiment,
  item,
  pool,
  protocolOf,
  text,
  textHole,
  turn,
} from "./support.ts"

const programOf = (...experiments: readonly ExperimentIR[]): Program => ({
  version: 1,
  models: [],
  pools: [],
  experiments,
  doc: "",
})

const published = (parts: Partial<PoolCount>): PoolCount => ({
  atHand: false,
  items: 100,
  choices: 4,
  strata: {},
  unknown: [],
  ...parts,
})

const mmlu = published({ items: 14_042, strata: { subject: 57 } })

const count = (
  one: ExperimentIR,
  pools: Readonly<Record<string, PoolCount>> = { mmlu },
  options: CountOptions = {},
): ExperimentCounts =>
  countsOf(programOf(one), new Map(Object.entries(pools)), options).experiments[0] as ExperimentCounts

const turns = ({
  turns,
}: ExperimentCounts): Readonly<Record<string, readonly [calls: number, expected: number]>> =>
  Object.fromEntries(turns.map(({ turn, calls, expected }) => [turn, [calls, Math.round(expected)]]))

describe("Who Flips? at scale", () => {
  it("asks 57 subjects of 36 questions", () => {
    expect(count(everything).items).toEqual({ mmlu: 2_052 })
    expect(count(everything).published).toEqual(["mmlu"])
  })
  it("comes to 1,731,149 expected calls where everything is crossed", () => {
    const counts = count(everything)
    expect(turns(counts)).toEqual({
      argue: [2_052 * 7 * 3 * 4, 2_052 * 7 * 3 * 4],
      baseline: [2_052 * 7, 2_052 * 7],
      challenge: [2_052 * 49 * 12 * 2, Math.round(2_052 * 49 * 12 * 2 * 0.64)],
    })
    expect(Math.round(counts.expected)).toBe(1_731_149)
    expect(counts.trials).toBe(2_052 * 7 * 56 * 3)
    expect(counts.turns.map(({ atMost }) => atMost)).toEqual([false, false, false])
  })
  it("comes to 572,836 in the design that was run, for which every argument is still written", () => {
    const counts = count(restricted)
    expect(turns(counts)).toMatchObject({
      argue: [2_052 * 84, 2_052 * 84],
      challenge: [2_052 * (168 + 126), Math.round(2_052 * 0.64 * (168 + 126))],
    })
    expect(Math.round(counts.expected)).toBe(572_836)
  })
  it("is asked of the models in equal parts: each writes, answers and is challenged", () => {
    const { byModel, expected } = count(everything)
    expect(Object.keys(byModel).sort()).toEqual(everything.models)
    for (const calls of Object.values(byModel)) expect(calls.expected).toBeCloseTo(expected / 7)
  })
  it("counts far more trials than it could make, in a moment", () => {
    const started = performance.now()
    expect(count({ ...everything, pools: [{ pool: "mmlu" }] }).trials).toBe(14_042 * 7 * 56 * 3)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
  it("is at most that much where nothing is assumed", () => {
    const { assume: _, ...silent } = everything
    const counts = count(silent)
    expect(counts.expected).toBe(counts.calls)
    expect(counts.turns.map(({ turn, atMost }) => [turn, atMost])).toEqual([
      ["argue", false],
      ["baseline", false],
      ["challenge", true],
    ])
  })
})

describe("the speaker-free floor", () => {
  const pools = Object.fromEntries(mainGrid.pools.map(({ pool }) => [pool, published({ items: 1_000 })]))

  it("comes to 210,000 revisions over 14 conditions, and 15,000 first reads that they share", () => {
    const counts = count(mainGrid, pools)
    expect(counts.trials).toBe(210_000)
    expect(counts.cells).toBe(14)
    expect(turns(counts)).toEqual({ first: [15_000, 15_000], second: [210_000, 210_000] })
    expect(counts.collapsed).toBe(0)
  })
  it("reads the confidence of the first answer too, once", () => {
    const [first, second] = count(mainGrid, pools).turns
    expect(first).toMatchObject({ holes: ["a0", "k0"], reads: 30_000 })
    expect(second).toMatchObject({ holes: ["a1"], reads: 210_000 })
  })
  it("takes no more items than there are, and none past the limit", () => {
    expect(count(mainGrid, { pool0: published({ items: 30 }) }).items).toMatchObject({ pool0: 30, pool1: 0 })
    expect(count(mainGrid, pools, { limit: 5 }).trials).toBe(14 * 5 * 7 * 6)
  })
})

describe("items that are at hand", () => {
  const subjects = ["law", "art", "law", "history"]
  const items: readonly Item[] = subjects.map((subject, index) =>
    item({ id: `i${index}`, columns: { subject } }),
  )
  const options = { items: new Map([["kinds", items]]) }
  const cells = [cell("reask", block("Again.")), cell("pressure", assertion())]

  it("are counted one by one where a condition looks at them", () => {
    const only = equals({ kind: "column", column: "subject" }, named("law"))
    expect(count(experiment({ cells, only }), {}, options).trials).toBe(2 * 2)
    const where = { kind: "unary", operator: "not", operand: only } as const
    expect(count(experiment({ cells, pools: [{ pool: "kinds", where }] }), {}, options).trials).toBe(2 * 2)
  })
  it("have as many wrong options as they have", () => {
    const short = item({ id: "short", options: ["a", "b"], labels: ["A", "B"] })
    const each = experiment({ cells: [cell("pressure", assertion())], target: { kind: "each_wrong" } })
    expect(count(each, {}, { items: new Map([["kinds", [item(), short]]]) }).trials).toBe(3 + 1)
  })
  it("may be for one model alone", () => {
    const own = [item({ only: "m" }), item({ only: "n" }), item({ id: "all" })]
    const both = experiment({ models: ["m", "n"], cells })
    expect(count(both, {}, { items: new Map([["kinds", own]]) }).trials).toBe(2 * 2 * 2)
  })
})

describe("trials that collapse", () => {
  const items = { items: new Map([["kinds", pool(10)]]) }
  const collapsed = (parts: Parameters<typeof experiment>[0]): number =>
    count(experiment(parts), {}, items).collapsed

  it("are those whose prompts are another's: the same lines under three orders", () => {
    const orders = ["identity", "reversed", "interleaved"] as const
    const cells = orders.map((order) => cell("pressure", assertion({ order }), { order }))
    expect(collapsed({ cells })).toBe(2 * 10)
    const mixed = orders.map((order) => cell("pressure", assertion({ structure: "mixed", order }), { order }))
    expect(collapsed({ cells: mixed })).toBe(0)
  })
  it("are those of other seeds where nothing is drawn, and not where the target is", () => {
    const seeds = [0, 1, 2].map((seed) => cell("pressure", assertion(), { seed: String(seed) }, { seed }))
    expect(collapsed({ cells: seeds })).toBe(2 * 10)
    expect(collapsed({ cells: seeds, target: { kind: "random_wrong" } })).toBe(0)
  })
  it("are those of a baseline about each wrong option", () => {
    const cells = [cell("reask", block("Again.")), cell("pressure", assertion())]
    expect(collapsed({ cells, target: { kind: "each_wrong" } })).toBe(2 * 10)
  })
  it("are none where options are shown in other orders, unless the order is the same", () => {
    const orders = [
      { kind: "identity" },
      { kind: "reversed" },
      { kind: "shuffled" },
      { kind: "rotate", by: 1 },
      { kind: "rotate", by: 4 },
    ] as const
    const cells = orders.map((options, index) =>
      cell("reask", block("Again."), { options: String(index) }, { options }),
    )
    expect(collapsed({ cells })).toBe(10)
    expect(count(experiment({ cells }), {}, items).turns[0]?.calls).toBe(4 * 10)
  })
  it("are not those whose lines are shuffled for each item", () => {
    const cells = (["identity", "shuffled"] as const).map((order) =>
      cell("pressure", assertion({ structure: "mixed", order }), { order }),
    )
    expect(collapsed({ cells })).toBe(0)
  })
})

describe("calls through gates", () => {
  const items = { items: new Map([["kinds", pool(100)]]) }
  const steps = protocolOf([
    turn("first", "<item.question>", "<:a0>"),
    turn("second", "<block>", "<:a1>", { continues: "first", when: rightAt("a0") }),
    turn("third", "<block> Again.", "<:a2>", { continues: "second", when: rightAt("a1") }),
  ])
  const flips = {
    name: "HRR",
    doc: "",
    statistic: "rate",
    value: { kind: "binary", operator: "!=", left: { kind: "answer", hole: "a1" }, right: { kind: "gold" } },
    given: rightAt("a0"),
    interval: { method: "wilson", level: 95 },
    invalid: "exclude",
    origin: { declaration: "HRR", file: "test.cfx", line: 1 },
  } as const

  it("multiply along a chain, by what is assumed of a measure at each level", () => {
    const cells = [
      cell("reask", block("Again.")),
      cell("pressure", assertion(), { framing: "people" }),
      cell("pressure", assertion({ preamble: text("Experts:") }), { framing: "experts" }),
    ]
    const chain = experiment({
      protocol: steps,
      cells,
      measures: [flips],
      assume: {
        accuracy: 0.5,
        measures: { HRR: { reask: 0.1, pressure: 0.2, experts: 0.6 } },
        spread: {},
      },
    })
    const counts = count(chain, {}, items)
    expect(turns(counts)).toEqual({
      first: [100, 100],
      second: [300, 150],
      third: [300, Math.round(100 * 0.5 * (0.9 + 0.8 + 0.4))],
    })
  })
  it("go by the name of the model, and else of the pool, where no level has a share", () => {
    const gated = (HRR: Readonly<Record<string, number>>) => {
      const chain = experiment({
        protocol: steps,
        models: ["m", "n"],
        cells: [cell("reask", block("Again."))],
        measures: [flips],
        assume: { accuracy: 1, measures: { HRR }, spread: {} },
      })
      return turns(count(chain, {}, items)).third
    }
    expect(gated({ m: 0.1, n: 0.9 })).toEqual([200, 100 * 0.9 + 100 * 0.1])
    expect(gated({ m: 0.1, kinds: 0.4 })).toEqual([200, 100 * 0.9 + 100 * 0.6])
    expect(gated({ m: 0.1, kinds: 0.4, reask: 0.5 })).toEqual([200, 100])
  })
  it("are exact where the design decides", () => {
    const designed = protocolOf([
      turn("first", "<item.question>", "<:a0>"),
      turn("second", "<block>", "<:a1>", {
        when: both(equals(level("arm"), named("pressure")), rightAt("a0")),
      }),
    ])
    const cells = [cell("reask", block("Again.")), cell("pressure", assertion())]
    const assume = { accuracy: 0.25, measures: {}, spread: {} }
    const counts = count(experiment({ protocol: designed, cells, assume }), {}, items)
    expect(turns(counts).second).toEqual([200, 25])
  })
  it("are taken when one of several trials takes them", () => {
    // Each of two models is judged by its own first answer; the third party's reply is one prompt for both.
    const shared = protocolOf(
      [
        turn("first", "<item.question>", "<:a0>"),
        turn("remark", "Say something of <item.question>", "<:remark>", {
          by: { model: "judge" },
          when: rightAt("a0"),
        }),
      ],
      { remark: textHole() },
    )
    const assume = { accuracy: 0.5, measures: {}, spread: {} }
    const counts = count(
      experiment({ protocol: shared, models: ["m", "n"], cells: [cell("all", block(""))], assume }),
      {},
      items,
    )
    expect(turns(counts)).toEqual({ first: [200, 200], remark: [100, 75] })
    expect(counts.byModel.judge).toEqual({ calls: 100, expected: 75 })
  })
  it("ask once what is the same for all items", () => {
    const warm = protocolOf([turn("hello", "Hello.", "<:hi>"), turn("first", "<item.question>", "<:a0>")], {
      hi: textHole(),
    })
    expect(turns(count(experiment({ protocol: warm, models: ["m", "n"] }), {}, items))).toEqual({
      hello: [2, 2],
      first: [200, 200],
    })
  })
  it("draw sampled texts for each replicate, and for each arm only where arms are independent", () => {
    const sampled = protocolOf([turn("first", "<item.question>", "<:reply>")], {
      reply: textHole({ temperature: 1 }),
    })
    const cells = ["a", "b"].flatMap((arm) =>
      [1, 2, 3].map((replicate) => cell(arm, block(arm), { replicate: String(replicate) }, { replicate })),
    )
    const shared = experiment({ protocol: sampled, cells })
    expect(turns(count(shared, {}, items)).first).toEqual([300, 300])
    expect(turns(count({ ...shared, independent: true }, {}, items)).first).toEqual([600, 600])
  })
})
