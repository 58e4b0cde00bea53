import { describe, expect, it } from "vitest"
import { readBy } from "./support.ts"

const fields = "question = q options = o gold = g"
const row = (o: readonly string[], g: unknown): string => JSON.stringify({ q: "?", o, g })

describe("published data are taken as they are:", () => {
  it("two equal options are let pass where gold is no matter of their text", () => {
    const text = row(["x", "y", "x"], "C")
    expect(readBy(fields, { "p.jsonl": text }).problems).toMatchObject([{ kind: "equal_options" }])
    expect(readBy(fields, { "p.jsonl": text }, true)).toMatchObject({
      items: [{ options: ["x", "y", "x"], gold: 2 }],
      problems: [],
      flawed: [{ id: "1", flaws: ["equal options"] }],
    })
    expect(readBy(fields, { "p.jsonl": row(["x", "y", "x"], "x") }, true).problems).toMatchObject([
      { kind: "equal_options" },
    ])
  })
  it("an empty option is left out, and gold goes on meaning what it meant", () => {
    const text = row(["", "x", "y"], 2)
    const placed = "question = q options = o gold = index(g)"
    expect(readBy(placed, { "p.jsonl": text }).problems).toMatchObject([{ kind: "empty_text" }])
    expect(readBy(placed, { "p.jsonl": text }, true)).toMatchObject({
      items: [{ options: ["x", "y"], labels: ["A", "B"], gold: 1 }],
      flawed: [{ flaws: ["empty option"] }],
    })
    expect(readBy(placed, { "p.jsonl": row(["", "x", "y"], 0) }, true).items).toEqual([])
  })
})
