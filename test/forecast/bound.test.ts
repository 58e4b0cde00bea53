/** Where texts are written and turns hang on answers, a forecast says how much there is at most. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { forecast } from "../../runtime/run/forecast.ts"
import { crossed } from "../run/crossed.ts"
import { carryOut, compiled } from "../run/spec.ts"

const folder = mkdtempSync(join(tmpdir(), "cfx-bound-"))
afterAll(() => rmSync(folder, { recursive: true }))

const modelOf = (name: string) => [name, simulatedModel({ name, path: `/spec/${name}.gguf` })] as const

describe("the forecast of models that write for each other, judge each other, and explain what they changed", () => {
  it("is at least what the run then asks of each, and writes", async () => {
    const { program, items } = compiled(crossed)
    const { models, assumption } = forecast(program, items, new Map(["ada", "bea"].map(modelOf)))
    const directory = join(folder, "run")
    await carryOut(directory, crossed)
    const lines = readFileSync(join(directory, "ledger.jsonl"), "utf8").trim().split("\n")
    const answers = lines.map((line) => JSON.parse(line)).filter(({ kind }) => /^(answer|text)$/.test(kind))
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["answer", "text"]))
    for (const { model, distinct, writtenTokens } of models) {
      const own = answers.filter((answer) => answer.model === model)
      const written = own.reduce((sum, { tokens = 0 }) => sum + tokens, 0)
      expect(distinct, model).toBeGreaterThanOrEqual(own.length)
      expect(writtenTokens, model).toBeGreaterThanOrEqual(written)
    }
    expect(assumption).toContain("every turn whose gate may open is asked")
  })

  it("counts a turn that no assumed answer opens, and what is judged of it", () => {
    const { program, items } = compiled(crossed)
    const [ada, bea] = forecast(program, items, new Map(["ada", "bea"].map(modelOf))).models
    const asked = (model: typeof ada, hole: string) =>
      model?.waves
        .filter(({ holes }) => holes.includes(hole))
        .reduce((sum, { distinct }) => sum + distinct, 0)
    // All first answers are taken to be the gold one, and so are the second ones; the model is asked why it changed its mind all the same.
    expect(asked(ada, "reason")).toBeGreaterThan(0)
    expect(asked(bea, "v0")).toBeGreaterThan(0)
  })
})
