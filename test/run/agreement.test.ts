/** Option reads beside what a model writes freely: holes with `generate`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Program } from "../../compiler/ir.ts"
import type { TextAnswer, TextRequest, TokenModel } from "../../runtime/backend/backend.ts"
import { parsed } from "../../runtime/disk/json.ts"
import { labelBegun } from "../../runtime/run/freeText.ts"
import { wilson } from "../../runtime/statistics/proportion.ts"
import { contents } from "./contents.ts"
import { experiment, program } from "./fixture.ts"
import { carryOut, goOn, reported, watched } from "./runs.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
let runs = 0
const fresh = (): string => join(folder, `run-${runs++}`)

const ITEMS = 10

/** The small spec, in which some answers are also written. */
const comparing = (trials: number, hole = "a0"): Program => ({
  ...program,
  experiments: [
    {
      ...experiment,
      protocol: {
        ...experiment.protocol,
        holes: experiment.protocol.holes.map((one) =>
          one.name === hole && one.type === "option" ? { ...one, generate: { trials, max: 7 } } : one,
        ),
      },
    },
  ],
})

/** A respondent that writes what this makes of a prompt, and keeps what it was asked. */
const writing = (text: (prompt: string) => string) => {
  const asked: { readonly prompt: string; readonly request: TextRequest }[] = []
  const { seen, layer } = watched(
    (model): TokenModel => ({
      ...model,
      generate: (texts) =>
        Stream.fromIterable(
          texts.map((request): TextAnswer => {
            const prompt = request.chunks.flat().map(model.vocabulary.detokenize).join("")
            asked.push({ prompt, request })
            return { key: request.key, text: text(prompt), tokens: 1, stop: "until", evaluated: 1 }
          }),
        ),
    }),
  )
  return { asked, seen, layer }
}

describe("a read that is compared with texts", () => {
  it("asks for as many trials of each arm as it says, greedily, at the same place", async () => {
    const { asked, layer } = writing(() => 'A","confidence":9}')
    const { records } = await carryOut(fresh(), { program: comparing(4, "a1"), items: ITEMS }, layer)
    for (const arm of ["reask", "pressure"])
      expect(records.filter(({ levels, freely }) => levels.arm === arm && freely !== undefined)).toHaveLength(
        4,
      )
    expect(asked).toHaveLength(8)
    for (const { prompt, request } of asked) {
      expect(prompt.endsWith('{"judgment":"')).toBe(true)
      expect(request).toMatchObject({ max: 7, until: ["\n"], temperature: 0 })
    }
  })

  it("takes the trials by a keyed hash: a larger sample has those of a smaller one, and an item more moves one", async () => {
    const chosen = async (trials: number, items: number) => {
      const { layer } = writing(() => "A")
      const { records } = await carryOut(fresh(), { program: comparing(trials, "a1"), items }, layer)
      return records.flatMap(({ trial, freely }) => (freely === undefined ? [] : [trial]))
    }
    const few = await chosen(3, ITEMS)
    const many = await chosen(6, ITEMS)
    expect(many).toEqual(expect.arrayContaining([...few]))
    const grown = await chosen(3, ITEMS + 1)
    expect(grown.filter((trial) => !few.includes(trial)).length).toBeLessThanOrEqual(2)
  })

  it("is one text where arms share their prompt", async () => {
    const { asked, layer } = writing(() => "A")
    const { records } = await carryOut(fresh(), { program: comparing(100), items: ITEMS }, layer)
    expect(records.every(({ freely }) => freely !== undefined)).toBe(true)
    expect(asked).toHaveLength(ITEMS)
  })

  it("counts by arm whether the text begins with the answer that was read, with a Wilson interval", async () => {
    const { layer } = writing((prompt) => (prompt.length % 3 === 0 ? "Well, I think" : " B because"))
    const directory = fresh()
    const { records, report } = await carryOut(directory, { program: comparing(100), items: ITEMS }, layer)
    const of = (arm: string) => records.filter(({ levels }) => levels.arm === arm)
    expect(report.agreement).toEqual(
      ["reask", "pressure"].map((arm) => {
        const texts = of(arm).map(({ freely, readings }) => ({ text: freely?.a0, a0: readings.a0 }))
        const begun = texts.filter(({ text }) => text?.status === "text" && text.text === " B because")
        const agree = begun.filter(({ a0 }) => a0?.status === "value" && a0.value === "B").length
        return {
          experiment: "study",
          model: "respondent",
          arm,
          hole: "a0",
          trials: texts.length,
          agree,
          none: texts.length - begun.length,
          ...wilson(agree, texts.length, 95),
        }
      }),
    )
    expect(report.agreement.some(({ none }) => none > 0)).toBe(true)
    const [first] = report.agreement
    for (const name of ["report.md", "report.html"])
      expect(readFileSync(join(directory, name), "utf8").replaceAll("\\", "")).toContain(
        `${first?.agree} of ${first?.trials} texts begin`,
      )
  })

  it("keeps the texts in the ledger: nothing is asked again, and the report comes out the same", async () => {
    const directory = fresh()
    await carryOut(directory, { program: comparing(3), items: ITEMS }, writing(() => "A").layer)
    const lines = readFileSync(join(directory, "ledger.jsonl"), "utf8").trim().split("\n").map(parsed)
    expect(lines.some((line) => (line as { readonly kind: string }).kind === "text")).toBe(true)
    const before = contents(directory)
    await reported(directory)
    expect(contents(directory)).toEqual(before)
    const again = writing(() => "B")
    await goOn(directory, again.layer)
    expect(again.asked).toEqual([])
    expect(contents(directory)).toEqual(before)
  })

  it("changes no answer, no count and no table", async () => {
    const plain = await carryOut(fresh(), { items: ITEMS })
    const { seen, layer } = writing(() => "A")
    const compared = await carryOut(fresh(), { program: comparing(5), items: ITEMS }, layer)
    expect(compared.records.map(({ freely: _, ...record }) => record)).toEqual(plain.records)
    expect(compared.counts).toEqual(plain.counts)
    expect(compared.results).toEqual(plain.results)
    expect(seen.asked).toBe(plain.counts.answered)
  })
})

describe("the label with which a text begins", () => {
  const labels = ["A", "B", "C"]

  it.each([
    ["B", 1],
    [" B. Because", 1],
    ['C","confidence":7}', 2],
    ["b)", 1],
    ["Because", undefined],
    ["B2", undefined],
    ["", undefined],
    ["The answer is B", undefined],
  ])("%j is %s", (text, index) => {
    expect(labelBegun(text, labels)).toBe(index)
  })

  it("is the longest of several, and no part of a longer number", () => {
    const integers = Array.from({ length: 10 }, (_, at) => String(at + 1))
    expect(labelBegun("10, I am sure", integers)).toBe(9)
    expect(labelBegun("1}", integers)).toBe(0)
    expect(labelBegun("12", integers)).toBeUndefined()
    expect(labelBegun("an oak tree", ["an oak", "an oak tree"])).toBe(1)
  })

  it("is taken as it is written before any other case", () => {
    expect(labelBegun("a", ["A", "a"])).toBe(1)
  })
})
