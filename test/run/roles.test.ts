/** Trials that ask more than one model: one writes, another reads. */
import { join } from "node:path"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { openings } from "../../runtime/run/openings.ts"
import { run } from "../../runtime/run/run.ts"
import { contents } from "./contents.ts"
import { carryOut, compiled, requestOf, statuses, watching } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

/** A source argues for a wrong option; the studied model answers, reads the argument, and answers again. */
const spec = (models: readonly string[], sources: string, more = "", gate = ""): string => `
${models.map((name) => `model ${name} = gguf "${name}.gguf"`).join("\n")}
protocol persuasion {
  role source
  options "{label}. {text}" join "\\n"
  turn argue by source {
    user "Argue for {target.label}.\\n{item.question}\\n{item.options}"
    assistant "{argument: text}"
    read argument { max 40 }
  }
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  turn second continues first ${gate} {
    user "Someone says: {argument}"
    assistant "{a1: option}"
  }
}
metric flips(first = a0, second = a1) { rate second != first interval wilson 95 }
experiment study {
  protocol persuasion
  models { ${models.join(", ")} }
  items { sums }
  seed 0
  target random_wrong
  factor source ${sources}
  measure flips
  table main { rows model, source columns flips average pooled }
  ${more}
}
`

/** The source alone is asked to argue; the target alone is studied. */
const pair = spec(["target", "source"], "= source").replace("models { target, source }", "models { target }")

describe("a source that writes and a target that reads", () => {
  const { asked, layer } = watching()
  const directory = fresh()
  const outcome = carryOut(directory, pair, { items: 5, layer })

  it("opens the source first, so that each model is opened once", async () => {
    await outcome
    expect(asked.opened).toEqual(["source", "target"])
  })

  it("asks each of its own turns, and shows the target what the source wrote", async () => {
    const { records } = await outcome
    expect(new Set(asked.texts.map(({ model }) => model))).toEqual(new Set(["source"]))
    expect(new Set(asked.reads.map(({ model }) => model))).toEqual(new Set(["target"]))
    for (const { readings, roles } of records) {
      const { argument } = readings
      if (argument?.status !== "text") throw new Error("no argument")
      expect(asked.reads.some(({ prompt }) => prompt.includes(`Someone says: ${argument.text}`))).toBe(true)
      expect(roles).toEqual({ source: "source" })
    }
  })

  it("says in the report who was asked", async () => {
    const { report } = await outcome
    const ofCells = report.prompts.filter(({ trial }) => trial === undefined)
    expect(ofCells.map(({ model, asked, hole }) => [model, asked, hole])).toEqual([
      ["target", "source", "argument"],
      ["target", undefined, "a1"],
    ])
  })

  it("comes to the same files byte for byte when it is stopped anywhere and goes on", async () => {
    await outcome
    const whole = contents(directory)
    const answers = asked.reads.length + asked.texts.length
    for (const after of [1, 5, answers - 1]) {
      const stopped = fresh()
      const first = await Effect.runPromiseExit(
        run(requestOf(stopped, pair, { items: 5 })).pipe(Effect.provide(watching(after).layer)),
      )
      expect(Exit.isFailure(first) && Cause.hasInterruptsOnly(first.cause)).toBe(true)
      const second = watching()
      await carryOut(stopped, pair, { items: 5, layer: second.layer })
      expect(second.asked.reads.length + second.asked.texts.length).toBe(answers - after)
      expect(contents(stopped), `stopped after ${after} answers`).toEqual(whole)
    }
  })
})

describe("every model as the source of every other", () => {
  const names = ["a", "b", "c"]
  const crossed = spec(names, "in models")

  it("opens a model again only where it reads what was written after it", async () => {
    const { asked, layer } = watching()
    await carryOut(fresh(), crossed, { layer })
    // Arguments hang on no answer here: all write, and whoever is open goes on with what is there.
    expect(asked.opened).toEqual(openings(compiled(crossed).program))
    expect(asked.opened.length).toBeLessThanOrEqual(2 * names.length - 1)
    expect(new Set(asked.opened)).toEqual(new Set(names))
  })

  it("asks for an argument once, whoever reads it", async () => {
    const { asked, layer } = watching()
    const { records } = await carryOut(fresh(), crossed, { items: 2, layer })
    expect(records).toHaveLength(2 * 3 * 3)
    expect(asked.texts).toHaveLength(2 * 3)
    expect(asked.reads).toHaveLength(2 * (3 + 9))
    const of = (source: string) =>
      new Set(
        records
          .filter(({ item, roles }) => item === records[0]?.item && roles.source === source)
          .map(({ readings: { argument } }) => (argument?.status === "text" ? argument.text : "none")),
      )
    for (const source of names) expect(of(source).size).toBe(1)
  })

  it("goes on after a stop in the middle with nothing asked twice", async () => {
    const whole = fresh()
    await carryOut(whole, crossed)
    const stopped = fresh()
    const first = watching(20)
    await Effect.runPromiseExit(run(requestOf(stopped, crossed)).pipe(Effect.provide(first.layer)))
    await carryOut(stopped, crossed)
    expect(contents(stopped)).toEqual(contents(whole))
  })

  it("leaves out the trials that the design leaves out", async () => {
    const { records } = await carryOut(fresh(), spec(names, "in models", "except when source == model"), {
      items: 2,
    })
    expect(records).toHaveLength(2 * 6)
    expect(records.every(({ model, roles }) => roles.source !== model)).toBe(true)
  })
})

describe("a gate", () => {
  it("that hangs on an answer keeps what is behind it from being sent", async () => {
    const { asked, layer } = watching()
    const outcome = await carryOut(fresh(), spec(["a", "b"], "= b", "", "when a0 == item.gold"), {
      items: 12,
      layer,
    })
    const right = outcome.records.filter(({ readings: { a0 } }) => a0?.status === "value" && a0.index === 1)
    expect(right.length).toBeGreaterThan(0)
    expect(right.length).toBeLessThan(outcome.records.length)
    expect(asked.reads.filter(({ prompt }) => prompt.includes("Someone says"))).toHaveLength(right.length)
    expect(statuses(outcome, "a1").filter((status) => status === "skipped")).toHaveLength(
      outcome.records.length - right.length,
    )
    expect(outcome.failed).toEqual([])
  })

  it("that hangs on the design alone needs no model that it shuts out", async () => {
    const own = spec(["a", "b"], "= b").replace(
      "turn argue by source",
      "turn argue by source when model == source",
    )
    const { asked, layer } = watching()
    await carryOut(fresh(), own, { items: 2, layer })
    expect(asked.texts.every(({ model }) => model === "b")).toBe(true)
  })
})

describe("a model that is opened again, for what another wrote about some of its answers", () => {
  const opened = (turns: string): string => `model ada = gguf "ada.gguf"
model bea = gguf "bea.gguf"
protocol urged {
  slot block
  options "{label}. {text}" join "\\n"
  turn first {
    user "{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
  ${turns}
}
metric right(first = a0) { rate first == item.gold interval wilson 95 }
experiment study {
  protocol urged
  models { ada }
  items { sums }
  seed 0
  factor block in { "Hm.", "Oh." }
  measure right
}
`
  const argument = 'user "Why {a0}? {item.question}" assistant "{argument: text}" read argument { max 20 }'
  const specs = {
    // Items whose gate is closed come to their last read before the others do.
    "the first prompt of a cell": opened(`turn argue by bea when a0 == item.gold { ${argument} }
  turn press[t] repeat 2 continues first { user "{block} Sure? ({t})" assistant "{a[t]: option}" }`),
    // The last answer is there when the model is first open, and what it writes at the end is not.
    "all prompts of a single trial":
      opened(`turn again continues first { user "{block}" assistant "{a1: option}" }
  turn argue by bea when a1 == item.gold { ${argument} }
  turn reply continues again {
    user "Someone says: {argument}"
    assistant "{reply: text}"
    read reply { max 20 }
  }`),
  }

  it.each(Object.entries(specs))("is shown with %s, wherever it was stopped", async (_, spec) => {
    const whole = fresh()
    const { asked, layer } = watching()
    const { report } = await carryOut(whole, spec, { items: 8, layer })
    expect(asked.opened).toEqual(["ada", "bea", "ada"])
    expect(new Set(report.prompts.map(({ trial }) => trial === undefined))).toEqual(new Set([true, false]))
    const expected = contents(whole)
    const answers = asked.reads.length + asked.texts.length
    for (let after = 1; after < answers; after += 2) {
      const stopped = fresh()
      await Effect.runPromiseExit(
        run(requestOf(stopped, spec, { items: 8 })).pipe(Effect.provide(watching(after).layer)),
      )
      await carryOut(stopped, spec, { items: 8 })
      expect(contents(stopped), `stopped after ${after} answers`).toEqual(expected)
    }
  })
})
