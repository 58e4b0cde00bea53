/** What is said of models and contrasts by them while they are fitted. */
import { expect, test } from "vitest"
import { fitNotes } from "../../runtime/run/fitNotes.ts"

test("a fit is told of after two seconds and then every ten, each fit by its own time", () => {
  const notes: string[] = []
  let now = 0
  const progress = fitNotes(
    (text) => notes.push(text),
    () => now,
  )
  for (const [fit, at] of [
    ["odds", 0],
    ["odds", 1900],
    ["odds", 2100],
    ["odds", 9000],
    ["odds", 12_200],
    ["authority", 13_000],
    ["authority", 14_000],
    ["authority", 15_200],
  ] as const) {
    now = at
    progress(fit, 1)
  }
  expect(notes).toEqual([
    "fitting the model odds, for 2 s so far",
    "fitting the model odds, for 12 s so far",
    "fitting the model authority, for 2 s so far",
  ])
})
