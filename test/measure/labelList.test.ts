/** Labels in one text of a table. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { labelsIn, labelsText } from "../../runtime/measure/labelList.ts"

describe("labels in one text", () => {
  test.each([
    [["A", "B", "C"], "A B C"],
    [["yes", "no"], "yes no"],
    [["1", "2"], "1 2"],
    [["New York", "Los Angeles"], '["New York","Los Angeles"]'],
    [["yes, surely", "no"], '["yes, surely","no"]'],
    [["[A]", "[B]"], '["[A]","[B]"]'],
    [["A", ""], '["A",""]'],
    [[], "[]"],
  ])("of %j are %s", (labels, text) => {
    expect(labelsText(labels)).toBe(text)
  })

  test("read back, whatever they hold", () => {
    const label = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("A", " ", "[", "]", '"', ",") }),
    )
    fc.assert(
      fc.property(fc.array(label), (labels) => {
        expect(labelsIn(labelsText(labels))).toEqual(labels)
      }),
    )
  })
})
