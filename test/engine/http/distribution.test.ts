/** Distributions over labels from the tokens that a server lists. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  type Distribution,
  distributionOf,
  type LabelQuestion,
} from "../../../runtime/backend/http/distribution.ts"
import { bytesOf } from "../../../runtime/backend/http/listed.ts"

type Lists = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Reads labels where the server lists these tokens behind these texts; behind any other it cannot be asked. */
const read = (
  labels: readonly string[],
  lists: Lists,
  question: Partial<LabelQuestion> = {},
  oneTokens: readonly string[] = [],
): { readonly found: Distribution; readonly asked: readonly string[] } => {
  const asked: string[] = []
  const found = Effect.runSync(
    distributionOf(
      { labels, also: [], opening: "(", follow: ")", ...question },
      {
        listed: (forced) => {
          const text = Buffer.from(forced, "latin1").toString("utf8")
          asked.push(text)
          const list = lists[text]
          if (list === undefined) return Effect.succeed({ problem: `nothing is known behind ${text}` })
          return Effect.succeed(
            Object.entries(list).map(([token, probability]) => ({ bytes: bytesOf(token), probability })),
          )
        },
        isOneToken: (label) => Effect.succeed(oneTokens.includes(label)),
      },
    ),
  )
  return { found, asked }
}

const close = (values: readonly number[]): readonly number[] =>
  values.map((value) => expect.closeTo(value, 12))

describe("labels of one token", () => {
  it("share what is listed of them, and their mass is its sum", () => {
    const { found, asked } = read(["A", "B", "C"], { "": { B: 0.5, A: 0.2, C: 0.1, The: 0.2 } })
    expect(found).toEqual({ probabilities: close([0.25, 0.625, 0.125]), mass: expect.closeTo(0.8, 12) })
    expect(asked).toEqual([""])
  })

  it("are censored where they are not listed: never taken for 0, and bounded by the least that is listed", () => {
    const { found } = read(["A", "B", "C"], { "": { A: 0.6, B: 0.2, x: 0.01 } })
    expect(found.probabilities).toEqual(close([0.75, 0.25, 0]))
    expect(found.censored).toEqual({ labels: [2], below: 0.01 })
  })

  it("have no reading where none of them is listed", () => {
    expect(read(["A", "B"], { "": { I: 0.6, The: 0.4 } }).found).toEqual({
      probabilities: [],
      mass: 0,
      invalid: "none of the labels is among the 2 most probable tokens, which is all that the server lists",
    })
  })

  it("are known by their bytes, in any writing", () => {
    expect(read(["はい", "いいえ"], { "": { はい: 0.3, いいえ: 0.6 } }).found.probabilities).toEqual(
      close([1 / 3, 2 / 3]),
    )
  })

  it("count together with what follows them in the turn, where a token holds both, and not with anything else", () => {
    const { found } = read(["A", "B"], { "": { A: 0.3, "A)": 0.3, B: 0.2, "B.": 0.1, Bad: 0.1 } })
    expect(found.probabilities).toEqual(close([0.75, 0.25]))
    expect(found.mass).toBeCloseTo(0.8, 12)
  })

  it("may stand behind a blank where nothing was said before, or a blank at the end, and nowhere else", () => {
    const lists = { "": { " A": 0.5, A: 0.1, B: 0.2 } }
    expect(read(["A", "B"], lists, { opening: "" }).found.mass).toBeCloseTo(0.8, 12)
    expect(read(["A", "B"], lists, { opening: "Answer: " }).found.mass).toBeCloseTo(0.8, 12)
    expect(read(["A", "B"], lists, { opening: "Answer:" }).found.mass).toBeCloseTo(0.3, 12)
  })
})

describe("labels of several tokens", () => {
  it("are asked on behind their first token, and count with the probability of all of them", () => {
    const { found, asked } = read(["agree", "disagree"], {
      "": { agree: 0.3, dis: 0.5, x: 0.2 },
      dis: { agree: 0.9, like: 0.1 },
    })
    expect(asked).toEqual(["", "dis"])
    expect(found.probabilities).toEqual(close([0.3 / 0.75, 0.45 / 0.75]))
    expect(found.mass).toBeCloseTo(0.75, 12)
  })

  it("have no reading where the server cannot be asked on: a sentence says so", () => {
    expect(read(["agree", "disagree"], { "": { agree: 0.3, dis: 0.5 } }).found.invalid).toBe(
      "nothing is known behind dis",
    )
  })

  it("that begin alike are told apart where they part, by the probabilities there", () => {
    const { found, asked } = read(["very good", "very bad"], {
      "": { very: 0.8, x: 0.2 },
      very: { " good": 0.3, " bad": 0.1, " very": 0.6 },
    })
    expect(asked).toEqual(["", "very"])
    expect(found.probabilities).toEqual(close([0.75, 0.25]))
    expect(found.mass).toBeCloseTo(0.8 * 0.4, 12)
  })
})

describe("integers", () => {
  const tens = ["1", "2", "10"]

  it("are told apart by one token where the tokenizer has one for each", () => {
    const { found, asked } = read(tens, { "": { "10": 0.5, "1": 0.25, "2": 0.25 } })
    expect(asked).toEqual([""])
    expect(found.probabilities).toEqual(close([0.25, 0.25, 0.5]))
  })

  it("are censored where their one token is not listed, though a beginning of it is", () => {
    const { found, asked } = read(tens, { "": { "1": 0.5, "2": 0.25, x: 0.01 } }, {}, ["10"])
    expect(asked).toEqual([""])
    expect(found.probabilities).toEqual(close([2 / 3, 1 / 3, 0]))
    expect(found.censored).toEqual({ labels: [2], below: 0.01 })
  })

  it("whose digits are tokens are told apart by what follows in the turn", () => {
    const { found, asked } = read(tens, { "": { "1": 0.8, "2": 0.2 }, "1": { "0": 0.3, ")": 0.1, ".": 0.6 } })
    expect(asked).toEqual(["", "1"])
    expect(found.probabilities).toEqual(close([0.8 * 0.25, 0.2, 0.8 * 0.75]))
    expect(found.mass).toBeCloseTo(0.8 * 0.4 + 0.2, 12)
  })

  it("are told apart by the turn's end where nothing follows", () => {
    const lists = { "": { "1": 0.8, "2": 0.2 }, "1": { "0": 0.3, "<|im_end|>": 0.1, ".": 0.6 } }
    expect(read(tens, lists, { follow: "" }).found.probabilities).toEqual(close([0.2, 0.2, 0.6]))
  })
})

describe("a pushed label besides", () => {
  it("has its raw probability, and is no part of the others' mass", () => {
    const { found } = read(["A", "B"], { "": { A: 0.5, B: 0.25, E: 0.2 } }, { also: ["E"] })
    expect(found.also).toEqual([0.2])
    expect(found.mass).toBeCloseTo(0.75, 12)
  })

  it("has none where it is not listed", () => {
    expect(read(["A", "B"], { "": { A: 0.5, B: 0.25 } }, { also: ["E"] }).found.also).toBeUndefined()
  })
})

describe("numbers that are none", () => {
  it("make the read invalid", () => {
    expect(read(["A"], { "": { A: Number.NaN, B: 0.1 } }).found.invalid).toBe(
      "the server gave a probability that is not a number",
    )
  })

  it("make it invalid where together they are more than 1", () => {
    expect(read(["A", "B"], { "": { A: 0.9, B: 0.9 } }).found.invalid).toBe(
      "the probabilities that the server lists at the place of the answer come to 1.800, more than 1",
    )
  })
})
