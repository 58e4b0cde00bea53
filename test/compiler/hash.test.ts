import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson, meaningHash, sha256 } from "../../compiler/hash.ts"
import { format } from "../../grammar/format.ts"
import { base, edit } from "./base.ts"
import { asYaml, briefs, compileText, questions, text } from "./files.ts"
import { experiment, declarations as plainOnes, protocol } from "./spec.ts"

const hashOf = (spec: string, files: Readonly<Record<string, string>> = {}): string => {
  const compiled = compileText(spec, files)
  if (compiled.hash === undefined) throw new Error(briefs(compiled).join("\n"))
  return compiled.hash
}

const whole = hashOf(base)

/** What may stand between two tokens. */
const layout = fc.array(fc.constantFrom(" ", "\n", "\t", "  ", " // a comment\n", "\r\n"), {
  minLength: 16,
  maxLength: 16,
})

/** A spec with this between the tokens of its declarations, and never within its texts. */
const laidOut = (spec: string, spaces: readonly string[]): string => {
  let next = 0
  return spec.replace(/"(?:\\.|[^"\\])*"|[ \n]+/g, (found) =>
    found.startsWith('"') ? found : spaces[next++ % spaces.length]!,
  )
}

/** The declarations of the base, each by itself: a line that starts with a letter starts one. */
const declarations = base.trim().split(/\n(?=[a-z])/)

describe("canonical JSON", () => {
  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(turned)).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it("leaves out what is not there", () => {
    expect(canonicalJson({ b: undefined, a: [1, null, "é"] })).toBe('{"a":[1,null,"é"]}')
  })

  it("is summed as UTF-8", () => {
    expect(sha256("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c")
  })
})

describe("the hash of a spec stays", () => {
  it("when declarations change places", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(declarations, { minLength: declarations.length, maxLength: declarations.length }),
        (shuffled) => {
          expect(hashOf(shuffled.join("\n"))).toBe(whole)
        },
      ),
      { numRuns: 8 },
    )
  })

  it("when it is laid out anew and commented", () => {
    fc.assert(
      fc.property(layout, (spaces) => {
        expect(hashOf(laidOut(base, spaces))).toBe(whole)
      }),
      { numRuns: 8 },
    )
  })

  it("when it is formatted", () => {
    fc.assert(
      fc.property(layout, (spaces) => {
        const formatted = format({ name: "main.cfx", text: laidOut(base, spaces) })
        expect(hashOf("text" in formatted ? formatted.text : "")).toBe(whole)
      }),
      { numRuns: 8 },
    )
  })

  const same = (title: string, ...changes: readonly (readonly [string, string])[]) => {
    it(title, () => expect(hashOf(edit(...changes))).toBe(whole))
  }
  same("when fields change places", [
    'preamble "Others say:" line "Person {i}: {assertion}"',
    'line "Person {i}: {assertion}" preamble "Others say:"',
  ])
  same(
    "when a doc is added",
    ["framing crowd", "/// People.\nframing crowd"],
    ["experiment e", "/// Why.\nexperiment e"],
  )
  same("when a source is cited", [
    'block again { text "Think again." }',
    'block again { text "Think again." verbatim "a paper" }',
  ])
  same("when a text is written in another way", ['"Think again."', '"""\n      Think again.\n    """'])
  same("when a field of the experiment moves", ["seed 0\n", ""], ["measure HRR\n", "measure HRR\n  seed 0\n"])
  same("when a declaration that nothing uses is added", [
    "framing crowd",
    'block unused { text "x" }\nframing crowd',
  ])

  it("when a warning is allowed", () => {
    const few = edit(["sample 40", "sample 10"])
    expect(hashOf(few.replace("seed 0", 'seed 0 allow CFX4006 "a pilot"'))).toBe(hashOf(few))
  })

  same("when another share of reads may fail", ["seed 0", "seed 0 tolerate 0.05"])
  same("when a file is opened elsewhere", ["bytes 10", "bytes 10 gpu cuda layers 12"])

  it("when a server is asked faster, more, or with another key", () => {
    const served = (more: string) =>
      hashOf(edit(['gguf "m.gguf" { bytes 10', `server "http://host/v1" { name "x" ${more}`]))
    const limits = "concurrency 2 rate 60 retries 9 timeout 5 max_calls 10 max_tokens 900"
    expect(served(`key "OTHER" ${limits}`)).toBe(served('key "KEY"'))
    expect(served("logprobs 5")).not.toBe(served(""))
  })

  it("when a stimulus moves into a library", () => {
    const [crowd] = declarations.filter((one) => one.startsWith("framing crowd"))
    const spec = `import { crowd } from "./lib.cfx"\n${base.replace(crowd!, "")}`
    expect(hashOf(spec, { "lib.cfx": crowd! })).toBe(whole)
  })

  it("when the folder of a file is another, and when a model with a sum has another name", () => {
    expect(hashOf(edit(['"m.gguf"', '"models/m.gguf"']))).toBe(whole)
    const sum = `sha256 "${"ab".repeat(32)}"`
    const summed = edit(["bytes 10", sum])
    expect(hashOf(summed.replace('"m.gguf"', '"n.gguf"'))).toBe(hashOf(summed))
    expect(hashOf(edit(['"m.gguf"', '"n.gguf"']))).not.toBe(whole)
  })
})

describe("the hash of a spec changes", () => {
  const other = (title: string, ...changes: readonly (readonly [string, string])[]) => {
    it(title, () => expect(hashOf(edit(...changes))).not.toBe(whole))
  }
  other("with what becomes of a system message", ["bytes 10", "bytes 10 system into_user"])
  other("with how long a conversation may be: it decides which prompts are answered at all", [
    "bytes 10",
    "bytes 10 context 2048",
  ])
  other("with how a distribution is read", [
    '"Answer: {a1: option}"',
    '"Answer: {a1: option}" read a1 { score text }',
  ])
  other("with the seed", ["seed 0", "seed 1"])
  other("with the order of levels", ["{ bare, crowd,", "{ crowd, bare,"])
  other(
    "with the name of a level",
    ["framing panel", "framing board"],
    ["{ bare, crowd, panel,", "{ bare, crowd, board,"],
  )
  other("with the target", ["top_wrong(a0)", "random_wrong"])
  other("with a condition", ["< 0.9", "< 0.8"])
  other("with an interval", ["wilson 95", "wilson 90"])
  other("with the order of speakers", ['"Ann" "Ben"', '"Ben" "Ann"'])
  other("with what is expected", ["who.low > 0", "who > 0"])

  it("with any character of any stimulus", () => {
    const texts = [...base.matchAll(/"(?:\\.|[^"\\])*"/g)].filter(([found]) =>
      /Think|Before|Others|Person|Expert|It is|Answer|say|Ann|\{label\}|questions\./.test(found),
    )
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), (match, at) => {
        const inner = match[0].slice(1, -1)
        // A place between two characters that is in no placeholder.
        const places = [...inner].map((_, i) => i).filter((i) => !/\{[^}]*$/.test(inner.slice(0, i)))
        const place = match.index + 1 + places[at % places.length]!
        expect(hashOf(`${base.slice(0, place)}~${base.slice(place)}`)).not.toBe(whole)
      }),
      { numRuns: 25 },
    )
  })

  it("with a level, whatever its factor is called", () => {
    const { program } = compileText(base)
    if (program === undefined) throw new Error("the base is sound")
    const leveled = (factor: string, level: string) =>
      meaningHash({
        ...program,
        experiments: program.experiments.map((experiment) => ({
          ...experiment,
          cells: experiment.cells.map((cell) => ({ ...cell, levels: { ...cell.levels, [factor]: level } })),
        })),
      })
    for (const factor of ["origin", "doc", "provenance", "allows", "color"]) {
      expect(leveled(factor, "one"), factor).not.toBe(leveled(factor, "other"))
    }
  })

  it("with where records have a column of the item, whatever it is called", () => {
    const scored = (name: string, column: string) =>
      hashOf(text("specs/records/answers.cfx").replace("item.subject = subject", `item.${name} = ${column}`))
    for (const name of ["doc", "origin", "subject"])
      expect(scored(name, "a"), name).not.toBe(scored(name, "b"))
  })

  it("with a library", () => {
    const spec = text("specs/quickstart.cfx").replace("std/baselines", "./baselines.cfx")
    const baselines = text("stdlib/baselines.cfx")
    const pool = { "items/kinds.yaml": asYaml(questions(30)) }
    const before = hashOf(spec, { ...pool, "baselines.cfx": baselines })
    expect(hashOf(text("specs/quickstart.cfx"), pool)).toBe(before)
    expect(hashOf(spec, { ...pool, "baselines.cfx": `// reread\n${baselines}` })).toBe(before)
    expect(
      hashOf(spec, { ...pool, "baselines.cfx": baselines.replace("final answer", "last answer") }),
    ).not.toBe(before)
  })
})

describe("the hash of an experiment of the whole language", () => {
  const toned = (tone: string, more = "") =>
    [
      plainOnes,
      tone,
      protocol("toned", "slot doc", "{block} {doc} {item.question}"),
      experiment({ protocol: "toned" }, `factor doc in { none, soft } ${more}`),
    ].join("\n")
  const soft = 'block soft { text "Be soft." }'
  const plain = hashOf(toned(soft))

  it("stays when what fills a slot is cited, whatever the slot is called", () => {
    expect(hashOf(toned('/// Softly.\nblock soft { text "Be soft." verbatim "p. 3" }'))).toBe(plain)
  })

  it("stays when it is laid out anew", () => {
    fc.assert(
      fc.property(layout, (spaces) => {
        expect(hashOf(laidOut(toned(soft, "except when arm == reask assume { accuracy 0.9 }"), spaces))).toBe(
          hashOf(toned(soft, "except when arm == reask assume { accuracy 0.9 }")),
        )
      }),
      { numRuns: 8 },
    )
  })

  it("changes with what fills a slot, and with what is carved, shown in another order, repeated or assumed", () => {
    const others = [
      toned('block soft { text "Be soft!" }'),
      toned(soft, "except when arm == reask and doc == soft"),
      toned(soft, "options reversed"),
      toned(soft, "options shuffled replicates 2"),
      toned(soft, "assume { accuracy 0.9 }"),
      toned(soft).replace("seed 0", "seed in { 0, 1 }"),
    ].map((spec) => hashOf(spec))
    expect(new Set([plain, ...others]).size).toBe(others.length + 1)
  })

  it("has the whole address of a model on a hub, and not where the spec lies", () => {
    const from = (address: string) =>
      hashOf(toned(soft).replace('"small.gguf" { bytes 10', `"${address}" { bytes 10`))
    expect(from("hf:a/b/c.gguf#1")).not.toBe(from("hf:d/b/c.gguf#1"))
    expect(from("models/c.gguf")).toBe(from("other/c.gguf"))
  })
})
