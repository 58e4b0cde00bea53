/** Turns that repeat, options in another order, and which engine can do what: through whole runs. */
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { run } from "../../runtime/run/run.ts"
import { failureOf } from "./runs.ts"
import { carryOut, requestOf, watching } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const respondent = `model respondent = gguf "r.gguf"\n`

describe("a turn that repeats", () => {
  const spec = `${respondent}
block doubt { texts "Are you sure?" "Really?" "Look again." }
protocol pressed {
  slot block
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn press[t] repeat 3 continues first {
    user "{t}. {block[t]}"
    assistant "{a[t]: option}"
  }
}
metric wavering(first = a0, steps = a) { mean changes(first, steps) interval bootstrap 95 }
experiment study {
  protocol pressed
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  arms { doubt = doubt }
  measure wavering
}
`

  it("is asked step by step, each in the conversation of the one before", async () => {
    const { asked, layer } = watching()
    const { records } = await carryOut(fresh(), spec, { items: 3, layer })
    expect(asked.reads).toHaveLength(3 * 4)
    const [one] = records
    expect(Object.keys(one?.readings ?? {})).toEqual(["a0", "a1", "a2", "a3"])
    const last = asked.reads.filter(({ prompt }) => prompt.includes("3. Look again."))
    expect(last).toHaveLength(3)
    for (const { prompt } of last)
      expect(prompt).toMatch(/1\. Are you sure\?.*2\. Really\?.*3\. Look again\./s)
  })

  it("is shown in the report as one conversation, to its last step", async () => {
    const { report } = await carryOut(fresh(), spec, { items: 1 })
    const ofCells = report.prompts.filter(({ trial }) => trial === undefined)
    expect(ofCells.map(({ hole }) => hole)).toEqual(["a3"])
  })
})

describe("options in another order", () => {
  const spec = `${respondent}
protocol plain {
  options "{label}. {text}" join "\\n"
  turn ask {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
}
metric accuracy(first = a0) { rate first == item.gold interval wilson 95 }
experiment study {
  protocol plain
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  options in { identity, reversed }
  measure accuracy
}
`

  it("are recorded in the order of the pool, under the labels that were shown", async () => {
    const { asked, layer } = watching()
    const { records } = await carryOut(fresh(), spec, { items: 6, layer })
    expect(asked.reads).toHaveLength(12)
    const reversed = records.filter(({ levels }) => levels.options === "reversed")
    expect(reversed).toHaveLength(6)
    for (const { gold, labels, shown, readings } of reversed) {
      expect(gold).toBe(1)
      expect(labels).toEqual(["A", "B", "C"])
      expect(shown).toEqual(["C", "B", "A"])
      const { a0 } = readings
      if (a0?.status !== "value") throw new Error("no answer")
      expect(a0.value).toBe(shown[a0.index])
      expect(a0.probabilities[a0.index]).toBe(Math.max(...a0.probabilities))
    }
  })

  it("are one target, wherever it is shown", async () => {
    const { records } = await carryOut(fresh(), spec, { items: 6 })
    const targets = (options: string) =>
      records.filter(({ levels }) => levels.options === options).map(({ target }) => target)
    expect(targets("reversed")).toEqual(targets("identity"))
  })
})

describe("what an engine cannot do", () => {
  const writes = (model: string, read = '{reply: text}"\n    read reply { max 9 }') => `${model}
protocol open {
  options "{label}. {text}" join "\\n"
  turn ask {
    user "{item.question}\\n{item.options}"
    assistant "${read}
  }
}
metric long(text = reply) { mean words(text) interval bootstrap 95 }
metric accuracy(first = a0) { rate first == item.gold interval wilson 95 }
experiment study {
  protocol open
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  measure ${read.includes("text") ? "long" : "accuracy"}
}
`
  const reads = (model: string): string => writes(model, '{a0: option}"')

  it.each([
    ["a model whose file is missing", reads(respondent), "the file of model respondent does not exist"],
  ])("is found out before any model is opened: %s", async (_, spec, what) => {
    const { asked, layer } = watching()
    const request = requestOf(fresh(), spec, { engine: "llama" })
    const failure = await failureOf(Effect.runPromise(run(request).pipe(Effect.provide(layer))))
    expect(failure.what).toContain(what)
    expect(failure.todo).toContain("--backend simulated")
    expect(asked.opened).toEqual([])
  })

  it("does not keep the simulated engine from it", async () => {
    const { records } = await carryOut(
      fresh(),
      writes(`model respondent = server "http://x/v1" { name "m" }`),
    )
    expect(records.map(({ readings }) => readings.reply?.status)).toEqual(Array(4).fill("text"))
  })
})
