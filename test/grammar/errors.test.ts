import { describe, expect, it } from "vitest"
import { describeType } from "../../grammar/expected.ts"
import { parse } from "../../grammar/parse.ts"
import { CfxParser } from "../../grammar/parser.ts"
import type { Problem } from "../../grammar/problem.ts"
import { vocabulary } from "../../grammar/tokens.ts"

/** `line:column kind "what stands at the span" what was said` */
const shown = (problem: Problem, text: string): string => {
  const before = text.slice(0, problem.span.start).split("\n")
  const place = `${before.length}:${before.at(-1)!.length + 1}`
  const at = JSON.stringify(text.slice(problem.span.start, problem.span.end))
  const found = "found" in problem ? [`found ${problem.found}`] : []
  const expected =
    "expected" in problem ? [`expected ${problem.expected.join(" ")} in ${problem.within}`] : []
  return [place, problem.kind, at, ...found, ...expected].join(" | ")
}

const problemsOf = (text: string): string[] =>
  parse({ name: "test.cfx", text }).problems.map((problem) => shown(problem, text))

const declarationsOf = (text: string): string[] =>
  parse({ name: "test.cfx", text }).file.declarations.map(({ kind, name }) => `${kind} ${name.text}`)

const experiment = (fields: string): string => `experiment e {\n${fields}\n}\n`

describe("what the lexer finds", () => {
  const roster = (text: string): string => `roster r {\n  ${text}\n}\n`

  it.each([
    ["a character of no token", "experiment e { seed @0 }", ['1:21 | stray_character | "@" | found @']],
    ["an unknown escape", roster('"a\\q"'), ['2:5 | bad_escape | "\\\\q" | found \\q']],
    [
      "a code point past the last",
      roster('"\\u{110000}"'),
      ['2:4 | bad_escape | "\\\\u{110000}" | found \\u{110000}'],
    ],
    ["half a surrogate pair", roster('"\\u{D800}"'), ['2:4 | bad_escape | "\\\\u{D800}" | found \\u{D800}']],
    ["a code point that is no number", roster('"\\u{x}"'), ['2:4 | bad_escape | "\\\\u{x}" | found \\u{x}']],
    ["a closing brace alone", roster('"a } b"'), ['2:6 | stray_brace | "}"']],
    ["an opening brace alone", roster('"a { b"'), ['2:6 | unclosed_placeholder | "{"']],
    [
      "JSON with single braces",
      roster('"""{"a": 1}"""'),
      ['2:6 | unclosed_placeholder | "{"', '2:13 | stray_brace | "}"'],
    ],
    ["a text that its line ends", roster('"a\n  "b"'), ['2:3 | unclosed_text | "\\""']],
  ])("%s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual(expected)
  })

  it("reports an unclosed triple-quoted text at its opening quotes, and everything after it", () => {
    const text = [
      "block a {",
      '  text """',
      "    never closed",
      "}",
      "",
      "block b {",
      '  text """',
      "    closed",
      '    """',
      '  verbtim "x"',
      "}",
    ].join("\n")
    expect(problemsOf(text)).toEqual([
      '2:8 | unclosed_text | "\\"\\"\\""',
      '10:3 | unknown_keyword | "verbtim" | found verbtim | expected text texts verbatim reconstructed in block',
    ])
    expect(declarationsOf(text)).toEqual(["block a", "block b"])
  })

  it("does not count what an unclosed text swallowed as missing", () => {
    expect(problemsOf('roster r { "a" "b }\n\nroster s { "c" }\n')).toEqual(['1:16 | unclosed_text | "\\""'])
    expect(problemsOf('import { a } from "std/x\nimport { b } from "std/y"\n')).toEqual([
      '1:19 | unclosed_text | "\\""',
    ])
  })
})

describe("a word where a keyword belongs", () => {
  it.each([
    [
      "a field",
      'framing a {\n  premable "x"\n}',
      '2:3 | unknown_keyword | "premable" | found premable | expected preamble line lines speakers closing wording verbatim reconstructed in framing',
    ],
    [
      "another declaration's field",
      'block a {\n  preamble "x"\n}',
      '2:3 | unknown_keyword | "preamble" | found preamble | expected text texts verbatim reconstructed in block',
    ],
    [
      "a declaration",
      'framming a {\n  line "x"\n}',
      '1:1 | unknown_keyword | "framming" | found framming | expected import model items framing container roster paraphrase dose block structure order target protocol judge lexicon metric experiment in file',
    ],
    [
      "a turn's field",
      'protocol p {\n  turn a {\n    asistant "x"\n  }\n}',
      '3:5 | unknown_keyword | "asistant" | found asistant | expected system user assistant read in turn',
    ],
    [
      "a hole's type",
      'protocol p {\n  turn a {\n    user "{a0: opton}"\n  }\n}',
      '3:16 | unknown_keyword | "opton" | found opton | expected option label integer text in placeholder',
    ],
    [
      "a clause",
      experiment("  contrast c = HRR bye pooled"),
      '2:20 | unknown_keyword | "bye" | found bye | expected by in contrast',
    ],
    [
      "`from`",
      'import { a } form "std/x"',
      '1:14 | unknown_keyword | "form" | found form | expected from in import',
    ],
  ])("%s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expected])
  })
})

describe("something that does not fit", () => {
  it.each([
    [
      "a missing text",
      "framing a {\n  preamble peers\n}",
      '2:12 | unexpected | "peers" | found `peers` | expected a text in framing',
    ],
    [
      "a missing number",
      experiment("  seed"),
      '2:7 | unexpected | "" | found `}` | expected a number `in` in experiment',
    ],
    [
      "a missing name",
      'framing { line "x" }',
      '1:9 | unexpected | "{" | found `{` | expected a name in framing',
    ],
    [
      "a missing operand",
      "metric m {\n  rate a ==\n}",
      '2:12 | unexpected | "" | found `}` | expected an expression in metric',
    ],
    [
      "a comparison where a column is given a level",
      experiment("  contrast c = HRR[framing = x, dose == y] by pooled"),
      '2:38 | unexpected | "==" | found `==` | expected `=` `!=` `in` in contrast',
    ],
    [
      "a column without a level",
      experiment("  contrast c = HRR[framing x] by pooled"),
      '2:28 | unexpected | "x" | found `x` | expected `=` `!=` `in` in contrast',
    ],
    [
      "a missing comma",
      experiment("  models { a b }"),
      '2:14 | unexpected | "b" | found `b` | expected `,` `}` in experiment',
    ],
    [
      "a missing `=`",
      experiment("  arms {\n    reask plain\n  }"),
      '3:11 | unexpected | "plain" | found `plain` | expected `=` in arms',
    ],
    [
      "a missing bracket",
      experiment("  arms {\n    p = assertion(dose = distinct(6)\n  }"),
      '4:3 | unexpected | "}" | found `}` | expected `,` `)` in arms',
    ],
    [
      "a missing clause",
      experiment("  contrast c = HRR\n  seed 0"),
      '2:19 | unexpected | "" | found `seed` | expected `by` in contrast',
    ],
    [
      "a reserved word as a name",
      "framing in { }",
      '1:9 | unexpected | "in" | found `in` | expected a name in framing',
    ],
    [
      "an empty hole",
      'roster r { "{}" }',
      '1:14 | unexpected | "}" | found `}` | expected an expression in placeholder',
    ],
    [
      "half a range",
      'roster r { "{k: integer 1}" }',
      '1:26 | unexpected | "}" | found `}` | expected `..` in placeholder',
    ],
    [
      "a text that no field takes",
      'framing a {\n  line "x" "y"\n}',
      '2:12 | unexpected | "\\"" | found a text | expected `preamble` `line` `lines` `speakers` `closing` `wording` `verbatim` `reconstructed` `}` in framing',
    ],
    [
      "a brace too many",
      "roster r { }\n}\n",
      '2:1 | unexpected | "}" | found `}` | expected `import` `model` `items` `framing` `container` `roster` `paraphrase` `dose` `block` `structure` `order` `target` `protocol` `judge` `lexicon` `metric` `experiment` in file',
    ],
    [
      "the end of the file",
      'roster r { "a"',
      '1:15 | unexpected | "" | found the end of the file | expected a text `}` in roster',
    ],
    [
      "chained comparisons",
      "metric m { rate a < b < c }",
      '1:23 | unexpected | "<" | found `<` | expected `rate` `mean` `sum` `count` `quantile` `ratio` `kappa` `auroc` `difference` `given` `weight` `interval` `invalid` `}` in metric',
    ],
    [
      "brackets without end",
      `metric m { rate ${"(".repeat(5000)} }`,
      '1:81 | unexpected | "(" | found `(` | expected an expression in metric',
    ],
  ])("%s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expected])
  })
})

describe("going on after an error", () => {
  it("reports every error of a file once, and keeps what is sound", () => {
    const text = `import { a b, c } from "std/x"
framing one {
  preamble = "x"
  lnie "y"
  line "z"
}

roster two { "A" B "C" }

experiment three {
  protocol
  models { x y }
  items { kinds sample many, other }
  arms {
    reask plain
    length = longer
  }
  contrast c = HRR[framing experts] by pooled
  table t { rows arm colums HRR }
  expect c >
  measure HRR
}
`
    expect(problemsOf(text).map((line) => line.split(" | ").slice(0, 3).join(" "))).toEqual([
      '1:12 unexpected "b"',
      '3:12 unexpected "="',
      '4:3 unknown_keyword "lnie"',
      '8:18 unexpected "B"',
      '11:11 unexpected ""',
      '12:14 unexpected "y"',
      '13:24 unexpected "many"',
      '15:11 unexpected "plain"',
      '18:28 unexpected "experts"',
      '19:22 unexpected "colums"',
      '20:13 unexpected ""',
    ])
    const { file } = parse({ name: "test.cfx", text })
    expect(file.imports[0]!.names.map(({ name }) => name.text)).toEqual(["a", "b", "c"])
    expect(declarationsOf(text)).toEqual(["framing one", "roster two", "experiment three"])
    const experiment = file.declarations[2]
    const fields = experiment?.kind === "experiment" ? experiment.fields.map(({ field }) => field) : []
    expect(fields).toEqual(["models", "items", "arms", "contrast", "measure"])
  })

  it("finds the next declaration when a brace is missing", () => {
    const text = 'framing a {\n  line "y"\n\nframing b {\n  line "x"\n}\n'
    expect(problemsOf(text)).toHaveLength(1)
    expect(declarationsOf(text)).toEqual(["framing a", "framing b"])
  })

  it("finds the next field when a brace is missing inside a declaration", () => {
    const text = experiment("  arms {\n    a = b\n  measure HRR\n  seed x")
    expect(problemsOf(text)).toEqual([
      '4:3 | unexpected | "measure" | found `measure` | expected a name `}` in arms',
      '5:8 | unexpected | "x" | found `x` | expected a number `in` in experiment',
    ])
  })

  it("reads a body whose opening brace is missing", () => {
    const text = 'framing a\n  line "y"\n}\n\nframing b {\n  line "x"\n}\n'
    expect(problemsOf(text)).toEqual([
      '1:10 | unexpected | "" | found `line` | expected `extends` `{` in framing',
    ])
    expect(declarationsOf(text)).toEqual(["framing a", "framing b"])
  })

  it("gives back a field that an unfinished one took for its operand", () => {
    const text = "metric m {\n  rate a ==\n  given b != c\n  interval wilson\n  invalid exclude\n}\n"
    expect(problemsOf(text)).toEqual([
      '2:12 | unexpected | "" | found `given` | expected an expression in metric',
      '4:18 | unexpected | "" | found `invalid` | expected a number in metric',
    ])
    const metric = parse({ name: "test.cfx", text }).file.declarations[0]
    expect(metric?.kind === "metric" && metric.fields.map(({ field }) => field)).toContain("given")
  })

  it("does not mistake a factor for the field of the same name", () => {
    const text = experiment(
      "  arms {\n    p = assertion(\n      target = x,\n      items y,\n    )\n    items = z\n  }",
    )
    expect(problemsOf(text)).toEqual(['5:13 | unexpected | "y" | found `y` | expected `in` `=` in arms'])
  })

  it("passes over a whole unknown construct, braces and all", () => {
    const text = experiment("  prior {\n    spread { item 1.0 }\n  }\n  seed 0")
    expect(problemsOf(text)).toHaveLength(1)
    const only = parse({ name: "test.cfx", text }).file.declarations[0]
    expect(only?.kind === "experiment" && only.fields).toHaveLength(1)
  })
})

describe("signs of other languages", () => {
  const metric = (value: string): string => `metric m(a = a0) {\n  rate ${value}\n  given a == b\n}`
  const rateOf = (text: string): unknown => {
    const [declared] = parse({ name: "test.cfx", text }).file.declarations
    return declared?.kind === "metric" ? declared.fields.map(({ field }) => field) : undefined
  }

  it.each([
    ["a single =", "a = b", ['2:10 | other_sign | "=" | found =']],
    ["&&", "a == b && c == d", ['2:15 | other_sign | "&&" | found &&']],
    [
      "|| and !",
      "a == b || !(c == d)",
      ['2:15 | other_sign | "||" | found ||', '2:18 | other_sign | "!" | found !'],
    ],
    [
      "single & and |",
      "a == b & c == d | e == f",
      ['2:15 | other_sign | "&" | found &', '2:24 | other_sign | "|" | found |'],
    ],
    ["!= is one", "a != b", []],
  ])("%s", (_, value, expected) => {
    expect(problemsOf(metric(value))).toEqual(expected)
    expect(rateOf(metric(value))).toEqual(["rate", "given"])
  })

  it("are read as what they mean", () => {
    const read = (value: string) =>
      JSON.stringify(parse({ name: "x", text: metric(value) }).file.declarations, (key, value) =>
        key === "span" ? undefined : value,
      )
    expect(read("a = b && !(c = d) || e == f")).toBe(read("a == b and not (c == d) or e == f"))
  })

  it("do not make a single = something to expect", () => {
    expect(problemsOf(experiment("  table t { rows a columns b where c ) }\n  target x )"))).toEqual([
      '2:38 | unexpected | ")" | found `)` | expected `}` in table',
      expect.stringMatching(/^3:12 \| unexpected \| "\)" \| found `\)` \| expected `protocol` /),
    ])
  })
})

describe("a bracket that is not closed", () => {
  const opened = (text: string): unknown[] =>
    parse({ name: "test.cfx", text }).problems.map((problem) =>
      "opened" in problem && problem.opened !== undefined
        ? `${text.slice(0, problem.opened.start).split("\n").length}:${text.slice(problem.opened.start, problem.opened.end)}`
        : undefined,
    )

  it.each([
    ["a body, at the next declaration", 'framing a {\n  line "x"\n\nframing b {\n  line "x"\n}\n', ["1:{"]],
    ["a body, at the end of the file", 'framing a {\n  line "x"\n', ["1:{"]],
    ["an inner body", "experiment e {\n  arms {\n    p = b\n  measure HRR\n}\n", ["2:{"]],
    ["a list", "experiment e {\n  models { a, b\n  seed 0\n}\n", ["2:{"]],
    ["a table", "experiment e {\n  table t { rows a columns b\n  seed 0\n}\n", ["2:{"]],
    ["an assertion", "experiment e {\n  arms {\n    p = assertion(a = b,\n    c = d\n  }\n}\n", ["3:("]],
    ["none: a word too many on its line", 'framing a {\n  line "x" y\n}\n', [undefined]],
  ])("%s", (_, text, expected) => {
    expect(opened(text)).toEqual(expected)
  })
})

const armed = (levels: string) =>
  experiment(
    `  arms {\n    p = assertion(\n      framing in { a, b${levels} paraphrase in { v, w },\n    )\n  }`,
  )

describe("levels that are not closed", () => {
  it.each([
    ["before the comma", armed(", structure = s, order = o, dose = d(6),"), "4:26", "structure"],
    [
      "after it, on the next line",
      armed(" ,\n      structure = s, order = o, dose = d(6),"),
      "5:7",
      "structure",
    ],
    ["before several levels", armed(", structure in { s }, order = o, dose = d(6),"), "4:26", "structure"],
  ])("%s", (_, text, place, word) => {
    expect(problemsOf(text)).toEqual([
      `${place} | unexpected | "${word}" | found \`${word}\` | expected \`}\` in arms`,
    ])
    const { file, problems } = parse({ name: "test.cfx", text })
    expect(problems).toMatchObject([{ opened: { start: text.indexOf("{ a, b") } }])
    expect(JSON.stringify(file)).toMatch(
      /"text":"a".*"text":"b".*"text":"s".*"text":"o".*"text":"v".*"text":"w"/,
    )
  })
})

describe("levels that are not closed, with no comma after them", () => {
  it("cost the factor that follows", () => {
    const text = armed("\n      structure = s, order = o, dose = d(6),")
    expect(problemsOf(text)).toEqual([
      '5:7 | unexpected | "structure" | found `structure` | expected `}` in arms',
    ])
  })
})

describe("words for what could stand there", () => {
  it.each([
    ["a measure in a figure", experiment("  figure f { foo }"), "the name of a measure"],
    [
      "the mark of a figure",
      experiment("  figure f { }"),
      "`bar`, `dot`, `line`, `matrix`, `distribution` or `forest`",
    ],
    ["a contrast in a forest", experiment("  figure f { forest c, }"), "the name of a contrast"],
    ["a column in a figure", experiment("  figure f { bar HRR by }"), "the name of a column"],
    ["a column in a table", experiment("  table t { rows }"), "the name of a column"],
    ["a measure in a table", experiment("  table t { rows a, b columns }"), "the name of a measure"],
    ["a name elsewhere", experiment("  measure }"), "a name"],
  ])("%s", (_, text, expected) => {
    const [problem] = parse({ name: "test.cfx", text }).problems
    expect(problem?.kind === "unexpected" && problem.expected).toEqual([expected])
  })

  it("texts stand beside keywords where both may stand", () => {
    const [problem] = parse({ name: "test.cfx", text: 'paraphrase p { foo "x" }' }).problems
    expect(problem).toMatchObject({ besides: ["a text"], expected: ["verbatim", "reconstructed"] })
  })

  it("a container is called by its name", () => {
    expect(problemsOf('container c {\n  foo "x"\n}')[0]).toMatch(/ in container$/)
    expect(problemsOf('framing c {\n  foo "x"\n}')[0]).toMatch(/ in framing$/)
  })

  it("a misspelt assertion is read, and what is meant is said", () => {
    const text = experiment("  arms { p = asertion(framing in { a, b }, order = identity)\n q = again }")
    expect(problemsOf(text)).toEqual([
      '2:14 | unknown_keyword | "asertion" | found asertion | expected assertion in arms',
    ])
    const [declared] = parse({ name: "test.cfx", text }).file.declarations
    expect(JSON.stringify(declared)).toMatch(/"text":"a".*"text":"b".*"text":"identity".*"text":"again"/)
  })

  it("several levels after = are read, and what is meant is said", () => {
    const text = experiment("  arms { p = assertion(framing = { a, b }, order = identity) }")
    expect(problemsOf(text)).toEqual(['2:32 | other_sign | "=" | found = {'])
    const [declared] = parse({ name: "test.cfx", text }).file.declarations
    expect(JSON.stringify(declared)).toMatch(/"text":"a".*"text":"b".*"text":"identity"/)
    expect(problemsOf(experiment("  arms { p = assertion(framing = ) }"))[0]).toMatch(
      /expected an expression in arms$/,
    )
  })
})

describe("what a message calls a sign or a word", () => {
  interface Production {
    readonly type: string
    readonly name?: string
    readonly definition?: readonly Production[]
  }
  const terminals = (productions: readonly Production[]): readonly string[] =>
    productions.flatMap(({ type, name, definition = [] }) => [
      ...(type === "Terminal" && name !== undefined ? [name] : []),
      ...terminals(definition),
    ])

  it("is never its name in the grammar", () => {
    const wanted = new Set(terminals(new CfxParser().getSerializedGastProductions()))
    expect(wanted.size).toBeGreaterThan(100)
    const types = vocabulary.filter(({ name }) => wanted.has(name))
    expect(types).toHaveLength(wanted.size)
    // A keyword is its own label, in small letters; what has no label would be told by its name.
    const internal = types.filter((type) => describeType(type) === `\`${type.name}\``)
    expect(internal.map(({ name }) => name)).toEqual([])
  })
})
