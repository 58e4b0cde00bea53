/** Records alone, where the same name, the same text or nothing at all could be taken for something else. */
import { describe, expect, test } from "vitest"
import { temporary } from "../run/temporary.ts"
import { estimateOf, found, scored } from "./support.ts"

const folder = temporary()

const spec = (mapping: string, measures = "measure accuracy"): string => `
metric accuracy(read = a0) {
  rate read == item.gold
  interval wilson 95
}
metric follows(second = a1) {
  rate second == pushed
  interval wilson 95
}
metric of_two(read = a0) {
  rate read == item.gold
  given item.choices == 2
  interval wilson 95
}
metric length(text = reply) {
  mean words(text)
  interval bootstrap 95
}
experiment scored {
  records {
    item = id
    ${mapping}
  }
  ${measures}
}
`

type Scored = Awaited<ReturnType<typeof scored>>

const column = ({ table }: Scored, name: string): readonly unknown[] =>
  Array.from({ length: table.rows }, (_, row) => table.columns().get(name)?.at(row))

describe("a target or a pushed option", () => {
  const mapping = (more: string): string => `labels { A, B, C } gold = key a0 = a0 a1 = a1 ${more}`
  const file = (...claims: readonly string[]): string =>
    ["id,key,claim,a0,a1", ...claims.map((claim, at) => `${at},A,${claim},A,B`)].join("\n")
  const follows = "measure follows"

  test("is a label but for case and white space, the one after the last, or nothing", async () => {
    const own = await scored(
      folder,
      spec(mapping("pushed = claim"), follows),
      "claims.csv",
      file("B", " b ", "D", "d", ""),
    )
    expect(found(own)).toEqual([])
    expect(column(own, "pushed")).toEqual(["B", "B", "D", "D", null])
    expect(column(own, "pushed.kind")).toEqual(["option", "option", "placebo", "placebo", "none"])
    expect(estimateOf(own, "follows")).toBe(0.5)
  })

  test.each(["(B)", "Option B", "7", "E"])(
    "that says %s is none of the labels, and told of",
    async (claim) => {
      const text = file("B", claim)
      const stopped = await scored(folder, spec(mapping("pushed = claim"), follows), "none.csv", text)
      expect(found(stopped)).toEqual([`1 unknown (stop): the pushed option "${claim}" is none of A, B, C`])
      expect(stopped.facts.findings[0]?.places).toEqual(["none.csv:3"])
      const left = await scored(
        folder,
        spec(mapping("target = claim on unknown leave_out"), follows),
        "none.csv",
        text,
      )
      expect(found(left)).toEqual([`1 unknown (leave_out): the target "${claim}" is none of A, B, C`])
      expect(estimateOf(left, "follows")).toBe(1)
    },
  )

  test("by its place is told of where there are fewer options, and where it is no place", async () => {
    const own = await scored(
      folder,
      spec(mapping("target = position(claim)"), follows),
      "places.csv",
      file("2", "4", "second"),
    )
    expect(found(own)).toEqual([
      '1 unknown (stop): the target "4" is none of A, B, C',
      "1 missing (stop): the target: `position(claim)` should be the place of an option, counted from 1, and is `second`",
    ])
  })
})

test("a column of the item and an attribute of the model may have one name: each is a text or a number by itself", async () => {
  const mapping = "labels { A, B } gold = key a0 = a0 item.size = isize model.size = msize"
  const text = "id,key,a0,isize,msize\n1,A,A,large,7\n2,A,A,small,7\n"
  const own = await scored(folder, spec(mapping), "sizes.csv", text)
  expect(column(own, "item.size")).toEqual(["large", "small"])
  expect(column(own, "model.size")).toEqual([7, 7])
  const swapped = text.replace("isize,msize", "msize,isize").replace("small", "large")
  const other = await scored(folder, spec(mapping), "sizes.csv", swapped)
  expect(column(other, "item.size")).toEqual([7, 7])
  expect(column(other, "model.size")).toEqual(["large", "large"])
})

describe("of rows of one trial, the one that is left out for something else is none", () => {
  const mapping = (more: string): string => `labels { A, B } gold = key a0 = a0 ${more}`
  const rows = {
    "a row without a gold answer": "1,,B",
    "one that cannot be made out": "1,Z,B",
    "one whose answer is no option": "1,A,timeout",
  }
  const policies = "on missing leave_out on unknown leave_out on no_option leave_out"

  describe.each(Object.entries(rows))("%s", (_, wrong) => {
    test.each([
      ["first", [wrong, "1,A,A", "1,A,B"], ["dup.csv:4"]],
      ["last", ["1,A,B", "1,A,A", wrong], ["dup.csv:2"]],
    ])("where the %s counts", async (policy, texts, places) => {
      const text = ["id,key,a0", ...texts].join("\n")
      const own = await scored(folder, spec(mapping(`${policies} on duplicate ${policy}`)), "dup.csv", text)
      expect(own.facts).toMatchObject({ trials: 1, missing: { count: 0, of: 1 } })
      expect(estimateOf(own, "accuracy")).toBe(1)
      const duplicates = own.facts.findings.filter(({ problem }) => problem === "duplicate")
      expect(duplicates.map(({ places: at }) => at)).toEqual([places])
      expect(own.facts.findings.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    })

    test("and where no two may be of one trial", async () => {
      const text = ["id,key,a0", wrong, "1,A,A"].join("\n")
      const own = await scored(folder, spec(mapping(policies)), "dup.csv", text)
      expect(own.facts.findings.map(({ problem }) => problem)).not.toContain("duplicate")
      expect(own.facts.trials).toBe(1)
    })
  })

  test("also where it contradicts another row, and the first counts", async () => {
    const text = "id,framing,key,a0\n1,x,A,A\n1,y,B,B\n1,y,A,A\n"
    const policy = "framing = framing on contradiction leave_out on duplicate first"
    const own = await scored(folder, spec(mapping(policy)), "against.csv", text)
    expect(found(own)).toEqual([
      "1 contradiction (leave_out): the gold answer is another than in an earlier row of its item",
    ])
    expect(own.facts.trials).toBe(2)
  })

  test("and where nothing is sound, each row says what is wrong with it", async () => {
    const text = "id,key,a0\n1,,A\n1,A,timeout\n"
    const own = await scored(folder, spec(mapping(`${policies} on duplicate last`)), "dup.csv", text)
    expect(found(own)).toEqual([
      "1 missing (leave_out): it has no gold answer",
      '1 no_option (leave_out): a0 says "timeout", which is none of A, B',
    ])
  })
})

describe("what stands where an answer is not is no label of its item", () => {
  const refused = "a0 = a0 a0.refused = refused gold = key condition = condition"
  const status = "a0 = a0 a0.status = status gold = key condition = condition"

  test.each([
    ["why a model refused", refused, "refused", '"I cannot help, sorry"', "1", "0"],
    ["what a refusal reads", status, "status", '"I cannot help, sorry"', "refused", "value"],
    ["what was invalid", status, "status", "timeout", "invalid", "value"],
    ["what was skipped", status, "status", "n/a", "skipped", ""],
  ])("%s", async (_, mapping, name, said, is, not) => {
    const given = ["1,A,y,A", "1,A,z,B", "2,A,x,A", "2,A,y,B", "2,A,z,A"].map((row) => `${row},${not}`)
    const rows = [`1,A,x,${said},${is}`, ...given]
    const own = await scored(
      folder,
      spec(mapping, "measure accuracy measure of_two"),
      "refused.csv",
      [`id,key,condition,a0,${name}`, ...rows].join("\n"),
    )
    expect(found(own)).toEqual([])
    expect(estimateOf(own, "of_two", { condition: "y" })).toBe(0.5)
    expect(estimateOf(own, "of_two", { condition: "z" })).toBe(0.5)
  })
})

test("a text of no characters that came out as a value is one, and nothing without a status is none", async () => {
  const mapping = (status: string): string => `reply: text = said ${status}`
  const text = 'id,said,status\n1,"",value\n2,four words are here,value\n'
  const told = await scored(
    folder,
    spec(mapping("reply.status = status"), "measure length"),
    "texts.csv",
    text,
  )
  expect(estimateOf(told, "length")).toBe(2)
  const untold = await scored(folder, spec(mapping(""), "measure length"), "texts.csv", text)
  expect(estimateOf(untold, "length")).toBe(4)
  expect(column(untold, "reply.why")).toEqual(["the record has no text", null])
})

describe("trials are called by their levels", () => {
  const namesOf = async (...levels: readonly string[]): Promise<readonly unknown[]> => {
    const text = ["id,key,a0,tone,place", ...levels.map((two) => `1,A,A,${two}`)].join("\n")
    const mapping = "labels { A, B } gold = key a0 = a0 tone = tone place = place"
    return column(await scored(folder, spec(mapping), "names.csv", text), "trial")
  }

  test("that they have", async () => {
    expect(await namesOf("soft,first", "soft,", ",")).toEqual([
      "scored/records/records/1/soft:first",
      "scored/records/records/1/soft",
      "scored/records/records/1/all",
    ])
  })

  test.each([
    ["one lacks a factor and the other another", ["yes,", ",yes"], ["tone=yes", "place=yes"]],
    [
      "a level is called as what lacks all",
      [",", "all,", "all,all"],
      ["all", "tone=all", "tone=all:place=all"],
    ],
  ])("and by their factors where %s", async (_, levels, names) => {
    expect(await namesOf(...levels)).toEqual(names.map((name) => `scored/records/records/1/${name}`))
  })
})

test("reads that rows share are counted once, and those that were skipped not at all", async () => {
  const mapping =
    "labels { A, B } gold = key framing = framing a0 = a0 a0.prompt = id a1 = a1 a1.status = status"
  const rows = ["1,A,x,A,A,value", "1,A,y,A,,skipped", "2,A,x,A,A,value", "2,A,y,A,B,value"]
  const own = await scored(
    folder,
    spec(mapping),
    "shared.csv",
    ["id,key,framing,a0,a1,status", ...rows].join("\n"),
  )
  expect(own.facts.reads).toEqual({ all: 7, distinct: 5 })
})
