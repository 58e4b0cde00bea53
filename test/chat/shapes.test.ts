/** A model whose chat template cannot say what an experiment asks is told of before anything is asked. */
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import type { ModelFile, TokenModel } from "../../runtime/backend/backend.ts"
import { declaredOf } from "../../runtime/backend/declaredTemplate.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { cohortsOf } from "../../runtime/run/cohorts.ts"
import { forecast } from "../../runtime/run/forecast.ts"
import { checkShapes, shapesAsked } from "../../runtime/run/shapes.ts"
import { compiled } from "../run/spec.ts"
import { publishedTemplates } from "./published.ts"

const gemma = publishedTemplates().get("gemma2:2b")!

const study = (system: string, model = "") => `
model m = gguf "m.gguf" { ${model} }

protocol asks {
  options "{label}. {text}" join "\\n"
  ${system}
  turn first {
    user """
      {item.question}
      {item.options}
      Answer with one letter only.
    """
    assistant "{a0: option}"
  }
  turn again continues first {
    user "Are you sure?"
    assistant "{a1: option}"
  }
}

metric kept(a0 = a0, a1 = a1) {
  rate a0 == a1
  interval wilson 95
}

experiment sure {
  seed 0
  protocol asks
  models { m }
  items { sums }
  measure kept
}
`

function opened(spec: string, template: string) {
  const { program, items } = compiled(spec)
  const file = program.models[0]!
  const model: TokenModel = {
    ...simulatedModel({ name: "m", path: "m.gguf" }),
    chatTemplate: template,
    ...declaredOf(file as unknown as ModelFile),
  }
  const cohorts = cohortsOf(program, items, {}).get("m") ?? []
  return { program, items, model, cohorts }
}

const checked = ({ model, cohorts }: ReturnType<typeof opened>) =>
  Effect.runPromise(Effect.result(checkShapes(model, cohorts)))

describe("the conversations of a spec", () => {
  test("have shapes: a system message or none, and how many turns", () => {
    const shapes = (system: string) => shapesAsked(opened(study(system), gemma).cohorts)
    expect(shapes("").map(({ system, turns, turn }) => [system, turns, turn])).toEqual([
      [false, 1, "first"],
      [false, 2, "again"],
    ])
    expect(shapes('system "Be brief."').map(({ system, turns }) => [system, turns])).toEqual([
      [true, 1],
      [true, 2],
    ])
  })

  test("that the template says are no problem", async () => {
    expect((await checked(opened(study(""), gemma)))._tag).toBe("Success")
  })

  test("with a system message that it has no place for end a run when the model is opened, with what to declare", async () => {
    const result = await checked(opened(study('system "Be brief."'), gemma))
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: {
        what: expect.stringMatching(/^the model m cannot be asked: .*System role not supported/),
        where: "experiment sure, turn first: a conversation of 1 turn with a system message",
        todo: expect.stringContaining("`system into_user`"),
      },
    })
  })

  test("with one that is declared to open the first user message can be asked, and the plan says so", async () => {
    const able = opened(study('system "Be brief."', "system into_user"), gemma)
    expect((await checked(able))._tag).toBe("Success")
    const { models } = forecast(able.program, able.items, new Map([["m", able.model]]))
    expect(models[0]?.unreadable).toEqual([])
    expect(models[0]?.template).toEqual([expect.stringContaining("it opens the first user message")])
  })

  test("that continue others and are read again are told in the plan", () => {
    const spec = study("", "template { enable_thinking false }")
    const { program, items, model } = opened(spec, publishedTemplates().get("qwen3:0.6b")!)
    const { models } = forecast(program, items, new Map([["m", model]]))
    expect(models[0]?.template).toEqual([expect.stringContaining("are read again from there")])
  })
})
