import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type LabelContext,
  type LabelsInContext,
  type LabelTree,
  labelsInContext,
} from "../../runtime/read/labels.ts"
import { placesOf } from "../../runtime/read/steps.ts"

/** Greedy longest match over a few pieces; other characters are tokens of their own. Tokens are the pieces' numbers. */
function tokenizerOf(...pieces: string[]) {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const number = (text: string): number => {
    if (!numbers.has(text)) {
      numbers.set(text, texts.length)
      texts.push(text)
    }
    return numbers.get(text)!
  }
  const tokenize = (text: string): readonly number[] => {
    const tokens: number[] = []
    for (let at = 0; at < text.length; ) {
      const fits = pieces.filter((piece) => text.startsWith(piece, at)).sort((a, b) => b.length - a.length)
      const piece = fits[0] ?? text[at]!
      tokens.push(number(piece))
      at += piece.length
    }
    return tokens
  }
  return { tokenize, texts: (tokens: readonly number[]) => tokens.map((token) => texts[token]!) }
}

const end = 99_999

/** The label that these tokens lead to. */
function labelAfter(place: LabelTree, tokens: readonly number[]): number | undefined {
  const branch = place.branches.find(({ token }) => token === tokens[place.forced.length])
  if (branch === undefined) return undefined
  if (typeof branch.leadsTo === "number") return branch.leadsTo
  return labelAfter(branch.leadsTo, tokens)
}

const found = (labels: readonly string[], context: LabelContext): LabelsInContext => {
  const result = labelsInContext(labels, context)
  if ("problem" in result) throw new Error(result.problem)
  return result
}

const problem = (labels: readonly string[], context: LabelContext): string => {
  const result = labelsInContext(labels, context)
  if (!("problem" in result)) throw new Error("no problem was found")
  return result.problem
}

describe("labels in context", () => {
  test("of one token each are decided at one place", () => {
    const { tokenize, texts } = tokenizerOf()
    const { tree, back } = found(["A", "B"], { tokenize, before: '{"judgment":"', follow: '"', end })
    expect(back).toBe(0)
    expect(tree.forced).toEqual([])
    expect(tree.branches.map((b) => [...texts([b.token]), b.leadsTo])).toEqual([
      ["A", 0],
      ["B", 1],
    ])
  })

  test("of several tokens are settled where they part", () => {
    const { tokenize, texts } = tokenizerOf("red", "wood")
    const { tree } = found(["redwood", "redfish", "pine"], { tokenize, before: ":", follow: ".", end })
    const places = placesOf(tree)
    expect(places.map((place) => texts(place.forced))).toEqual([[], ["red"]])
    expect(texts(places[1]!.branches.map((b) => b.token))).toEqual(["wood", "f"])
  })

  test("1 and 10 in digits are told apart by the character that follows", () => {
    const { tokenize, texts } = tokenizerOf()
    const integers = Array.from({ length: 10 }, (_, i) => String(i + 1))
    const { tree } = found(integers, { tokenize, before: ":", follow: "}", end })
    const places = placesOf(tree)
    expect(places).toHaveLength(2)
    expect(texts(places[1]!.forced)).toEqual(["1"])
    expect(places[1]!.branches.map((b) => [...texts([b.token]), b.leadsTo])).toEqual([
      ["}", 0],
      ["0", 9],
    ])
  })

  test("where the text runs out, the token that closes the turn tells them apart; without it they cannot be read", () => {
    const { tokenize } = tokenizerOf()
    const { tree } = found(["1", "10"], { tokenize, before: ":", follow: "", end })
    expect(placesOf(tree)[1]!.branches[0]).toEqual({ token: end, leadsTo: 0 })
    expect(problem(["1", "10"], { tokenize, before: ":", follow: "", end: null })).toMatch(
      /tells the label "1"/,
    )
  })

  test("that merge with the text before them are read one boundary earlier, in both spellings", () => {
    const { tokenize, texts } = tokenizerOf(" A", " B")
    const { tree, back } = found(["A", "B"], { tokenize, before: "Answer: ", follow: "", end })
    const [root, respelt] = placesOf(tree)
    expect(back).toBe(1)
    expect(texts(root!.branches.map((b) => b.token)).sort()).toEqual([" ", " A", " B"])
    expect(texts(respelt!.forced)).toEqual([" "])
    expect(respelt!.respelt).toBe(true)
    expect(texts(respelt!.branches.map((b) => b.token))).toEqual(["A", "B"])
  })

  test("that merge and begin alike have a place before each token until they part, since it decides between the spellings", () => {
    const { tokenize, texts } = tokenizerOf(" the", "th")
    const { tree, merged } = found(["the x", "the y", "?"], { tokenize, before: "Answer: ", follow: "", end })
    expect(placesOf(tree).map(({ forced, respelt }) => [texts(forced).join("|"), respelt])).toEqual([
      ["", true],
      [" the", true],
      [" the| ", true],
      [" ", true],
      [" |th", true],
      [" |th|e", true],
      [" |th|e| ", true],
    ])
    expect(merged).toEqual([true, true, false])
  })

  test("that run together with the text after them are a problem, by name", () => {
    const { tokenize } = tokenizerOf("A}")
    expect(problem(["A", "B"], { tokenize, before: ":", follow: "}", end })).toMatch(/"A" runs together/)
  })

  test("that are equal as tokens are a problem, by name", () => {
    const unknown = 7
    const tokenize = (text: string): readonly number[] => [...text].map(() => unknown)
    expect(problem(["A", "B"], { tokenize, before: "", follow: "", end: null })).toMatch(/"A"/)
  })

  test("every label has a leaf, and following its tokens leads to it", () => {
    const pieces = fc.subarray(["ab", "aa", "ba", " a", " b", ":a", "a.", "abab"])
    const labels = fc.uniqueArray(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(
        pieces,
        labels,
        fc.constantFrom("x:", "x: ", ""),
        fc.constantFrom(".", ""),
        (p, list, before, follow) => {
          const { tokenize } = tokenizerOf(...p)
          const result = labelsInContext(list, { tokenize, before, follow, end })
          if ("problem" in result) return
          const kept = tokenize(before).slice(0, tokenize(before).length - result.back)
          for (const [index, label] of list.entries()) {
            const whole = [...tokenize(before + label)]
            expect([...kept, ...result.tokens[index]!]).toEqual(whole)
            const rest = [...tokenize(before + label + follow).slice(kept.length), end]
            expect(labelAfter(result.tree, rest)).toBe(index)
          }
        },
      ),
    )
  })
})
