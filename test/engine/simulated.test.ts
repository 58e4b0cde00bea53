/** The simulated engine: what it writes, and how it follows what a spec assumes. */
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Ask } from "../../compiler/conversation.ts"
import type { Expectation, ReadRequest, TextAnswer, TextRequest } from "../../runtime/backend/backend.ts"
import { asExpected } from "../../runtime/backend/expectation.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { readingOf } from "../../runtime/read/reading.ts"
import { conversationOf, prepared } from "./support.ts"

const model = simulatedModel({ name: "m", path: "/none" })

const textAsk = (parts: Partial<Ask & { kind: "text" }> = {}): Ask & { kind: "text" } => ({
  kind: "text",
  max: 100,
  until: [],
  temperature: 0,
  topP: 1,
  draw: "0",
  ...parts,
})

const requestOf = (question: string, ask = textAsk()): TextRequest => {
  const found = prepare(model, conversationOf([[question, ""]]), ask)
  if ("problem" in found || found.kind !== "text") throw new Error("no text")
  return found.request
}

const write = (request: TextRequest): Promise<readonly TextAnswer[]> =>
  Effect.runPromise(Stream.runCollect(model.generate([request])))

const written = async (request: TextRequest): Promise<TextAnswer> => (await write(request))[0] as TextAnswer

describe("a simulated text", () => {
  it("hangs on the prompt and on the draw, and on nothing else", async () => {
    const one = await written(requestOf("Why?"))
    expect(await written(requestOf("Why?"))).toEqual(one)
    expect((await written(requestOf("How?"))).text).not.toBe(one.text)
    const drawn = (draw: string) => written(requestOf("Why?", textAsk({ temperature: 1, draw })))
    expect((await drawn("1")).text).not.toBe((await drawn("2")).text)
    expect(await drawn("1")).toEqual(await drawn("1"))
  })

  it("ends by itself, at the declared number of tokens, or at a declared text", async () => {
    const whole = await written(requestOf("Why?"))
    expect(whole.stop).toBe("end")
    expect(whole.tokens).toBeGreaterThan(3)
    const cut = await written({ ...requestOf("Why?"), max: 3 })
    expect(cut).toMatchObject({ stop: "max", tokens: 3, text: whole.text.split(" ").slice(0, 3).join(" ") })
    const [, second = ""] = whole.text.split(" ")
    const stopped = await written({ ...requestOf("Why?"), until: [second] })
    expect(stopped).toMatchObject({ stop: "until", tokens: 1 })
    expect(whole.text.startsWith(stopped.text)).toBe(true)
    expect(stopped.text).not.toContain(second)
  })

  it("says what is expected as often as is expected", async () => {
    const expected: Expectation = [
      { outcome: "I refuse", probability: 0.3 },
      { outcome: "The answer is B.", probability: 0.5 },
    ]
    const texts = await Promise.all(
      Array.from({ length: 400 }, (_, n) => written({ ...requestOf(`Question ${n}`), expected })),
    )
    const share = (text: string) => texts.filter((answer) => answer.text === text).length / texts.length
    expect(share("I refuse")).toBeCloseTo(0.3, 1)
    expect(share("The answer is B.")).toBeCloseTo(0.5, 1)
  })

  it("is refused where it holds a marker, and has no other value", () => {
    const answer: TextAnswer = { key: "k", text: "I_AM_WEAK, sorry", tokens: 2, stop: "end", evaluated: 0 }
    expect(readingOf(textAsk(), answer, ["NO", "I_AM_WEAK"])).toMatchObject({
      status: "refused",
      marker: "I_AM_WEAK",
    })
    expect(readingOf(textAsk(), answer, ["i_am_weak"])).toMatchObject({ status: "text" })
    expect(readingOf(textAsk(), { key: "k", probabilities: [1], mass: 1, evaluated: 0 }).status).toBe(
      "invalid",
    )
  })

  it("is not asked for where it may not fit the context", () => {
    const ask = textAsk({ max: model.contextSize })
    expect(prepare(model, conversationOf([["Why?", ""]]), ask)).toMatchObject({ kind: "too_long" })
  })
})

describe("an answer that is expected", () => {
  const ask = { kind: "option", labels: ["A", "B", "C"], follow: "" } as const
  const read = async (question: string, expected: Expectation) => {
    const request: ReadRequest = {
      ...prepared(model, conversationOf([[question, ""]]), ask).request,
      expected,
    }
    const [answer] = await Effect.runPromise(Stream.runCollect(model.score([request])))
    if (answer === undefined) throw new Error("no answer")
    return answer
  }

  it("comes as often as is expected, over many prompts", async () => {
    const expected = [
      { outcome: 1, probability: 0.7 },
      { outcome: 0, probability: 0.15 },
      { outcome: 2, probability: 0.15 },
    ]
    const answers = await Promise.all(Array.from({ length: 400 }, (_, n) => read(`Question ${n}`, expected)))
    const chosen = answers.map(({ probabilities }) => probabilities.indexOf(Math.max(...probabilities)))
    expect(chosen.filter((index) => index === 1).length / chosen.length).toBeCloseTo(0.7, 1)
    for (const { probabilities } of answers) {
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
    }
  })

  it("is the engine's own for what is left of 1", async () => {
    const { probabilities } = await read("Why?", [])
    expect((await read("Why?", [{ outcome: 0, probability: 0 }])).probabilities).toEqual(probabilities)
  })

  it("moves no probability but two", () => {
    const distribution = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), {
      minLength: 2,
      maxLength: 8,
    })
    fc.assert(
      fc.property(distribution, fc.string(), fc.nat(7), (probabilities, key, index) => {
        const outcome = index % probabilities.length
        const answer = { key, probabilities, mass: 1, evaluated: 0 }
        const given = asExpected(answer, [{ outcome, probability: 1 }])
        expect(given.probabilities[outcome]).toBe(Math.max(...probabilities))
        expect([...given.probabilities].sort()).toEqual([...probabilities].sort())
        const moved = given.probabilities.filter((p, at) => p !== probabilities[at])
        expect(moved.length).toBeLessThanOrEqual(2)
      }),
    )
  })
})

describe("a declared template", () => {
  const turns = conversationOf(
    [
      ["One?", "Yes."],
      ["Two?", "No"],
    ],
    "Be brief.",
  )
  const ask = { kind: "option", labels: ["A", "B"], follow: "" } as const
  const textOf = (segments: readonly { readonly text: string }[]) => segments.map(({ text }) => text).join("")

  it("that is plain writes the turns one below the other", () => {
    const plain = simulatedModel({ name: "m", path: "/none", template: "plain" })
    expect(textOf(prepared(plain, turns, ask).rendered)).toBe("Be brief.\nOne?\nYes.\nTwo?\nNo")
  })

  it("gives its variables to the model's own template", () => {
    const thinking = (template?: Record<string, boolean>) => ({
      ...simulatedModel({ name: "m", path: "/none", ...(template === undefined ? {} : { template }) }),
      chatTemplate:
        "{% for m in messages %}{{ m['content'] }}<|im_end|>{% endfor %}{% if enable_thinking %}<think>{% endif %}",
    })
    const rendered = (template?: Record<string, boolean>) =>
      textOf(prepared(thinking(template), turns, ask).rendered)
    expect(rendered({ enable_thinking: true })).toContain("<think>")
    expect(rendered({ enable_thinking: false })).not.toContain("<think>")
    expect(rendered()).not.toContain("<think>")
  })

  it("makes another fingerprint, so that no answers are shared", () => {
    const prints = [undefined, "plain", { enable_thinking: true }, { enable_thinking: false }] as const
    const all = prints.map(
      (template) =>
        simulatedModel({ name: "m", path: "/none", ...(template === undefined ? {} : { template }) })
          .fingerprint,
    )
    expect(new Set(all).size).toBe(prints.length)
  })
})
