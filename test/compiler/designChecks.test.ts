import { describe, expect, it } from "vitest"
import { briefs, compileText, questions } from "./files.ts"
import { assertion, baselines, declarations, experiment, protocol, said } from "./spec.ts"

const ask = protocol("ask")
const arms = (...more: readonly string[]) => `{ ${baselines} ${more.join(" ")} }`
const press = (factors: Readonly<Record<string, string>>, name = "pressure") =>
  `${name} = ${assertion(factors)}`

/** What is said of an experiment with these fields, in codes and marked text. */
const of = (fields: Readonly<Record<string, string>>, rest = "", ...more: readonly string[]) =>
  said(ask, ...more, experiment(fields, rest))

const codes = (found: readonly string[]) => found.map((line) => line.slice(0, 7))

/** Items by how many options each has and where gold is. */
const rows = (count: number, item: (index: number) => { options?: number; gold?: number; hint?: string }) =>
  Array.from({ length: count }, (_, index) => {
    const { options = 3, gold = index % 3, hint } = item(index)
    const texts = Array.from({ length: options }, (_, place) => `${index}-${place}`)
    return JSON.stringify({
      id: `q${index}`,
      question: `Which is ${index}?`,
      options: texts,
      gold: "ABCDEF"[gold],
      hint,
    })
  }).join("\n")

const withItems = (items: string, fields: Readonly<Record<string, string>>, rest = "", spec = declarations) =>
  compileText([spec, ask, experiment(fields, rest)].join("\n"), { "items.jsonl": items })

describe("a length control", () => {
  it("shorter than half of some assertions is warned of, with the arms", () => {
    const long = press({ framing: "= crowd", dose: "= voices(20)" }, "long")
    expect(of({ arms: arms(press({}), long) })).toEqual(["CFX4009 e"])
    expect(of({ arms: arms(press({}), press({ framing: "= crowd" }, "short")) })).toEqual([])
  })
})

describe("doses that are compared", () => {
  const floor = press({ dose: "= voices(4)" }, "floor")
  const dosed = (doses: string) =>
    of({ arms: arms(floor, press({ framing: "= crowd", dose: `in { ${doses} }` })) })

  it("need twins, so that lines and voices can be told apart", () => {
    expect(dosed("voices(2), voices(4)")).toEqual(["CFX4010 dose"])
    expect(dosed("voices(2), echo(2), voices(4)")).toEqual(["CFX4010 dose"])
    expect(dosed("voices(2), echo(2), voices(4), echo(4)")).toEqual([])
  })

  it("may have their twin under another framing", () => {
    const twin = press({ dose: "in { echo(2), echo(4) }" }, "floor")
    const crowded = press({ framing: "= crowd", dose: "in { voices(2), voices(4) }" })
    expect(of({ arms: arms(twin, crowded) })).toEqual([])
  })

  it("need none where there is one number of lines, or one line", () => {
    expect(dosed("voices(4)")).toEqual([])
    expect(dosed("voices(1), voices(4), echo(4)")).toEqual([])
  })

  it("need none where no line says whose it is", () => {
    expect(of({ arms: arms(press({ dose: "in { echo(2), echo(4) }" })) })).toEqual([])
  })
})

describe("a placebo", () => {
  const fields = { target: "placebo_label", items: "{ pool }" }
  it("that is an option of other items is warned of", () => {
    const mixed = rows(40, (index) => ({ options: 3 + (index % 2) }))
    expect(withItems(mixed, fields).diagnostics.map(({ code }) => code)).toEqual(["CFX4011"])
    expect(
      withItems(
        rows(40, () => ({})),
        fields,
      ).diagnostics,
    ).toEqual([])
    expect(withItems(mixed, { items: "{ pool }" }).diagnostics).toEqual([])
  })
})

describe("eligible items", () => {
  it("are few where the assumption makes them so", () => {
    const measured = { measure: "HRR" }
    expect(of(measured, "assume { accuracy 0.7 }")).toEqual(["CFX4012 HRR"])
    expect(of(measured, "assume { accuracy 0.8 }")).toEqual([])
    expect(of({ measure: "same" }, "assume { accuracy 0.1 }")).toEqual([])
    expect(of(measured)).toEqual([])
  })

  it("are few among the wrong ones where most are right, and under two conditions", () => {
    const wrong =
      "metric BenR(first = a0, second = a1) { rate second == item.gold given first != item.gold interval wilson 95 }"
    expect(of({ measure: "BenR" }, "assume { accuracy 0.8 }", wrong)).toEqual(["CFX4012 BenR"])
    const sure =
      "metric sure(first = a0, second = a1) { rate second == first given first == item.gold and first.confidence > 0.9 interval wilson 95 }"
    expect(of({ measure: "sure" }, "assume { accuracy 0.6 }", sure)).toEqual(["CFX4012 sure"])
  })

  it("are not counted again where the pool brings few", () => {
    expect(of({ items: "{ pool sample 20 }" }, "assume { accuracy 0.5 }")).toEqual(["CFX4006 pool"])
  })
})

describe("an answer that is found in a text", () => {
  const told = `
    protocol told {
      slot block
      options "{label}) {text}" join "\\n"
      turn first { user "{item.question} {item.options}" assistant "Answer: {a0: option}" }
      turn second continues first { user "{block}" assistant "{reply: text}" read reply { max 60 } }
      extract a1: option from reply matching "ANSWER: (.)" last
    }`
  const metric = (policy: string) =>
    `metric kept(first = a0, second = a1) { rate second == first interval wilson 95 ${policy} }`
  const measured = experiment({ protocol: "told", measure: "kept" })
  it("needs a policy for texts without one", () => {
    expect(said(told, metric(""), measured)).toEqual(["CFX4013 kept"])
    for (const policy of ["exclude", "wrong", "error"])
      expect(said(told, metric(`invalid ${policy}`), measured)).toEqual([])
  })
})

describe("arms that differ by a column", () => {
  const spec = (hints: (index: number) => string) => {
    const pool = declarations.replace("gold = gold }", "gold = gold hint = hint }")
    const blocks =
      'block hinted { text "{item.hint} Your answer?" } block plain_one { text "Think. Your answer?" }'
    const fields = { arms: "{ hinted = hinted unhinted = plain_one }", measure: "same", target: "" }
    return withItems(
      rows(40, (index) => ({ hint: hints(index) })),
      fields,
      "",
      `${pool}\n${blocks}`,
    )
  }
  it("are warned of where they come to one text for some items", () => {
    const { diagnostics } = spec((index) => (index < 3 ? "Think." : 'Think "twice".'))
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [
        "CFX4014",
        "For 3 of 40 items, `hinted` and `unhinted` of `arm` come to the same text: there they cannot differ.",
      ],
    ])
    expect(spec(() => "Hm.").diagnostics).toEqual([])
  })
})

describe("lines of twins", () => {
  const twins = (line: string, contrast = "HRR[framing = gang] - HRR[framing = crowd]", more = "") =>
    of(
      { arms: arms(press({ framing: "in { bare, crowd, gang }" })) },
      `contrast c = ${contrast} by pooled ${more}`,
      `framing gang extends crowd { line "${line}" }`,
    )
  it("have the answer at the same word", () => {
    expect(codes(twins("Gang member {i}: {assertion}"))).toEqual(["CFX4015"])
    expect(codes(twins("Gangster {i}: {assertion} Yes."))).toEqual(["CFX4015"])
    expect(twins("Gangster {i}: {assertion}")).toEqual([])
  })

  it("are said of once, with both profiles", () => {
    const found = compileText(
      [
        declarations,
        ask,
        'framing gang extends crowd { line "A gang member {i}: {assertion}" }',
        experiment(
          { arms: arms(press({ framing: "in { bare, crowd, gang }" })) },
          "contrast c = HRR[framing = gang] - HRR[framing = crowd] by pooled contrast d = HRR[framing = crowd] - HRR[framing = gang] by pooled",
        ),
      ].join("\n"),
    ).diagnostics
    expect(found.map(({ message }) => message)).toEqual([
      "Line 1 of `gang` has 7 words with the answer at word 7, and that of `crowd` 5 words with the answer at word 5: more than the source differs.",
    ])
  })

  it("are not those of a framing and its floor, nor of framings that have nothing to do with one another", () => {
    expect(twins("Gang member {i}: {assertion}", "HRR[framing = gang] - HRR[framing = bare]")).toEqual([])
    const stranger = 'framing gang { line "Gang member {i}: {assertion}" }'
    expect(
      of(
        { arms: arms(press({ framing: "in { bare, crowd, gang }" })) },
        "contrast c = HRR[framing = gang] - HRR[framing = crowd] by pooled",
        stranger,
      ),
    ).toEqual([])
  })
})

describe("containers", () => {
  const leaflet = 'container leaflet { line "Leaflet: {assertion}" }'
  const page = (dose: string) => press({ framing: "= leaflet", dose: `= ${dose}` }, "page")
  const compared = "contrast c = HRR[framing = leaflet] - HRR[framing = bare] by pooled"
  const both = (dose: string, rest = "") =>
    of({ arms: arms(press({ dose: "= echo(4)" }), page(dose)) }, rest, leaflet)

  it("have as many lines as the framings that they are compared with", () => {
    expect(codes(both("echo(3)", compared))).toEqual(["CFX4016"])
    expect(codes(both("echo(3)"))).toEqual(["CFX4016"])
    expect(both("echo(4)", compared)).toEqual([])
  })

  it("may differ from framings as these do from one another, which is another warning", () => {
    const framing = 'framing leaflet { line "Leaflet: {assertion}" }'
    expect(
      codes(of({ arms: arms(press({ dose: "= echo(4)" }), page("echo(3)")) }, compared, framing)),
    ).toEqual(["CFX4004"])
  })
})

describe("one wording of each framing", () => {
  const contrast = "contrast c = HRR[framing = crowd] - HRR[framing = bare] by"
  const plain = { arms: arms(press({ framing: "in { bare, crowd }" })) }

  it("is warned of where something is inferred about framings", () => {
    expect(codes(of(plain, `${contrast} pooled expect c equivalent within 0.03`))).toEqual(["CFX4017"])
    expect(codes(of(plain, `${contrast} mixed_logistic`))).toEqual(["CFX4017"])
    expect(codes(of(plain, "model_fit odds { logit HRR ~ framing random [item] }"))).toEqual(["CFX4017"])
  })

  it("is enough for a claim about these very words, and no matter where framings are not compared", () => {
    expect(of(plain, `${contrast} pooled expect c > 0`)).toEqual([])
    expect(
      of(
        plain,
        "contrast c = HRR[arm = length] - HRR[arm = reask] by pooled expect c equivalent within 0.03",
      ),
    ).toEqual([])
    expect(codes(of(plain, "model_fit odds { logit HRR ~ arm random [item] }"))).toEqual([])
  })

  it("is not there where each has several", () => {
    const worded = 'framing floor { line "{assertion}" wording second { line "{assertion}" preamble "So:" } }'
    const fields = { arms: arms(press({ framing: "in { floor, crowd }", wording: "in { base, second }" })) }
    expect(codes(of(fields, "model_fit odds { logit HRR ~ framing random [item] }", worded))).toEqual([])
  })
})

describe("a claim of no difference", () => {
  const claimed = (...claims: readonly string[]) =>
    codes(
      of(
        {},
        `contrast c = HRR[arm = length] - HRR[arm = reask] by pooled ${claims.map((claim) => `expect ${claim}`).join(" ")}`,
      ),
    )
  it("needs a margin", () => {
    expect(claimed("c < 0.03", "c > -0.03")).toEqual(["CFX4018"])
    expect(claimed("-0.03 < c", "c <= 0.05")).toEqual(["CFX4018"])
    expect(claimed("c.low < 0", "c.high > 0")).toEqual(["CFX4018"])
    expect(claimed("c < 0.03", "c > -0.03", "c equivalent within 0.03")).toEqual([])
  })

  it("is none where both bounds are on one side", () => {
    expect(claimed("c > 0.02", "c < 0.5")).toEqual([])
    expect(claimed("c > -0.03")).toEqual([])
    expect(claimed("c < -0.02", "c > -0.2")).toEqual([])
  })
})

describe("stimuli of a replication", () => {
  const sourced = declarations.replace(
    'block again { text "Think again." }',
    'block again { text "Think again." verbatim "p. 3" }',
  )
  const spec = (doc: string, base = sourced) =>
    compileText(
      [base, ask, `/// ${doc}\n${experiment({ arms: "{ reask = again length = padding }" })}`].join("\n"),
    ).diagnostics

  it("say where their words are from", () => {
    for (const doc of [
      "A replica of Hu & Qu (2026).",
      "After Weng et al., 2025.",
      "Asch (1956) for models.",
      "By Doe and Roe 2020.",
    ]) {
      expect(
        spec(doc).map(({ code }) => code),
        doc,
      ).toEqual(["CFX4019"])
    }
    expect(spec("Asch (1956) for models.")[0]?.message).toMatch(
      /names Asch \(1956\), and `padding` does not say/,
    )
  })

  it("need not where no paper is named", () => {
    for (const doc of ["What happens.", "In 2026 a pilot.", "Table 2026."]) expect(spec(doc), doc).toEqual([])
  })

  it("need not for the libraries' sake", () => {
    const libraries = 'import { plain_reask } from "std/baselines"\n'
    const compiled = compileText(
      [libraries, declarations, ask, experiment({ arms: "{ reask = plain_reask length = padding }" })].join(
        "\n",
      ),
    )
    expect(compiled.diagnostics).toEqual([])
  })
})

describe("gold at one place", () => {
  const items = rows(40, () => ({ gold: 0 }))
  it("is warned of unless the pool or the design moves it", () => {
    expect(withItems(items, {}).diagnostics.map(({ code }) => code)).toEqual(["CFX4020"])
    expect(withItems(items, { options: "shuffled" }).diagnostics).toEqual([])
    const shuffled = declarations.replace("gold = gold }", "gold = gold shuffle options }")
    expect(withItems(items, {}, "", shuffled).diagnostics).toEqual([])
  })

  it("is an accident where items are few", () => {
    const found = withItems(
      rows(9, () => ({ gold: 1 })),
      { items: "{ pool }" },
    ).diagnostics
    expect(found.map(({ code }) => code)).toEqual(["CFX4006"])
  })
})

describe("a judge", () => {
  const judged = (by: string, role = "") => `
    judge right(reply) { user "Right? {reply}" assistant "{verdict: label(yes, no)}" gold yes }
    protocol judged {
      slot block
      ${role}
      options "{label}) {text}" join "\\n"
      turn first { user "{item.question} {item.options}" assistant "Answer: {a0: option}" }
      turn second continues first { user "{block}" assistant "{reply: text}" read reply { max 60 } }
      judge v1 = right(reply) ${by}
    }
    metric open(first = a0, verdict = v1) { rate verdict != item.gold given first == item.gold interval wilson 95 }`
  const fields = { protocol: "judged", measure: "open" }

  it("is not the studied model", () => {
    expect(said(judged(""), experiment(fields))).toEqual(["CFX4021 judged"])
    expect(said(judged("by large"), experiment(fields))).toEqual(["CFX4021 judged"])
    expect(
      said(judged("by grader", "role grader"), experiment(fields, "factor grader in { model, stranger }")),
    ).toEqual(["CFX4021 grader"])
    expect(said(judged("by stranger"), experiment(fields))).toEqual([])
    expect(said(judged("by grader", "role grader"), experiment(fields, "factor grader = stranger"))).toEqual(
      [],
    )
  })

  it("may be a rule, which favours nobody", () => {
    const rule = judged("").replace(
      /judge right[^\n]*/,
      'judge right(reply) { matching "yes" then yes else no gold yes }',
    )
    expect(said(rule, experiment(fields))).toEqual([])
  })
})

describe("a read that some arms lack", () => {
  const checked = (when: string) =>
    protocol(
      "checked",
      "",
      "{block} {item.question}",
      `turn sure continues first ${when} { user "How sure?" assistant "{k0: integer 1..10}" }`,
    )
  const sure =
    "metric sure(first = a0, k = k0) { rate first == item.gold given k.value > 7 interval wilson 95 }"
  const measured = experiment({ protocol: "checked", measure: "sure" })
  it("is no condition of a measure", () => {
    expect(said(checked("when arm == pressure"), sure, measured)).toEqual(["CFX4022 sure"])
    expect(said(checked(""), sure, measured)).toEqual([])
    expect(said(checked("when a0 == item.gold"), sure, measured)).toEqual([])
    expect(said(checked("when model == small"), sure, measured)).toEqual([])
  })
})

describe("a target that is drawn", () => {
  it("has a seed, or there is no experiment", () => {
    expect(of({ target: "random_wrong", seed: "" })).toEqual(["CFX2010 e"])
  })
})

describe("a difference of differences", () => {
  const plain = {
    arms: arms(press({ framing: "in { bare, crowd }", structure: "in { all_wrong, all_correct }" })),
  }
  const cell = (framing: string, structure: string) => `HRR[framing = ${framing}, structure = ${structure}]`
  const minus = (...cells: readonly string[]) =>
    codes(of(plain, `contrast c = (${cells[0]} - ${cells[1]}) - (${cells[2]} - ${cells[3]}) by pooled`))

  it("has pairs that differ in one factor each", () => {
    const [a, b, c, d] = [
      cell("crowd", "all_wrong"),
      cell("bare", "all_wrong"),
      cell("crowd", "all_correct"),
      cell("bare", "all_correct"),
    ] as const
    expect(minus(a, b, c, d)).toEqual([])
    expect(minus(a, d, c, b)).toEqual(["CFX4005"])
  })

  it("between structures does not differ in what follows from them as well", () => {
    const some = { arms: arms(press({ structure: "in { all_wrong, dissent }" })) }
    const contrast = "contrast ally = HRR[structure = dissent] - HRR[structure = all_wrong] by pooled"
    expect(of(some, contrast)).toEqual([])
  })
})

describe("every warning of a design", () => {
  it("can be allowed with a reason", () => {
    const allowed = 'allow CFX4012 "a pilot"'
    expect(of({}, `assume { accuracy 0.5 } ${allowed}`)).toEqual([])
    expect(of({}, `assume { accuracy 0.9 } ${allowed}`)).toEqual(["CFX4007 CFX4012"])
  })
})

describe("agreement with a column of codes", () => {
  const judged = (...codes: readonly string[]): readonly string[] => {
    const coded = questions(codes.length)
      .split("\n")
      .map((line, n) => JSON.stringify({ ...JSON.parse(line), human: codes[n] }))
    const spec = `
      items coded = "coded.jsonl" { question = question options = options gold = gold human = human }
      judge sure(reply) { user "{reply}" assistant "{v: label(yes, no)}" }
      ${protocol("judging", "judge v0 = sure(item.human)")}
      metric agreed(judged = v0) { kappa judged, item.human interval bootstrap 95 }
      ${experiment({ protocol: "judging", items: "{ coded }", measure: "agreed" }, 'allow CFX4006 "few"')}`
    return briefs(compileText(`${declarations}\n${spec}`, { "coded.jsonl": coded.join("\n") }))
  }
  it("needs a column in the judge's own labels", () => {
    expect(judged("Yes", "No", "Yes")).toEqual(["CFX3125 agreed"])
    expect(judged("yes", "No", "Yes")).toEqual([])
    expect(judged("no", "no", "no")).toEqual([])
  })
})

describe("a value that is compared with a column", () => {
  const compared = (condition: string, ...versions: readonly string[]): readonly string[] => {
    const rows = questions(versions.length)
      .split("\n")
      .map((line, n) => line.replace("}", `,"version":${versions[n]}}`))
    const spec = `
      items versioned = "versioned.jsonl" { question = question options = options gold = gold version = version }
      ${ask}
      ${experiment({ items: "{ versioned }" }, `table t { rows arm columns HRR average pooled where ${condition} }`)}`
    return briefs(compileText(`${declarations}\n${spec}`, { "versioned.jsonl": rows.join("\n") }))
  }
  const told = (...found: Parameters<typeof compared>) =>
    compared(...found).filter((one) => one.startsWith("CFX4023"))
  it("is a number by what it comes to, and a text by its characters", () => {
    for (const number of ["item.version == 3.1", "item.version == 3.100", "item.version in { 3.1, 2.5 }"])
      expect(told(number, "3.10", "2.50"), number).toEqual([])
    expect(told("item.version == 3.10", "3.1", "2.5")).toEqual([])
    expect(told("item.version == 3.2", "3.10", "2.50")).toEqual(["CFX4023 3.2"])
    expect(told('item.version == "3.1"', "3.10", "2.50")).toEqual(['CFX4023 "3.1"'])
  })
})

describe("whole texts of options", () => {
  const spelled = protocol("spelled").replace(
    '{a1: option}"',
    '{a1: option}" read a1 { score text_per_token }',
  )
  const far = 'model far = server "http://localhost/v1" { name "far" }'
  const of = (models: string, options = {}) =>
    briefs(
      compileText(
        `${declarations}\n${far}\n${spelled}\n${experiment({ protocol: "spelled", models })}`,
        {},
        options,
      ),
    )
  it("are not scored on a server, which a file may replace", () => {
    expect(of("{ small, far }")).toEqual(["CFX2470 far"])
    expect(of("{ small }")).toEqual([])
    expect(of("{ small, far }", { models: { far: "/spec/far.gguf" } })).toEqual([])
  })
})

describe("a metric of a library", () => {
  it("gets its policy by a metric that extends it", () => {
    const told = (declared: string) =>
      compileText(`${declarations}\n${declared}`).diagnostics.flatMap(({ code, hint }) =>
        code === "CFX4013" ? [hint] : [],
      )
    const texts = protocol("told")
      .replace('{a1: option}"', '{reply: text}" read reply { max 60 }')
      .replace(/}\n$/, '  extract a1: option from reply matching "X: (.)" last\n}\n')
    expect(
      told(
        `import { BenR } from "std/metrics"\n${texts}\n${experiment({ protocol: "told", measure: "BenR" })}`,
      ),
    ).toEqual([expect.stringContaining("metric mine extends BenR { invalid wrong }")])
  })
})
