import { describe, expect, it } from "vitest"
import type { CellIR, TextIR } from "../../compiler/ir.ts"
import { briefs, compileText, questions, text } from "./files.ts"

const spec = text("specs/quickstart.cfx")
const pool = { "items/kinds.yaml": questions(120) }
const compiled = compileText(spec, pool)

/** A text as a person would write it. */
const written = (pieces: TextIR): string =>
  pieces
    .map((piece) => {
      switch (piece.kind) {
        case "text":
          return piece.text
        case "slot":
          return `{${piece.slot}}`
        case "item":
          return `{item.${piece.field}}`
        case "line":
        case "option":
          return `{${piece.field}}`
        case "hole":
          return `{${piece.hole}}`
        default:
          return piece satisfies never
      }
    })
    .join("")

describe("the quickstart", () => {
  it("has nothing to be told", () => {
    expect(briefs(compiled)).toEqual([])
  })
})
