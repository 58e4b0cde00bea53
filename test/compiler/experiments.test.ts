import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CellIR, ExperimentIR } from "../../compiler/ir.ts"
import { compileText, text } from "./files.ts"
import { assertion, baselines, contentOf, experiment, levels, lowered, protocol, said } from "./spec.ts"

const ask = protocol("ask")
const press = (factors: Readonly<Record<string, string>>) =>
  `{ ${baselines} pressure = ${assertion(factors)} }`
const cells = (fields: Readonly<Record<string, string>>, rest = "") => lowered(ask, experiment(fields, rest))

describe("the share of reads that may fail", () => {
  it("is none, or what is written", () => {
    expect(lowered(protocol("ask"), experiment())).not.toHaveProperty("tolerate")
    expect(lowered(protocol("ask"), experiment({}, "tolerate 0.02")).tolerate).toBe(0.02)
  })
  it("is less than all of them, and said once", () => {
    expect(said(protocol("ask"), experiment({}, "tolerate 1"))).toEqual(["CFX2405 1"])
    expect(said(protocol("ask"), experiment({}, "tolerate 0 tolerate 0.1"))).toEqual(["CFX2009 tolerate 0.1"])
  })
})

describe("the main grid of the first paper", () => {
  const spec = text("specs/quickstart.cfx")
    .replace("structure = all_wrong", "structure in { all_wrong, mixed, all_correct }")
    .replace("[framing = experts]", "[framing = experts, structure = all_wrong]")
    .replace("[framing = people]", "[framing = people, structure = all_wrong]")
    .replaceAll("[framing = no_source]", "[framing = no_source, structure = all_wrong]")

  it("is 14 conditions: four framings under three structures, and two baselines", () => {
    const { program } = compileText(spec, { "items/kinds.yaml": text("specs/items/kinds.yaml") })
    const grid = program?.experiments[0]?.cells ?? []
    expect(grid).toHaveLength(14)
    expect(grid.filter(({ arm }) => arm === "pressure")).toHaveLength(12)
    expect(grid.slice(2, 6).map(({ levels: own }) => [own.framing, own.structure])).toEqual([
      ["no_source", "all_wrong"],
      ["no_source", "mixed"],
      ["no_source", "all_correct"],
      ["people", "all_wrong"],
    ])
    expect(new Set(grid.map(({ target }) => JSON.stringify(target)))).toEqual(
      new Set(['{"kind":"ranked_wrong","hole":"a0","rank":1}']),
    )
  })
})

describe("columns of a design", () => {
  const toned = protocol("toned", "slot tone", "{block} {tone} {item.question}")

  it("stand in order: arm, the arm's factors, what follows from structures, factor fields, seed, target, options, replicate", () => {
    const found = lowered(
      toned,
      experiment(
        {
          protocol: "toned",
          seed: "in { 0, 1 }",
          target: "in { random_wrong, second_best }",
          options: "in { identity, rotate(1) }",
          arms: press({ structure: "in { all_wrong, dissent }" }),
        },
        'replicates 2\nfactor tone in { none, calm, "Be brief.", 7 }',
      ),
    )
    expect(found.factors.map(({ name, levels: own }) => [name, ...own])).toEqual([
      ["arm", "reask", "length", "pressure"],
      ["framing", "bare"],
      ["structure", "all_wrong", "dissent"],
      ["order", "identity"],
      ["dose", "voices(4)"],
      ["paraphrase", "plain"],
      ["unanimity", "unanimous", "split"],
      ["tone", "none", "calm", "Be brief.", "7"],
      ["seed", "0", "1"],
      ["target", "random_wrong", "second_best"],
      ["options", "identity", "rotate(1)"],
      ["replicate", "1", "2"],
    ])
    expect(found.cells).toHaveLength(4 * 4 * 2 * 2 * 2 * 2)
  })

  it("of one level are none, for seeds, targets, orders of options and replicates", () => {
    const found = cells({ options: "reversed" }, "replicates 1")
    expect(found.factors.map(({ name }) => name)).not.toContain("options")
    expect(
      found.cells.every(({ options, replicate }) => options.kind === "reversed" && replicate === 1),
    ).toBe(true)
  })

  it("have a cell for each crossing, and what stands last changes first", () => {
    const found = cells({
      seed: "in { 3, 4 }",
      target: "in { random_wrong, option(2) }",
      arms: `{ ${baselines} }`,
    })
    expect(found.cells.map(({ arm, seed, target }) => [arm, seed, target.kind])).toEqual(
      ["reask", "length"].flatMap((arm) =>
        [3, 4].flatMap((seed) => ["random_wrong", "option"].map((target) => [arm, seed, target])),
      ),
    )
    expect(found.seed).toBe(3)
  })
})

describe("arms that are left out", () => {
  const fields = { arms: "", target: "", measure: "same" }
  const plain = `
    protocol twice {
      options "{label}) {text}" join "\\n"
      turn first { user "{item.question} {item.options}" assistant "Answer: {a0: option}" }
      turn second { user "{item.question} {item.options}" assistant "Answer: {a1: option}" }
    }`

  it("leave one, `all`, which says nothing and is no column", () => {
    const found = lowered(plain, experiment({ ...fields, protocol: "twice" }))
    expect(found.cells).toMatchObject([{ arm: "all", stimulus: { kind: "block", text: [] } }])
    expect(found.factors).toEqual([])
  })

  it("need no target where nothing asks for one, and a target where something does", () => {
    expect(lowered(plain, experiment({ ...fields, protocol: "twice" })).cells[0]?.target).toEqual({
      kind: "gold",
    })
    const shift = "metric shift(second = a1) { mean second.p(target) interval bootstrap 95 }"
    expect(said(plain, shift, experiment({ ...fields, protocol: "twice", measure: "shift" }))).toEqual([
      "CFX2010 e",
    ])
  })

  it("let a factor fill the first slot", () => {
    const found = lowered(ask, experiment({ ...fields }, "factor block in { none, calm }"))
    expect(found.cells.map(({ levels: own, stimulus, fills }) => [own.block, stimulus.kind, fills])).toEqual([
      ["none", "block", {}],
      ["calm", "block", {}],
    ])
    expect(said(ask, experiment(fields))).toEqual(["CFX2450 ask"])
  })
})

describe("a factor that a level does not read", () => {
  it("is a paraphrase, of a framing that words its own lines", () => {
    const found = cells({ arms: press({ framing: "in { bare, talk }", paraphrase: "in { plain, firm }" }) })
    expect(levels(found).slice(2)).toEqual([
      "bare all_wrong identity voices(4) plain",
      "bare all_wrong identity voices(4) firm",
      "talk all_wrong identity voices(4)",
    ])
  })

  it("is a wording, of a framing that has one", () => {
    const found = cells({ arms: press({ framing: "in { bare, crowd }", wording: "in { base, second }" }) })
    expect(found.cells.slice(2).map(({ levels: own }) => [own.framing, own.wording])).toEqual([
      ["bare", undefined],
      ["crowd", "base"],
      ["crowd", "second"],
    ])
    const openings = found.cells
      .slice(2)
      .map(({ stimulus }) =>
        stimulus.kind === "assertion" && stimulus.preamble[0]?.kind === "text"
          ? stimulus.preamble[0].text
          : "",
      )
    expect(openings).toEqual(["Before your answer:", "Others say:", "This was said:"])
  })

  it("is an order, of lines that all assert the same, whoever wrote it out", () => {
    const found = cells({
      arms: press({
        structure: "in { all_wrong, [wrong, wrong, wrong, wrong], dissent, mixed }",
        order: "in { identity, inside_out }",
      }),
    })
    expect(found.cells.slice(2).map(({ levels: own }) => [own.structure, own.order])).toEqual([
      ["all_wrong", undefined],
      ["[wrong, wrong, wrong, wrong]", undefined],
      ["dissent", "identity"],
      ["dissent", "inside_out"],
      ["mixed", "identity"],
      ["mixed", "inside_out"],
    ])
  })

  it("is an order, where the exception is the only line", () => {
    const found = cells({
      arms: press({
        structure: "= dissent",
        dose: "in { voices(1), voices(4) }",
        order: "in { identity, reversed }",
      }),
    })
    expect(found.cells.slice(2).map(({ levels: own }) => [own.dose, own.order, own.unanimity])).toEqual([
      ["voices(1)", undefined, "unanimous"],
      ["voices(4)", "identity", "split"],
      ["voices(4)", "reversed", "split"],
    ])
  })

  it("is a mistake where no level reads it", () => {
    expect(said(ask, experiment({ arms: press({ wording: "in { base, second }" }) }))).toEqual([
      "CFX2103 wording in { base, second }",
    ])
    expect(said(ask, experiment({}, "replicates 3"))).toEqual(["CFX2103 replicates 3"])
    expect(said(ask, experiment({}, "independent"))).toEqual(["CFX2103 independent"])
  })
})

describe("the grid", () => {
  const two = { seed: "in { 0, 1 }", target: "in { random_wrong, option(2) }" }

  it("is carved where the design decides", () => {
    const found = cells(
      two,
      "except when arm != pressure and seed == 1\nonly when target == random_wrong or seed == 0",
    )
    expect(found.cells.map(({ arm, seed, target }) => `${arm} ${seed} ${target.kind}`)).toEqual([
      "reask 0 random_wrong",
      "reask 0 option",
      "length 0 random_wrong",
      "length 0 option",
      "pressure 0 random_wrong",
      "pressure 0 option",
      "pressure 1 random_wrong",
    ])
    expect(found.only).toBeUndefined()
  })

  it("keeps trials that lack what a condition asks for", () => {
    const some = { arms: press({ framing: "in { bare, crowd }" }) }
    for (const condition of ["only when framing == crowd", "except when framing == bare"]) {
      expect(cells(some, condition).cells.map(({ levels: own }) => own.framing)).toEqual([
        undefined,
        undefined,
        "crowd",
      ])
    }
  })

  it("keeps the condition where models, pools or items decide", () => {
    const found = cells(two, "only when model == small or seed == 0")
    expect(found.cells).toHaveLength(12)
    expect(found.only).toMatchObject({ kind: "binary", operator: "or" })
    const withSize = cells(two, "except when model.size > 5 and seed == 1")
    expect(withSize.only).toMatchObject({ kind: "unary", operator: "not" })
    const byItem = cells(two, "only when item.choices > 2")
    expect(byItem.only).toMatchObject({ kind: "binary", left: { kind: "choices" } })
  })

  it("decides what is the same for all models", () => {
    const found = cells(two, "except when model.size > 100")
    expect(found.cells).toHaveLength(12)
    expect(found.only).toBeUndefined()
  })

  it("is never empty, and reads are no part of it", () => {
    expect(said(ask, experiment({}, "only when pool != pool"))).toEqual(["CFX2464 only when pool != pool"])
    expect(said(ask, experiment({}, "only when a0 == item.gold")).map((line) => line.slice(0, 7))).toContain(
      "CFX2314",
    )
  })
})

describe("targets", () => {
  it("are words, calls and declarations of one's own", () => {
    const written = [
      "top_wrong(a0)",
      "ranked_wrong(a0, 2)",
      "least_wrong(a0)",
      "random_wrong",
      "option(2)",
      "placebo_label",
      "each_wrong",
      "second_best",
    ]
    const found = cells({ target: `in { ${written.join(", ")} }`, arms: `{ ${baselines} }` })
    expect(found.cells.slice(0, 8).map(({ target }) => target)).toEqual([
      { kind: "ranked_wrong", hole: "a0", rank: 1 },
      { kind: "ranked_wrong", hole: "a0", rank: 2 },
      { kind: "least_wrong", hole: "a0" },
      { kind: "random_wrong" },
      { kind: "option", position: 2 },
      { kind: "placebo_label" },
      { kind: "each_wrong" },
      { kind: "ranked_wrong", hole: "a0", rank: 2 },
    ])
    expect(found.factors.find(({ name }) => name === "target")?.levels).toEqual(written)
  })

  it("that say nothing are told of where they stand", () => {
    expect(said("target odd = best(a0)", ask, experiment())).toEqual(["CFX2212 best(a0)"])
    expect(said(ask, experiment({ target: "ranked_wrong(a0)" }))).toEqual(["CFX2212 ranked_wrong(a0)"])
    expect(said(ask, experiment({ target: "in { random_wrong, random_wrong }" }))).toEqual([
      "CFX2205 random_wrong",
    ])
    expect(said("target late = top_wrong(a1)", ask, experiment({ target: "late" }))).toEqual(["CFX2108 late"])
  })

  it("that are gold cannot be pushed as wrong", () => {
    expect(said(ask, experiment({ target: "gold" }))).toEqual(["CFX2458 gold"])
    const right = press({ structure: "= all_correct" })
    expect(cells({ target: "gold", arms: right }).cells).toHaveLength(3)
    const both = {
      target: "in { random_wrong, gold }",
      arms: press({ structure: "in { all_wrong, all_correct }" }),
    }
    expect(said(ask, experiment(both))).toContain("CFX2458 gold")
    expect(cells(both, "except when target == gold and structure == all_wrong").cells).toHaveLength(7)
    expect(said(ask, experiment(both, "except when target == gold and arm == reask"))).toContain(
      "CFX2458 gold",
    )
  })
})

describe("what is assumed", () => {
  it("is lowered by measure and level", () => {
    const rest =
      "assume { accuracy 0.7 refusal 0.2 HRR { reask 0.1 bare 0.6 small 0.5 } spread { item 1.0 model 0.4 } }"
    expect(cells({}, rest).assume).toEqual({
      accuracy: 0.7,
      refusal: 0.2,
      measures: { HRR: { reask: 0.1, bare: 0.6, small: 0.5 } },
      spread: { item: 1, model: 0.4 },
    })
    expect(cells({}).assume).toBeUndefined()
  })

  it("is of measures and levels that there are, in shares", () => {
    const cases = [
      ["accuracy 70", "CFX2462 accuracy 70"],
      ["accuracy { a 1 }", "CFX2462 accuracy { a 1 }"],
      ["HRR 0.5", "CFX2462 HRR 0.5"],
      ["HRR { reask 2 }", "CFX2462 reask 2"],
      ["HRR { rask 0.2 }", "CFX2463 rask"],
      ["BenR { reask 0.2 }", "CFX2461 BenR"],
      ["spread { items 1 }", "CFX2463 items"],
      ["spread 1", "CFX2462 spread 1"],
      ["accuracy 0.5 accuracy 0.6", "CFX2009 accuracy 0.6"],
    ] as const
    for (const [entry, expected] of cases) {
      expect(said(ask, experiment({}, `assume { ${entry} }`)), entry).toEqual([expected])
    }
  })
})

describe("seeds, orders of options and replicates", () => {
  const cases = [
    [{ seed: "in { 0, 0 }" }, "", "CFX2205 0"],
    [{ seed: "in { 0, 1.5 }" }, "", "CFX2213 1.5"],
    [{ options: "shuffle" }, "", "CFX2459 shuffle"],
    [{ options: "rotate(0)" }, "", "CFX2459 rotate(0)"],
    [{ options: "in { reversed, reversed }" }, "", "CFX2205 reversed"],
    [{ target: "random_wrong" }, "replicates 0", "CFX2460 0"],
    [{ target: "random_wrong" }, "replicates 2.5", "CFX2460 2.5"],
    [{ seed: "" }, "", "CFX2010 e"],
  ] as const
  it("are checked each by itself", () => {
    for (const [fields, rest, expected] of cases) {
      expect(said(ask, experiment(fields, rest)), JSON.stringify([fields, rest])).toEqual([expected])
    }
  })

  it("are noted where they make no difference, and stay in the grid", () => {
    const found = compileTextOf({ seed: "in { 0, 1, 2 }" })
    expect(found).toEqual(["CFX2104 0"])
    expect(cells({ seed: "in { 0, 1, 2 }" }).cells).toHaveLength(9)
    expect(compileTextOf({ seed: "in { 0, 1, 2 }", options: "shuffled" })).toEqual([])
  })

  const compileTextOf = (fields: Readonly<Record<string, string>>) => said(ask, experiment(fields))
})

describe("adding to a design", () => {
  /** The cells that a smaller design has, found among those of a larger one by what the smaller one knows of them. */
  const found = (smaller: ExperimentIR, larger: ExperimentIR): readonly (CellIR | undefined)[] =>
    smaller.cells.map((cell) =>
      larger.cells.find((other) =>
        Object.entries(cell.levels).every(([factor, level]) => other.levels[factor] === level),
      ),
    )

  const framings = ["crowd", "talk"]
  const structures = ["all_wrong", "mixed", "all_correct", "dissent"]
  const models = ["small", "large", "stranger"]
  const subset = (all: readonly string[]) => fc.subarray([...all], { minLength: 1 })
  const design = fc.record({
    framings: subset(framings),
    structures: subset(structures),
    models: subset(models),
  })

  const of = (one: { framings: string[]; structures: string[]; models: string[] }, more = "") =>
    cells({
      models: `{ ${one.models.join(", ")} }`,
      arms: `{ ${baselines} pressure = ${assertion({
        framing: `in { ${["bare", ...one.framings].join(", ")} }`,
        structure: `in { ${one.structures.join(", ")} }`,
      })} ${more} }`,
    })

  it("an arm, a level or a model leaves the contents of the other cells as they are", () => {
    fc.assert(
      fc.property(design, design, fc.boolean(), (one, other, arm) => {
        const union = {
          framings: [...new Set([...one.framings, ...other.framings])],
          structures: [...new Set([...one.structures, ...other.structures])],
          models: [...new Set([...one.models, ...other.models])],
        }
        const smaller = of(one)
        const larger = of(union, arm ? "more = calm" : "")
        const kept = found(smaller, larger)
        expect(kept.map((cell) => cell && contentOf(cell))).toEqual(smaller.cells.map(contentOf))
      }),
      { numRuns: 20 },
    )
  })
})
