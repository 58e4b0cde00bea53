/** Where the title of a report ends: with the first sentence of the spec's doc. */
import { describe, expect, test } from "vitest"
import { firstSentence, paragraphsOf, withoutStop } from "../../runtime/report/prose.ts"

describe("the first sentence of a text", () => {
  test.each([
    ["Does a wrong answer need a speaker?", "A small replica of Hu & Qu (2026)."],
    ["One line n times.", "Anchor models and pools."],
    ["It yields by an amount that stands in its world (stdlib/models/pocket/world.py).", "Twelve framings."],
    ["All of Table 8.", "12 arms are asked."],
    ["Who says it?", '"Nobody" is an answer.'],
    ["It counts `a0`.", "`a1` is another."],
    ['They call it "the floor."', "It has no speaker."],
    ["Vermutet wird nichts.", "Ärzte antworten."],
    ["The model flips.", "中文 items are asked too."],
    ["Labels in lower case, from a to d.", "Gold is known."],
    ["Most say no.", "Few say yes."],
  ])("ends before another begins: %s", (first, rest) => {
    expect(firstSentence(`${first} ${rest}`)).toBe(first)
  })

  test.each([
    "A replica of Hu et al. (2026)",
    "A replica of Hu et al. Also in other words",
    "Claims, e.g. Those of experts, against none",
    "What somebody says vs. What nobody says, cf. Table 2, i.e. The floor",
    "After J. Doe and Dr. R. A. Fisher",
    "The numbers of Fig. 2 and Sec. 4, No. 5 left out",
    "Version 1.2 of the framing (std/framings.cfx)",
    "Asks, and asks again. and once more",
    "a.b is no end",
    "",
  ])("does not end within: %s", (text) => {
    expect(firstSentence(text)).toBe(text)
  })
})

test("a title has no full stop at its end, but that of a word which has one", () => {
  expect(["Who flips?", "A floor.", "A replica of Hu et al."].map(withoutStop)).toEqual([
    "Who flips?",
    "A floor",
    "A replica of Hu et al.",
  ])
})

test("paragraphs stand apart by empty lines, and each is one line", () => {
  expect(paragraphsOf("One\nline.\n\n  Another.  \n \n")).toEqual(["One line.", "Another."])
  expect(paragraphsOf("")).toEqual([])
})
