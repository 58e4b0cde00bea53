import { describe, expect, it } from "vitest"
import { base, edit } from "./base.ts"
import { briefs, compileText } from "./files.ts"

/** What is said about the base spec with these changes. */
const said = (...changes: readonly (readonly [string, string])[]) => briefs(compileText(edit(...changes)))

type Case = readonly [title: string, from: string, to: string, ...expected: readonly string[]]

const cases = (...all: readonly Case[]) => {
  for (const [title, from, to, ...expected] of all) {
    it(title, () => expect(said([from, to])).toEqual(expected))
  }
}

describe("a sound spec", () => {
  it("gets a program, a hash, items and nothing to read", () => {
    const compiled = compileText(base)
    expect(briefs(compiled)).toEqual([])
    expect(compiled.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(compiled.program?.experiments.map(({ name }) => name)).toEqual(["e"])
    expect(compiled.items.get("pool")).toHaveLength(40)
    expect([...compiled.sources.keys()]).toEqual(["/spec/main.cfx"])
  })
})

describe("names", () => {
  cases(
    ["an unknown framing", "{ bare, crowd, panel", "{ bare, crowds, panel", "CFX2001 crowds"],
    ["an unknown block", "reask = again", "reask = agian", "CFX2001 agian"],
    ["an unknown protocol", "protocol ask\n", "protocol asks\n", "CFX2001 asks"],
    ["an unknown model", "models { m }", "models { n }", "CFX2001 n"],
    ["an unknown pool", "items { pool sample 40 }", "items { pools }", "CFX2001 pools"],
    ["an unknown metric", "measure strict\n", "measure stricter\n", "CFX2001 stricter"],
    ["an unknown dose", "dose = voices(4)", "dose = voice(4)", "CFX2001 voice"],
    ["an unknown paraphrase", "paraphrase = plain", "paraphrase = plane", "CFX2001 plane"],
    ["an unknown parent", "extends crowd", "extends crow", "CFX2001 crow"],
    ["an unknown roster", "speakers friends", "speakers fiends", "CFX2001 fiends"],
    ["a framing where a block must stand", "reask = again", "reask = crowd", "CFX2002 crowd"],
    ["a block among framings", "{ bare, crowd,", "{ bare, again,", "CFX2002 again"],
    ["two declarations of one name", "block padding", "block again", "CFX2003 again", "CFX2001 padding"],
    ["two arms of one name", "length = padding", "reask = padding", "CFX2003 reask"],
    ["two turns of one name", "turn second continues first {", "turn first {", "CFX2003 first"],
    ["a measure twice", "measure sure", "measure HRR", "CFX2003 HRR"],
    [
      "a metric that extends itself",
      "metric strict extends HRR",
      "metric strict extends strict",
      "CFX2008 strict",
    ],
  )

  it("a circle of framings is one mistake", () => {
    expect(said(["framing crowd {", "framing crowd extends panel {"])).toEqual(["CFX2008 panel"])
  })
})

describe("fields", () => {
  cases(
    [
      "a field twice",
      'preamble "Others say:"',
      'preamble "Others say:" preamble "x"',
      'CFX2009 preamble "x"',
    ],
    [
      "lines and a line",
      'line "Person {i}: {assertion}"',
      'line "{assertion}" lines "{assertion}"',
      'CFX2009 lines "{assertion}"',
    ],
    ["a seed twice", "seed 0", "seed 0 seed 1", "CFX2009 seed 1"],
    ["no line", 'preamble "Before your answer:" line "{assertion}"', 'preamble "x"', "CFX2010 bare"],
    ["no lines in a dose", "{ lines n speakers 1 }", "{ speakers n }", "CFX2010 echo"],
    ["no text", 'block again { text "Think again." }', "block again { }", "CFX2010 again"],
    ["no user", 'user "{block} {item.question}"', "", "CFX2010 second"],
    ["no options listing", 'options "{label}) {text}" join "\\n"', "", "CFX2010 ask"],
    ["no interval", "given first == item.gold interval wilson 95", "given first == item.gold", "CFX2010 HRR"],
    ["no seed", "seed 0", "", "CFX2010 e"],
    ["no target", "target top_wrong(a0)", "", "CFX2010 e"],
    ["an unknown attribute", "bytes 10", "byte 10", "CFX2011 byte"],
    ["bytes as a text", "bytes 10", 'bytes "10"', 'CFX2012 "10"'],
    ["half a byte", "bytes 10", "bytes 10.5", "CFX2012 10.5"],
    ["a bad sum", "bytes 10", 'sha256 "abc"', 'CFX2015 "abc"'],
    ["an unknown engine", "model m = gguf", "model m = ggml", "CFX2013 ggml"],
    ["an address as a model", '"m.gguf"', '"ftp://a/b"', 'CFX2014 "ftp://a/b"'],
    ["a file on the web without a sum", '"m.gguf"', '"https://a/b.gguf"', "CFX2010 m"],
    ["a repository without a file", '"m.gguf"', '"hf:a/b"', 'CFX2466 "hf:a/b"'],
    ["an address as a pool", '"items.jsonl"', '"https://x/y.yaml"', 'CFX2014 "https://x/y.yaml"'],
    [
      "a speaker who stands twice in a roster",
      '{ "Ann" "Ben" "Cid" "Dee" }',
      '{ "Ann" "Ann" "Cid" "Dee" }',
      'CFX2003 "Ann"',
    ],
  )
})

describe("placeholders", () => {
  cases(
    ["one that nothing fills", '"Person {i}: {assertion}"', '"Person {n}: {assertion}"', "CFX2101 {n}"],
    ["one in a preamble", '"Others say:"', '"{i} others say:"', "CFX2101 {i}"],
    ["an assertion in a wording", '"It is {answer}."', '"{assertion}"', "CFX2101 {assertion}"],
    [
      "a misspelt field of an item",
      "{block} {item.question}",
      "{block} {item.questions}",
      "CFX2101 {item.questions}",
    ],
    ["an answer in a turn", "{block} {item.question}", "{block} {answer}", "CFX2101 {answer}"],
    ["a misspelt slot", "{block} {item.question}", "{blok} {item.question}", "CFX2101 {blok}"],
    [
      "a misspelt speaker",
      '"{speaker}: I say {answer}." "{speaker}: {answer}!"',
      '"{speakr}: {answer}"',
      "CFX2101 {speakr}",
    ],
    ["a hole in a user text", "{block} {item.question}", "{block} {x: option}", "CFX2106 {x: option}"],
    ["a hole in a block", '"Think again."', '"Think {x: option}."', "CFX2106 {x: option}"],
    ["one in a roster", '"Ann" "Ben"', '"{x}" "Ben"', "CFX2105 {x}"],
    ["one in a file name", '"m.gguf"', '"{x}.gguf"', "CFX2105 {x}"],
    [
      "a speaker without a roster",
      '"Person {i}: {assertion}"',
      '"{speaker}: {assertion}"',
      "CFX2102 {speaker}",
    ],
    ["an empty block", '"Think again."', '" "', 'CFX2116 " "'],
  )

  cases(
    [
      "a line that asserts nothing",
      'line "Expert {i}: {assertion}"',
      'line "Expert {i}"',
      'CFX2117 "Expert {i}"',
    ],
    [
      "one such line among others",
      '"{speaker}: I say {answer}." "{speaker}: {answer}!"',
      '"{speaker}: I say {answer}." "{speaker}: Yes!"',
      'CFX2117 "{speaker}: Yes!"',
    ],
    [
      "a wording without the answer",
      '"Surely {answer}."',
      '"Surely that one."',
      'CFX2117 "Surely that one."',
    ],
    [
      "a wording without the answer, where no line names it either",
      '"It is {answer}."',
      '"I agree."',
      'CFX2117 "I agree."',
    ],
    [
      "the only line, once",
      'lines "{speaker}: I say {answer}." "{speaker}: {answer}!"',
      'line "{speaker} nods."',
      'CFX2117 "{speaker} nods."',
    ],
    ["an empty line", 'line "Expert {i}: {assertion}"', 'line ""', 'CFX2116 ""'],
  )

  it("a roster that no line names", () => {
    expect(
      said(['lines "{speaker}: I say {answer}." "{speaker}: {answer}!"', 'lines "I say {answer}."']),
    ).toEqual(["CFX2103 speakers friends"])
  })

  it("a block may hold the question", () => {
    expect(said(['"Think again."', '"Think again: {item.question}"'])).toEqual([])
  })

  it("a text may hold what was read before", () => {
    expect(said(["{block} {item.question}", "You said {a0}. {block}"])).toEqual([])
  })
})

describe("turns and holes", () => {
  cases(
    ["a turn that continues no turn", "continues first", "continues frist", "CFX2110 frist"],
    ["turns in a circle", "turn first {", "turn first continues second {", "CFX2109 second"],
    ["a hole twice", "{a1: option}", "{a0: option}", "CFX2107 a0"],
    [
      "a read before it is taken",
      'user "{item.question} {item.options}"',
      'user "{a1} {item.options}"',
      "CFX2108 {a1}",
    ],
    ["a target that is read too late", "top_wrong(a0)", "top_wrong(a1)", "CFX2108 a1"],
    ["a slot that no turn reads", "{block} {item.question}", "{item.question}", "CFX2111 block"],
    ["a slot with the name of a read", "slot block", "slot a0", "CFX2003 a0", "CFX2101 {block}"],
    ["a second slot that no turn holds", "slot block", "slot block slot other", "CFX2111 other"],
    ["a range from high to low", "integer 1..10", "integer 10..1", "CFX2115 integer 10..1"],
    ["a listing that no turn shows", " {item.options}", "", 'CFX2103 options "{label}) {text}" join "\\n"'],
  )

  it("arms without a slot", () => {
    expect(said(["slot block", ""], ["{block} {item.question}", "{item.question}"])).toEqual(["CFX2112 ask"])
  })
})

describe("arms", () => {
  cases(
    ["an unknown factor", "order = identity", "ordering = identity", "CFX2201 ordering"],
    ["an unknown structure", "{ all_wrong, mixed }", "{ all_wrong, mxied }", "CFX2001 mxied"],
    ["a level twice", "{ all_wrong, mixed }", "{ all_wrong, all_wrong }", "CFX2205 all_wrong"],
    ["no dose", "dose = voices(4),", "", "CFX2206 pressure"],
    ["no paraphrase", "paraphrase = plain,", "", "CFX2206 pressure"],
    ["a dose without its argument", "voices(4)", "voices", "CFX2207 voices"],
    ["a dose of nothing", "voices(4)", "voices(0)", "CFX2208 0"],
    ["more lines than any prompt holds", "dose = voices(4)", "dose = echo(4000000000)", "CFX2208 4000000000"],
    ["half a line", "voices(4)", "voices(2.5)", "CFX2208 2.5"],
    ["a dose of a name", "voices(4)", "voices(n)", "CFX2314 n"],
    ["a roster that is too short", "voices(4)", "voices(6)", "CFX2209 voices(6)"],
    ["an odd count that must be halved", "voices(4)", "voices(3)", "CFX2210 voices(3)"],
    [
      "more speakers than lines",
      "dose voices(n) { lines n speakers n }",
      "dose voices(n) { lines n speakers n + 2 }",
      "CFX2211 voices(4)",
    ],
    ["an unknown target", "top_wrong(a0)", "best_wrong(a0)", "CFX2212 best_wrong(a0)"],
    ["a target over no read", "top_wrong(a0)", "top_wrong(a9)", "CFX2314 a9"],
    ["a target over an integer", "top_wrong(a0)", "top_wrong(k0)", "CFX2301 k0"],
    ["option zero", "top_wrong(a0)", "option(0)", "CFX2212 option(0)"],
    ["half a seed", "seed 0", "seed 0.5", "CFX2213 0.5"],
    ["a sample of nothing", "sample 40", "sample 0", "CFX2214 0"],
    ["more than the pool has", "sample 40", "sample 41", "CFX3017 41"],
    ["a model twice", "models { m }", "models { m, m }", "CFX2205 m"],
    ["an order that is no list", "order = identity", "order = 1", "CFX2421 1"],
    [
      "a level that is no name",
      "{ bare, crowd, panel, talk }",
      "{ bare, crowd, panel, talk, 2 }",
      "CFX2216 2",
    ],
    ["a parameter that a dose does not use", "dose echo(n) { lines n", "dose echo(n) { lines 4", "CFX2103 n"],
  )

  it("a paraphrase that no framing reads", () => {
    expect(said(["{ bare, crowd, panel, talk }", "{ talk }"], ["contrast who", "contrast whom"])).toContain(
      "CFX2103 paraphrase = plain",
    )
  })

  it("a note where paraphrases collapse", () => {
    expect(said(["paraphrase = plain", "paraphrase in { plain, firm }"])).toEqual(["CFX2104 paraphrase"])
  })

  it("nothing follows from a count that cannot be halved", () => {
    expect(said(["voices(4)", "voices(3)"], orders, ...ordered("identity", "all_wrong"))).toEqual([
      "CFX2104 order",
      "CFX2210 voices(3)",
    ])
  })

  const orders = ["order = identity", "order in { identity, reversed }"] as const

  /** The contrast of the base, with an order named on each side. */
  const ordered = (order: string, structure: string) =>
    ["crowd", "bare"].map((framing) => {
      const side = `framing = ${framing}, structure =`
      return [`${side} all_wrong]`, `${side} ${structure}, order = ${order}]`] as const
    })

  it("an order of lines that all assert the same cannot be named", () => {
    const { diagnostics } = compileText(edit(orders, ...ordered("identity", "all_wrong")))
    const found = diagnostics.filter(({ severity }) => severity === "error")
    expect(found.map(({ code, message, hint }) => [code, message, hint])).toEqual(
      ["crowd", "bare"].map((framing) => [
        "CFX2215",
        `With framing = ${framing} and structure = all_wrong, \`order\` makes no difference: all levels come to one prompt, which has no \`order\`.`,
        "Leave `order` out of the brackets.",
      ]),
    )
    expect(said(orders, ...ordered("reversed", "mixed"))).toEqual(["CFX2104 order"])
  })

  it("an order that was reported where it is given is not reported again where it is named", () => {
    const one = ["structure in { all_wrong, mixed }", "structure = all_wrong"] as const
    expect(said(one, orders, ...ordered("identity", "all_wrong"))).toEqual([
      "CFX2103 order in { identity, reversed }",
    ])
  })

  it("a paraphrase of a framing that has none cannot be named", () => {
    const named = "HRR[framing = talk, paraphrase = plain]"
    const { diagnostics } = compileText(edit(["HRR[framing = crowd, structure = all_wrong]", named]))
    expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
      [
        "With framing = talk, `paraphrase` makes no difference: all levels come to one prompt, which has no `paraphrase`.",
        "Leave `paraphrase` out of the brackets.",
      ],
    ])
  })

  it("an order of a block is no order that makes no difference", () => {
    const named = "HRR[arm = reask, order = reversed]"
    const { diagnostics } = compileText(edit(orders, ["HRR[framing = crowd, structure = all_wrong]", named]))
    expect(diagnostics.find(({ code }) => code === "CFX2215")?.message).toBe(
      "No arm of this experiment has arm = reask and order = reversed, so there would be nothing to measure.",
    )
  })

  it("a note where orders collapse: lines that all assert the same are one observation in any order", () => {
    const compiled = compileText(edit(orders))
    expect(briefs(compiled)).toEqual(["CFX2104 order"])
    const cells = compiled.program?.experiments[0]?.cells.filter(({ levels }) => levels.framing === "crowd")
    expect(cells?.map(({ levels }) => [levels.structure, levels.order])).toEqual([
      ["all_wrong", undefined],
      ["mixed", "identity"],
      ["mixed", "reversed"],
    ])
  })

  it("orders where all lines assert the same", () => {
    expect(said(["structure in { all_wrong, mixed }", "structure = all_wrong"], orders)).toEqual([
      "CFX2103 order in { identity, reversed }",
    ])
  })
})

describe("metrics", () => {
  cases(
    ["a rate of a number", "rate second != item.gold", "rate second.confidence", "CFX2301 second.confidence"],
    ["a rate of a read", "rate second != item.gold", "rate second", "CFX2301 second"],
    ["a mean of a truth value", "mean k.value", "mean k.value > 3", "CFX2301 k.value > 3"],
    [
      "a condition that is none",
      "given first == item.gold interval",
      "given first interval",
      "CFX2301 first",
    ],
    ["an option and a number", "rate second != item.gold", "rate second != 3", "CFX2302 second != 3"],
    ["the probability of a number", "second.p(pushed)", "second.p(3)", "CFX2301 3"],
    ["an unknown property", "first.confidence < 0.9", "first.confidense < 0.9", "CFX2303 confidense"],
    [
      "an unknown field of the item",
      "rate second != item.gold",
      "rate second != item.golden",
      "CFX2302 second != item.golden",
    ],
    ["an unknown value", "rate second != item.gold", "rate third != item.gold", "CFX2314 third"],
    ["a rate and a mean", "mean k.value", "mean k.value rate k.value > 2", "CFX2304 rate k.value > 2"],
    ["wilson for a mean", "interval bootstrap 90", "interval wilson 90", "CFX2305 wilson"],
    ["an unknown interval", "interval bootstrap 90", "interval wald 90", "CFX2013 wald"],
    ["a level as a fraction", "bootstrap 90", "bootstrap 0.9", "CFX2306 0.9"],
    ["an unknown policy", "invalid wrong", "invalid drop", "CFX2013 drop"],
    ["a read that the protocol lacks", "metric sure(k = k0)", "metric sure(k = k1)", "CFX2312 sure"],
    [
      "an option read where an integer is needed",
      "metric sure(k = k0)",
      "metric sure(k = a0)",
      "CFX2301 sure",
    ],
    ["a parameter without use", "metric sure(k = k0)", "metric sure(k = k0, z = a0)", "CFX2103 z = a0"],
    ["one read as two things", "mean k.value", "mean k.value + k.mass", "CFX2301 k"],
    ["a measure in a metric", "rate second != item.gold", "rate second == HRR[a = b]", "CFX2315 HRR[a = b]"],
  )
})

describe("analysis", () => {
  const left = "HRR[framing = crowd, structure = all_wrong]"
  const right = "HRR[framing = bare, structure = all_wrong]"
  cases(
    ["a measure that is not taken", "columns HRR, shift", "columns HRR, shifts", "CFX2307 shifts"],
    ["a figure of one", "bar HRR by", "bar BenR by", "CFX2307 BenR"],
    [
      "a contrast that is none",
      `${left} - ${right}`,
      `${left} + ${right}`,
      `CFX2308 ${`${left} + ${right}`.slice(0, 57)}...`,
    ],
    [
      "a contrast with itself",
      `${left} - ${right}`,
      `${left} - ${left}`,
      `CFX2309 ${`${left} - ${left}`.slice(0, 57)}...`,
    ],
    ["an unknown factor", left, "HRR[frame = crowd]", "CFX2203 frame"],
    ["an unknown level", left, "HRR[framing = crowds]", "CFX2204 crowds"],
    [
      "levels that do not meet",
      left,
      "HRR[arm = reask, framing = crowd]",
      "CFX2215 HRR[arm = reask, framing = crowd]",
    ],
    [
      "a paraphrase of a framing that has none",
      left,
      "HRR[framing = talk, paraphrase = plain]",
      "CFX2215 HRR[framing = talk, paraphrase = plain]",
    ],
    [
      "a condition that no trial meets",
      "arm == pressure and not framing == talk",
      "arm == reask and framing == talk",
      "CFX2215 arm == reask and framing == talk",
    ],
    ["an unknown way", "by paired(item)", "by paired(model)", "CFX2313 paired(model)"],
    ["an unknown row", "rows arm, framing", "rows arm, frame", "CFX2203 frame"],
    ["a column of a figure", "color structure", "color shade", "CFX2203 shade"],
    ["a mark", "bar HRR by", "pie HRR by", "CFX2013 pie"],
    ["a level in where", "where arm == pressure", "where arm == presure", "CFX2204 presure"],
    [
      "a where that is no condition",
      "where arm == pressure and not framing == talk",
      "where arm",
      "CFX2301 arm",
    ],
    ["an unknown contrast", "expect who.low > 0", "expect whom.low > 0", "CFX2310 whom"],
    ["an end that there is not", "expect who.low > 0", "expect who.lowest > 0", "CFX2303 lowest"],
    ["no comparison", "expect who.low > 0", "expect who", "CFX2311 who"],
    ["a comparison with no number", "expect who.low > 0", "expect who > 1 / 0", "CFX2311 who > 1 / 0"],
    ["a comparison of two contrasts", "expect who.low > 0", "expect who > who", "CFX2311 who > who"],
    ["a percentage for a fraction", "expect who.low > 0", "expect who.low > 60", "CFX2316 who.low > 60"],
    ["a bound that nothing exceeds", "expect who.low > 0", "expect who > 1", "CFX2316 who > 1"],
    ["a bound that nothing misses", "expect who.low > 0", "expect who >= -1", "CFX2316 who >= -1"],
    ["a bound on the other side", "expect who.low > 0", "expect 5 < who", "CFX2316 5 < who"],
    ["a bound that can be reached", "expect who.low > 0", "expect who >= 1"],
    ["an operator that no expectation has", "expect who.low > 0", "expect who == 0", "CFX2311 who == 0"],
    ["allowing what is no warning", "seed 0", 'seed 0 allow CFX2001 "x"', "CFX2016 CFX2001"],
    ["allowing what does not happen", "seed 0", 'seed 0 allow CFX4001 "x"', "CFX4007 CFX4001"],
  )

  it("columns of the model and the pool can be told apart", () => {
    expect(said([left, "HRR[model = m, framing = crowd, structure = all_wrong]"])).toEqual([])
    expect(said([left, "HRR[pool = other]"])).toEqual(["CFX2204 other"])
  })
})

describe("a comparison that says nothing", () => {
  const hints = (...changes: readonly (readonly [string, string])[]) =>
    compileText(edit(...changes)).diagnostics.map(({ code, message, hint }) => `${code} ${message} ${hint}`)

  cases(
    [
      "a confidence above 1",
      "first.confidence < 0.9",
      "first.confidence > 90",
      "CFX2316 first.confidence > 90",
    ],
    ["a mass below 0", "first.confidence < 0.9", "-1 > first.mass", "CFX2316 -1 > first.mass"],
    [
      "a difference of probabilities",
      "first.confidence < 0.9",
      "first.p(pushed) - first.p(target) < 1.5",
      "CFX2316 first.p(pushed) - first.p(target) < 1.5",
    ],
    ["a confidence of exactly 1", "first.confidence < 0.9", "first.confidence == 1"],
    ["a share that may exceed 1", "first.confidence < 0.9", "first.p(pushed) / first.p(target) > 2"],
    ["two numbers that are read", "first.confidence < 0.9", "first.confidence < first.mass"],
  )

  it("says which unit is meant", () => {
    expect(hints(["first.confidence < 0.9", "first.confidence > 90"])).toEqual([
      "CFX2316 `first.confidence` lies between 0 and 1, so this never holds. Probabilities and confidences are fractions of 1: 90 % is 0.9.",
    ])
    expect(hints(["expect who.low > 0", "expect who < 60"])).toEqual([
      "CFX2316 `who` lies between -1 and 1, so this always holds. Estimates are fractions of 1: 60 percentage points is 0.6.",
    ])
  })

  it("goes by the range of the read where an integer is compared", () => {
    expect(hints(["mean k.value interval", "mean k.value given k.value > 60 interval"])).toEqual([
      "CFX2316 `k.value` lies between 1 and 10, so this never holds. undefined",
    ])
    expect(said(["mean k.value interval", "mean k.value given k.value >= 1 interval"])).toEqual([
      "CFX2316 sure",
    ])
    expect(said(["mean k.value interval", "mean k.value given k.value > 6 interval"])).toEqual([])
  })

  it("goes by the range of the read where a mean of integers is compared", () => {
    const contrast =
      "sure[framing = crowd, structure = all_wrong] - sure[framing = bare, structure = all_wrong]"
    const change = (claim: string) =>
      hints(["expect who.low > 0", `contrast surer = ${contrast} by pooled expect surer ${claim}`])
    expect(change("> 5")).toEqual([])
    expect(change("> 60")).toEqual(["CFX2316 `surer` lies between -9 and 9, so this never holds. undefined"])
  })
})

describe("a name that a metric cannot use", () => {
  const hint = (from: string, to: string) => compileText(edit([from, to])).diagnostics.map((one) => one.hint)

  it("is a parameter where it is a read", () => {
    expect(hint("metric sure(k = k0) { mean k.value", "metric sure { mean k0.value")).toEqual([
      "A read must be a parameter of the metric: metric sure(k0 = k0)",
    ])
    expect(
      hint("metric sure(k = k0) { mean k.value", "metric sure(k = k0) { mean k.value given a1 == a2"),
    ).toEqual(["A read must be a parameter of the metric: metric sure(k = k0, a1 = a1, a2 = a2)"])
  })

  it("is one of its parameters where it is misspelt", () => {
    expect(hint("{ rate second !=", "{ rate secnd !=")).toContain("Did you mean `second`?")
  })

  it("may be a factor, which conditions of tables and figures compare", () => {
    expect(hint("mean k.value interval", "mean k.value given framing == crowd interval")).toEqual([
      "Factors can be compared in the `where` of a table or a figure.",
    ])
  })
})

describe("a mistake is not reported again where it is felt", () => {
  cases(
    ["no model among models", "models { m }", "models { }", "CFX2017 models { }"],
    ["no models", "models { m }", "", "CFX2010 e"],
    ["a misspelt factor", "framing in { bare", "framin in { bare", "CFX2201 framin"],
    ["no pool among items", "items { pool sample 40 }", "items { }", "CFX2017 items { }"],
    ["a misspelt assertion", "pressure = assertion(", "pressure = asertion(", "CFX1007 asertion"],
    [
      "levels that are not closed",
      "bare, crowd, panel, talk }",
      "bare, crowd, panel, talk ",
      "CFX1006 structure",
    ],
    [
      "levels that are not closed, with no comma",
      "bare, crowd, panel, talk },",
      "bare, crowd, panel, talk",
      "CFX1006 structure",
    ],
    ["the levels of another factor", "{ all_wrong, mixed }", "{ all_wrong, mixed ", "CFX1006 order"],
  )

  it("no arms", () => {
    const start = edit().indexOf("  arms {")
    const arms = edit().slice(start, edit().indexOf("  measure HRR\n"))
    expect(said([arms, ""])).toEqual(["CFX2450 ask"])
  })
})

describe("a level that is not one", () => {
  it("is one mistake, though another factor has a level of that name", () => {
    expect(said(["structure in { all_wrong, mixed }", "structure = identity"])).toEqual(["CFX2001 identity"])
  })
})

describe("all mistakes of a file come in one pass", () => {
  it("each once, in the order of their places", () => {
    const found = said(
      ["bytes 10", "byte 10"],
      ['"Person {i}: {assertion}"', '"Person {n}: {assertion}"'],
      ["voices(4)", "voices(0)"],
      ["expect who.low > 0", "expect whom > 0"],
    )
    expect(found).toEqual(["CFX2011 byte", "CFX2101 {n}", "CFX2208 0", "CFX2310 whom"])
  })
})

describe("words", () => {
  const told = (...changes: readonly (readonly [string, string])[]) =>
    compileText(edit(...changes)).diagnostics.map(({ message, hint }) => `${message} ${hint ?? ""}`.trim())

  it("suit what they are about", () => {
    expect(told(["bar HRR by", "pie HRR by"])).toEqual([
      "A figure is drawn by `bar`, `dot`, `line`, `matrix`, `distribution` or `forest`, and `pie` is none of these.",
    ])
    expect(told(["order = identity", "order = foo"])[0]).toMatch(/^There is no order `foo` here\./)
    expect(told(["target top_wrong(a0)", "target top_wrong(a1)"])[0]).toMatch(/^The target needs `a1` before/)
    expect(told(["dose = voices(4)", "dose = 4"])).toEqual([
      'A level of `dose` is a dose with its number, such as `distinct(3)`, and `4` is not. `distinct(4)` is 4 lines by as many voices, `repeated(4)` by one (from "std/doses"). Write for instance: dose = distinct(4)',
    ])
    expect(
      told(["framing bare {", "container bare {"], ['"Before your answer:"', '"Before {x}:"'])[0],
    ).toMatch(/^Nothing fills `\{x\}` in the preamble of a container\./)
    expect(told(["question = question", "question = The question"])[0]).toMatch(/stands in quotation marks/)
    const contrast = base.match(/^ +contrast who = .*\n/m)?.[0] ?? ""
    expect(told([contrast, ""], ["expect who.low > 0", "expect HRR > 0"])[0]).toMatch(
      /^The experiment has no contrast `HRR`\. What is expected is said of a contrast\. Declare one, such as /,
    )
  })
})
