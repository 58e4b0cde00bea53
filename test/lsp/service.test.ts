/** What an editor is offered while a file is half written: `|` marks the cursor. */
import { describe, expect, it } from "vitest"
import { analyse } from "../../compiler/service/analysis.ts"
import { completionsAt } from "../../compiler/service/completion.ts"
import { definitionAt } from "../../compiler/service/definition.ts"
import { hoverAt } from "../../compiler/service/hover.ts"
import { base, edit } from "../compiler/base.ts"
import { questions } from "../compiler/files.ts"
import { inMemory } from "../diagnostics/examples.ts"

const PATH = "/spec/main.cfx"

const at = (marked: string) => {
  const offset = marked.indexOf("|")
  const text = marked.slice(0, offset) + marked.slice(offset + 1)
  const analysis = analyse(PATH, inMemory({ "main.cfx": text, "items.jsonl": questions(40) }))
  if (analysis === undefined) throw new Error("the file is not read")
  return { analysis, offset, text }
}

const offered = (marked: string): readonly string[] => {
  const { analysis, offset } = at(marked)
  return completionsAt(analysis, offset).map(({ label }) => label)
}

describe("completion in an unfinished file", () => {
  it("gives the names of the kind that is wanted, also where nothing follows yet", () => {
    expect(offered(edit(["  measure strict\n", "  measure |\n"]))).toEqual(["HRR", "strict", "shift", "sure"])
    expect(offered(edit(["protocol ask\n", "protocol |\n"]))).toEqual(["ask"])
    expect(offered(edit(["framing panel extends crowd", "framing panel extends |"]))).toEqual(
      expect.arrayContaining(["bare", "crowd", "talk"]),
    )
    expect(offered(edit(["framing in { bare, crowd, panel, talk }", "framing in { bare, |"]))).toEqual(
      expect.arrayContaining(["crowd", "panel", "talk"]),
    )
    expect(offered(edit(["    reask = again\n", "    reask = |\n"]))).toEqual(["again", "padding"])
  })

  it("gives the levels of a factor where it is compared", () => {
    expect(offered(edit(["structure = all_wrong] -", "structure = |] -"]))).toEqual(["all_wrong", "mixed"])
    expect(offered(edit(["not framing == talk", "not framing == |"]))).toEqual([
      "bare",
      "crowd",
      "panel",
      "talk",
    ])
  })

  it("gives contrasts to families and forests, measures to summaries, and the ways to take a contrast", () => {
    const field = (text: string) => edit(["  figure shape {", `  ${text}\n  figure shape {`])
    expect(offered(field("family f = |"))).toEqual(["who"])
    expect(offered(field("family f = who by |"))).toEqual(["holm", "benjamini_hochberg"])
    expect(offered(field("figure d { forest |"))).toEqual(["who"])
    expect(offered(field("summary s = |"))).toEqual(expect.arrayContaining(["median", "correlation"]))
    expect(offered(field("summary s = median |"))).toEqual(["HRR", "strict", "shift", "sure"])
    expect(offered(field("contrast other = HRR[framing = crowd] - HRR[framing = bare] by |"))).toEqual(
      expect.arrayContaining(["two_sample", "permutation(item)"]),
    )
  })

  it("gives what may be said of a model, and the words that an attribute may be", () => {
    const file = offered(edit(["{ bytes 10 family", "{ | bytes 10 family"]))
    expect(file).toEqual(expect.arrayContaining(["gpu", "layers", "context", "system"]))
    expect(file).not.toContain("bytes")
    expect(file).not.toContain("logprobs")
    expect(offered(edit(["{ bytes 10 family", "{ gpu | bytes 10 family"]))).toEqual([
      ...["auto", "none", "cuda", "metal", "vulkan"],
    ])
    expect(offered('model m = server "http://h/v1" {\n  name "x"\n  |\n}')).toEqual(
      expect.arrayContaining(["logprobs", "concurrency", "max_calls"]),
    )
  })

  it("gives the settings of a read, and how an option may be scored", () => {
    const asked = (setting: string): readonly [string, string] => [
      '"Answer: {a1: option}" }',
      `"Answer: {a1: option}" read a1 { ${setting} } }`,
    ]
    expect(offered(edit(asked("|")))).toEqual(expect.arrayContaining(["mass", "score", "generate", "max"]))
    expect(offered(edit(asked("score |")))).toEqual(["label", "text", "text_per_token"])
  })

  it("gives placeholders in a text, and nothing else there", () => {
    expect(offered(edit(['line "Expert {i}: {assertion}"', 'line "Expert {i}: {|"']))).toEqual(
      expect.arrayContaining(["assertion", "answer", "answer.text", "i", "item.gold.label", "t"]),
    )
    expect(offered(edit(['user "{block} {item.question}"', 'user "{|} {item.question}"']))).toEqual(
      expect.arrayContaining(["block", "item.question", "item.options", "a0", "target.label"]),
    )
    expect(offered(edit(['text "Think again."', 'text "Think |again."']))).toEqual([])
  })

  it("gives the words of the language where an entry or a declaration may start", () => {
    expect(offered(`${base}\n|`)).toEqual(
      expect.arrayContaining(["framing", "protocol", "lexicon", "judge", "metric"]),
    )
    expect(offered(edit(["  seed 0\n", "  |\n  seed 0\n"]))).toEqual(
      expect.arrayContaining(["replicates", "only", "table"]),
    )
    expect(offered(edit(["block again { text", "block again { |text"]))).toEqual(
      expect.arrayContaining(["text", "texts"]),
    )
  })

  it("gives libraries and what they declare in an import", () => {
    expect(offered(`import { |} from "std/doses"\n${base}`)).toEqual(["repeated", "distinct"])
    expect(offered(`import { x } from "std/|\n${base}`)).toContain("std/framings")
  })
})

describe("hover and definition", () => {
  it("shows the lines of a framing with its roster, and of a child with what it inherits", () => {
    const shown = (marked: string) => {
      const { analysis, offset } = at(marked)
      return hoverAt(analysis, offset)?.markdown
    }
    expect(shown(edit(["crowd, panel, talk }", "crowd, panel, ta|lk }"]))).toContain("Ann: I say B.\nBen: B!")
    expect(shown(edit(["crowd, panel, talk }", "crowd, pa|nel, talk }"]))).toContain(
      "Others say:\nExpert 1: The answer is B.",
    )
    expect(shown(edit(["target top_wrong(a0)", "target top_wrong(a|0)"]))).toBe(
      "Read `a0` of the protocol `ask`",
    )
  })

  it("leads from a placeholder to the slot, and from a contrast to the measure", () => {
    const defined = (marked: string) => {
      const { analysis, offset, text } = at(marked)
      const found = definitionAt(analysis, offset)
      return found === undefined ? undefined : text.slice(found.span.start - 8, found.span.end)
    }
    expect(defined(edit(['user "{block} {item', 'user "{bl|ock} {item']))).toBe("\n  slot block")
    expect(defined(edit(["contrast who = HRR[", "contrast who = H|RR["]))).toBe("measure HRR")
  })

  it("says of a level what it stands for, and leads from it to there", () => {
    const { analysis, offset, text } = at(edit(["HRR[framing = crowd", "HRR[framing = cr|owd"]))
    expect(hoverAt(analysis, offset)?.markdown).toContain("**framing** `crowd`")
    const found = definitionAt(analysis, offset)
    expect(text.slice(found!.span.start - 8, found!.span.end)).toBe("framing crowd")
  })

  it("tells a block from the arm that it is, and leads from a parameter to the parent's", () => {
    const shown = (marked: string) => {
      const { analysis, offset } = at(marked)
      return hoverAt(analysis, offset)?.markdown
    }
    expect(shown(edit(["reask = again", "re|ask = again"]))).toBe("Arm `reask` of the experiment `e`")
    expect(shown(edit(["reask = again", "reask = ag|ain"]))).toContain("**block** `again`")
    expect(shown(edit(["given first == item.gold and", "given fi|rst == item.gold and"]))).toBe(
      "Parameter `first` of the metric `HRR`",
    )
  })
})
