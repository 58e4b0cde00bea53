/** What records alone declare of their labels and levels holds together before any row is read. */
import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { inMemory } from "../diagnostics/examples.ts"

const codesOf = (lines: string): readonly string[] => {
  const spec = `metric accuracy(read = a0) {
  rate read == item.gold
  interval wilson 95
}

experiment scored {
  records "x.csv" {
    item = id
    gold = key
    a0: option = said
    ${lines}
  }
  measure accuracy
}
`
  return compile("/spec/spec.cfx", inMemory({ "spec.cfx": spec })).diagnostics.map(({ code }) => code)
}

describe("records alone", () => {
  it("may declare the labels of all items, and probabilities of these", () => {
    expect(codesOf("labels { A, B }\n    a0.p(A) = pa\n    a0.p(B) = pb")).toEqual([])
    expect(codesOf("a0.p(A) = pa\n    a0.p(Z) = pz")).toEqual([])
  })

  it("declare no label twice, and no probability of a label that is none", () => {
    expect(codesOf("labels { A, A }")).toContain("CFX2003")
    expect(codesOf("labels { A, B }\n    a0.p(C) = pc")).toContain("CFX3203")
  })

  it("name at least one level of a factor whose levels they name", () => {
    expect(codesOf("framing = cond { }")).toContain("CFX2017")
  })
})
