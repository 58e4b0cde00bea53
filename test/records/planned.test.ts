/** Records of a design that could be run too: options mean the same in whatever order they are shown, targets are the records', and gates the protocol's. */
import { describe, expect, test } from "vitest"
import { temporary } from "../run/temporary.ts"
import { type CompiledSpec, estimateOf, found, resultsOf, scored, specOf } from "./support.ts"

const folder = temporary()

const POOL = [
  '{"id": "1", "question": "One?", "options": ["red", "green", "navy blue"], "gold": "A"}',
  '{"id": "2", "question": "Two?", "options": ["cat", "dog", "grey owl"], "gold": "A"}',
].join("\n")

const spec = (text: string): CompiledSpec =>
  specOf(
    `model small = gguf "small.gguf"
items pool = "pool.jsonl" {
  id = id
  question = question
  options = options
  gold = gold
}
${text}`,
    { "pool.jsonl": POOL },
  )

type Scored = Awaited<ReturnType<typeof scored>>

const column = ({ table }: Scored, name: string): readonly unknown[] =>
  Array.from({ length: table.rows }, (_, row) => table.columns().get(name)?.at(row))

const STANDARD = `
import { no_source } from "std/framings"
import { arbitration } from "std/protocols"
import { verbatim } from "std/paraphrases"
import { distinct } from "std/doses"
import { follow_rate } from "std/metrics"

protocol by_text {
  slot block
  options "{label}. {text}" join "\\n"
  answers text
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn second continues first {
    user "{block}\\nAnd now?"
    assistant "{a1: option}"
  }
}
`

/** One arm that presses a wrong answer or the right one, under two orders of the options. */
const pressed = ({
  protocol = "arbitration",
  target = "top_wrong(a0)",
  structure = "all_wrong",
  mapping = "",
  more = "",
}): CompiledSpec =>
  spec(`${STANDARD}
experiment pressed {
  protocol ${protocol}
  models { small }
  items { pool }
  seed 0
  target ${target}
  options in { identity, reversed }
  arms {
    pressure = assertion(
      framing = no_source,
      structure in { ${structure} },
      order = identity,
      dose = distinct(2),
      paraphrase = verbatim,
    )
  }
  records {
    item = id
    options = options
    ${mapping}
    a0 = a0
    a1 = a1
    ${more}
  }
  measure follow_rate
  table orders { rows options columns follow_rate }
}
`)

describe("an option of records is the one that the pool has, in whatever order its trial shows it", () => {
  const mapping = "target = claim pushed = claim"
  const file = (claims: Readonly<Record<string, string>>): string =>
    [
      "id,options,claim,a0,a1",
      ...Object.entries(claims).flatMap(([id, claim]) =>
        ["identity", "reversed"].map((order) => `${id},${order},${claim},A,C`),
      ),
    ].join("\n")

  test.each([
    ["by label", { 1: "C", 2: "C" }],
    ["by label but for case and white space", { 1: "c", 2: " C " }],
    ["by the option's text", { 1: "navy blue", 2: " grey owl" }],
  ])("%s", async (_, claims) => {
    const own = await scored(folder, pressed({ mapping }), "pushed.csv", file(claims))
    expect(found(own)).toEqual([])
    expect(column(own, "target")).toEqual(["C", "C", "C", "C"])
    expect(column(own, "pushed.option")).toEqual([2, 2, 2, 2])
    expect(estimateOf(own, "follow_rate", { arm: "pressure", options: "identity" })).toBe(1)
    expect(estimateOf(own, "follow_rate", { arm: "pressure", options: "reversed" })).toBe(1)
  })

  test("where a trial is about each wrong option, too", async () => {
    const text = [
      "id,options,claim,a0,a1",
      "1,identity,navy blue,A,C",
      "1,identity,green,A,C",
      "1,reversed,navy blue,A,C",
      "1,reversed,b,A,C",
    ].join("\n")
    const own = await scored(
      folder,
      pressed({ target: "each_wrong", mapping: "target = claim" }),
      "each.csv",
      text,
    )
    expect(found(own)).toEqual([])
    expect(column(own, "target")).toEqual(["C", "B", "C", "B"])
    expect(column(own, "trial").map((name) => String(name).split(":").at(-1))).toEqual([
      "option 3",
      "option 2",
      "option 3",
      "option 2",
    ])
  })

  test.each([
    ["none of the labels", "blue", 'unknown (stop): the target "blue" is none of A, B, C'],
    ["the gold answer", "red", "unknown (stop): its target is the gold answer, and no trial is about that"],
    ["nothing", "", "missing (stop): it does not say which wrong option it is about (`target`)"],
  ])("where it is about each wrong option and says %s, the row is told of", async (_, claim, said) => {
    const text = `id,options,claim,a0,a1\n1,reversed,${claim},A,C\n`
    const own = await scored(
      folder,
      pressed({ target: "each_wrong", mapping: "target = claim" }),
      "none.csv",
      text,
    )
    expect(found(own)).toEqual([`1 ${said}`])
  })

  test("and so is a gold answer, which is compared with the pool's", async () => {
    const text = ["red", "a", " A ", "green", "Z", ""].map((key) => `1,identity,${key},A,C`)
    const own = await Promise.all(
      text.map((row) =>
        scored(folder, pressed({ mapping: "gold = key" }), "gold.csv", `id,options,key,a0,a1\n${row}\n`),
      ),
    )
    expect(own.map(found)).toEqual([
      [],
      [],
      [],
      ["1 gold (keep): the record's gold answer is not the pool's, which counts"],
      ['1 unknown (stop): the gold answer "Z" is none of A, B, C'],
      [],
    ])
  })
})

describe("a target or a pushed option that is none of the options", () => {
  test("is told of, what is wrong with the reads of the row beside it", async () => {
    const text = "id,options,claim,a0,a1\n1,identity,(C),A,E\n2,identity,D,Z,C\n"
    const own = await scored(folder, pressed({ mapping: "target = claim pushed = claim" }), "no.csv", text)
    expect(found(own)).toEqual([
      '1 unknown (stop): the target "(C)" is none of A, B, C',
      '1 unknown (stop): the pushed option "(C)" is none of A, B, C',
      '1 no_option (invalid): a1 says "E", which is none of A, B, C',
      '1 unknown (stop): the target "D" is none of A, B, C',
      '1 unknown (stop): the pushed option "D" is none of A, B, C',
      '1 no_option (invalid): a0 says "Z", which is none of A, B, C',
    ])
    expect(own.facts.trials).toBe(0)
  })

  test("is the placebo label where the design is about that", async () => {
    const text = "id,options,claim,a0,a1\n1,identity,D,A,A\n2,identity,d,A,A\n1,reversed,E,A,A\n"
    const own = await scored(
      folder,
      pressed({ target: "placebo_label", mapping: "target = claim" }),
      "placebo.csv",
      text,
    )
    expect(found(own)).toEqual(['1 unknown (stop): the target "E" is none of A, B, C'])
    expect(column(own, "target")).toEqual(["D", "D"])
    expect(column(own, "pushed.kind")).toEqual(["placebo", "placebo"])
  })
})

describe("what hangs on the target follows the one that records have", () => {
  const rows = ["1,all_wrong,C", "1,all_correct,C", "2,all_wrong,"].map((row) => `${row},identity,A,C`)
  const text = ["id,structure,claim,options,a0,a1", ...rows].join("\n")
  const design = { structure: "all_wrong, all_correct", mapping: "structure = structure target = claim" }

  test("the pushed option is the target, or the gold one where the lines say that", async () => {
    const own = await scored(folder, pressed(design), "follows.csv", text)
    expect(found(own)).toEqual([])
    expect(column(own, "target")).toEqual(["C", "C", null])
    expect(column(own, "pushed")).toEqual(["C", "A", null])
    expect(column(own, "pushed.why")).toEqual([null, null, "the record has no target"])
  })

  test("also where probabilities would give another one", async () => {
    const probabilities = "a0.p(A) = pa a0.p(B) = pb a0.p(C) = pc"
    const numbers = text.replace("a0,a1", "a0,a1,pa,pb,pc").replace(/A,C$/gm, "A,C,0.6,0.3,0.1")
    const own = await scored(folder, pressed({ ...design, more: probabilities }), "numbers.csv", numbers)
    expect(column(own, "target")).toEqual(["C", "C", null])
    expect(column(own, "pushed")).toEqual(["C", "A", null])
  })

  test("and so do the words of lines that quote it", async () => {
    const claims = "id,claim,options,a0,a1\n1,green,identity,A,C\n1,navy blue,reversed,A,C\n2,,identity,A,C\n"
    const quoting = pressed({ protocol: "by_text", mapping: "target = claim" })
    const own = await scored(folder, quoting, "words.csv", claims)
    const [green, blue, untold] = column(own, "line.words").map(Number)
    expect(blue).toBe(Number(green) + 1)
    expect(untold).toBe(green)
  })
})

/** The second question is put where the first answer was right; the third where the model was sure of it. */
const gated = (gate: string, more = "", mapping = "a0 = a0 a1 = a1"): CompiledSpec =>
  spec(`
protocol gated {
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn second continues first when ${gate} {
    user "Sure?"
    assistant "{a1: option}"
  }
}
metric kept(second = a1) {
  rate second == item.gold
  interval wilson 95
  invalid wrong
}
experiment asked {
  protocol gated
  models { small }
  items { pool }
  seed 0
  ${gate.includes("pushed") ? "target top_wrong(a0)" : ""}
  records {
    item = id
    ${mapping}
    ${more}
  }
  measure kept
}
`)

describe("a gate of the protocol", () => {
  const right = "a0 == item.gold"
  const kept = (own: Scored) => resultsOf(own).find(({ name }) => name === "kept")

  test("that is closed makes a read skipped that the record has nothing of, as in a run", async () => {
    const csv = await scored(folder, gated(right), "gated.csv", "id,a0,a1\n1,A,A\n2,B,\n")
    const lines = '{"id": "1", "a0": "A", "a1": "A"}\n{"id": "2", "a0": "B"}\n'
    const json = await scored(folder, gated(right), "gated.jsonl", lines)
    for (const own of [csv, json]) {
      expect(found(own)).toEqual([])
      expect(column(own, "a1.status")).toEqual(["value", "skipped"])
      expect(column(own, "a1.why")).toEqual([null, "the gate of second is closed"])
      expect(kept(own)).toMatchObject({ estimate: 1, n: 1 })
    }
  })

  test("that is open leaves an empty answer invalid, and one that is not there missing", async () => {
    const csv = await scored(folder, gated(right), "open.csv", "id,a0,a1\n1,A,A\n2,A,\n")
    expect(column(csv, "a1.why")).toEqual([null, "the record has no answer"])
    const json = await scored(
      folder,
      gated(right),
      "open.jsonl",
      '{"id": "1", "a0": "A"}\n{"id": "2", "a1": "A"}\n',
    )
    expect(found(json)).toEqual([
      "1 missing (stop): there is no `a1`, the answer of a1",
      "1 missing (stop): there is no `a0`, the answer of a0",
    ])
  })

  test("that needs a read without a value is closed, with its reason", async () => {
    const own = await scored(folder, gated(right), "needs.csv", "id,a0,a1\n1,A,A\n2,,\n")
    expect(column(own, "a1.why")).toEqual([
      null,
      "the gate of second needs a0: a0 is invalid: the record has no answer",
    ])
  })

  const answered = "id,a0,a1\n1,A,A\n2,B,A\n"

  test("that is closed contradicts a record which was read behind it", async () => {
    const stopped = await scored(folder, gated(right), "behind.csv", answered)
    expect(found(stopped)).toEqual([
      "1 contradiction (stop): a1 was read, though the gate of second is closed",
    ])
    expect(stopped.facts.findings[0]?.places).toEqual(["behind.csv:3"])
    const left = await scored(folder, gated(right, "on contradiction leave_out"), "behind.csv", answered)
    expect([left.facts.trials, kept(left)?.n]).toEqual([1, 1])
    const noted = await scored(folder, gated(right, "on contradiction keep"), "behind.csv", answered)
    expect([noted.facts.trials, kept(noted)?.n]).toEqual([2, 2])
  })

  test("is left to the record that says itself what was skipped, in its own words", async () => {
    const mapping = "a0 = a0 a1 = a1 a1.status = status a1.why = why a1.refused = refused"
    const text = "id,a0,a1,status,why,refused\n1,A,A,value,,0\n2,B,,skipped,never asked,0\n"
    const own = await scored(folder, gated(right, "", mapping), "words.csv", text)
    expect(found(own)).toEqual([])
    expect(column(own, "a1.why")).toEqual([null, "never asked"])
    const refused = await scored(
      folder,
      gated(right, "", mapping),
      "words.csv",
      text.replace("skipped,never asked,0", ",,1"),
    )
    expect(found(refused)).toEqual([
      "1 contradiction (stop): a1 was read, though the gate of second is closed",
    ])
  })

  test.each([
    ["a read that records do not have", "a0 == item.gold", "a1 = a1", "id,a0,a1"],
    ["probabilities that they do not have", "a0.confidence > 0.9", "a0 = a0 a1 = a1", "id,a0,a1"],
    ["a pushed option that they do not tell", "a0 != pushed", "a0 = a0 a1 = a1", "id,a0,a1"],
    ["whether a read that they do not have was refused", "refused(a0)", "a1 = a1", "id,a0,a1"],
  ])("that looks at %s is none for them", async (_, gate, mapping, header) => {
    const own = await scored(folder, gated(gate, "", mapping), "untold.csv", `${header}\n1,A,A\n2,B,\n`)
    expect(found(own)).toEqual([])
    expect(column(own, "a1.why")).toEqual([null, "the record has no answer"])
  })

  test.each(["target", "pushed"])("looks at the %s that records have", async (name) => {
    const text = "id,claim,a0,a1\n1,green,A,A\n2,dog,B,\n"
    const own = await scored(
      folder,
      gated("a0 != pushed", "", `${name} = claim a0 = a0 a1 = a1`),
      "claimed.csv",
      text,
    )
    expect(found(own)).toEqual([])
    expect(column(own, "a1.why")).toEqual([null, "the gate of second is closed"])
  })

  test("is not judged where something is wrong with what it looks at", async () => {
    const text = "id,a0,a1\n1,E,\n2,B,\n"
    const own = await scored(folder, gated(right, "on no_option leave_out"), "wrong.csv", text)
    expect(found(own)).toEqual(['1 no_option (leave_out): a0 says "E", which is none of A, B, C'])
    expect(own.facts.trials).toBe(1)
  })
})
