/** What is counted in the lines of an arm, and gates over lists of labels: through whole runs. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { expand } from "../../compiler/expand.ts"
import type { Trial } from "../../compiler/trial.ts"
import { lineFacts } from "../../runtime/run/lineFacts.ts"
import { arbitration, assertion, cell, experiment, item } from "../expand/support.ts"
import { carryOut, statuses } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const respondent = `model respondent = gguf "r.gguf"\n`

describe("lines", () => {
  const spec = (line: string, paraphrase = "I say {answer}.") => `${respondent}
framing crowd { preamble "Others say:" line "${line}" }
framing people { preamble "Others say:" line "Person {i}: {assertion}" }
paraphrase plainly { "${paraphrase}" }
dose two { lines 2 speakers 2 }
protocol pressed {
  slot block
  draw past = 2 others
  options "{label}. {text}" join "\\n"
  turn first { user "{item.question}\\n{item.options}" assistant "{a0: option}" }
  turn press[t] repeat 2 continues first { user "{block}" assistant "{a[t]: option}" }
}
metric words_in_line { mean line.words interval bootstrap 95 }
metric place { mean line.answer_index interval bootstrap 95 }
experiment study {
  protocol pressed
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  arms { push = assertion(framing in { crowd, people }, structure = all_wrong, order = identity, dose = two, paraphrase = plainly) }
  measure words_in_line
  measure place
  table main { rows framing columns words_in_line, place average pooled }
}
`
  const linesOf = async (...given: Parameters<typeof spec>) => {
    const { records, results } = await carryOut(fresh(), spec(...given), { items: 3 })
    const counted = records.flatMap(({ levels, lines }) => (levels.framing === "crowd" ? [lines] : []))
    const excluded = results.flatMap(({ name, by, excluded }) =>
      name === "place" && by.framing === "crowd" ? [excluded] : [],
    )
    return { counted, excluded }
  }

  it("may say which step they are of: they are counted as in the first", async () => {
    const { counted } = await linesOf("Round {t}, person {i}: {assertion}")
    expect(counted).toEqual(Array.from({ length: 3 }, () => ({ words: 7, answerIndex: 6 })))
  })
  it("may name the item of the step, in their wording too", async () => {
    // "What is N + 1?" is five words.
    const { counted } = await linesOf("On {past[t].question} {assertion}", "of step {t} I say {answer}.")
    expect(counted).toEqual(Array.from({ length: 3 }, () => ({ words: 12, answerIndex: 11 })))
  })
  it("are counted with the answers as each protocol writes them", () => {
    const shared = cell("push", assertion())
    const wordsOf = (answers: "label" | "text") => {
      const study = experiment({ protocol: { ...arbitration, answers }, cells: [shared] })
      const [trial] = expand(
        study,
        new Map([["kinds", [item({ options: ["a", "b", "a b c", "d"], gold: 0 })]]]),
      )
      return lineFacts(
        { ...(trial as Trial), cell: { ...shared, target: { kind: "option", position: 3 } } },
        {},
      )
    }
    const [label, text] = [wordsOf("label"), wordsOf("text")]
    expect((text?.words ?? 0) - (label?.words ?? 0)).toBe(2)
    expect(wordsOf("label")).toEqual(label)
  })
  it("that hold no answer have words all the same", async () => {
    const { counted, excluded } = await linesOf(
      "Person {i}: on {past[1].question} I say {past[1].gold.text}.",
    )
    expect(counted).toEqual(Array.from({ length: 3 }, () => ({ words: 11 })))
    expect(excluded[0]).toEqual({ "no answer in its lines": 3 })
  })
})

describe("a gate over a list of labels", () => {
  const spec = `${respondent}
protocol doubted {
  options "{label}. {text}" join "\\n"
  turn first { user "{item.question}\\n{item.options}" assistant "{a0: option}" }
  turn press[t] repeat 2 continues first { user "Is {a0} right? ({t})" assistant "{v[t]: label(yes, no, maybe)}" }
  turn changed continues press when changes(v) > 0 { user "You changed." assistant "{a1: option}" }
  turn held continues press when changes(v) == 0 { user "You held." assistant "{a2: option}" }
  turn left continues press when first_change(v1, v) > 1 { user "You left." assistant "{a3: option}" }
}
metric changing(steps = v) { mean changes(steps) interval bootstrap 95 }
experiment study {
  protocol doubted
  models { respondent }
  items { sums }
  seed 0
  measure changing
}
`
  it("opens where the measure counts a change, and no other", async () => {
    const outcome = await carryOut(fresh(), spec, { items: 12 })
    const said = outcome.records.map(({ readings: { v1, v2 } }) =>
      v1?.status === "value" && v2?.status === "value" ? v1.value !== v2.value : undefined,
    )
    expect(new Set(said)).toEqual(new Set([true, false]))
    const expected = (wanted: boolean) => said.map((one) => (one === wanted ? "value" : "skipped"))
    expect(statuses(outcome, "a1")).toEqual(expected(true))
    expect(statuses(outcome, "a2")).toEqual(expected(false))
    expect(statuses(outcome, "a3")).toEqual(expected(true))
    const changes = said.filter((one) => one === true).length
    expect(outcome.results.find(({ name }) => name === "changing")?.estimate).toBeCloseTo(changes / 12, 12)
  })
})

describe("levels with the characters that part the names of trials", () => {
  it("leave every trial its own answers", async () => {
    const spec = `${respondent}
protocol parted {
  slot one
  slot other
  options "{label}. {text}" join "\\n"
  turn first { user "{item.question}{one}\\n{item.options}" assistant "{a0: option}" }
  turn second continues first { user "Sure{other}" assistant "{a1: option}" }
}
metric right(x = a1) { rate x == item.gold interval wilson 95 }
experiment study {
  protocol parted
  models { respondent }
  items { sums }
  seed 0
  factor one in { ":", "::" }
  factor other in { ":", "::" }
  measure right
  table main { rows one, other columns right average pooled }
}
`
    const outcome = await carryOut(fresh(), spec, { items: 3 })
    expect(outcome.complete).toBe(true)
    expect(new Set(outcome.records.map(({ trial }) => trial)).size).toBe(3 * 4)
    expect(statuses(outcome, "a1")).toEqual(new Array(3 * 4).fill("value"))
  })
})
