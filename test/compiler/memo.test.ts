import { describe, expect, it } from "vitest"
import { compile } from "../../compiler/compile.ts"
import type { Files } from "../../compiler/files.ts"
import { once } from "../../compiler/memo.ts"
import { inMemory } from "../diagnostics/examples.ts"
import { edit } from "./base.ts"
import { briefs, questions } from "./files.ts"

const framing = `framing bare { preamble "Before your answer:" line "{assertion}" }`

const importing = `import { bare } from "./framings.cfx"\n${edit([framing, ""])}`

/** Files that an editor has open: what they hold is changed in place. */
const open = (texts: Record<string, string>): Files => ({
  ...inMemory({}),
  read: (path) => inMemory({ "main.cfx": importing, "items.jsonl": questions(40), ...texts }).read(path),
})

describe("what is worked out once", () => {
  it("is worked out for each thing, also where it comes to nothing", () => {
    let calls = 0
    const of = once((_: object) => {
      calls += 1
      return undefined
    })
    const [one, other] = [{}, {}]
    for (const each of [one, other, one, other]) of(each)
    expect(calls).toBe(2)
  })

  it("follows a library that changes while its files stay open", () => {
    const texts = { "framings.cfx": framing }
    const files = open(texts)
    const before = compile("/spec/main.cfx", files)
    expect(compile("/spec/main.cfx", files).hash).toBe(before.hash)

    texts["framings.cfx"] = framing.replace("Before", "Ahead of")
    const after = compile("/spec/main.cfx", files)
    expect(after.hash).not.toBe(before.hash)
    expect(after.hash).toBe(compile("/spec/main.cfx", open({ ...texts })).hash)

    texts["framings.cfx"] = framing.replace("{assertion}", "{asertion}")
    expect(briefs(compile("/spec/main.cfx", files))).toContain("CFX2101 {asertion} (framings.cfx)")

    texts["framings.cfx"] = framing
    const again = compile("/spec/main.cfx", files)
    expect([again.hash, briefs(again)]).toEqual([before.hash, briefs(before)])
  })
})
