import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { compileText } from "../compiler/files.ts"

const hotels = [
  "Review question,A,B,C,D,answer,city",
  ...Array.from({ length: 150 }, (_, at) => `Which ${at}?,a,b,c,d,(${"ABCD"[at % 4]}),town${at % 3}`),
].join("\n")

describe("the example of grammar/reference.md", () => {
  it("is sound for the compiler, too", () => {
    const example = readFileSync("grammar/generate/example.cfx", "utf8")
    const { diagnostics } = compileText(example, { "hotels.csv": hotels })
    const errors = diagnostics.filter(({ severity }) => severity === "error")
    expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([])
  })
})
