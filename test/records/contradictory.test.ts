/** Rows that say different things of the same thing, and numbers that are none: each is told of, and nothing is computed from it unasked. */
import { describe, expect, test } from "vitest"
import { recordsParts } from "../../runtime/records/words.ts"
import { temporary } from "../run/temporary.ts"
import { found, HRR, scored } from "./support.ts"

const folder = temporary()

describe("rows that contradict each other", () => {
  const spec = (more = ""): string => `${HRR}
experiment scored {
  records {
    item = id
    item.subject = subject
    model = llm
    model.size = size
    labels = options
    gold = key
    framing = cond
    a0: option = before
    a0.p = probs
    a0.prompt = shared
    a1: option = after
    ${more}
  }
  measure HRR
}
`
  const names = [
    "id",
    "subject",
    "llm",
    "size",
    "options",
    "key",
    "cond",
    "before",
    "probs",
    "shared",
    "after",
  ]
  const rowOf = (own: Readonly<Record<string, string>>): string => {
    const plain = { id: "q1", subject: "law", llm: "m", size: "7", options: "A B", key: "A", cond: "one" }
    const reads = { before: "A", probs: '"[0.75, 0.25]"', shared: "p1", after: "B" }
    const row: Readonly<Record<string, string>> = { ...plain, ...reads, ...own }
    return names.map((name) => row[name] ?? "").join(",")
  }
  const file = (...rows: readonly Readonly<Record<string, string>>[]): string =>
    [names.join(","), ...rows.map(rowOf)].join("\n")
  const other = { cond: "two" }

  const contradictions: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ["gold answer", { key: "B" }, "the gold answer is another than in an earlier row of its item"],
    ["column of the item", { subject: "art" }, "item.subject is another than in an earlier row of its item"],
    ["attribute of the model", { size: "8" }, "model.size is another than in an earlier row of its model"],
    [
      "list of options",
      { options: "A B C", probs: "", shared: "p2" },
      "the labels are others than in an earlier row of its item",
    ],
    [
      "first answer under the same prompt",
      { before: "B", probs: '"[0.25, 0.75]"' },
      "a0 came out otherwise in an earlier row with the same a0.prompt, though both should be one read",
    ],
    [
      "confidence under the same prompt",
      { probs: '"[0.8, 0.2]"' },
      "a0 came out otherwise in an earlier row with the same a0.prompt, though both should be one read",
    ],
    [
      "mass under the same prompt",
      { probs: '"[0.6, 0.2]"' },
      "a0 came out otherwise in an earlier row with the same a0.prompt, though both should be one read",
    ],
  ]

  test.each(contradictions)("in a %s stop, with both places", async (_, own, what) => {
    const text = file({}, { ...other, ...own })
    const stopped = await scored(folder, spec(), "contradictory.csv", text)
    expect(found(stopped)).toEqual([`1 contradiction (stop): ${what}`])
    expect(stopped.facts.findings[0]?.places).toEqual(["contradictory.csv:3 against contradictory.csv:2"])
    const left = await scored(folder, spec("on contradiction leave_out"), "contradictory.csv", text)
    const kept = await scored(folder, spec("on contradiction keep"), "contradictory.csv", text)
    expect([stopped, left, kept].map(({ facts }) => facts.trials)).toEqual([1, 1, 2])
    expect(recordsParts([kept.facts])[0]?.words.join("\n")).toContain("noted, and kept")
  })

  test("are held to rows that are kept, not to one that was left out", async () => {
    const text = file(
      {},
      { ...other, key: "B", subject: "art" },
      { cond: "three", subject: "art" },
      { cond: "four" },
    )
    const own = await scored(folder, spec("on contradiction leave_out"), "left.csv", text)
    expect(found(own)).toEqual([
      "1 contradiction (leave_out): the gold answer is another than in an earlier row of its item",
      "2 contradiction (leave_out): item.subject is another than in an earlier row of its item",
    ])
    expect(own.facts.trials).toBe(2)
  })

  test("are none where prompts, items or models differ, nor of what a row leaves empty", async () => {
    const own = await scored(
      folder,
      spec(),
      "apart.csv",
      file(
        {},
        { ...other, before: "B", probs: '"[0.25, 0.75]"', shared: "p2" },
        { id: "q2", key: "B", subject: "art", before: "B", probs: "" },
        { llm: "n", size: "8", before: "B", probs: "" },
        { cond: "three", subject: "", shared: "", before: "B", probs: "" },
      ),
    )
    expect(found(own)).toEqual([])
    expect(own.facts.trials).toBe(5)
  })
})

describe("numbers are looked at whether or not probabilities stand beside them", () => {
  const spec = (more = ""): string => `${HRR}
experiment scored {
  records {
    item = id
    labels { A, B }
    gold = key
    a0: option = before
    a0.mass = mass
    a1: option = before
    e1: text = reply
    e1.tokens = tokens
    k1: integer 1..10 = sure
    ${more}
  }
  measure HRR
}
`
  const file = (mass: string, tokens: string, sure: string): string =>
    `id,key,before,reply,mass,tokens,sure\nq1,A,A,yes,${mass},${tokens},${sure}\n`

  test.each([
    ["1.3", 'the mass of a0 is "1.3", and no number from 0 to 1'],
    ["-0.1", 'the mass of a0 is "-0.1", and no number from 0 to 1'],
    ["n/a", 'the mass of a0 is "n/a", and no number from 0 to 1'],
    ["NaN", 'the mass of a0 is "NaN", and no number from 0 to 1'],
    ["Infinity", 'the mass of a0 is "Infinity", and no number from 0 to 1'],
  ])("a mass of %s", async (mass, what) => {
    const own = await scored(folder, spec(), "mass.csv", file(mass, "3", "4"))
    expect(found(own)).toEqual([`1 bad_number (stop): ${what}`])
  })

  test.each(["-1", "2.5", "many", "Infinity"])("%s tokens", async (tokens) => {
    const own = await scored(folder, spec(), "tokens.csv", file("1", tokens, "4"))
    expect(found(own)).toEqual([
      `1 bad_number (stop): the tokens of e1 are "${tokens}", and no whole number from 0`,
    ])
  })

  test.each(["0", "11", "4.5", "NaN", "Infinity"])("an integer of %s", async (sure) => {
    const own = await scored(folder, spec(), "sure.csv", file("1", "3", sure))
    expect(found(own)).toEqual([`1 no_option (invalid): k1 says "${sure}", which is no integer from 1 to 10`])
  })

  test("and a mass that is one is kept", async () => {
    const own = await scored(folder, spec(), "sound.csv", file("0.9", "", "4"))
    expect(found(own)).toEqual([])
    expect(own.table.columns().get("a0.mass")?.at(0)).toBe(0.9)
    expect(own.table.columns().get("a1.mass")?.at(0)).toBe(null)
  })
})
