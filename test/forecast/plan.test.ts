/** What `cfx plan` says without model files, and of pairs that only a tokenizer can tell apart. */
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { explain, pages } from "../../compiler/diagnostics/explain.ts"
import { type Example, POOL_FILE } from "../../compiler/diagnostics/pages/page.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { experimentText } from "../../runtime/cli/plan/experimentText.ts"
import { pairWarnings, unequalPairs } from "../../runtime/cli/plan/pairs.ts"
import { counted, type PlannedExperiment } from "../../runtime/cli/plan/plan.ts"
import { planText } from "../../runtime/cli/plan/text.ts"
import type { ModelForecast } from "../../runtime/run/forecast.ts"
import { inMemory } from "../diagnostics/examples.ts"

const questions = Array.from({ length: 40 }, (_, n) =>
  JSON.stringify({ question: `What is ${n} + 1?`, options: [`${n}`, `${n + 1}`], gold: "B" }),
).join("\n")

const compiled = ({ spec, name, entry, files }: Pick<Example, "spec" | "name" | "entry" | "files">) => {
  const result = compile(`/spec/${entry}`, inMemory({ [POOL_FILE]: questions, [name]: spec, ...files }))
  const { program, hash } = result
  if (program === undefined || hash === undefined) {
    throw new Error(result.diagnostics.map((one) => render(one, { color: false })).join("\n\n"))
  }
  return { ...result, program, hash }
}

describe("a pair of different length in tokens", () => {
  const { wrong, right } = pages.CFX4030
  /** Bytes are tokens: longer words are more of them. */
  const pairsOf = (example: Pick<Example, "spec" | "name" | "entry" | "files">) => {
    const { program, items, sources } = compiled(example)
    return pairWarnings(
      unequalPairs(program, items, simulatedModel({ name: "pocket", path: "/none" })),
      sources,
    )
  }

  it("is told at the contrast, in the page's wrong example and not in its right one", () => {
    const found = pairsOf(wrong)
    expect(found.map(({ code, severity }) => [code, severity])).toEqual([["CFX4030", "warning"]])
    const [one] = found
    expect(one?.source.text.slice(one.span.start, one.span.end)).toMatch(/^contrast noun = /)
    expect(one?.message).toMatch(
      /have \d+ words each on item 1, but `cormorants` takes \d+ tokens of `pocket`/,
    )
    expect(pairsOf(right)).toEqual([])
    expect(explain("CFX4030")).toContain("Only `cfx plan` says so")
  })

  it("is silent where the spec allows it, and the allowance is not said to allow nothing", () => {
    const spec = wrong.spec.replace(/\}\s*$/, '  allow CFX4030 "the nouns are the matter"\n}\n')
    expect(pairsOf({ ...wrong, spec })).toEqual([])
    expect(compiled({ ...wrong, spec }).diagnostics.map(({ code }) => code)).not.toContain("CFX4007")
  })

  it("is no pair where the texts have different numbers of words", () => {
    const spec = wrong.spec.replace('"Cormorants have', '"Many great cormorants have')
    expect(pairsOf({ ...wrong, spec })).toEqual([])
  })
})

describe("the counts of a design", () => {
  const counts: PlannedExperiment = {
    experiment: "study",
    models: ["m", "n"],
    items: { arc: 500 },
    published: ["arc"],
    cells: 3,
    trials: 3000,
    arms: [
      { arm: "reask", cells: 1, trials: 1000 },
      { arm: "pressure", cells: 2, trials: 2000 },
    ],
    collapsed: 1,
    turns: [
      {
        turn: "first",
        holes: ["a0"],
        calls: 1000,
        expected: 1000,
        reads: 1000,
        writes: false,
        atMost: false,
      },
      {
        turn: "second",
        holes: ["reply"],
        calls: 3000,
        expected: 2100.5,
        reads: 3000,
        writes: true,
        atMost: false,
      },
    ],
    calls: 4000,
    expected: 3100.5,
    byModel: { m: { calls: 2000, expected: 1550.25 }, n: { calls: 2000, expected: 1550.25 } },
    assume: { accuracy: 0.7, measures: {}, spread: {} },
  }
  const absent = [{ pool: "arc", where: "hf://x", why: "its data are on a hub", unknown: ["choices"] }]

  it("are told with what is expected through gates and what that rests on", () => {
    expect(experimentText(counts, absent).join("\n")).toMatchInlineSnapshot(`
      "experiment study: 3,000 trials
        3 cells in 2 arms (reask 1,000, pressure 2,000)
        500 items of arc (as published)
        2 models (m, n)
        1 trial asks just what another of the same item and model asks, and is no observation of its own
        arc is not at hand (its data are on a hub); nothing says its number of options (4 assumed)
        turn    calls  expected  reads
        first   1,000     1,000  a0
        second  3,000   2,100.5  reply (writes)
        all     4,000   3,100.5
        of m    2,000   1,550.3
        of n    2,000   1,550.3
        expected through gates, as the spec assumes (accuracy 0.7)
      "
    `)
  })

  it("say what prompts take for granted, and that calls through gates go by what the spec assumes", () => {
    const reads = { reads: 9, skipped: 0, distinct: 9, answered: 0, elsewhere: 0 }
    const tokens = { ...reads, promptTokens: 90, sharedTokens: 90, writtenTokens: 0 }
    const waves = [{ wave: 2, holes: ["a1"], exact: false, ...tokens }]
    const audit = { reads: 0, tokens: 0, writtenTokens: 0 }
    const model: ModelForecast = {
      ...{ model: "m", trials: 9, waves, template: [], unreadable: [], sameAs: [], audit },
      ...tokens,
    }
    const said = (experiment: PlannedExperiment) =>
      planText({
        ...{ experiments: [experiment], models: [model], uncounted: [], pools: [], warnings: [] },
        assumption: "every answer is the gold one",
      })
    const prompts =
      "Prompts and their tokens are counted on the assumption that every answer is the gold one."
    expect(said(counts)).toContain(
      `${prompts} Calls expected through gates, above, go by the spec's \`assume\` instead.\n`,
    )
    const open = { ...counts, turns: counts.turns.map((turn) => ({ ...turn, expected: turn.calls })) }
    expect(said(open)).toContain(
      `${prompts} The spec's \`assume\` changes no count, since no call hangs on an answer.\n`,
    )
    const { assume: _, ...plain } = open
    expect(said(plain)).toContain(`${prompts}\n`)
  })

  it("tell what the audit asks again, and what another model of the same file is asked", () => {
    const counts = { reads: 9, skipped: 0, distinct: 9, answered: 3, elsewhere: 6 }
    const tokens = { ...counts, promptTokens: 0, sharedTokens: 0, writtenTokens: 0 }
    const waves = [{ wave: 1, holes: ["a0"], exact: true, ...tokens }]
    const said = planText({
      ...{ experiments: [], uncounted: [], pools: [], warnings: [], assumption: "nothing" },
      models: [
        {
          ...{ model: "m", trials: 9, waves, template: [], unreadable: [], sameAs: ["other"], ...tokens },
          ...{ audit: { reads: 14, tokens: 1400, writtenTokens: 60 }, seconds: 0.7 },
        },
      ],
    })
    expect(said).toContain("its file is that of other, which is asked 6 of the distinct reads")
    expect(said).toContain(
      "at the end 14 reads more, to see how far the engine agrees with itself: 1,400 tokens, and at most 60 of texts",
    )
    expect(said).toContain("about 1 s, at 2,000 tokens/s as just measured")
  })

  it("say that nothing says how many values a column has that items are sampled by", () => {
    const unknown = ["strata subject"]
    const absent = [{ pool: "arc", where: "hf://x", why: "its data are on a hub", unknown }]
    expect(experimentText(counts, absent).join("\n")).toContain(
      "arc is not at hand (its data are on a hub); nothing says how many values `subject` has (one assumed)",
    )
  })

  it("say nothing of gates where none hangs on an answer", () => {
    const plain = { ...counts, turns: counts.turns.map((turn) => ({ ...turn, expected: turn.calls })) }
    const text = experimentText(plain, []).join("\n")
    expect(text).not.toContain("expected")
    expect(text).not.toContain("not at hand")
  })

  it("mark what is an upper bound", () => {
    const bound = {
      ...counts,
      turns: counts.turns.map((turn) => ({ ...turn, atMost: turn.turn === "second" })),
    }
    expect(experimentText(bound, []).join("\n")).toMatch(/second +3,000 +<=2,100.5/)
  })

  it("are those of the items that are at hand", () => {
    const spec = compiled(pages.CFX4030.right)
    const { experiments, pools } = counted(spec.program, spec, { limit: 10 })
    expect(pools).toEqual([])
    expect(experiments).toMatchObject([{ items: { pool: 10 }, trials: 50, cells: 5 }])
  })

  it("name models that are not at hand by their reason", () => {
    const why = "there is no file /models/big.gguf"
    const text = planText({
      experiments: [],
      models: [],
      uncounted: [
        { model: "a", why },
        { model: "b", why },
        { model: "c", why: "on a server" },
      ],
      pools: [],
      assumption: "nothing",
      warnings: [],
    })
    expect(text).toContain(
      `tokens are not counted for a, b: ${why}\ntokens are not counted for c: on a server\n`,
    )
  })
})
