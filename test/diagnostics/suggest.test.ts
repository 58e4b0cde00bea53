import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { editDistance, suggest } from "../../compiler/diagnostics/suggest.ts"

const FRAMINGS = ["no_source", "people", "rich_peers", "experts", "expert_tag"]

describe("did you mean", () => {
  test.each([
    ["peple", "people", "a letter left out"],
    ["peolpe", "people", "two letters swapped"],
    ["exprets", "experts", "two letters swapped"],
    ["no_sources", "no_source", "a letter too many"],
    ["People", "people", "another case"],
    ["PEOPLE", "people", "all in another case"],
    ["tag_expert", "expert_tag", "its words in another order"],
  ])("%s -> %s (%s)", (name, meant) => {
    expect(suggest(name, FRAMINGS)).toBe(meant)
  })

  test("says nothing rather than something far-fetched", () => {
    expect(suggest("crowd", FRAMINGS)).toBeUndefined()
    expect(suggest("rich", FRAMINGS)).toBeUndefined()
    expect(suggest("a2", ["a0", "a1"])).toBeUndefined()
    expect(suggest("x", [])).toBeUndefined()
  })

  test("never suggests the name itself", () => {
    expect(suggest("HRR", ["HRR"])).toBeUndefined()
  })

  test("prefers the nearest, and of equally near ones the first", () => {
    expect(suggest("abcdef", ["abcdxy", "abcdex"])).toBe("abcdex")
    expect(suggest("abcdef", ["abcdeg", "abcdex"])).toBe("abcdeg")
  })

  test("what it suggests is at most a third of the longer name away", () => {
    const names = fc.string({ unit: fc.constantFrom("a", "b", "_"), minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(names, fc.array(names), (name, candidates) => {
        const meant = suggest(name, candidates)
        if (meant === undefined) return
        expect(candidates).toContain(meant)
        const sameWords = [...meant.split("_")].sort().join() === [...name.split("_")].sort().join()
        const near = editDistance([...name], [...meant]) * 3 <= Math.max(name.length, meant.length)
        expect(sameWords || near).toBe(true)
      }),
    )
  })

  test("is quick on a pasted page of text", () => {
    const page = "x".repeat(100_000)
    expect(suggest(page, [page.slice(1), ...FRAMINGS])).toBeUndefined()
  })
})

describe("the edit distance", () => {
  const distance = (a: string, b: string) => editDistance([...a], [...b])

  test.each([
    ["", "", 0],
    ["abc", "", 3],
    ["ca", "abc", 2],
    ["kitten", "sitting", 3],
    ["ab", "ba", 1],
    ["a🙂", "🙂a", 1],
  ])("%j to %j is %d", (a, b, expected) => {
    expect(distance(a, b)).toBe(expected)
  })

  test("is a metric", () => {
    const words = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 })
    fc.assert(
      fc.property(words, words, words, (a, b, c) => {
        expect(distance(a, b)).toBe(distance(b, a))
        expect(distance(a, b) === 0).toBe(a === b)
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c))
      }),
    )
  })
})
