/** What a cell says of a trial besides its stimulus: who is asked, in which order options are shown, what it is about. */
import { describe, expect, it } from "vitest"
import { expand, expandEach, expander, unitsOf } from "../../compiler/expand.ts"
import type { CellIR, ExperimentIR, OptionOrderIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { conversationAt, modelOf } from "../../compiler/prompt.ts"
import { inPoolOrder, shuffleOptions, toPool, toShown } from "../../compiler/shown.ts"
import { targetOf } from "../../compiler/target.ts"
import type { Trial } from "../../compiler/trial.ts"
import { equals, level, named } from "./designs.ts"
import {
  answer,
  assertion,
  block,
  cell,
  experiment,
  item,
  model,
  pool,
  protocolOf,
  said,
  text,
  turn,
} from "./support.ts"

const trialsOf = (study: ExperimentIR, items: readonly Item[] = [item()]): readonly Trial[] =>
  expand(study, new Map([["kinds", items]]))

const shownAs = (options: OptionOrderIR, one: Item = item(), parts: Partial<CellIR> = {}): Trial =>
  trialsOf(experiment({ cells: [cell("reask", block("Again."), {}, { options, ...parts })] }), [
    one,
  ])[0] as Trial

describe("the order in which options are shown", () => {
  const shown = (options: OptionOrderIR, one?: Item): string =>
    shownAs(options, one)
      .item.options.map((option) => option[0])
      .join("")

  it("moves options under labels that stay", () => {
    expect(shown({ kind: "identity" })).toBe("trso")
    expect(shown({ kind: "reversed" })).toBe("osrt")
    expect(shown({ kind: "rotate", by: 1 })).toBe("rsot")
    expect(shown({ kind: "rotate", by: 5 })).toBe("rsot")
    expect(shown({ kind: "gold_first" })).toBe("rtso")
    const { item: reversed, turns } = shownAs({ kind: "reversed" })
    expect(reversed.labels).toEqual(["A", "B", "C", "D"])
    expect(reversed.gold).toBe(2)
    const listed = turns[0]?.user.map((piece) => (piece.kind === "text" ? piece.text : "")).join("")
    expect(listed).toContain("A. owl-like thing\nB. shirt\nC. robin\nD. trout")
  })
  it("leads back to the pool's order", () => {
    const { item: one } = shownAs({ kind: "rotate", by: 1 })
    expect(one.original).toEqual([1, 2, 3, 0])
    expect(one.options.map((_, index) => item().options[toPool(one, index)])).toEqual(one.options)
    expect([0, 1, 2, 3].map((place) => toPool(one, toShown(one, place)))).toEqual([0, 1, 2, 3])
    expect(inPoolOrder(one, one.options)).toEqual(item().options)
    expect(inPoolOrder(item(), [4, 5, 6, 7])).toEqual([4, 5, 6, 7])
  })
  it("is drawn for each item and seed, and for no arm", () => {
    const orderOf = (id: string, seed: number, arm = "reask"): string =>
      JSON.stringify(
        trialsOf(
          experiment({ cells: [cell(arm, block("x"), {}, { options: { kind: "shuffled" }, seed })] }),
          [item({ id })],
        )[0]?.item.original ?? "identity",
      )
    const ids = Array.from({ length: 60 }, (_, index) => `i${index}`)
    expect(new Set(ids.map((id) => orderOf(id, 0))).size).toBeGreaterThan(15)
    expect(ids.map((id) => orderOf(id, 1))).not.toEqual(ids.map((id) => orderOf(id, 0)))
    expect(ids.map((id) => orderOf(id, 0, "other"))).toEqual(ids.map((id) => orderOf(id, 0)))
  })
  it("asserts the label under which the target is shown", () => {
    const said = (options: OptionOrderIR): string => {
      const cells = [cell("pressure", assertion(), {}, { options, target: { kind: "option", position: 1 } })]
      const conversation = conversationAt(trialsOf(experiment({ cells }))[0] as Trial, "a1", {
        a0: answer("A", [1, 0, 0, 0], 0),
        k0: answer("5", [], 4),
      })
      return JSON.stringify(conversation).includes('"text":"A","from":{"kind":"target"}') ? "A" : "D"
    }
    expect(said({ kind: "identity" })).toBe("A")
    expect(said({ kind: "reversed" })).toBe("D")
  })
  it("draws a random target that is one option in all orders", () => {
    const target = { kind: "random_wrong" } as const
    for (let index = 0; index < 30; index += 1) {
      const one = item({ id: `i${index}` })
      const pushed = (["identity", "reversed", "shuffled", "gold_first"] as const).map((kind) => {
        const trial = shownAs({ kind }, one, { target })
        const found = targetOf(trial, {})
        return found.kind === "option" ? toPool(trial.item, found.index) : -1
      })
      expect(new Set(pushed).size).toBe(1)
      expect(pushed[0]).not.toBe(1)
    }
  })
})

describe("the order of a pool whose source lists gold first", () => {
  it("is drawn from the pool's and the item's name alone, and is the pool's order from then on", () => {
    const places = Array.from({ length: 400 }, (_, index) => {
      const one = item({ id: `i${index}`, gold: 0 })
      const shuffled = shuffleOptions("truthful", one)
      expect(shuffled).toEqual(shuffleOptions("truthful", one))
      expect([...shuffled.options].sort()).toEqual([...one.options].sort())
      expect(shuffled.options[shuffled.gold]).toBe(one.options[0])
      expect(shuffled.original).toBeUndefined()
      return shuffled.gold
    })
    for (const gold of [0, 1, 2, 3]) {
      const share = places.filter((one) => one === gold).length / places.length
      expect(Math.abs(share - 0.25)).toBeLessThan(0.09)
    }
  })
})

describe("each wrong option", () => {
  const each = experiment({ cells: [cell("pressure", assertion())], target: { kind: "each_wrong" } })

  it("is a trial of its own", () => {
    const trials = trialsOf(each)
    expect(trials.map(({ id }) => id)).toEqual(
      [1, 3, 4].map((place) => `study/m/kinds/kind-1/pressure:option ${place}`),
    )
    expect(trials.map((trial) => targetOf(trial, {}))).toEqual(
      [0, 2, 3].map((index) => ({ kind: "option", index })),
    )
  })
  it("is named by its place in the pool, in whatever order options are shown", () => {
    const cells = [cell("pressure", assertion(), {}, { options: { kind: "reversed" } })]
    const trials = trialsOf(experiment({ cells, target: { kind: "each_wrong" } }))
    expect(trials.map(({ id, item, choice }) => [id.at(-1), item.options[choice ?? -1]?.[0]])).toEqual([
      ["1", "t"],
      ["3", "s"],
      ["4", "o"],
    ])
  })
})

describe("who is asked", () => {
  const debate = protocolOf(
    [
      turn("open", "<item.question>", "<:a>"),
      turn("reply", "Do you agree?", "<:b>", { continues: "open", by: { role: "critic" } }),
      turn("judge", "<:a> or <:b>?", "<:c>", { by: { model: "arbiter" } }),
    ],
    {},
    { roles: ["critic"] },
  )
  const study = (critic: string): ExperimentIR =>
    experiment({
      protocol: debate,
      models: ["m", "n"],
      cells: [cell("all", block(""), { critic }, { roles: { critic } })],
    })
  const asked = (critic: string) =>
    trialsOf(study(critic)).map((trial) => ["open", "reply", "judge"].map((name) => modelOf(trial, name)))

  it("is the studied model, the model of a role, or one by name", () => {
    expect(asked("n")).toEqual([
      ["m", "n", "arbiter"],
      ["n", "n", "arbiter"],
    ])
  })
  it("is the studied model too where a role says so", () => {
    expect(asked("model")).toEqual([
      ["m", "m", "arbiter"],
      ["n", "n", "arbiter"],
    ])
  })
  it("has been told in a judge's turn nothing but what is quoted", () => {
    const [trial] = trialsOf(study("n"))
    const readings = { a: answer("B", [0, 1, 0, 0], 1), b: answer("C", [0, 0, 1, 0], 2) }
    const conversation = conversationAt(trial as Trial, "c", readings)
    expect("turns" in conversation ? conversation.turns.map(({ user }) => said(user)) : []).toEqual([
      "B or C?",
    ])
  })
})

describe("the grid that conditions carve", () => {
  const cells = ["m", "n"].flatMap((source) =>
    ["1", "10"].map((k) => cell("all", block(k), { source, k }, { roles: { source } })),
  )
  const own = equals({ kind: "role", role: "source" }, { kind: "role", role: "model" })
  const ids = (only: ExperimentIR["only"], parts: Partial<ExperimentIR> = {}, items?: readonly Item[]) =>
    trialsOf(
      experiment({ cells, models: ["m", "n"], ...(only === undefined ? {} : { only }), ...parts }),
      items,
    ).map(({ id }) => id.replace("study/", "").replace("/kinds/kind-1", ""))

  it("has the trials for which they are not false", () => {
    expect(ids(own)).toEqual(["m/all:m:1", "m/all:m:10", "n/all:n:1", "n/all:n:10"])
    expect(ids(equals(level("k"), { kind: "number", value: 10 }))).toEqual([
      "m/all:m:10",
      "m/all:n:10",
      "n/all:m:10",
      "n/all:n:10",
    ])
    expect(ids(equals(level("framing"), named("people")))).toHaveLength(8)
  })
  it("may ask for a column of the item, and for an attribute of the model", () => {
    const law = equals({ kind: "column", column: "subject" }, named("law"))
    const items = [
      item({ id: "a", columns: { subject: "law" } }),
      item({ id: "b", columns: { subject: "art" } }),
    ]
    expect(trialsOf(experiment({ only: law }), items).map(({ item }) => item.id)).toEqual(["a"])
    const only = {
      kind: "binary",
      operator: ">",
      left: { kind: "attribute", attribute: "size" },
      right: { kind: "number", value: 5 },
    } as const
    const models = [model("m", { size: 3 }), model("n", { size: 7 })]
    const study = experiment({ cells, models: ["m", "n"], only })
    const made = expand(study, new Map([["kinds", [item()]]]), { models })
    expect(new Set(made.map(({ model }) => model))).toEqual(new Set(["n"]))
    expect(() => expand(study, new Map([["kinds", [item()]]]))).toThrow("attributes of m were not given")
  })
  it("leaves out the items that are for another model", () => {
    const items = [item({ id: "a", only: "m" }), item({ id: "b" })]
    expect(
      trialsOf(experiment({ models: ["m", "n"] }), items).map(({ model, item }) => model + item.id),
    ).toEqual(["ma", "mb", "nb"])
  })
})

describe("making trials one after another", () => {
  it("comes to the same as making them at once", () => {
    const cells = [cell("a", block("x")), cell("b", block("y"))]
    const study = experiment({ cells, models: ["m", "n"] })
    const items = new Map([["kinds", pool(5)]])
    const all = expand(study, items)
    expect([...expandEach(study, items)]).toEqual(all)
    const make = expander(study, items)
    expect(unitsOf(study, items).toReversed().map(make).toReversed().flat()).toEqual(all)
  })
  it("keeps one prompt for all models and for all cells that have it", () => {
    const cells = [cell("a", block("x")), cell("b", block("x"), {}, { seed: 1 }), cell("c", block("y"))]
    const trials = expand(experiment({ cells, models: ["m", "n"] }), new Map([["kinds", [item()]]]))
    const users = trials.map(({ turns }) => turns[1]?.user)
    expect(new Set(users).size).toBe(2)
    expect(users[0]).toBe(users[1])
    expect(users[0]).toBe(users[3])
  })
})

describe("several slots", () => {
  const both = protocolOf(
    [turn("first", "<$block> <$tone>\n<item.question>", "<:a0>", { system: text("<$persona>") })],
    {},
    { slots: ["block", "tone", "persona"] },
  )
  const at = (persona: string) => {
    const cells = [
      cell("all", block("Think."), {}, { fills: { tone: block("Politely."), persona: block(persona) } }),
    ]
    const [trial] = trialsOf(experiment({ protocol: both, cells }))
    return conversationAt(trial as Trial, "a0", {})
  }
  it("are filled each by its own", () => {
    const conversation = at("You are a judge.")
    expect("turns" in conversation ? said(conversation.turns[0]?.user ?? []) : "").toBe(
      "Think. Politely.\nWhich of these is a bird?",
    )
    expect("turns" in conversation && conversation.system).toMatchObject([{ text: "You are a judge." }])
  })
  it("leave no system message where nothing stands in it", () => {
    expect(at("")).not.toHaveProperty("system")
  })
})
