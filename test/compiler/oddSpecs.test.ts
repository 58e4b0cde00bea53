/** Odd and wrong specs that once passed without a word, or were told the wrong one. */
import { expect, it } from "vitest"
import { itemFilesIn } from "../../compiler/items/sources.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { experiment, protocol, said } from "../compiler/spec.ts"

const asked = protocol("ask")

it("a target that is its own name in the end is a circle, like a structure or an order", () => {
  expect(said("target mine = mine", asked, experiment({ target: "mine" }))).toEqual(["CFX2423 mine"])
  const two = "target mine = yours\ntarget yours = mine"
  expect(said(two, asked, experiment({ target: "yours" }))).toEqual(["CFX2423 yours"])
})

it("a factor of targets or of orders of options has a level", () => {
  expect(said(asked, experiment({ target: "in { }" }))).toContain("CFX2017 target in { }")
  expect(said(asked, experiment({}, "options in { }"))).toEqual(["CFX2017 options in { }"])
})

it("a regular expression says something", () => {
  const turns = `turn why continues first { user "Why?" assistant "{reply: text}" read reply { max 20 } }
    extract found: option from reply matching "" last`
  expect(said(protocol("ask", "", "{block} {item.question}", turns), experiment())).toEqual(['CFX2116 ""'])
})

it("hidden files of a folder hold no items", () => {
  expect(itemFilesIn(["._a.csv", ".hidden.jsonl", "a.csv", "b.jsonl", "notes.md"])).toEqual([
    "a.csv",
    "b.jsonl",
  ])
})

it("a path with a zero character is told in the compiler's own words", () => {
  const files = diskFiles({ here: "/", stdlib: "/none" })
  expect(files.read("/a\0.cfx")).toEqual({ problem: "no path holds a zero character" })
})
