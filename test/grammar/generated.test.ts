import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { format } from "../../grammar/format.ts"
import { examplesIn, reference } from "../../grammar/generate/reference.ts"
import { textmate } from "../../grammar/generate/textmate.ts"
import { parse } from "../../grammar/parse.ts"
import { keywords, reservedWords } from "../../grammar/tokens.ts"

const example = readFileSync("grammar/generate/example.cfx", "utf8")

const rulesIn = (reference: string): string => reference.match(/```ebnf\n[\s\S]*?```/g)?.join("\n") ?? ""

describe("grammar/reference.md", () => {
  const generated = reference(example)

  it("is what `npm run grammar` writes", () => {
    expect(readFileSync("grammar/reference.md", "utf8")).toBe(generated)
  })

  it("has every keyword in a rule", () => {
    const rules = rulesIn(generated)
    const missing = keywords.filter(({ LABEL }) => !rules.includes(`"${LABEL}"`))
    expect(missing.map(({ LABEL }) => LABEL)).toEqual([])
  })

  it("has no rule for what is only read to be reported", () => {
    expect(generated).toContain('assertionArgument = NAME ("in" levels | "=" expression)\n')
    expect(generated).toMatch(/\("==" \| "!=" \| [^=]*"<=" \| ">" \| ">="\) operand/)
  })

  it("names only rules that it shows", () => {
    const rules = rulesIn(generated)
    const defined = new Set([...rules.matchAll(/^(\w+) =/gm)].map(([, name]) => name))
    const used = rules
      .replace(/```ebnf|```|"[^"\n]*"|'[^'\n]*'/g, " ")
      .match(/\b[a-z]\w*\b/g)!
      .filter((word) => !defined.has(word))
    expect(used).toEqual([])
  })
})

describe("the example", () => {
  it("is a file without problems, laid out as `cfx fmt` would", () => {
    const source = { name: "example.cfx", text: example }
    expect(parse(source).problems).toEqual([])
    expect(format(source)).toEqual({ text: example })
  })

  it("has every kind of declaration and of field in an experiment", () => {
    const { declarations } = parse({ name: "example.cfx", text: example }).file
    const kinds = new Set(declarations.map(({ kind }) => kind))
    expect(kinds.size).toBe(15)
    const experiment = declarations.find((each) => each.kind === "experiment")
    const fields = new Set(experiment?.fields.map(({ field }) => field))
    expect([...fields].sort()).toEqual(
      [
        ...[
          "protocol",
          "models",
          "items",
          "seed",
          "target",
          "options",
          "factor",
          "replicates",
          "tolerate",
          "except",
          "arms",
        ],
        ...[
          "measure",
          "summary",
          "contrast",
          "family",
          "model_fit",
          "table",
          "figure",
          "forest",
          "assume",
          "expect",
          "allow",
        ],
      ].sort(),
    )
  })

  it("is shown by sections", () => {
    expect([...examplesIn(example).keys()]).toContain("Protocols and judges")
  })
})

interface Pattern {
  readonly match?: string
  readonly begin?: string
  readonly end?: string
  readonly name?: string
  readonly include?: string
  readonly patterns?: readonly Pattern[]
}

describe("the TextMate grammar", () => {
  const generated = textmate()
  const { repository, patterns } = JSON.parse(generated) as {
    repository: Record<string, Pattern>
    patterns: Pattern[]
  }
  const all = (pattern: Pattern): Pattern[] => [pattern, ...(pattern.patterns ?? []).flatMap(all)]
  const every = [...patterns, ...Object.values(repository)].flatMap(all)

  it("is what `npm run grammar` writes", () => {
    expect(readFileSync("editors/vscode/syntaxes/cfx.tmLanguage.json", "utf8")).toBe(generated)
  })

  it("has patterns that compile, and includes that exist", () => {
    for (const { match, begin, end, include } of every) {
      for (const each of [match, begin, end])
        if (each !== undefined) expect(() => new RegExp(each)).not.toThrow()
      if (include !== undefined) expect(Object.keys(repository)).toContain(include.slice(1))
    }
  })

  /** What a scope marks in a line. */
  const marked = (rule: string, scope: string, line: string): string[] => {
    const pattern = all(repository[rule]!).find(({ name }) => name === scope)
    return [...line.matchAll(new RegExp(pattern!.match!, "g"))].map(([text]) => text)
  }

  it("colours keywords where they are keywords, and not where they are names", () => {
    const keyword = (line: string) => marked("keywords", "keyword.other.cfx", line)
    expect(keyword("  table main { rows arm columns HRR average pooled }")).toEqual([
      ...["table", "rows", "columns", "average"],
    ])
    expect(keyword("    order = identity, target = gold")).toEqual(["gold"])
    expect(keyword("item.text == line.words")).toEqual([])
    expect(keyword("  top_p 0.9  model_fit odds {")).toEqual(["top_p", "model_fit"])
  })

  it.each([...keywords, ...reservedWords].map(({ LABEL }) => LABEL!))("knows `%s`", (word) => {
    const scope = reservedWords.some(({ LABEL }) => LABEL === word)
      ? "keyword.operator.word.cfx"
      : "keyword.other.cfx"
    expect(marked("keywords", scope, `${word} x`)).toContain(word)
  })

  it("finds declared names, holes, raw expressions and numbers", () => {
    const captures = (rule: string, line: string): string[] => {
      const { match, begin } = repository[rule]!
      return (new RegExp(match ?? begin!).exec(line) ?? []).slice(1)
    }
    expect(captures("declaration", "metric off_ceiling(first = a0) {")).toEqual(["metric", "off_ceiling"])
    expect(captures("declaration", "  target top_wrong(a0)")).toEqual(["target", "top_wrong"])
    expect(captures("pattern", '  from reply matching "ANSWER: (\\w)" last')).toEqual(["matching", '"'])
    expect(marked("numbers", "constant.numeric.cfx", "a1 0.25 12")).toEqual(["0.25", "12"])
    expect(new RegExp(repository.hole!.begin!).test("a {b: option} c")).toBe(true)
    expect(new RegExp(repository.hole!.begin!).test('a { "b')).toBe(false)
  })
})
