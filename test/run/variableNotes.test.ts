/** What a run says of template variables that change nothing, before it asks a model anything. */
import { Effect } from "effect"
import { expect, test } from "vitest"
import type { LoadedModel } from "../../runtime/backend/backend.ts"
import { type Hearing, hooksOf } from "../../runtime/run/hooks.ts"

/** What is noted as a model of this template and these variables is opened, `times` times. */
const notesOf = async (declared: Readonly<Record<string, boolean>>, times: number) => {
  const notes: string[] = []
  const heard = {
    session: { opened: () => Effect.void },
    progress: { opened: () => {}, note: (text: string) => notes.push(text) },
    samples: {},
    failFast: false,
  } as unknown as Hearing
  const hooks = hooksOf(heard)
  const model = {
    kind: "tokens",
    name: "m",
    chatTemplate: "{% if not enable_thinking %}a{% endif %}",
    declared,
  }
  for (let time = 0; time < times; time++)
    await Effect.runPromise(hooks.loaded(model as unknown as LoadedModel))
  return notes
}

test("a variable that the template does not read is noted as the model is opened, once", async () => {
  expect(await notesOf({ enable_thinkng: false }, 2)).toEqual([
    "m: the chat template does not read enable_thinkng: of what can be declared it reads enable_thinking",
  ])
})

test("one that it reads is not", async () => {
  expect(await notesOf({ enable_thinking: false }, 1)).toEqual([])
})
