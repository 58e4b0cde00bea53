/** Protocols in which models write texts, and what is made of them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { Backend } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { parsed } from "../../runtime/disk/json.ts"
import { carryOut, compiled, statuses, watching } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const models = `model respondent = gguf "r.gguf"
model grader = gguf "g.gguf"
`

/** An open-ended question, its answer looked for in the text, and judged by another model. */
const openEnded = `${models}
protocol open_ended {
  options "{label}. {text}" join "\\n"
  turn ask {
    user "Question: {item.question}\\n{item.options}\\nEnd with ANSWER: and a letter."
    assistant "{reply: text}"
    read reply { max 200 }
  }
  extract a0: option from reply matching "ANSWER: (\\w)" last
  judge v0 = right(reply) by grader
}

judge right(reply) {
  user "Question: {item.question}\\nAnswer: {reply}\\nIs it right?"
  assistant "{verdict: label(yes, no)}"
  gold yes
}

metric accuracy(first = a0) {
  rate first == item.gold
  interval wilson 95
  invalid wrong
}

experiment study {
  protocol open_ended
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  measure accuracy
  assume { accuracy 0.6 }
}
`

describe("a protocol with a text, what is found in it, and a judge", () => {
  const directory = fresh()
  const { asked, layer } = watching()
  const outcome = carryOut(directory, openEnded, { items: 20, layer })

  it("asks the respondent for the text and the grader for the verdict, each model opened once", async () => {
    await outcome
    expect(asked.opened).toEqual(["respondent", "grader"])
    expect(asked.texts.map(({ model }) => model)).toEqual(Array(20).fill("respondent"))
    expect(asked.reads.map(({ model }) => model)).toEqual(Array(20).fill("grader"))
  })

  it("shows the judge the text that was written", async () => {
    const { records } = await outcome
    const replies = records.map(({ readings: { reply } }) => (reply?.status === "text" ? reply.text : "none"))
    for (const [index, reply] of replies.entries())
      expect(asked.reads[index]?.prompt).toContain(`Answer: ${reply}`)
    expect(statuses(await outcome, "v0")).toEqual(Array(20).fill("value"))
  })

  it("finds the answer in the text, as an option of the item", async () => {
    const { records } = await outcome
    const found = records.map(({ readings: { a0 } }) => a0)
    for (const reading of found) {
      expect(reading).toMatchObject({ status: "answer", value: expect.stringMatching(/^[ABC]$/) })
    }
    // As assumed: right for about 60 % of the items, and never for all of them.
    const right = found.filter((reading) => reading?.status === "answer" && reading.index === 1).length
    expect(right).toBeGreaterThan(6)
    expect(right).toBeLessThan(18)
  })

  it("counts what is found as much the same observation as its text", async () => {
    for (const { prompts } of (await outcome).records) {
      expect(prompts.a0).toBe(prompts.reply)
      expect(prompts.v0).not.toBe(prompts.reply)
    }
  })

  it("keeps the texts in the ledger, and asks nothing again", async () => {
    await outcome
    const lines = readFileSync(join(directory, "ledger.jsonl"), "utf8").trim().split("\n").map(parsed)
    expect(lines.filter((line) => (line as { kind: string }).kind === "text")).toHaveLength(20)
    const again = watching()
    const second = await carryOut(directory, openEnded, { items: 20, layer: again.layer })
    expect(again.asked.opened).toEqual([])
    expect(second.records).toEqual((await outcome).records)
  })

  it("shows a whole prompt of each model in the report", async () => {
    const { report } = await outcome
    const ofCells = report.prompts.filter(({ trial }) => trial === undefined)
    expect(ofCells.map(({ model, asked, hole }) => [model, asked, hole])).toEqual([
      ["respondent", undefined, "reply"],
      ["respondent", "grader", "v0"],
    ])
  })
})

/** As `openEnded`, without anything that is assumed of its respondent. */
const unassumed = openEnded.replace("  assume { accuracy 0.6 }\n", "")

describe("a spec that assumes nothing of its respondents", () => {
  const more = `
  extract sure: integer 1..10 from reply matching "SURE: (\\d+)"
  judge polite = polite(reply)
  turn again continues ask when a0 == item.gold {
    user "Sure?"
    assistant "{a1: option}"
  }
  judge v0`
  const spec = `${unassumed.replace("\n  judge v0", more)}
judge polite(reply) { matching "(?i)please" then yes else no }
`

  it("goes through all its turns on the simulated engine: what is looked for in a text is found", async () => {
    const outcome = await carryOut(fresh(), spec, { items: 30 })
    for (const hole of ["a0", "sure", "polite"])
      expect(statuses(outcome, hole), hole).toEqual(Array(30).fill("answer"))
    const found = (hole: string) =>
      new Set(outcome.records.map(({ readings }) => (readings[hole] as { readonly value: string }).value))
    expect([...found("a0")].sort()).toEqual(["A", "B", "C"])
    expect(found("sure").size).toBeGreaterThan(5)
    expect(found("polite")).toEqual(new Set(["yes", "no"]))
    expect(new Set(statuses(outcome, "a1"))).toEqual(new Set(["value", "skipped"]))
    expect(outcome.failed).toEqual([])
  })

  it("comes to the same answers every time", async () => {
    const once = await carryOut(fresh(), spec)
    expect((await carryOut(fresh(), spec)).records).toEqual(once.records)
  })
})

/** A respondent that says no answer. */
const mumbling = Layer.succeed(Backend, {
  load: (file) =>
    Effect.sync(() => {
      const model = simulatedModel(file)
      return { ...model, generate: (texts) => model.generate(texts.map(({ expected: _, ...text }) => text)) }
    }),
})

describe("a text in which nothing is found", () => {
  it("is counted, and is no failed read", async () => {
    const outcome = await carryOut(fresh(), unassumed, { layer: mumbling })
    expect(statuses(outcome, "a0")).toEqual(Array(4).fill("invalid"))
    expect(outcome.failed).toEqual([])
  })

  it("is a failed read where a measure asks for every value", async () => {
    const spec = unassumed.replace("invalid wrong", "invalid error")
    const { failed } = await carryOut(fresh(), spec, { layer: mumbling })
    expect(failed.map(({ hole }) => hole)).toEqual(Array(4).fill("a0"))
  })
})

describe("a refusal", () => {
  const spec = `${models}
protocol argue {
  options "{label}. {text}" join "\\n"
  turn argue {
    user "Argue for {target.label}: {item.question}\\n{item.options}"
    assistant "{argument: text}"
    read argument { max 50 refusal "I_AM_WEAK" }
  }
  turn ask when not refused(argument) {
    user "{argument}\\n{item.question}\\n{item.options}"
    assistant "{a0: option}"
  }
}
metric long(text = argument) { mean words(text) interval bootstrap 95 }
experiment study {
  protocol argue
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  measure long
  assume { refusal 0.5 }
}
`

  it("is told by its marker, and closes the gate behind it before anything is sent", async () => {
    const { asked, layer } = watching()
    const outcome = await carryOut(fresh(), spec, { items: 20, layer })
    const refused = statuses(outcome, "argument").filter((status) => status === "refused").length
    expect(refused).toBeGreaterThan(3)
    expect(refused).toBeLessThan(17)
    expect(asked.reads).toHaveLength(20 - refused)
    expect(statuses(outcome, "a0")).toEqual(
      statuses(outcome, "argument").map((status) => (status === "refused" ? "skipped" : "value")),
    )
    expect(outcome.failed).toEqual([])
  })
})

describe("texts at a temperature", () => {
  const sampled = (more: string): string => `${models}
block check { text "Please check." }
block confirm { text "Please check." }
protocol twice {
  slot block
  options "{label}. {text}" join "\\n"
  turn ask {
    user "{item.question}\\n{item.options}"
    assistant "{first: text}"
    read first { max 20 temperature 0.7 }
  }
  turn again continues ask {
    user "{block}"
    assistant "{second: text}"
    read second { max 20 temperature 0.7 }
  }
}
metric long(text = first) { mean words(text) interval bootstrap 95 }
experiment study {
  protocol twice
  models { respondent }
  items { sums }
  seed 0
  target random_wrong
  arms { check = check confirm = confirm }
  measure long
  ${more}
}
`
  const textsOf = async (more: string) => {
    const { asked, layer } = watching()
    const { records } = await carryOut(fresh(), sampled(more), { items: 1, layer })
    const texts = (hole: string) =>
      records.map(({ readings }) => {
        const reading = readings[hole]
        return reading?.status === "text" ? reading.text : "none"
      })
    return { asked: asked.texts.length, first: texts("first"), second: texts("second") }
  }

  it("are drawn once for arms that ask the same", async () => {
    const { asked, first, second } = await textsOf("")
    expect(asked).toBe(2)
    expect(new Set(first).size).toBe(1)
    expect(new Set(second).size).toBe(1)
  })

  it("are drawn anew for each replicate", async () => {
    const { asked, first, second } = await textsOf("replicates 3")
    expect(asked).toBe(6)
    expect(new Set(first).size).toBe(3)
    expect(new Set(second).size).toBe(3)
  })

  it("are drawn apart for each arm where the experiment says so", async () => {
    const { asked, first } = await textsOf("independent")
    expect(asked).toBe(4)
    expect(new Set(first).size).toBe(2)
  })

  it("are the same in a second run", async () => {
    expect(await textsOf("replicates 2")).toEqual(await textsOf("replicates 2"))
  })
})

describe("the spec of a text", () => {
  it("compiles to one read by a model and two that are worked out or judged", () => {
    const [experiment] = compiled(openEnded).program.experiments
    expect(experiment?.protocol.holes.map(({ name, type }) => [name, type])).toEqual([
      ["reply", "text"],
      ["a0", "extract"],
      ["v0", "label"],
    ])
  })
})
