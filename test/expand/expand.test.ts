import { describe, expect, it } from "vitest"
import { expand } from "../../compiler/expand.ts"
import type { AssertionIR } from "../../compiler/ir.ts"
import { assignments } from "../../compiler/lines.ts"
import { arbitration, assertion, block, cell, experiment, item, pool, stimulus, text } from "./support.ts"

const told = (parts: Partial<AssertionIR>, one = item()): string =>
  stimulus(expand(experiment({ cells: [cell("arm", assertion(parts))] }), new Map([["kinds", [one]]]))[0])

const short = (structure: AssertionIR["structure"], order: AssertionIR["order"], lines: number): string =>
  assignments(structure, order, lines, () => [])
    .map((asserts) => (asserts === "gold" ? "g" : "w"))
    .join("")

describe("the grid", () => {
  const cells = [
    cell("reask", block("Again.")),
    cell("pressure", assertion(), { framing: "people", dose: "distinct(6)" }),
    cell("pressure", assertion(), { framing: "experts", dose: "distinct(6)" }),
  ]
  const study = experiment({ cells, models: ["m", "n"], pools: [{ pool: "kinds" }, { pool: "more" }] })
  const items = new Map([
    ["kinds", pool(2)],
    ["more", [item({ id: "a/b" })]],
  ])

  it("goes by model, pool, item and cell, and names each trial by them", () => {
    expect(expand(study, items).map(({ id }) => id)).toEqual(
      ["m", "n"].flatMap((model) =>
        ["kinds/kind-0", "kinds/kind-1", "more/a\\/b"].flatMap((one) =>
          ["reask", "pressure:people:distinct(6)", "pressure:experts:distinct(6)"].map(
            (name) => `study/${model}/${one}/${name}`,
          ),
        ),
      ),
    )
  })
  it("names trials apart whatever their items and levels are called", () => {
    const levels = [":", "::", "/", "\\", "\\:", "a:b", "a"]
    const own = experiment({
      cells: levels.flatMap((x) => levels.map((y) => cell("all", block(x + y), { x, y }))),
      factors: ["x", "y"].map((name) => ({ name, levels })),
    })
    const ids = ["a", "a/all:a", "a:b", "a\\"].map((id) => item({ id }))
    const names = expand(own, new Map([["kinds", ids]])).map(({ id }) => id)
    expect(new Set(names).size).toBe(ids.length * levels.length ** 2)
    expect(names[0]).toBe("study/m/kinds/a/all:\\::\\:")
    expect(names).toContain("study/m/kinds/a\\/all\\:a/all:a\\:b:a")
    expect(names).toContain("study/m/kinds/a/all:a:a")
  })
  it("takes at most so many items of each pool as it is told", () => {
    expect(expand(study, items, { limit: 1 })).toHaveLength(2 * 2 * 3)
    expect(expand(study, items, { limit: 0 })).toEqual([])
    expect(expand(study, new Map())).toEqual([])
  })
  it("samples a pool by seed and pool alone, in the order of the file, and limits the sample", () => {
    const ids = (parts: Partial<typeof study>, limit?: number): readonly string[] => {
      const sampled = experiment({ pools: [{ pool: "kinds", sample: 5 }], ...parts })
      const options = limit === undefined ? {} : { limit }
      return expand(sampled, new Map([["kinds", pool(50)]]), options).map((trial) => trial.item.id)
    }
    const base = ids({})
    expect(base).toHaveLength(5)
    expect(base).toEqual([...base].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5))))
    expect(ids({ name: "other", cells: [cell("again", block("Again."))] })).toEqual(base)
    expect(ids({ seed: 1 })).not.toEqual(base)
    expect(ids({}, 2)).toEqual(base.slice(0, 2))
  })
})

describe("who asserts what", () => {
  it("puts wrongs before golds, and permutes them as the order says", () => {
    expect([1, 2, 6].map((lines) => short("all_wrong", "identity", lines))).toEqual(["w", "ww", "wwwwww"])
    expect(short("all_correct", "interleaved", 3)).toBe("ggg")
    expect(short("mixed", "identity", 6)).toBe("wwwggg")
    expect(short("mixed", "reversed", 6)).toBe("gggwww")
    expect(short("mixed", "interleaved", 6)).toBe("wgwgwg")
    expect(short("mixed", "interleaved", 2)).toBe("wg")
  })
  it("numbers the lines after they were permuted", () => {
    expect(told({ structure: "mixed", order: "reversed", dose: { lines: 2, speakers: 2 } })).toBe(
      "Other people have shared their answers:\nPerson 1: The answer is <gold>.\nPerson 2: The answer is <target>.",
    )
  })
})

describe("the lines of an assertion", () => {
  const lines = [text("<speaker>, <i>: it is <answer>."), text("<speaker>, <i>: <assertion>")]
  const roster = ["Alice", "Bob", "Carol"]

  it("cycles templates over lines, and seats each of several speakers in turn", () => {
    expect(told({ preamble: [], lines, roster, dose: { lines: 5, speakers: 3 } }).split("\n")).toEqual([
      "Alice, 1: it is <target>.",
      "Bob, 2: The answer is <target>.",
      "Carol, 3: it is <target>.",
      "Alice, 1: The answer is <target>.",
      "Bob, 2: it is <target>.",
    ])
  })
  it("lets one voice say it again and again", () => {
    const said = told({ preamble: [], dose: { lines: 3, speakers: 1 } })
    expect(said.split("\n")).toEqual(Array(3).fill("Person 1: The answer is <target>."))
  })
  it("cycles wordings over lines", () => {
    const wordings = [text("It is <answer>."), text("<answer> is right.")]
    expect(
      told({ preamble: [], lines: [text("<assertion>")], wordings, dose: { lines: 3, speakers: 3 } }),
    ).toBe("It is <target>.\n<target> is right.\nIt is <target>.")
  })
  it("begins with the first line where there is no preamble", () => {
    expect(told({ preamble: [], dose: { lines: 1, speakers: 1 } })).toBe("Person 1: The answer is <target>.")
  })
})

describe("where characters come from", () => {
  const [trial] = expand(experiment(), new Map([["kinds", [item()]]]))
  const pieces = trial?.turns[1]?.user ?? []
  const from = (written: string) =>
    pieces.flatMap((piece) => (piece.kind === "text" && piece.text === written ? [piece.from] : []))

  it("is kept for each span, with no span empty", () => {
    expect(from("Other people have shared their answers:")).toEqual([
      { kind: "declaration", declaration: "people", file: "test.cfx", line: 10 },
    ])
    expect(from("The answer is ")[0]).toMatchObject({ declaration: "verbatim", line: 5 })
    expect(from("Which of these is a bird?")).toEqual([{ kind: "item", field: "question", item: "kind-1" }])
    expect(from("robin")).toEqual([{ kind: "item", field: "options", item: "kind-1" }])
    expect(from(". ")[0]).toMatchObject({ declaration: "arbitration", line: 6 })
    expect(from("")).toEqual([])
  })
  it("leaves an item's text alone, whatever it looks like", () => {
    const strange = item({
      question: "{answer} {item.gold} <|im_end|>\u0000",
      options: ["{i}", "{{"],
      labels: ["A", "B"],
    })
    const [one] = expand(experiment(), new Map([["kinds", [strange]]]))
    const said = one?.turns[0]?.user.map((piece) => (piece.kind === "text" ? piece.text : "")).join("")
    expect(said).toContain("Question:\n{answer} {item.gold} <|im_end|>\u0000\nOptions:\nA. {i}\nB. {{\n")
  })
  it("is shared between arms where the text is the same", () => {
    const cells = [cell("a", block("x")), cell("b", block("y"))]
    const [a, b] = expand(experiment({ cells }), new Map([["kinds", [item()]]]))
    expect(a?.turns[0]?.user).toBe(b?.turns[0]?.user)
    expect(a?.turns[1]?.user).not.toEqual(b?.turns[1]?.user)
    expect(arbitration.turns).toHaveLength(2)
  })
})
