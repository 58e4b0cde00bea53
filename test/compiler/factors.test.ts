import { describe, expect, it } from "vitest"
import { compileText } from "./files.ts"
import { assertion, baselines, blockText, declarations, experiment, lowered, protocol, said } from "./spec.ts"

const toned = protocol("toned", "slot tone", "{block} {tone} {item.question}")
const argued = protocol(
  "argued",
  "role source",
  "{argument} {block} {item.question}",
  'turn argue by source { user "Argue: {item.question}" assistant "{argument: text}" read argument { max 60 } }',
)
const pressed = protocol(
  "pressed",
  "",
  "{item.question}",
  'turn press[t] repeat 3 continues first { user "{block[t]} {item.question}" assistant "{b[t]: option}" }',
)

describe("a factor that fills a slot", () => {
  const of = (levels: string) => lowered(toned, experiment({ protocol: "toned" }, `factor tone ${levels}`))

  it("takes blocks, texts, numbers and nothing", () => {
    const { cells } = of('in { none, calm, "Be brief.", "Think of {item.question}", 7 }')
    expect(cells.slice(0, 5).map(({ levels, fills }) => [levels.tone, blockText(fills.tone)])).toEqual([
      ["none", ""],
      ["calm", "Stay calm."],
      ["Be brief.", "Be brief."],
      ["Think of {item.question}", "Think of {item}"],
      ["7", "7"],
    ])
    expect(cells.every(({ stimulus }) => stimulus.kind === "assertion" || blockText(stimulus) !== "")).toBe(
      true,
    )
  })

  it("puts a number into texts as it is spelt, and calls its level so", () => {
    const { cells } = of("in { 9.90, 10.50 }")
    expect(cells.slice(0, 2).map(({ levels, fills }) => [levels.tone, blockText(fills.tone)])).toEqual([
      ["9.90", "9.90"],
      ["10.50", "10.50"],
    ])
  })

  it("is compared with its levels as they are spelt", () => {
    const where = (level: string) =>
      said(
        toned,
        experiment(
          { protocol: "toned" },
          `factor tone in { 1, 1.0 } table t { rows arm, tone columns HRR average pooled where tone == ${level} }
          contrast c = HRR[arm = reask, tone = ${level}] - HRR[arm = length, tone = ${level}] by pooled`,
        ),
      ).filter((one) => !one.startsWith("CFX4"))
    expect(where("1.0")).toEqual([])
    expect(where("1.00")).toEqual(["CFX2204 1.00", "CFX2204 1.00", "CFX2204 1.00"])
  })

  it("is a column also with one level", () => {
    expect(of("= calm").factors.at(-1)).toEqual({ name: "tone", levels: ["calm"] })
  })

  it("has its levels in contrasts, tables and conditions, as they are written", () => {
    const rest = `
      factor tone in { none, "Be brief." }
      contrast tones = HRR[arm = reask, tone = "Be brief."] - HRR[arm = reask, tone = none] by pooled
      table main { rows arm, tone columns HRR average pooled where tone == "Be brief." }
      except when arm == length and tone == "Be brief."`
    const found = lowered(toned, experiment({ protocol: "toned" }, rest))
    expect(found.contrasts[0]?.terms.map(({ levels }) => levels.tone)).toEqual(["Be brief.", "none"])
    expect(found.cells).toHaveLength(5)
  })

  const cases = [
    ["", "CFX2450 toned"],
    ["factor tones = none factor tone = none", "CFX2452 tones"],
    ["factor block = none factor tone = none", "CFX2453 block"],
    ["factor tone in models", "CFX2454 factor tone in models"],
    ["factor tone in { none, calm, calm }", "CFX2205 calm"],
    ['factor tone in { none, "none" }', 'CFX2205 "none"'],
    ["factor tone = voices(2)", "CFX2454 voices(2)"],
    ["factor tone = crowd", "CFX2002 crowd"],
    ["factor tone = clam", "CFX2001 clam"],
    ["factor tone = none factor tone = calm", "CFX2009 factor tone = calm"],
  ] as const
  it("is told of when it is none", () => {
    for (const [rest, expected] of cases)
      expect(said(toned, experiment({ protocol: "toned" }, rest)), rest).toEqual([expected])
  })

  it("cannot have the name of another column", () => {
    const named = protocol("named", "slot dose", "{block} {dose} {item.question}")
    expect(said(named, experiment({ protocol: "named" }, "factor dose = none"))).toEqual(["CFX2465 dose"])
  })

  it("need not fill a slot that no turn shows: that is a mistake of the protocol", () => {
    const unseen = protocol("unseen", "slot tone")
    expect(said(unseen, experiment({ protocol: "unseen" }))).toEqual(["CFX2111 tone"])
  })
})

describe("a factor that gives a role", () => {
  const of = (levels: string) =>
    lowered(argued, experiment({ protocol: "argued" }, `factor source ${levels}`))
  const rolesOf = (levels: string) => [...new Set(of(levels).cells.map(({ roles }) => roles.source))]

  it("takes models, the studied one, or each of the experiment's", () => {
    expect(rolesOf("in models")).toEqual(["small", "large"])
    expect(rolesOf("in { model, stranger }")).toEqual(["model", "stranger"])
    expect(of("in models").factors.at(-1)).toEqual({ name: "source", levels: ["small", "large"] })
    expect(of("= model").cells[0]?.fills).toEqual({})
  })

  it("brings models that are not studied into the program", () => {
    const spec = [declarations, argued, experiment({ protocol: "argued" }, "factor source = stranger")].join(
      "\n",
    )
    const { program } = compileText(spec)
    expect(program?.models.map(({ name }) => name)).toEqual(["small", "large", "stranger"])
    expect(program?.experiments[0]?.models).toEqual(["small", "large"])
  })

  it("can be compared with the studied model", () => {
    const found = lowered(
      argued,
      experiment({ protocol: "argued" }, "factor source in models\nexcept when source == model"),
    )
    expect(found.cells).toHaveLength(6)
    expect(found.only).toBeDefined()
  })

  it("is told of when nobody takes it, and when no model does", () => {
    const fields = { protocol: "argued" }
    expect(said(argued, experiment(fields))).toEqual(["CFX2451 argued"])
    expect(said(argued, experiment(fields, 'factor source = "a stranger"'))).toEqual(['CFX2454 "a stranger"'])
    expect(said(argued, experiment(fields, "factor source = calm"))).toEqual(["CFX2002 calm"])
    expect(said(argued, experiment(fields, "factor source = strange"))).toEqual(["CFX2001 strange"])
  })
})

describe("stimuli of a repeated turn", () => {
  const arms = (dose: string) => `{ ${baselines} pressure = ${assertion({ dose })} }`

  it("have a dose for each step", () => {
    const found = lowered(
      pressed,
      experiment({
        protocol: "pressed",
        arms: `{ pressure = ${assertion({ dose: "= [voices(1), echo(2), voices(4)]" })} }`,
      }),
    )
    const [cell] = found.cells
    expect(cell?.levels.dose).toBe("[voices(1), echo(2), voices(4)]")
    expect(cell?.stimulus).toMatchObject({
      dose: { lines: 1, speakers: 1 },
      doses: [
        { lines: 1, speakers: 1 },
        { lines: 2, speakers: 1 },
        { lines: 4, speakers: 4 },
      ],
    })
  })

  it("have as many as there are steps", () => {
    const of = (dose: string) =>
      said(pressed, experiment({ protocol: "pressed", arms: `{ pressure = ${assertion({ dose })} }` }))
    expect(of("= [voices(1), voices(2)]")).toEqual(["CFX2457 [voices(1), voices(2)]"])
    expect(said(protocol("ask"), experiment({ arms: arms("= [voices(1), voices(2)]") }))).toEqual([
      "CFX2457 [voices(1), voices(2)]",
    ])
  })

  it("are checked one by one", () => {
    const of = (dose: string) =>
      said(pressed, experiment({ protocol: "pressed", arms: `{ pressure = ${assertion({ dose })} }` }))
    expect(of("= [voices(1), voices(0), voices(2)]")).toEqual(["CFX2208 0"])
    expect(of("= [voices(1), voice(2), voices(2)]")).toEqual(["CFX2001 voice"])
    expect(of("= [voices(1), 2, voices(2)]")).toEqual(["CFX2216 2"])
  })
})

describe("structures and orders that are written out", () => {
  const ask = protocol("ask")
  const of = (factors: Readonly<Record<string, string>>) =>
    said(ask, experiment({ arms: `{ ${baselines} pressure = ${assertion(factors)} }` }))

  it("fit the dose", () => {
    expect(of({ structure: "= [wrong, wrong, gold]" })).toEqual(["CFX2456 voices(4)"])
    expect(of({ structure: "= all_wrong except 5" })).toEqual(["CFX2456 voices(4)"])
    expect(of({ structure: "= mixed", order: "= [2, 1]" })).toEqual(["CFX2456 voices(4)"])
    expect(of({ structure: "= [wrong, gold, wrong, gold]", order: "= inside_out" })).toEqual([])
  })

  it("are what they seem to be", () => {
    expect(of({ structure: "= [wrong, right]" })).toEqual(["CFX2420 right"])
    expect(of({ structure: "= mixed", order: "= [1, 1, 2, 3]" })).toEqual(["CFX2421 1"])
  })
})

describe("wordings", () => {
  it("are those of the framing, `base` among them", () => {
    const of = (wording: string) =>
      said(
        protocol("ask"),
        experiment({
          arms: `{ ${baselines} floor = ${assertion()} pressure = ${assertion({ framing: "= crowd", wording })} }`,
        }),
      )
    expect(of("in { base, second }")).toEqual([])
    expect(of("in { base, third }")).toEqual(["CFX2455 third"])
    expect(of("in { second, second }")).toEqual(["CFX2205 second"])
    expect(of("= 2")).toEqual(["CFX2216 2"])
  })
})

describe("models", () => {
  const of = (model: string) => {
    const spec = `${model}\n${declarations}\n${protocol("ask")}${experiment({ models: "{ big }" })}`
    const compiled = compileText(spec)
    const found = compiled.program?.models[0]
    return found ?? compiled.diagnostics.map(({ code }) => code)
  }

  it("are files, files of a hub, and servers", () => {
    expect(
      of('model big = gguf "hf:someone/big/q4/big-q4.gguf#unlocked" { family "Big" size 70 context 4096 }'),
    ).toMatchObject({
      engine: "gguf",
      file: "hf:someone/big/q4/big-q4.gguf#unlocked",
      attributes: { family: "Big", size: 70 },
    })
    expect(of('model big = server "https://host/v1" { name "big-1" key "BIG_KEY" }')).toMatchObject({
      engine: "server",
      file: "https://host/v1",
      served: { name: "big-1", key: "BIG_KEY" },
      attributes: {},
    })
  })

  it("say where a file is opened, and how a server is asked, and neither is a column", () => {
    expect(
      of('model big = gguf "big.gguf" { size 70 gpu vulkan layers 20 context 4096 system into_user }'),
    ).toMatchObject({
      device: { gpu: "vulkan", layers: 20, context: 4096 },
      system: "into_user",
      attributes: { size: 70 },
    })
    const asked = "logprobs 5 concurrency 8 rate 0.5 retries 3 timeout 20 max_calls 100 max_tokens 9000"
    const served = of(`model big = server "https://host/v1" { name "x" family "Big" ${asked} }`)
    expect(served).toMatchObject({
      served: {
        name: "x",
        ...{ logprobs: 5, concurrency: 8, rate: 0.5, retries: 3, timeout: 20 },
        ...{ maxCalls: 100, maxTokens: 9000 },
      },
      attributes: { family: "Big" },
    })
    expect(served).not.toHaveProperty("device")
    expect(of('model big = gguf "big.gguf"')).not.toHaveProperty("device")
  })

  it("have variables of their template, or none", () => {
    expect(
      of('model big = gguf "big.gguf" { template { enable_thinking false date "today" n 3 } }'),
    ).toMatchObject({
      template: { enable_thinking: false, date: "today", n: 3 },
    })
    expect(of('model big = gguf "big.gguf" { template plain }')).toMatchObject({ template: "plain" })
  })

  it("are told of when they cannot be found or described so", () => {
    const cases: readonly (readonly [string, string])[] = [
      ['gguf "hf:someone/big.gguf"', "CFX2466"],
      ['gguf "https://host/big.gguf"', "CFX2010"],
      ['gguf "ftp://host/big.gguf"', "CFX2014"],
      ['gguf "hf:../../big.gguf#main"', "CFX2466"],
      ...[
        ...["localhost", "localhost:8080", "htp:/x", "http:/x", "http://", "http://[", "http://h:99999/v1"],
        ...["http://h/v 1", "http://user:secret@h/v1", "http://h/v1?api_key=3", " http://h/v1"],
        ...["http://h/v1?apiKey=3", "http://h/v1?X-Amz-Signature=3", "http://h/v1?auth=3"],
      ].map((address) => [`server "${address}" { name "x" }`, "CFX2466"] as const),
      [`gguf "https://user:secret@h/x.gguf" { sha256 "${"0".repeat(64)}" }`, "CFX2466"],
      ['server "http://localhost/v1"', "CFX2010"],
      ['server "http://localhost/v1" { name "x" bytes 10 }', "CFX2011"],
      ['gguf "big.gguf" { key "K" }', "CFX2011"],
      ['gguf "big.gguf" { template chatml }', "CFX2012"],
      ['gguf "big.gguf" { template { a 1 a 2 } }', "CFX2009"],
      ['gguf "big.gguf" { context 0 }', "CFX2012"],
      ['gguf "big.gguf" { layers 0.5 }', "CFX2012"],
      ['gguf "big.gguf" { gpu fast }', "CFX2013"],
      ['gguf "big.gguf" { gpu none layers 3 }', "CFX2103"],
      ['gguf "big.gguf" { concurrency 3 }', "CFX2011"],
      ['server "http://localhost/v1" { name "x" context 10 }', "CFX2011"],
      ['server "http://localhost/v1" { name "x" rate 0 }', "CFX2012"],
      ['server "http://localhost/v1" { name "x" timeout 0 }', "CFX2012"],
      ['server "http://localhost/v1" { name "x" timeout 301 }', "CFX2012"],
      ['server "http://localhost/v1" { name "x" max_calls 0 }', "CFX2012"],
    ] as const
    for (const [model, code] of cases) expect(of(`model big = ${model}`), model).toEqual([code])
  })

  it("may be at addresses whose parameters only look like secrets", () => {
    for (const address of ["http://h/v1?design=1", "http://h/v1?author=me", "http://h/v1?encoding=x"])
      expect(of(`model big = server "${address}" { name "x" }`), address).toHaveProperty("served")
  })

  it("that list no probabilities are asked for none: studied, in a role, or by name", () => {
    const silent = 'model silent = server "http://localhost/v1" { name "x" logprobs 0 }'
    const judge = 'judge alike(reply) { user "{reply}" assistant "{v: label(same, different)}" }'
    const told = (by: string, assistant: string, more = "") =>
      protocol(
        "told",
        "role source",
        "{block} {argument}",
        `turn argue by ${by} { user "Argue: {item.question}" assistant "${assistant}" read argument { max 9 } }
         ${more}`,
      )
    const said = (own: string, name: string, factor = "") =>
      compileText(
        `${silent}\n${judge}\n${declarations}\n${own}\n${experiment({ protocol: name }, factor)}`,
      ).diagnostics.map(({ code, source, span }) => `${code} ${source.text.slice(span.start, span.end)}`)
    const text = "{argument: text}"
    const sure = "{sure: label(yes, no)} {argument: text}"
    const studied = compileText(
      `${silent}\n${declarations}\n${protocol("ask")}${experiment({ models: "{ silent }" })}`,
    )
    expect(studied.diagnostics.map(({ code }) => code)).toEqual(["CFX2469"])
    expect(said(told("source", text), "told", "factor source = silent")).toEqual([])
    expect(said(told("source", sure), "told", "factor source in { model, silent }")).toEqual([
      "CFX2469 silent",
    ])
    expect(said(told("silent", sure), "told", "factor source = model")).toContain("CFX2469 silent")
    const judged = told("source", text, "judge v = alike(argument) by silent")
    expect(said(judged, "told", "factor source = silent")).toEqual(["CFX2469 silent"])
  })

  it("cannot share a name with one that the protocol names", () => {
    const library = `
      model small = gguf "other.gguf" { bytes 5 }
      ${protocol(
        "judged",
        "",
        "{block} {argument}",
        'turn argue by small { user "Argue: {item.question}" assistant "{argument: text}" read argument { max 9 } }',
      )}`
    const spec = `import { judged } from "./library.cfx"\n${declarations}\n${experiment({ protocol: "judged" })}`
    const { diagnostics } = compileText(spec, { "library.cfx": library })
    expect(diagnostics.map(({ code }) => code)).toEqual(["CFX2467"])
  })
})
