import fc from "fast-check"
import { expect, test } from "vitest"
import { type Stretch, wordDiff } from "../../runtime/diff/words.ts"

const side = (stretches: readonly Stretch[], other: "removed" | "added"): string =>
  stretches
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join("")

const text = fc
  .array(fc.constantFrom("a ", "b", " ", "\n", "don't", "naïve", ".", "漢字", "🙂", "{a0}"))
  .map((parts) => parts.join(""))

test("both texts are in a difference, whole", () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string()), fc.oneof(text, fc.string()), (before, now) => {
      const found = wordDiff(before, now)
      expect(side(found, "added")).toBe(before)
      expect(side(found, "removed")).toBe(now)
    }),
  )
})

test("equal texts have none", () => {
  fc.assert(
    fc.property(text, (same) => {
      expect(wordDiff(same, same)).toEqual(same === "" ? [] : [{ kind: "same", text: same }])
    }),
  )
})

test("neighbours differ in kind, and what is removed stands before what is added", () => {
  fc.assert(
    fc.property(text, text, (before, now) => {
      const kinds = wordDiff(before, now).map(({ kind }) => kind)
      expect(kinds.join(" ")).not.toMatch(/same same|removed removed|added added|added removed/)
    }),
  )
})

test("words are compared whole, and a phrase that was replaced is one", () => {
  expect(wordDiff("The answer is B.", "The answers are B.")).toEqual([
    { kind: "same", text: "The " },
    { kind: "removed", text: "answer is" },
    { kind: "added", text: "answers are" },
    { kind: "same", text: " B." },
  ])
  expect(wordDiff("a b c", "x b c")).toEqual([
    { kind: "removed", text: "a" },
    { kind: "added", text: "x" },
    { kind: "same", text: " b c" },
  ])
})

test("texts that are too long and too different are replaced whole, at once", () => {
  const long = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word}${i}`).join(" ")
  expect(wordDiff(`Same ${long("a")} end`, `Same ${long("b")} end`).map(({ kind }) => kind)).toEqual([
    "same",
    "removed",
    "added",
    "same",
  ])
})
