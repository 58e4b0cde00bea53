import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { EngineAnswer } from "../../runtime/read/reading.ts"
import { AnswerStore } from "../../runtime/run/answerStore.ts"
import type { Answered } from "../../runtime/run/answers.ts"

const id = (text: string): string => createHash("sha256").update(text).digest("hex")
const p = fc.double({ min: 0, max: 1, noNaN: true }).map((one) => (one === 0 ? 0 : one))

const read = fc.record(
  {
    probabilities: fc.array(p, { maxLength: 6 }),
    mass: p,
    evaluated: fc.constant(0),
    also: fc.array(p, { maxLength: 2 }),
    censored: fc.record({ labels: fc.array(fc.nat(5)), below: p }, { noNullPrototype: true }),
    invalid: fc.string(),
  },
  { requiredKeys: ["probabilities", "mass", "evaluated"], noNullPrototype: true },
)
const written = fc.record(
  {
    text: fc.string({ unit: "binary" }),
    tokens: fc.nat(),
    stop: fc.constantFrom("end" as const, "until" as const, "max" as const),
    evaluated: fc.constant(0),
    invalid: fc.string(),
  },
  { requiredKeys: ["text", "tokens", "stop", "evaluated"], noNullPrototype: true },
)

describe("what models have answered", () => {
  it("is found by read and by prompt as in maps of objects", () => {
    const answers = fc.array(fc.oneof(read, written), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(answers, fc.array(fc.nat(60), { maxLength: 80 }), (all, prompts) => {
        const store = new AnswerStore()
        const byKey = new Map<string, EngineAnswer>()
        const byPrompt = new Map<string, Answered>()
        for (const [at, one] of all.entries()) {
          const answer = { key: id(`key ${at}`), ...one } as EngineAnswer
          store.answer(answer)
          byKey.set(answer.key, answer)
        }
        for (const [at, number] of prompts.entries()) {
          const prompt = id(`prompt ${number}`)
          const key = id(`key ${at}`)
          const answer = byKey.get(key)
          if (answer === undefined) {
            const unreadable = { kind: "unreadable", why: "too_long", problem: `p${at % 3}` } as const
            store.refuse(prompt, unreadable)
            byPrompt.set(prompt, unreadable)
          } else {
            store.point(prompt, key)
            byPrompt.set(prompt, { kind: "answer", answer })
          }
        }
        expect([...store.byKey]).toEqual([...byKey.keys()])
        expect([store.byKey.size, store.byPrompt.size]).toEqual([byKey.size, byPrompt.size])
        for (const key of [...byKey.keys(), "none"]) {
          expect(store.byKey.has(key)).toBe(byKey.has(key))
          expect(store.byKey.get(key)).toStrictEqual(byKey.get(key))
        }
        for (let number = 0; number <= 60; number++) {
          const prompt = id(`prompt ${number}`)
          const answered = byPrompt.get(prompt)
          expect(store.byPrompt.has(prompt)).toBe(answered !== undefined)
          expect(store.byPrompt.get(prompt)).toStrictEqual(answered)
          const read = store.readOf(prompt)
          if (answered?.kind === "answer") expect(store.readAt(read)).toStrictEqual(answered.answer)
          else expect(read).toBe(-1)
        }
      }),
      { numRuns: 60 },
    )
  })

  it("is answered once to a read", () => {
    const store = new AnswerStore()
    const answer = { key: id("key"), probabilities: [1], mass: 1, evaluated: 0 }
    store.answer(answer)
    expect(() => store.answer(answer)).toThrow("two answers")
  })
})
