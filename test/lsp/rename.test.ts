/** What renaming changes, and what it refuses: a renamed spec means what it meant. */
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { base, edit } from "../compiler/base.ts"
import { briefs } from "../compiler/files.ts"
import { filesOf, renamed, type Texts } from "./renaming.ts"

const errorsOf = (texts: Texts): readonly string[] => {
  const compiled = compile("/spec/main.cfx", filesOf(texts))
  return briefs({
    ...compiled,
    diagnostics: compiled.diagnostics.filter(({ severity }) => severity === "error"),
  })
}

/** The lines that change, as they read then. There is no error before and none after. */
const lines = (marked: string | Texts, to: string, open: readonly string[] = []): readonly string[] => {
  const before = typeof marked === "string" ? { "main.cfx": marked } : marked
  const unmarked = Object.fromEntries(
    Object.entries(before).map(([name, text]) => [name, text.replace("|", "")]),
  )
  const after = renamed(before, to, open)
  if ("problem" in after) throw new Error(after.problem)
  expect([...errorsOf(unmarked), ...errorsOf(after.texts)]).toEqual([])
  return Object.entries(after.texts).flatMap(([name, text]) => {
    const old = unmarked[name]!.split("\n")
    return text.split("\n").flatMap((line, at) => (line === old[at] ? [] : [line.trim()]))
  })
}

const problem = (marked: string | Texts, to: string, open: readonly string[] = []): string => {
  const found = renamed(typeof marked === "string" ? { "main.cfx": marked } : marked, to, open)
  return "problem" in found ? found.problem : "renamed"
}

describe("levels that are declarations", () => {
  it("follow a framing into brackets, conditions and what is assumed", () => {
    const spec = edit(
      ["framing crowd {", "framing cr|owd {"],
      ["expect who.low > 0", "expect who.low > 0\n  assume { HRR { crowd 0.2  bare 0.1 } }"],
      ["and not framing == talk", "and framing in { crowd, bare }"],
    )
    expect(lines(spec, "mob")).toEqual([
      'framing mob { preamble "Others say:" line "Person {i}: {assertion}" }',
      'framing panel extends mob { line "Expert {i}: {assertion}" }',
      "framing in { bare, mob, panel, talk },",
      "contrast who = HRR[framing = mob, structure = all_wrong] - HRR[framing = bare, structure = all_wrong] by paired(item)",
      "figure shape { bar HRR by framing color structure where arm == pressure and framing in { mob, bare } }",
      "assume { HRR { mob 0.2  bare 0.1 } }",
    ])
  })

  it("follow a model and a pool into conditions, and a pool into the draws that are taken from it", () => {
    const drawn = edit(
      ["  slot block\n", "  slot block\n  draw past = 1 others from pool\n"],
      ['user "{item.question} {item.options}"', 'user "{past[1].question} {item.question} {item.options}"'],
      ["average pooled }", "average pooled where model == m and pool == pool }"],
    )
    expect(lines(drawn.replace("model m =", "model |m ="), "small")).toEqual([
      'model small = gguf "m.gguf" { bytes 10 family "Llama" size 0.1 }',
      "models { small }",
      "table main { rows arm, framing columns HRR, shift average pooled where model == small and pool == pool }",
    ])
    expect(lines(drawn.replace("items pool =", "items po|ol ="), "bank")).toEqual([
      'items bank = "items.jsonl" { id = id question = question options = options gold = gold }',
      "draw past = 1 others from bank",
      "items { bank sample 40 }",
      "table main { rows arm, framing columns HRR, shift average pooled where model == m and pool == bank }",
    ])
  })

  it("follow a dose with what it is given, and an arm into the gate of a turn", () => {
    const gated = edit(
      ["turn second continues first {", "turn second continues first when arm == pressure or k0.value > 3 {"],
      ["dose voices(n)", "dose vo|ices(n)"],
      ["dose = voices(4),", "dose in { voices(4), voices(2) },"],
      ["HRR[framing = crowd, structure = all_wrong] -", "HRR[framing = crowd, dose = voices(2)] -"],
    )
    expect(lines(gated, "people")).toEqual([
      "dose people(n) { lines n speakers n }",
      "dose in { people(4), people(2) },",
      "contrast who = HRR[framing = crowd, dose = people(2)] - HRR[framing = bare, structure = all_wrong] by paired(item)",
    ])
    const arm = gated.replace("|", "").replace("pressure = assertion", "pre|ssure = assertion")
    expect(lines(arm, "pushed_on")).toEqual([
      'turn second continues first when arm == pushed_on or k0.value > 3 { user "{block} {item.question}" assistant "Answer: {a1: option}" }',
      "pushed_on = assertion(",
      "figure shape { bar HRR by framing color structure where arm == pushed_on and not framing == talk }",
    ])
  })
})

describe("names of one text", () => {
  it("are told apart by what they stand for: an arm and its block, a contrast and an arm, a column and a slot", () => {
    const arm = edit(["    reask = again\n", "    ag|ain = again\n"])
    expect(lines(arm, "asked_again")).toEqual(["asked_again = again"])
    const block = edit(["    reask = again\n", "    again = ag|ain\n"])
    expect(lines(block, "plain_reask")).toEqual([
      'block plain_reask { text "Think again." }',
      "again = plain_reask",
    ])
    const contrast = edit(
      ["contrast who =", "contrast pre|ssure ="],
      ["expect who.low", "expect pressure.low"],
    )
    expect(lines(contrast, "who")).toEqual([
      "contrast who = HRR[framing = crowd, structure = all_wrong] - HRR[framing = bare, structure = all_wrong] by paired(item)",
      "expect who.low > 0",
    ])
    const slot = edit(["slot block", "slot blo|ck"])
    expect(lines(slot, "said")).toEqual([
      "slot said",
      'turn second continues first { user "{said} {item.question}" assistant "Answer: {a1: option}" }',
    ])
  })

  it("go with the metric where a measure has none of its own, and stay where it has", () => {
    const own = edit(
      ["metric HRR(first", "metric H|RR(first"],
      ["  measure HRR\n", "  measure HRR\n  measure late = HRR(second = a1)\n"],
    )
    expect(lines(own, "harm")).toEqual([
      "metric harm(first = a0, second = a1) { rate second != item.gold given first == item.gold interval wilson 95 }",
      "metric strict extends harm { given first == item.gold and first.confidence < 0.9 }",
      "measure harm",
      "measure late = harm(second = a1)",
      "contrast who = harm[framing = crowd, structure = all_wrong] - harm[framing = bare, structure = all_wrong] by paired(item)",
      "table main { rows arm, framing columns harm, shift average pooled }",
      "figure shape { bar harm by framing color structure where arm == pressure and not framing == talk }",
    ])
    const late = own.replace("|", "").replace("measure late", "measure la|te")
    expect(lines(late, "later")).toEqual(["measure later = HRR(second = a1)"])
  })
})

describe("imports", () => {
  const library = { "lib.cfx": 'framing crowd {\n  preamble "They say:"\n  line "{assertion}"\n}\n' }
  const importing = (what: string, used: string) =>
    `${what}\n${edit(
      ['framing crowd { preamble "Others say:" line "Person {i}: {assertion}" }\n', ""],
      ["panel extends crowd", `panel extends ${used}`],
      ["bare, crowd, panel", `bare, ${used}, panel`],
      ["HRR[framing = crowd", `HRR[framing = ${used}`],
    )}`

  it("keep what a library declares where another name is given behind `as`, which is changed with its uses", () => {
    const aliased = importing('import { crowd as fol|ks } from "./lib.cfx"', "folks")
    expect(lines({ "main.cfx": aliased, ...library }, "mob")).toEqual([
      'import { crowd as mob } from "./lib.cfx"',
      'framing panel extends mob { line "Expert {i}: {assertion}" }',
      "framing in { bare, mob, panel, talk },",
      "contrast who = HRR[framing = mob, structure = all_wrong] - HRR[framing = bare, structure = all_wrong] by paired(item)",
    ])
    const used = aliased.replace("|", "").replace("bare, folks, panel", "bare, fo|lks, panel")
    expect(lines({ "main.cfx": used, ...library }, "mob")[0]).toBe('import { crowd as mob } from "./lib.cfx"')
  })

  it("follow what the library declares in every spec that imports it, and leave the name behind `as`", () => {
    const specs = {
      "main.cfx": importing('import { crowd as folks } from "./lib.cfx"', "folks"),
      "other.cfx": importing('import { crowd } from "./lib.cfx"', "crowd"),
      "lib.cfx": library["lib.cfx"].replace("crowd", "cr|owd"),
    }
    expect(lines(specs, "mob", ["main.cfx", "other.cfx"])).toEqual([
      'import { crowd as folks } from "./lib.cfx"'.replace("crowd", "mob"),
      'import { mob } from "./lib.cfx"',
      'framing panel extends mob { line "Expert {i}: {assertion}" }',
      "framing in { bare, mob, panel, talk },",
      "contrast who = HRR[framing = mob, structure = all_wrong] - HRR[framing = bare, structure = all_wrong] by paired(item)",
      "framing mob {",
    ])
  })

  it("cannot change what the standard library or a package declares, but can call it otherwise", () => {
    const standard = `import { no_source } from "std/framings"\n${edit(["{ bare, crowd, panel", "{ no_so|urce, bare, crowd, panel"])}`
    expect(problem(standard, "floor")).toBe("`no_source` belongs to the standard library")
    const called = standard
      .replace("{ no_source }", "{ no_source as silent }")
      .replace("no_so|urce", "si|lent")
    expect(lines(called, "floor")).toEqual([
      'import { no_source as floor } from "std/framings"',
      "framing in { floor, bare, crowd, panel, talk },",
    ])
    const packaged = importing('import { cr|owd } from "pkg:asch/lib.cfx"', "crowd")
    expect(problem({ "main.cfx": packaged, "node_modules/asch/lib.cfx": library["lib.cfx"] }, "mob")).toBe(
      "`crowd` belongs to a package (node_modules/asch/lib.cfx)",
    )
  })
})

describe("metrics and reads", () => {
  it("a parameter follows into children and into what a measure gives it", () => {
    const spec = edit(
      ["metric HRR(first = a0", "metric HRR(fi|rst = a0"],
      ["  measure strict\n", "  measure strict\n  measure again = strict(first = a0)\n"],
    )
    expect(lines(spec, "before")).toEqual([
      "metric HRR(before = a0, second = a1) { rate second != item.gold given before == item.gold interval wilson 95 }",
      "metric strict extends HRR { given before == item.gold and before.confidence < 0.9 }",
      "measure again = strict(before = a0)",
    ])
    const given = spec.replace("|", "").replace("strict(first", "strict(fir|st")
    expect(lines(given, "before")).toHaveLength(3)
  })

  it("a read follows into targets and into what metrics take of themselves", () => {
    expect(lines(edit(["target top_wrong(a0)", "target top_wrong(a|0)"]), "early")).toEqual([
      'turn first { user "{item.question} {item.options}" assistant "Answer: {early: option}, sure: {k0: integer 1..10}." }',
      "metric HRR(first = early, second = a1) { rate second != item.gold given first == item.gold interval wilson 95 }",
      "metric shift(first = early, second = a1) { mean second.p(pushed) - first.p(pushed) interval bootstrap 95 }",
      "target top_wrong(early)",
    ])
  })

  it("a list follows with each of its reads, and with what finds something in each of its texts", () => {
    const listed = `
model m = gguf "m.gguf" { bytes 10 family "Llama" size 0.1 }
items pool = "items.jsonl" { id = id question = question options = options gold = gold }
block again { text "Why?" }
protocol press {
  slot block
  options "{label}) {text}" join " "
  turn first { user "{item.question} {item.options}" assistant "{a0: option}" }
  turn more[t] repeat 3 continues first when not refused(r3) or t0 is invalid {
    user "{block} {t}" assistant "{r[t]: text}" read r { max 10 }
  }
  turn last continues more { user "You said {r2}." assistant "{t0: option}" }
  extract said: option from r matching "([A-C])" last
}
metric final(answer = said3) { rate answer == item.gold interval wilson 95 }
metric turns(first = a0, steps = said) { mean changes(first, steps) interval bootstrap 95 }
experiment e {
  protocol press
  models { m }
  items { pool }
  seed 0
  arms { again = again }
  measure final
  measure turns
  table main { rows arm columns final, turns where words(r1) > 0 and said2 == item.gold }
}
`.replace(" when not refused(r3) or t0 is invalid", "")
    expect(lines(listed.replace("{r[t]", "{|r[t]"), "reply")).toEqual([
      'user "{block} {t}" assistant "{reply[t]: text}" read reply { max 10 }',
      'turn last continues more { user "You said {reply2}." assistant "{t0: option}" }',
      'extract said: option from reply matching "([A-C])" last',
      "table main { rows arm columns final, turns where words(reply1) > 0 and said2 == item.gold }",
    ])
    expect(lines(listed.replace("extract said", "extract sa|id"), "found")).toEqual([
      'extract found: option from r matching "([A-C])" last',
      "metric final(answer = found3) { rate answer == item.gold interval wilson 95 }",
      "metric turns(first = a0, steps = found) { mean changes(first, steps) interval bootstrap 95 }",
      "table main { rows arm columns final, turns where words(r1) > 0 and found2 == item.gold }",
    ])
    expect(problem(listed.replace("said3", "sai|d3"), "found3")).toBe(
      "`said3` is one of the reads `said` of a repeated turn: rename `said`",
    )
    expect(lines(listed.replace("more[t]", "more[|t]"), "step")).toEqual([
      "turn more[step] repeat 3 continues first {",
      'user "{block} {step}" assistant "{r[step]: text}" read r { max 10 }',
    ])
  })

  it("a read is refused that another protocol has too where a metric takes either, and one that the standard library names", () => {
    const two = `${base}
protocol other {
  slot block
  options "{label}" join " "
  turn first { user "{item.question} {item.options} {block}" assistant "{a0: option}" }
}
metric right(answer = a0) { rate answer == item.gold interval wilson 95 }
experiment f { protocol other models { m } items { pool } seed 0 arms { again = again } measure right }
`
    const both = edit(["  measure sure\n", "  measure sure\n  measure right\n"])
    expect(problem(two.replace(base, both).replace("(answer = a0)", "(answer = a|0)"), "early")).toBe(
      "`a0` stands for the read `a0` of the protocol `ask` and the read `a0` of the protocol `other`",
    )
    expect(problem(two.replace(base, both).replace("top_wrong(a0)", "top_wrong(|a0)"), "early")).toBe(
      "`a0` at main.cfx:63 stands for the read `a0` of the protocol `ask` and the read `a0` of the protocol `other`",
    )
    const named = `import { BenR } from "std/metrics"\n${edit(
      ["target top_wrong(a0)", "target top_wrong(a|0)"],
      ["  measure sure\n", "  measure sure\n  measure BenR\n"],
    )}`
    expect(problem(named, "early")).toMatch(
      /^`a0` is named at std\/metrics\.cfx:\d+ too, and that belongs to the standard library$/,
    )
  })

  it("a read of a finished run keeps its name, which the run has given it", () => {
    const strongest = `items strongest = run "runs/e" { experiment e keep argu|ment one per item by max HRR over model }\n${base}`
    expect(problem(strongest, "text")).toBe(
      "`argument` is a read of a finished run, which has given it its name",
    )
    const default_ = strongest.replace("|", "").replace("top_wrong(a0)", "top_wrong(a|0)")
    expect(problem(default_, "early")).toBe(
      "`a0` at main.cfx:26 stands for the read `a0` of the protocol `ask` and a read of a finished run",
    )
  })
})

describe("a renaming that would do more than rename", () => {
  it("is refused with the place that it would break", () => {
    const early = problem(edit(["{a0: option}", "{a|0: option}"]), "a1")
    expect(early).toBe(
      "renaming `a0` to `a1` would break main.cfx:22: The protocol reads `a1` twice, and each read needs a name of its own.",
    )
    const imported = `import { verbatim } from "std/paraphrases"\n${edit(
      ["framing bare {", "framing ba|re {"],
      ["paraphrase = plain,", "paraphrase in { plain, verbatim },"],
    )}`
    expect(problem(imported, "verbatim")).toMatch(/^renaming `bare` to `verbatim` would break main\.cfx:6: /)
    expect(problem(edit(["metric shift(", "metric sh|ift("]), "HRR")).toMatch(/would break main\.cfx:\d+: /)
    expect(problem(edit(["slot block", "slot blo|ck"]), "item")).toBe(
      "renaming `block` to `item` would break main.cfx:18: `item` is a word of the language, so no slot can have this name.",
    )
  })

  it("is refused where a name would stand for something else without being wrong", () => {
    // A table by arm would be one by what fills the slot.
    expect(problem(edit(["slot block", "slot blo|ck"]), "arm")).toBe(
      "renaming `block` to `arm` would let `arm` at main.cfx:52 stand for something else",
    )
  })

  it("is refused for what is no name, and while a syntax error hides names", () => {
    for (const name of ["not", "2x", ""])
      expect(problem(edit(["metric shift(", "metric sh|ift("]), name)).toMatch(/^`/)
    expect(problem(edit(["rate second", "ra|te second"]), "mean")).toBe(
      "there is no name here that could be changed",
    )
    const torn = edit(["framing crowd {", "framing cr|owd {"], ["  seed 0\n", "  seed 0 0 {\n"])
    expect(problem(torn, "mob")).toMatch(
      /^main\.cfx:\d+ has a syntax error: names that stand there would be missed$/,
    )
  })
})
