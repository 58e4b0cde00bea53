import { Lexer } from "chevrotain"
import { describe, expect, it } from "vitest"
import { CfxParser } from "../../grammar/parser.ts"
import { cuttingLexerModes, lexerModes } from "../../grammar/tokens.ts"

describe("the grammar", () => {
  it("is free of ambiguities, left recursion and unreachable rules", () => {
    expect(() => new CfxParser({ skipValidations: false })).not.toThrow()
  })

  it.each([
    ["in the usual modes", lexerModes],
    ["in those that cut unclosed texts off", cuttingLexerModes],
  ])("has no token that can never match, %s", (_, modes) => {
    expect(() => new Lexer(modes, { positionTracking: "onlyOffset" })).not.toThrow()
  })
})
