/** Expressions of the whole language, metrics over any reads, and analyses beyond a difference of two measures. */
import { describe, expect, it } from "vitest"
import type { ExperimentIR, ExprIR } from "../../compiler/ir.ts"
import { printExpression } from "../../runtime/measure/print.ts"
import { briefs, compileText, questions } from "./files.ts"

const withSubjects = questions(40)
  .split("\n")
  .map((line, at) =>
    JSON.stringify({
      ...JSON.parse(line),
      subject: at % 2 === 0 ? "law" : "art",
      year: 1990 + at,
      coded: at % 3 === 0 ? "same" : "different",
    }),
  )
  .join("\n")

/** A spec with a read of every type, a list of reads, judges, roles, item columns and attributes of models. */
const base = `
model m = gguf "m.gguf" { family "Llama" size 0.1 }
model n = gguf "n.gguf" { family "Qwen" size 7.6 }
items pool = "items.jsonl" { id = id question = question options = options gold = gold subject = subject year = year coded = coded }
framing bare { preamble "Before your answer:" line "{assertion}" }
framing crowd { preamble "Others say:" line "Person {i}: {assertion}" }
paraphrase plain { "It is {answer}." }
paraphrase firm { "Surely it is {answer}." }
dose voices(n) { lines n speakers n }
block again { text "Think again." }
block padding { text "Think again about this. Take all of your time and read every option with care, please." }
lexicon hedges { "maybe" "perhaps" }

judge same_answer(reply) {
  user "Is this the answer {item.gold.text}? {reply}"
  assistant "{verdict: label(same, different)}"
  gold same
}
judge polite(reply) { matching "please" then yes else no }

protocol ask {
  slot block
  role other
  role grader
  options "{label}) {text}" join "\\n"
  extract found: option from reply matching "ANSWER: (\\w)" last
  judge v0 = same_answer(reply) by grader
  judge manners = polite(reply)
  turn first { user "{item.question} {item.options}" assistant "Answer: {a0: option}, sure: {k0: integer 1..10}." }
  turn said continues first by other {
    user "Why?"
    assistant "{reply: text}"
    read reply { max 40 refusal "I cannot" }
  }
  turn press[t] repeat 3 continues first when a0 == item.gold and not refused(reply) {
    user "{block} {item.question}"
    assistant "Answer: {a[t]: option}"
  }
}

metric HRR(first = a0, second = a1) { rate second != item.gold given first == item.gold interval wilson 95 }
metric shift(first = a0, second = a1) { mean second.p(pushed) - first.p(pushed) interval bootstrap 95 }

experiment e {
  protocol ask
  models { m, n }
  items { pool sample 40 }
  seed 0
  target top_wrong(a0)
  factor other in models
  factor grader = n
  arms {
    reask = again
    length = padding
    pressure = assertion(
      framing in { bare, crowd }, structure = all_wrong, order = identity, dose = voices(4), paraphrase in { plain, firm },
    )
  }
  measure HRR
  measure shift
  contrast who = HRR[framing = crowd] - HRR[framing = bare] by paired(item)
  table main { rows arm, framing columns HRR average pooled }
  allow CFX4005 "a small sample"
}
`

const edit = (...changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce((text, [from, to]) => {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`${from} stands ${parts.length - 1} times in the base`)
    return parts.join(to)
  }, base)

const compiled = (...changes: readonly (readonly [string, string])[]) =>
  compileText(edit(...changes), { "items.jsonl": withSubjects })

/** Errors alone: what the design lacks is not the matter here. */
const errors = (...changes: readonly (readonly [string, string])[]) => {
  const found = compiled(...changes)
  return briefs({ ...found, diagnostics: found.diagnostics.filter(({ severity }) => severity === "error") })
}

const experiment = (...changes: readonly (readonly [string, string])[]): ExperimentIR => {
  const { program, diagnostics } = compiled(...changes)
  const [only] = program?.experiments ?? []
  if (only === undefined) throw new Error(briefs({ ...compiled(...changes), diagnostics }).join("\n"))
  return only
}

/** A metric of this text is measured beside the others. */
const measuring = (metric: string, use?: string): readonly [string, string][] => {
  const name = /metric (\w+)/.exec(metric)?.[1] ?? ""
  return [
    ["metric shift(", `${metric}\nmetric shift(`],
    ["measure shift", `measure shift\n  measure ${use ?? name}`],
  ]
}

const rate = (value: string, parameters = "") =>
  `metric x(${parameters}) { rate ${value} interval wilson 95 }`
const mean = (value: string, parameters = "") =>
  `metric x(${parameters}) { mean ${value} interval bootstrap 95 }`

const lowered = (metric: string): ExprIR => {
  const measure = experiment(...measuring(metric)).measures.find(({ name }) => name === "x")
  if (measure === undefined) throw new Error("no measure x")
  return measure.value
}

describe("the base", () => {
  it("is sound", () => expect(errors()).toEqual([]))
})

describe("an expression of a metric", () => {
  const means = (title: string, metric: string, meaning: ExprIR) =>
    it(title, () => expect(lowered(metric)).toEqual(meaning))

  means("asks how a read came out", rate("r is refused", "r = reply"), {
    kind: "state",
    hole: "reply",
    state: "refused",
  })
  means("asks for a refusal by its function", rate("not refused(r)", "r = reply"), {
    kind: "unary",
    operator: "not",
    operand: { kind: "state", hole: "reply", state: "refused" },
  })
  means("counts the terms of a lexicon", mean("density(hedges, r)", "r = reply"), {
    kind: "lexicon",
    hole: "reply",
    of: "density",
    terms: ["maybe", "perhaps"],
  })
  means("measures a text", mean("words(r)", "r = reply"), { kind: "measured", hole: "reply", of: "words" })
  means("looks for a text", rate('starts(r, "Yes")', "r = reply"), {
    kind: "found",
    hole: "reply",
    of: "starts",
    text: "Yes",
  })
  means("counts changes along a list", mean("changes(first, steps)", "first = a0, steps = a"), {
    kind: "sequence",
    of: "changes",
    holes: ["a0", "a1", "a2", "a3"],
  })
  means("counts changes within a list", mean("changes(steps)", "steps = a"), {
    kind: "sequence",
    of: "changes",
    holes: ["a1", "a2", "a3"],
  })
  means("finds the first change", mean("first_change(first, steps)", "first = a0, steps = a"), {
    kind: "sequence",
    of: "first_change",
    holes: ["a0", "a1", "a2", "a3"],
  })
  means("compares a label with a text", rate('v == "different"', "v = v0"), {
    kind: "binary",
    operator: "==",
    left: { kind: "label", hole: "v0" },
    right: { kind: "string", value: "different" },
  })
  means(
    "compares a label with the gold answer by the label that counts as it",
    rate("v == item.gold", "v = v0"),
    {
      kind: "binary",
      operator: "==",
      left: { kind: "label", hole: "v0" },
      right: { kind: "string", value: "same" },
    },
  )
  means(
    "knows columns of the item, the number of its options, and attributes of the model",
    mean("item.year * item.choices - model.size"),
    {
      kind: "binary",
      operator: "-",
      left: {
        kind: "binary",
        operator: "*",
        left: { kind: "column", column: "year" },
        right: { kind: "choices" },
      },
      right: { kind: "attribute", attribute: "size" },
    },
  )
  means("knows the arm's lines", mean("line.words + line.answer_index"), {
    kind: "binary",
    operator: "+",
    left: { kind: "lines", of: "words" },
    right: { kind: "lines", of: "answer_index" },
  })
  means("looks for a column's value in a set", rate('item.subject in { "law", "art" }'), {
    kind: "among",
    value: { kind: "column", column: "subject" },
    levels: ["law", "art"],
  })

  means("looks up a number as it compares one", rate('item.year in { 1990, "x", 1991.0 }'), {
    kind: "binary",
    operator: "or",
    left: {
      kind: "binary",
      operator: "or",
      left: { kind: "among", value: { kind: "column", column: "year" }, levels: ["x"] },
      right: {
        kind: "binary",
        operator: "==",
        left: { kind: "column", column: "year" },
        right: { kind: "number", value: 1990 },
      },
    },
    right: {
      kind: "binary",
      operator: "==",
      left: { kind: "column", column: "year" },
      right: { kind: "number", value: 1991 },
    },
  })
  means("looks up an attribute's number in the same way", rate("model.size in { 7.60 }"), {
    kind: "binary",
    operator: "==",
    left: { kind: "attribute", attribute: "size" },
    right: { kind: "number", value: 7.6 },
  })

  const gives = (title: string, metric: string, ...expected: readonly string[]) =>
    it(title, () => expect(errors(...measuring(metric))).toEqual(expected))

  gives("knows no other function", rate("word(r) > 3", "r = reply"), "CFX2500 word")
  gives("asks for no other state", rate("r is missing", "r = reply"), "CFX2501 missing")
  gives("compares a label with its labels", rate('v == "sam"', "v = v0"), "CFX2502 x")
  gives("asks a rule's labels for a gold answer", rate("v == item.gold", "v = manners"), "CFX2503 x")
  gives("asks what is found in a text for a probability", mean("f.confidence", "f = found"), "CFX2504 x")
  gives("takes words of a text alone", mean("words(f)", "f = a0"), "CFX2301 x")
  const ratio = (first: string, second: string) =>
    `metric x(f = a0, s = a1) { ratio ${first}, ${second} interval bootstrap 95 }`
  gives("divides counts, and numbers, and one by the other", ratio("s != item.gold", "f != item.gold"))
  gives("counts what is true per number", ratio("s != item.gold", "f.confidence"))
  gives("divides no answers", ratio("s", "f != item.gold"), "CFX2301 s")
  gives("divides by no answer", ratio("s != item.gold", "f"), "CFX2301 f")
  gives("takes changes of a list alone", mean("changes(f)", "f = a0"), "CFX2301 x")
  gives("compares answers of one kind", rate("f == v", "f = a0, v = v0"), "CFX2302 x")
  gives("gives a function what it takes", mean("words()"), "CFX2207 words()")
  gives("names a lexicon that there is", mean("count(hedgs, r)", "r = reply"), "CFX2001 hedgs")
  gives("looks for a text in quotes", rate("contains(r, r)", "r = reply"), "CFX2301 r")
  gives("asks for a column that a pool has", mean("item.yeer"), "CFX2303 x")
  gives("asks for an attribute that a model has", mean("model.weight"), "CFX2303 x")
  gives("asks lines for what they have", mean("line.length"), "CFX2303 length")
  gives(
    "uses one parameter in ways that agree",
    rate('v == "same" and v.p(pushed) > 0.5', "v = v0"),
    "CFX2301 v",
  )
  gives(
    "uses each of its parameters, also in a function",
    mean("words(r)", "r = reply, s = found"),
    "CFX2103 s = found",
  )
  gives("asks no label for its raw probability", mean("v.raw(pushed)", "v = v0"), "CFX2301 x")
  gives("asks for the raw probability of something", mean("f.raw > 0", "f = a0"), "CFX2301 f.raw")
  gives("orders no texts", rate('v > "same"', "v = v0"), 'CFX2302 v > "same"')
})

describe("a measure", () => {
  it("may have a name and reads of its own", () => {
    const { measures } = experiment(["measure shift", "measure shift\n  measure late = HRR(second = a3)"])
    const late = measures.find(({ name }) => name === "late")
    expect(late && printExpression(late.value)).toBe("a3 != item.gold")
  })

  it("serves a judged text as it serves an answer", () => {
    const { measures } = experiment(["measure shift", "measure shift\n  measure judged = HRR(second = v0)"])
    const judged = measures.find(({ name }) => name === "judged")
    expect(judged && printExpression(judged.value)).toBe('v0 != "same"')
  })

  it("is a quantile or a sum as well", () => {
    const quantile = "metric x(k = k0) { quantile 0.5 of k.value interval bootstrap 95 }"
    const { measures } = experiment(...measuring(quantile))
    expect(measures.at(-1)?.statistic).toEqual({ quantile: 0.5 })
    const sum = "metric x(k = k0) { sum k.value interval bootstrap 95 }"
    expect(experiment(...measuring(sum)).measures.at(-1)?.statistic).toBe("sum")
  })

  const agreement = (value: string, parameters = "") =>
    `metric x(${parameters}) { kappa ${value} interval bootstrap 95 }`
  const codings = (metric: string) => {
    const found = experiment(...measuring(metric)).measures.at(-1)
    return found?.other && [found.statistic, printExpression(found.value), printExpression(found.other)]
  }

  it("is the agreement of a judge with a column, of two answers, or of two truth values", () => {
    expect(codings(agreement("v, item.coded", "v = v0"))).toEqual(["kappa", "v0", "item.coded"])
    expect(codings(agreement("v, w", "v = v0, w = manners"))).toEqual(["kappa", "v0", "manners"])
    expect(codings(agreement("f, s", "f = a0, s = a1"))).toEqual(["kappa", "a0", "a1"])
    expect(codings(agreement("f, item.gold", "f = found"))).toEqual(["kappa", "found", "item.gold"])
    expect(codings(agreement('v == "same", item.subject == "law"', "v = v0"))).toEqual([
      "kappa",
      'v0 == "same"',
      'item.subject == "law"',
    ])
  })

  it.each([
    ["of an answer and a column", "f, item.subject", "f = a0", "CFX2302 x"],
    ["of numbers", "f.confidence, s.confidence", "f = a0, s = a1", "CFX2302 s.confidence"],
    ["of a label and an option", "v, item.gold", "v = v0", "CFX2302 x"],
    ["of a text", "r, item.subject", "r = reply", "CFX2302 x"],
    ["of an answer and a label", "f, v", "f = a0, v = v0", "CFX2302 x"],
    ["of a column that no item has", "v, item.humn", "v = v0", "CFX2303 x"],
  ])("is no agreement %s", (_, value, parameters, expected) => {
    expect(errors(...measuring(agreement(value, parameters)))).toEqual([expected])
  })

  it("of agreement has no interval but by resampling, and is not contrasted with another", () => {
    const metric = agreement("v, item.coded", "v = v0")
    expect(errors(...measuring(metric.replace("bootstrap", "wilson")))).toEqual(["CFX2305 wilson"])
    const contrasted = (value: string, way: string) =>
      errors(...measuring(metric), [
        "contrast who =",
        `contrast agreed = ${value} by ${way}\n  contrast who =`,
      ])
    const [left, right] = ["x[framing = crowd]", "x[framing = bare]"]
    expect(contrasted(`${left} - ${right}`, "pooled, cells(model)")).toEqual([])
    expect(contrasted(`${left} - ${right}`, "paired(item)")).toEqual(["CFX2510 paired(item)"])
    expect(contrasted(`${left} - HRR[framing = bare]`, "pooled")).toEqual([
      `CFX2302 ${left} - HRR[framing = bare]`,
    ])
  })

  it("may be of a raw probability", () => {
    expect(lowered(mean("f.raw(pushed)", "f = a1"))).toEqual({
      kind: "raw",
      hole: "a1",
      option: { kind: "pushed" },
    })
    const perToken = mean("f.raw(item.gold)", "f = a0")
    const scored = [
      'sure: {k0: integer 1..10}." }',
      'sure: {k0: integer 1..10}." read a0 { score text_per_token } }',
    ] as const
    expect(errors(...measuring(perToken), scored)).toEqual(["CFX2517 x"])
    expect(errors(...measuring(mean("f.p(item.gold)", "f = a0")), scored)).toEqual([])
  })

  const gives = (title: string, field: string, ...expected: readonly string[]) =>
    it(title, () => expect(errors(["measure shift", `measure shift\n  measure ${field}`])).toEqual(expected))

  gives("has a parameter for each argument", "late = HRR(secnd = a3)", "CFX2506 secnd")
  gives("is given a parameter once", "late = HRR(second = a3, second = a2)", "CFX2003 second")
  gives("is given a read that there is", "late = HRR(second = a9)", "CFX2312 a9")
  gives("is given a name", "late = HRR(second = 3)", "CFX2315 3")
  gives("is given reads of a type that it can use", "late = shift(second = v0)", "CFX2301 shift")
  gives("has a name of its own", "shift = HRR(second = a3)", "CFX2003 shift")
  it("takes a quantile between 0 and 1", () => {
    const metric = "metric x(k = k0) { quantile 50 of k.value interval bootstrap 95 }"
    expect(errors(...measuring(metric))).toEqual(["CFX2507 50"])
  })
  it("resamples what is no rate", () => {
    const metric = "metric x(k = k0) { sum k.value interval wilson 95 }"
    expect(errors(...measuring(metric))).toEqual(["CFX2305 wilson"])
  })
})

describe("a condition on trials", () => {
  const where = (condition: string) =>
    experiment(["columns HRR average pooled", `columns HRR average pooled where ${condition}`]).tables[0]
      ?.where
  const prints = (condition: string, printed = condition) =>
    it(condition, () => {
      const found = where(condition)
      expect(found && printExpression(found)).toBe(printed)
    })

  prints("framing in { bare, crowd }")
  prints('item.subject != "law" and item.year > 2000')
  prints("other == model")
  prints("other == n and grader != model")
  prints("item.year in { 1990, 1991 }", "item.year == 1990 or item.year == 1991")
  prints(
    'not (item.year in { 1990 } and item.subject == "law")',
    'not (item.year == 1990 and item.subject == "law")',
  )
  prints("(a0 == item.gold) == (found == item.gold)")
  prints("(not refused(reply)) == (v0 is value)", "(not reply is refused) == (v0 is value)")
  prints("not refused(reply)", "not reply is refused")
  prints("v0 is value and found == item.gold")
  prints('model.family == "Qwen"')
  prints("changes(a0, a) > 1", "changes(a0, a1, a2, a3) > 1")

  const gives = (condition: string, ...expected: readonly string[]) =>
    it(`not: ${condition}`, () =>
      expect(errors(["columns HRR average pooled", `columns HRR average pooled where ${condition}`])).toEqual(
        expected,
      ))

  gives("framing in { bare, crowds }", "CFX2204 crowds")
  gives("other == framing", "CFX2204 framing")
  gives('item.subjct == "law"', "CFX2303 subjct")
  gives("a0 in { bare }", "CFX2301 a0")
  gives("manners == item.gold", "CFX2503 manners")
})

describe("a contrast", () => {
  const by = (text: string) => [["by paired(item)", text]] as const
  const of = (text: string) => [["HRR[framing = crowd] - HRR[framing = bare]", text]] as const

  it("is a signed sum, parentheses and all", () => {
    const { contrasts } = experiment(
      ...of("(HRR[framing = crowd] - HRR[framing = bare]) - (HRR[arm = length] - HRR[arm = reask])"),
    )
    expect(contrasts[0]?.terms.map(({ sign, levels }) => [sign, Object.values(levels)[0]])).toEqual([
      [1, "crowd"],
      [-1, "bare"],
      [-1, "length"],
      [1, "reask"],
    ])
  })

  it("is taken in several ways", () => {
    const { contrasts } = experiment(...by("by paired(item), pooled, cells(model, subject), mixed_logistic"))
    expect(contrasts[0]?.by).toEqual(["paired", "pooled", { cells: ["model", "subject"] }, "mixed_logistic"])
  })

  const gives = (
    title: string,
    changes: readonly (readonly [string, string])[],
    ...expected: readonly string[]
  ) => it(title, () => expect(errors(...changes)).toEqual(expected))

  gives(
    "adds as much as it takes away",
    of("HRR[framing = crowd] + HRR[framing = bare]"),
    "CFX2308 HRR[framing = crowd] + HRR[framing = bare]",
  )
  gives(
    "is of measures alone",
    of("HRR[framing = crowd] - 2 * HRR[framing = bare]"),
    "CFX2308 HRR[framing = crowd] - 2 * HRR[framing = bare]",
  )
  gives(
    "does not cancel out",
    of("(HRR[arm = length] - HRR[arm = reask]) - (HRR[arm = length] - HRR[arm = reask])"),
    "CFX2309 (HRR[arm = length] - HRR[arm = reask]) - (HRR[arm = lengt...",
  )
  gives("is taken by cells of columns that there are", by("by cells(modle)"), "CFX2203 modle")
  gives("is taken by cells that its sides share", by("by cells(framing)"), "CFX2508 framing")
  gives("is taken by some cells", by("by cells()"), "CFX2313 cells()")
  gives(
    "is modelled where it is of rates",
    [
      ["by paired(item)", "by pooled"],
      [
        "table main",
        "contrast moved = shift[framing = crowd] - shift[framing = bare] by mixed_logistic\n  table main",
      ],
    ],
    "CFX2510 mixed_logistic",
  )
})

describe("an expectation of a bound", () => {
  it.each([
    ["who > -(0.02 + 0.03)", -0.05],
    ["who.low > 0.1 - (0.02 - 0.03)", 0.11],
    ["who < -0.02 + 0.03", 0.01],
  ])("is told with the brackets that it has: %s", (text, bound) => {
    const [claim] = experiment(["table main", `expect ${text}\n  table main`]).expects
    expect(claim).toMatchObject({ text, bound: expect.closeTo(bound, 12) })
  })
})

describe("an expectation of next to no difference", () => {
  const expecting = (claim: string) => [["table main", `expect ${claim}\n  table main`]] as const
  it("has a margin in percentage points, or as a fraction", () => {
    for (const text of ["who equivalent within 3 pp", "who equivalent within 0.03"]) {
      const [claim] = experiment(...expecting(text)).expects
      expect(claim).toMatchObject({ kind: "equivalent", text, contrast: "who", margin: 0.03 })
    }
  })
  it.each([
    ["who equivalent within 3", "CFX2515 3"],
    ["who equivalent within 0 pp", "CFX2515 0"],
    ["whom equivalent within 3 pp", "CFX2310 whom"],
  ])("not: %s", (claim, expected) => expect(errors(...expecting(claim))).toEqual([expected]))
})

describe("a model that is fitted", () => {
  const fitting = (body: string) => [["table main", `model_fit odds { ${body} }\n  table main`]] as const
  it("has terms, random intercepts and slopes", () => {
    const [fit] = experiment(
      ...fitting(
        "logit HRR ~ framing + framing * paraphrase + a0.confidence random [model, item] slopes [framing by model] where arm == pressure",
      ),
    ).fits
    expect(fit?.terms.map((term) => term.map(printExpression))).toEqual([
      ["framing"],
      ["framing", "paraphrase"],
      ["a0.confidence"],
    ])
    expect(fit).toMatchObject({
      measure: "HRR",
      random: ["model", "item"],
      slopes: [{ factor: "framing", by: "model" }],
    })
  })
  it.each([
    ["logit shift ~ framing random [item]", "CFX2511 shift"],
    ["logit HRRR ~ framing random [item]", "CFX2307 HRRR"],
    ["logit HRR ~ framng random [item]", "CFX2203 framng"],
    ["logit HRR ~ framing + a0 random [item]", "CFX2512 a0"],
    ["logit HRR ~ framing + 1 random [item]", "CFX2512 1"],
    ["logit HRR ~ framing random [itm]", "CFX2203 itm"],
    ["logit HRR ~ framing random [item] slopes [framing by model]", "CFX2513 model"],
  ])("not: %s", (body, expected) => expect(errors(...fitting(body))).toEqual([expected]))
})

describe("a table and a figure", () => {
  it("go by columns of the items, and average over cells", () => {
    const { tables } = experiment([
      "rows arm, framing columns HRR average pooled",
      "rows subject columns HRR average macro(model, pool)",
    ])
    expect(tables[0]).toMatchObject({ rows: ["subject"], average: { macro: ["model", "pool"] } })
  })
  it("have a panel for each level of a facet", () => {
    const [figure] = experiment([
      "table main",
      "figure f { dot HRR by framing color paraphrase facet model where arm == pressure }\n  table main",
    ]).figures
    expect(figure).toMatchObject({ mark: "dot", by: "framing", color: "paraphrase", facet: "model" })
  })
  it.each([
    ["rows subjct columns HRR average pooled", "CFX2203 subjct"],
    ["rows arm columns HRR average macro", "CFX2013 macro"],
    ["rows arm columns HRR average macro(modle)", "CFX2203 modle"],
  ])("not: %s", (body, expected) =>
    expect(errors(["rows arm, framing columns HRR average pooled", body])).toEqual([expected]),
  )
  it.each([
    ["matrix HRR by framing", "CFX2514 matrix"],
    ["pie HRR by framing", "CFX2013 pie"],
    ["bar HRR by framing facet framing", "CFX2003 framing"],
  ])("not: %s", (body, expected) =>
    expect(errors(["table main", `figure f { ${body} }\n  table main`])).toEqual([expected]),
  )
})

describe("conditions elsewhere in the language", () => {
  it("open turns by reads that came before and by the design", () => {
    const turn = experiment().protocol.turns.find(({ name }) => name.startsWith("press"))
    expect(turn?.when && printExpression(turn.when)).toBe("a0 == item.gold and not reply is refused")
  })
  it("choose rows of a pool by their columns", () => {
    const where = 'where subject != "history" and year >= 1990'
    expect(compiled(["year = year", `year = year ${where}`]).program?.pools[0]).toMatchObject({
      where: { kind: "binary", operator: "and", left: { left: { kind: "column", column: "subject" } } },
    })
  })
  it("ask no reads of a pool's rows", () => {
    expect(errors(["year = year", "year = year where refused(subject)"])).toEqual(["CFX2500 refused"])
  })
})

describe("a measure over some of the trials", () => {
  const contrast = (value: string, by = "pooled") =>
    experiment(["by paired(item)", `by paired(item)\n  contrast apart = ${value} by ${by}`]).contrasts.find(
      ({ name }) => name === "apart",
    )!
  const shown = (value: string): readonly string[] =>
    contrast(value).terms.map(({ levels, where }) =>
      [
        ...Object.entries(levels).map(([factor, level]) => `${factor}: ${level}`),
        where && printExpression(where),
      ]
        .filter((part) => part !== undefined)
        .join("; "),
    )

  it("takes several levels, or all but one", () => {
    expect(shown("HRR[framing in { bare, crowd }, paraphrase = plain] - HRR[arm != pressure]")).toEqual([
      "paraphrase: plain; framing in { bare, crowd }",
      "arm != pressure",
    ])
  })

  it("compares a role with the studied model, where no level goes by that name", () => {
    expect(shown("HRR[other != model] - HRR[other = model]")).toEqual(["other != model", "other == model"])
    expect(shown("HRR[other = m] - HRR[other = n]")).toEqual(["other: m", "other: n"])
  })

  it("is refused where the conditions leave no trial, and where both sides are the same", () => {
    const apart = (value: string) =>
      errors(["by paired(item)", `by paired(item)\n  contrast apart = ${value} by pooled`])
    expect(apart("HRR[framing = bare, framing in { crowd }] - HRR[framing = crowd]")).toEqual([
      expect.stringContaining("CFX2215"),
    ])
    expect(apart("HRR[other != model] - HRR[other != model]")).toEqual([expect.stringContaining("CFX2309")])
  })

  it("is contrasted in the ways that there are", () => {
    expect(
      contrast("HRR[framing = crowd] - HRR[arm = reask]", "permutation(item), two_sample, signs(model)").by,
    ).toEqual(["permutation", "two_sample", { cells: ["model"], signs: true }])
  })
})

describe("numbers over cells", () => {
  const adding = (field: string) => experiment(["by paired(item)", `by paired(item)\n  ${field}`])

  it("are summaries, with their cells, and one number for each level of `by`", () => {
    expect(
      adding("summary r = correlation HRR against shift[arm = pressure] over subject by model").summaries,
    ).toMatchObject([
      {
        name: "r",
        of: "correlation",
        measure: { measure: "HRR", levels: {} },
        against: { measure: "shift", levels: { arm: "pressure" } },
        over: ["subject"],
        by: ["model"],
      },
    ])
  })

  it("are published, in percent or in the measure's own unit", () => {
    expect(adding("expect HRR[arm = reask] equals 10.3 percent within 0.5 pp").published).toMatchObject([
      { text: "HRR[arm = reask] equals 10.3 percent within 0.5 pp", value: 0.103, within: 0.005 },
    ])
    expect(adding("expect shift equals -0.015 within 0.01").published).toMatchObject([
      { value: -0.015, within: 0.01 },
    ])
  })
})

describe("a metric of two expressions", () => {
  it("keeps both, and a weight", () => {
    const metric =
      "metric x(f = a0, s = a1) { auroc s != item.gold, 1 - f.recalibrated(2) given f == item.gold interval bca 90 }"
    const measure = experiment(...measuring(metric)).measures.find(({ name }) => name === "x")!
    expect(measure).toMatchObject({ statistic: "auroc", interval: { method: "bca", level: 90 } })
    expect(printExpression(measure.other!)).toBe("1 - a0.recalibrated(2)")
    const weighted = "metric x(s = a1) { rate s != item.gold weight item.choices interval bootstrap 95 }"
    expect(experiment(...measuring(weighted)).measures.find(({ name }) => name === "x")!.weight).toEqual({
      kind: "choices",
    })
  })
})
