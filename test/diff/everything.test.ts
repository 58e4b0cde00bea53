/** Whatever a spec says that changes what is asked, measured or shown: a comparison with another that says it otherwise names it. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { Side } from "../../runtime/diff/prompts.ts"
import { compareSpecs } from "../../runtime/diff/specs.ts"
import { diffText } from "../../runtime/diff/text.ts"
import { base, edit } from "../compiler/base.ts"
import { compileText } from "../compiler/files.ts"

const records = readFileSync(new URL("../../specs/records/answers.cfx", import.meta.url), "utf8")

/** Undefined where a spec has errors. */
function side(spec: string): Side | undefined {
  const { program, items, diagnostics } = compileText(spec)
  const isSound = program !== undefined && diagnostics.every(({ severity }) => severity !== "error")
  return isSound ? { program, items } : undefined
}

function told(before: string, now: string): string {
  const [old, fresh] = [side(before), side(now)]
  if (old === undefined || fresh === undefined) throw new Error("a spec has errors")
  return diffText(compareSpecs(old, fresh), { color: false })
}

/** A spec with one place changed. @throws when that place is not in it exactly once */
function changed(text: string, from: string, to: string): string {
  expect(text.split(from)).toHaveLength(2)
  return text.replace(from, to)
}

describe("the mapping of records", () => {
  const whole = changed(
    records,
    "    a1: option = after\n",
    `    a1: option = after
    a1.p(A) = pa
    a1.p(B) = pb
    a1.mass = mass
    model.size = size
    a0.p = shares
    on duplicate first
    format csv
`,
  )

  test.each([
    ["gold = key", "gold = claim", "records gold: changed\n    - key\n    + claim"],
    ["item = question_id", "item = id", "records item: changed\n    - question_id\n    + id"],
    ["gold = key", 'gold = "key.of"', '    + "key.of"'],
    ["gold = key", "gold = key.of", "    + key.of"],
    ["gold = key", "gold = index(key)", "    + index(key)"],
    ["gold = key", "gold = key or claim", "    + key or claim"],
    ["= after\n", "= before\n", "records a1: changed\n    - after\n    + before"],
    ["a1.p(A) = pa", "a1.p(A) = pc", "records a1.p(A): changed\n    - pa\n    + pc"],
    ["a1.p(A) = pa", "a1.p(C) = pa", "records a1.p(A): removed"],
    ["a1.mass = mass", "a1.mass = all", "records a1.mass: changed\n    - mass\n    + all"],
    ["a0.p = shares", "a0.p = p", "records a0.p: changed\n    - shares\n    + p"],
    ["    a0.prompt = question_id\n", "", "records a0.prompt: removed\n    - question_id"],
    ["subject = subject", "subject = topic", "records item.subject: changed\n    - subject\n    + topic"],
    ["size = size", "size = params", "records model.size: changed\n    - size\n    + params"],
    ["{ A, B, C, D }", "{ A, B, C, E }", 'records labels: changed\n    - { "A", "B", "C", "D" }'],
    ["labels { A, B, C, D }", "labels = options", "    + options"],
    ['"model-small"', '"small"', '    + llm { small = "small", large = "model-large" }'],
    ['"expert panel"', '"expert panel" or "experts"', 'experts = "expert panel" or "experts" }'],
    ["duplicate first", "duplicate last", "records on duplicate: changed\n    - first\n    + last"],
    ["format csv", "format jsonl", "records format: changed\n    - csv\n    + jsonl"],
    ['"answers.csv"', '"other.csv"', "records file: changed\n    - answers.csv\n    + other.csv"],
  ])("is compared line by line: %s and %s", (from, to, expected) => {
    const text = told(whole, changed(whole, from, to))
    expect(text).toContain(expected)
    expect(text).not.toContain("no item in common")
  })

  test("is compared of a design that can be run too, which means the same without it", () => {
    const of = (gold: string) =>
      edit([
        "  measure HRR\n",
        `  records "r.csv" { item = id gold = ${gold} a0 = x a1 = y }\n  measure HRR\n`,
      ])
    expect(told(of("key"), of("claim"))).toBe(
      "experiment e\n  records gold: changed\n    - key\n    + claim\n",
    )
  })
})

describe("a spec", () => {
  test("of a model names how long its conversations may be", () => {
    const longer = edit(["bytes 10 ", "bytes 10 context 4096 "])
    expect(told(base, longer)).toMatch(/^model m: changed\n {2}- .*\n {2}\+ .* \{"context":4096\}\n/)
  })

  test("of another list of options shows it in the prompts", () => {
    expect(told(base, edit(['options "{label}) ', 'options "{label}. ']))).toContain(
      "prompt of every arm: turn first, user",
    )
  })

  test("of another order of measures says so, and of a protocol of another name", () => {
    const order = edit(["  measure HRR\n  measure strict\n", "  measure strict\n  measure HRR\n"])
    expect(told(base, order)).toContain(
      "order of measure: changed\n    - HRR, strict, shift, sure\n    + strict, HRR, shift, sure\n",
    )
    const named = edit(["protocol ask {", "protocol put {"], ["  protocol ask\n", "  protocol put\n"])
    expect(told(base, named)).toBe("experiment e\n  setting protocol: changed\n    - ask\n    + put\n")
  })

  test("whose conditions let other cells through names them", () => {
    const only = (framing: string) =>
      edit(["  measure HRR\n", `  except when structure == mixed and framing == ${framing}\n  measure HRR\n`])
    const text = told(only("crowd"), only("talk"))
    expect(text).toContain("  cells only before: pressure, framing talk, structure mixed\n")
    expect(text).toContain("  cells only now: pressure, framing crowd, structure mixed\n")
  })

  test("names a text of its protocol that differs where no prompt of the item shows it", () => {
    const asks = (field: string) => edit(['user "{block} {item.question}"', `user "{block} {item.${field}}"`])
    const rows = `${JSON.stringify({ id: "q", question: "Q?", options: ["Q?", "x"], gold: "A" })}\n`
    const spec = (field: string) =>
      asks(field).replace("sample 40", "sample 1").replace("dose = voices(4)", "dose = voices(2)")
    const at = (field: string): Side => {
      const { program, items } = compileText(spec(field), { "items.jsonl": rows })
      return { program: program!, items }
    }
    const text = diffText(compareSpecs(at("question"), at("gold.text")), { color: false })
    expect(text).toContain(
      "text second, user: changed\n    - {block} {item.question}\n    + {block} {item.gold.text}",
    )
  })

  // Each line left out or put before the one above it, each number one more, each text another: where that is a sound spec of another meaning.
  test.each([
    ["of every kind of declaration", base, 30],
    ["of records", records, 15],
  ])("%s says what differs, whatever it is", (_, text, least) => {
    const before = side(text)!
    let count = 0
    for (const mutant of mutantsOf(text)) {
      const now = side(mutant)
      if (now === undefined) continue
      const comparison = compareSpecs(before, now)
      if (comparison.same) continue
      count += 1
      expect(diffText(comparison, { color: false }), mutant).not.toContain("differ in nothing")
    }
    expect(count).toBeGreaterThan(least)
  })
})

function* mutantsOf(text: string): Generator<string> {
  const lines = text.split("\n")
  for (const at of lines.keys()) {
    yield lines.toSpliced(at, 1).join("\n")
    yield lines.toSpliced(at, 2, lines[at + 1] ?? "", lines[at]!).join("\n")
  }
  for (const { 0: number, index } of text.matchAll(/\b\d+\b/g))
    yield `${text.slice(0, index)}${Number(number) + 1}${text.slice(index + number.length)}`
  for (const { 0: quoted, index } of text.matchAll(/"[^"\n]*"/g))
    yield `${text.slice(0, index)}${quoted.slice(0, -1)}x"${text.slice(index + quoted.length)}`
}
