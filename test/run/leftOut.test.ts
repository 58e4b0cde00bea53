/** A run that has asked all its models and still lacks reads is a defect of cfx: it never counts as finished. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it, vi } from "vitest"
import { run } from "../../runtime/run/run.ts"
import { requestOf, watching } from "./spec.ts"
import { temporary } from "./temporary.ts"

// Two models are to be asked; the second is forgotten.
vi.mock("../../runtime/run/openings.ts", async (original) => ({
  ...(await original<typeof import("../../runtime/run/openings.ts")>()),
  openings: () => ["one"],
}))

const spec = `
model one = gguf "one.gguf"
model two = gguf "two.gguf"
protocol once { turn first { user "{item.question}" assistant "{a0: option}" } }
metric right(answer = a0) { rate answer == item.gold interval wilson 95 }
experiment study {
  protocol once
  models { one, two }
  items { sums }
  seed 0
  measure right
}
`

it("dies with a sentence, reports nothing, and can go on", async () => {
  const directory = join(temporary(), "run")
  const running = run(requestOf(directory, spec, { items: 3 })).pipe(Effect.provide(watching().layer))
  await expect(Effect.runPromise(running)).rejects.toThrow(
    /^all models were asked, and 3 reads were left out, such as a0 of trial /,
  )
  const state = JSON.parse(readFileSync(join(directory, "run.json"), "utf8"))
  expect(state).toMatchObject({ state: "interrupted", counts: { answered: 3 } })
  expect(() => readFileSync(join(directory, "report.html"))).toThrow()
})
