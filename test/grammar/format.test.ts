import { describe, expect, it } from "vitest"
import { format } from "../../grammar/format.ts"

const formatted = (text: string): string => {
  const result = format({ name: "test.cfx", text })
  if ("problems" in result) throw new Error(JSON.stringify(result.problems))
  return result.text
}

describe("cfx fmt", () => {
  it("puts each field on a line of its own, two spaces in", () => {
    expect(formatted('framing a extends b{preamble "x" line"y"verbatim "z"}')).toBe(
      ["framing a extends b {", '  preamble "x"', '  line "y"', '  verbatim "z"', "}", ""].join("\n"),
    )
  })

  it("parts declarations by one empty line, and lets imports and one-line models stand together", () => {
    expect(
      formatted(
        'import{a}from"x"\nimport {b as c,} from "y"\nmodel m = gguf "f"\nmodel n = gguf "g"\nroster r {}\n\n\n\nroster s {}',
      ),
    ).toBe(
      [
        ...['import { a } from "x"', 'import { b as c } from "y"', ""],
        ...['model m = gguf "f"', 'model n = gguf "g"', "", "roster r {}", "", "roster s {}", ""],
      ].join("\n"),
    )
  })

  it("lists the columns of an item's field on one line", () => {
    expect(formatted('items a="b.csv"{question="Question text" options=A,B.x  ,  "C d"\ngold=g}')).toBe(
      [
        'items a = "b.csv" {',
        '  question = "Question text"',
        '  options = A, B.x, "C d"',
        "  gold = g",
        "}",
        "",
      ].join("\n"),
    )
  })

  it("keeps at most one empty line between fields, and none beside braces", () => {
    expect(formatted("experiment e {\n\n\n  seed 0\n\n\n\n  measure A\n  measure B\n\n}\n")).toBe(
      "experiment e {\n  seed 0\n\n  measure A\n  measure B\n}\n",
    )
  })

  it("breaks what does not fit into 100 columns, with a comma at the end", () => {
    const names = [
      "no_source",
      "people",
      "rich_peers",
      "experts",
      "reference",
      "audience",
      "panel_of_experts",
    ]
    expect(formatted(`import { ${names.join(", ")}, x } from "std/framings"\n`)).toBe(
      ["import {", ...[...names, "x"].map((name) => `  ${name},`), '} from "std/framings"', ""].join("\n"),
    )
  })

  it("breaks long expressions before their operators", () => {
    const long = "HRR[framing = experts, structure = all_wrong, dose = distinct]"
    expect(formatted(`experiment e { contrast c = ${long} - ${long} by pooled, cells(model, pool) }`)).toBe(
      [
        "experiment e {",
        "  contrast c =",
        `    ${long}`,
        `    - ${long}`,
        "    by pooled, cells(model, pool)",
        "}",
        "",
      ].join("\n"),
    )
  })

  it("breaks what does not fit also where texts stand in it", () => {
    const speakers = Array.from({ length: 12 }, (_, at) => `"speaker ${at}"`)
    expect(formatted(`roster peers { ${speakers.join(" ")} }`)).toBe(
      ["roster peers {", ...speakers.map((each) => `  ${each}`), "}", ""].join("\n"),
    )
  })

  it("keeps an empty line before comments at the end of a body", () => {
    const text = "experiment e {\n  seed 0\n\n  // measure A\n\n  // measure B\n}\n"
    expect(formatted(text)).toBe(text)
  })

  it("lets short settings share a line where they fit", () => {
    const read = (settings: string) => `protocol p { turn a { read r { ${settings} } } }`
    const within = (...lines: string[]) => ["protocol p {", "  turn a {", ...lines, "  }", "}", ""].join("\n")
    expect(formatted(read('max 400\nuntil "\\n"\ntemperature 0'))).toBe(
      within('    read r { max 400  until "\\n"  temperature 0 }'),
    )
    const long = `"${"x".repeat(70)}"`
    expect(formatted(read(`max 400 refusal ${long} ${long}`))).toBe(
      within("    read r {", "      max 400", `      refusal ${long}`, `        ${long}`, "    }"),
    )
    expect(formatted(read("mass 0.8 score\ntext_per_token generate 40 max 20"))).toBe(
      within("    read r { mass 0.8  score text_per_token  generate 40  max 20 }"),
    )
    expect(formatted("experiment e { assume { accuracy 0.7 HRR { a 0.1 b 0.2 } } }")).toBe(
      ["experiment e {", "  assume {", "    accuracy 0.7", "    HRR { a 0.1  b 0.2 }", "  }", "}", ""].join(
        "\n",
      ),
    )
  })

  it("parts the two sides of a kappa by a comma, on two lines where one is too short", () => {
    const kappa = (side: string) => `metric m { kappa ${side}\n,item.coded interval bootstrap 95 }`
    const within = (...lines: string[]) =>
      ["metric m {", ...lines, "  interval bootstrap 95", "}", ""].join("\n")
    expect(formatted(kappa("verdict"))).toBe(within("  kappa verdict, item.coded"))
    const long = `item.${"x".repeat(100)}`
    expect(formatted(kappa(long))).toBe(within(`  kappa ${long},`, "    item.coded"))
  })

  it("fills lines with the words of a lexicon, the columns of an item, the names of a table", () => {
    const words = Array.from({ length: 30 }, (_, at) => `"word ${at}"`)
    const lexicon = formatted(`lexicon l { ${words.join("\n")} }`)
    expect(lexicon.split("\n").length).toBeLessThan(10)
    expect(lexicon.replace(/\s+/g, " ")).toBe(`lexicon l { ${words.join(" ")} } `)
    const names = Array.from({ length: 20 }, (_, at) => `column_${at}`)
    const items = formatted(`items i = "a" { options = ${names.join(",")} }`)
    expect(items.replace(/\s+/g, " ")).toBe(`items i = "a" { options = ${names.join(", ")} } `)
    const table = formatted(`experiment e { table t { rows a columns ${names.join(",")} where a == b } }`)
    for (const text of [lexicon, items, table]) {
      for (const each of text.split("\n")) expect(each.length).toBeLessThanOrEqual(100)
    }
  })

  it("puts what belongs to a name right behind it", () => {
    const text = [
      "protocol p {",
      "  turn press[t] repeat 5 continues first by source when a0 == item.gold {",
      '    assistant "{a[t]: option}{v: label(yes, 1)}{x: option of past[1]}"',
      "  }",
      "",
      '  extract a: integer 1..10 from r matching "(\\d+)" last',
      "  judge v = same(r) by grader",
      "}",
      "",
      "judge same(reply) {",
      "  equals item.gold",
      "}",
      "",
      "experiment e {",
      "  measure late = HRR(second = a[3])",
      "  contrast c = HRR[structure = all_wrong except last = gold] - (A - B) by pooled",
      "}",
      "",
    ].join("\n")
    const dense = text
      .replace(/\n */g, " ")
      .replace(/ ?([()[\]{}:=,]) ?/g, (whole, sign) => (sign === "=" && whole === "=" ? whole : sign))
    expect(formatted(text)).toBe(text)
    expect(formatted(dense.replaceAll("==", " == "))).toBe(text)
  })

  it("breaks a long condition of a turn deeper than what the turn holds", () => {
    const long = "a0 == item.gold and not refused(argument) and first.confidence < 0.9 and source == model"
    expect(formatted(`protocol p { turn a when ${long} { user "x" } }`)).toBe(
      [
        "protocol p {",
        "  turn a when a0 == item.gold",
        "      and not refused(argument)",
        "      and first.confidence < 0.9",
        "      and source == model {",
        '    user "x"',
        "  }",
        "}",
        "",
      ].join("\n"),
    )
  })

  it("moves a hash to a line of its own before it parts the names of an import", () => {
    const sum = `sha256:${"0".repeat(64)}`
    expect(formatted(`import { a, b } from "std/framings" ${sum}`)).toBe(
      `import { a, b } from "std/framings"\n  ${sum}\n`,
    )
    expect(formatted(`import { a } from "x" ${sum}`)).toBe(`import { a } from "x" ${sum}\n`)
  })

  it("leaves a regular expression as it is", () => {
    const text = 'judge j(r) {\n  matching "\\s{2,}  (a|\\"b\\")  {x} \\\\"\n  then yes else no\n}\n'
    expect(formatted(text)).toBe(text)
  })

  it("writes holes in one way", () => {
    expect(formatted('block b { text "{ a }{k:integer 1 .. 3}{f( x,y, )}" }')).toBe(
      'block b {\n  text "{a}{k: integer 1..3}{f(x, y)}"\n}\n',
    )
  })

  it("moves a triple-quoted block as a whole and nothing in it", () => {
    const text = ['block b { text """', "  one", "      two  ", "", "  three", '"""}'].join("\n")
    expect(formatted(text)).toBe(
      ["block b {", '  text """', "    one", "        two  ", "", "    three", '    """', "}", ""].join("\n"),
    )
  })

  it("leaves a triple-quoted text that starts behind its quotes as it stands", () => {
    const text = 'block b {\n  text """one\n two\n    three"""\n}\n'
    expect(formatted(text)).toBe(text)
  })

  it("keeps every comment where it was", () => {
    const text = `// before everything

/// the file

/// a framing
// and a note
framing a { // behind the brace
  // above a field
  line "x" // behind a field
  lines // between
    "y" // first
    "z"
  // at the end of the body
} // behind the closing brace

experiment e {
  arms {
    p = assertion(
      // above an argument
      dose = distinct(6), // behind an argument
      // after the last
    )
  }
}
// at the very end
`
    expect(formatted(text)).toBe(text)
  })

  it("leaves a doc with its declaration, and white space that is no layout in its comment", () => {
    const text = "/// y\u3000\njudge a() {}\n\n// note\u00A0\nroster r {}\n"
    expect(formatted(text)).toBe(text)
    expect(formatted("/// y\u3000 \t\rjudge a() {}\r")).toBe("/// y\u3000\njudge a() {}\n")
  })

  it("keeps a line of a text that is white space of another kind", () => {
    const text = 'block b {\n  text """\n    Think again.\n    \u00A0\n    """\n}\n'
    expect(formatted(text)).toBe(text)
  })

  it("hands back the problems of a file that it cannot read", () => {
    expect(format({ name: "test.cfx", text: "roster" })).toEqual({
      problems: [expect.objectContaining({ kind: "unexpected" })],
    })
  })

  it("has nothing to say about nothing", () => {
    expect(formatted("")).toBe("")
    expect(formatted("\n\n // only this \n\n")).toBe("// only this\n")
  })
})

it("a doc comment breaks no body that fits on its line", () => {
  const text = '/// Who speaks.\nroster peers { "Alice" "Bob" }\n'
  expect(format({ name: "", text })).toEqual({ text })
})
