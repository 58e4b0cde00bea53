/** Plans and prompts of protocols that ask several models, write texts, and look for answers in them. */
import { describe, expect, it } from "vitest"
import { expand } from "../../compiler/expand.ts"
import type { HoleTypeIR, Program } from "../../compiler/ir.ts"
import type { Trial } from "../../compiler/trial.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { forecast } from "../../runtime/run/forecast.ts"
import { showJson, shownTrial, showTrial, told, turnsOf } from "../../runtime/show.ts"
import { showText } from "../../runtime/showText.ts"
import { block, cell, experiment, model, pool, protocolOf, textHole, turn } from "../expand/support.ts"

const named = (name: string) => simulatedModel({ name, path: `/models/${name}.gguf` })
const plain = { color: false, tokens: false }

const types: Readonly<Record<string, HoleTypeIR>> = {
  argument: textHole({ max: 30, refusal: ["I_AM_WEAK"] }),
  reply: textHole({ max: 20, temperature: 0.7, topP: 0.9, until: ["\n"] }),
  k0: { type: "integer", low: 1, high: 10 },
  a0: { type: "extract", from: "reply", pattern: "ANSWER: (\\w)", which: "last", as: { type: "option" } },
}

/** A source argues for the target; the studied model answers with the argument before it, in a text. */
const study = experiment({
  models: ["m"],
  protocol: protocolOf(
    [
      turn("argue", "Argue for <target.label>: <item.question>", "<:argument>", { by: { role: "source" } }),
      turn("ask", "<:argument>\n<item.question>\n<item.options>", "<:reply>"),
      turn("sure", "How sure?", "<:k0>", { continues: "ask" }),
    ],
    types,
    { roles: ["source"] },
  ),
  cells: [cell("all", block(""), {}, { roles: { source: "s" }, target: { kind: "option", position: 1 } })],
})

const program: Program = {
  version: 1,
  models: [model("m", {}), model("s", {})],
  pools: [],
  experiments: [study],
  doc: "",
}

const trial = expand(study, new Map([["kinds", pool(1)]]))[0] as Trial

describe("the forecast of a trial that asks two models", () => {
  const items = new Map([["kinds", pool(3)]])
  const of = (name: string) => {
    const { models } = forecast(program, items, new Map([[name, named(name)]]))
    return models[0]
  }

  it("counts for each model what it is asked, in the waves in which that is", () => {
    expect(of("s")?.waves.map(({ wave, holes, reads, exact }) => [wave, holes, reads, exact])).toEqual([
      [1, ["argument"], 3, true],
    ])
    expect(of("m")?.waves.map(({ wave, holes, reads, exact }) => [wave, holes, reads, exact])).toEqual([
      [2, ["reply"], 3, false],
      [3, ["k0"], 3, false],
    ])
  })

  it("counts the tokens of texts at their most", () => {
    // Three items of one text: the same question asks once.
    expect(of("s")).toMatchObject({ distinct: 1, writtenTokens: 30 })
    expect(of("m")?.writtenTokens).toBe(3 * 20)
  })

  it("counts prompts of texts whole where a sequence forgets all or nothing, in the audit too", () => {
    const arguing = experiment({
      models: ["m"],
      protocol: protocolOf(
        [turn("argue", `${"A long beginning. ".repeat(9)}<item.question> <block>`, "<:argument>")],
        { argument: textHole({ max: 30 }) },
      ),
      cells: ["Say why.", "Say how.", "Say when."].map((said) => cell(said, block(said))),
    })
    const counted = (rewinds: boolean) => {
      const engine = simulatedModel({ name: "m", path: "/models/m.gguf" }, { rewinds })
      const one: Program = { ...program, experiments: [arguing] }
      return forecast(one, items, new Map([["m", engine]]), { audit: 3 }).models[0]!
    }
    const [goingBack, starting] = [counted(true), counted(false)]
    expect(starting.distinct).toBe(3)
    expect(starting.sharedTokens).toBe(starting.promptTokens)
    expect(goingBack.sharedTokens).toBeLessThan(goingBack.promptTokens)
    expect(goingBack.audit.tokens).toBeLessThan(starting.audit.tokens)
  })

  it("says what texts are taken to be", () => {
    expect(forecast(program, items, new Map()).assumption).toContain("every text is one short sentence")
  })
})

describe("a trial that two models read", () => {
  const telling = told(trial)
  const shown = shownTrial(telling, [...turnsOf(telling, named("m")), ...turnsOf(telling, named("s"))])

  it("has its turns in the protocol's order, each with who reads it where that is not the studied model", () => {
    expect(shown.turns.map(({ name, model }) => [name, model])).toEqual([
      ["argue", "s"],
      ["ask", undefined],
      ["sure", undefined],
    ])
    expect(showTrial(trial, named("m")).turns.map(({ name }) => name)).toEqual(["ask", "sure"])
  })

  it("says how a text is written, and how an answer is found in it", () => {
    const text = showText([shown], plain)
    expect(text).toContain("turn argue, asked of s")
    expect(text).toContain('argument: a text of at most 30 tokens, refused where it holds "I_AM_WEAK"')
    expect(text).toContain(
      'reply: a text of at most 20 tokens, up to "\\\\n", at temperature 0.7, top_p 0.9'.replace(
        "\\\\",
        "\\",
      ),
    )
    expect(text).toContain("a0: found in reply by ANSWER: (\\w), last match, as option")
    const [argue, ask] = showJson(shown, { tokens: false }).turns
    expect(argue?.holes[0]).toMatchObject({ name: "argument", labels: {}, text: { max: 30 } })
    expect(ask?.derived?.map(({ name }) => name)).toEqual(["a0"])
  })

  it("traces a text that one model wrote where another reads it", () => {
    const given = told(trial, {
      argument: { status: "text", text: "Mind the label.", tokens: 3, stop: "end" },
    })
    const [ask] = turnsOf(given, named("m"))
    expect(ask?.segments.find(({ from }) => from.kind === "read")).toEqual({
      kind: "text",
      text: "Mind the label.",
      from: { kind: "read", hole: "argument" },
    })
    expect(shownTrial(given, turnsOf(given, named("m"))).assumed).not.toHaveProperty("argument")
  })

  it("lists only those assumed values that stand in what is shown", () => {
    expect(Object.keys(shown.assumed)).toEqual(["argument", "reply"])
  })

  it("says why a turn behind a refusal is not shown", () => {
    const refused = told(trial, {
      argument: { status: "refused", text: "I_AM_WEAK", tokens: 1, marker: "I_AM_WEAK" },
    })
    expect(turnsOf(refused, named("m"))[0]?.problem).toBe("reply would not be read: argument was refused")
  })
})
