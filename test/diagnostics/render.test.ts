import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { render, summary, toJson } from "../../compiler/diagnostics/render.ts"

/** A diagnostic about the text between « and » (the marks themselves are taken out). */
const about = (marked: string, more: Partial<Diagnostic> = {}): Diagnostic => {
  const start = marked.indexOf("«")
  const end = marked.indexOf("»") - 1
  return {
    code: "CFX2001",
    severity: "error",
    title: "Unknown name",
    message: "There is no framing `peple` here.",
    label: "no such framing",
    source: { name: "spec.cfx", text: marked.replace("«", "").replace("»", "") },
    span: { start, end },
    related: [],
    ...more,
  }
}

/** The rows of the frame: what stands between the place and the message. */
const frameOf = (d: Diagnostic): string =>
  render(d, { color: false }).split("\n\n")[0]!.split("\n").slice(3).join("\n")

/** What a terminal would act on, other than ending a line. */
const controls = (text: string): readonly string[] =>
  [...text].filter((character) => character !== "\n" && /\p{Cc}/u.test(character))

describe("a diagnostic reads", () => {
  test("title, place, frame, message, hint", () => {
    const d = about("experiment x {\n  framing in { no_source, «peple» }\n}\n", {
      hint: "Did you mean `people`?",
    })
    expect(render(d, { color: false })).toBe(
      `
error[CFX2001]: Unknown name
  ┌─ spec.cfx:2:27
  │
2 │   framing in { no_source, peple }
  │                           ^^^^^ no such framing

There is no framing \`peple\` here.
Hint: Did you mean \`people\`?`.trimStart(),
    )
  })

  test("related places have frames of their own, also of other files, with one gutter for all", () => {
    const other = about(`${"\n".repeat(119)}framing «people» {`)
    const d = about("framing «people» {", {
      title: "Duplicate name",
      message: "The framing `people` is declared twice.",
      label: "declared again here",
      related: [
        { source: { ...other.source, name: "std/framings.cfx" }, span: other.span, label: "first here" },
      ],
    })
    expect(render(d, { color: false })).toBe(
      `
error[CFX2001]: Duplicate name
    ┌─ spec.cfx:1:9
    │
  1 │ framing people {
    │         ^^^^^^ declared again here

    ┌─ std/framings.cfx:120:9
    │
120 │ framing people {
    │         ------ first here

The framing \`people\` is declared twice.`.trimStart(),
    )
  })

  test("long sentences are broken at spaces, and lines that are indented keep their layout", () => {
    const d = about("«x»", { message: `${"word ".repeat(40).trim()}\n    kept   as it is` })
    const lines = render(d, { color: false }).split("\n").slice(6)
    expect(lines.every((line) => line.length <= 96)).toBe(true)
    expect(lines.slice(0, -1).join(" ")).toBe("word ".repeat(40).trim())
    expect(lines.at(-1)).toBe("    kept   as it is")
  })
})

describe("the frame", () => {
  test("underlines a span with no width at its place", () => {
    expect(frameOf(about("ab«»cd"))).toBe("1 │ abcd\n  │   ^ no such framing")
  })

  test("at the end of a file shows what stands before it", () => {
    expect(frameOf(about("framing x {\n\n\n«»", { label: "no `}` follows" }))).toBe(
      "1 │ framing x {\n  │ ⋮\n4 │\n  │ ^ no `}` follows",
    )
    expect(frameOf(about("framing x {\n«»"))).toBe("1 │ framing x {\n2 │\n  │ ^ no such framing")
    expect(frameOf(about("framing x {«»"))).toBe("1 │ framing x {\n  │            ^ no such framing")
  })

  test("of an empty file is an empty line", () => {
    expect(frameOf(about("«»"))).toBe("1 │\n  │ ^ no such framing")
  })

  test("fills tabs to stops of four, before and under the span", () => {
    expect(frameOf(about("\tx\t«yy»\tz"))).toBe("1 │     x   yy  z\n  │         ^^ no such framing")
    expect(frameOf(about("a«\t»b"))).toBe("1 │ a   b\n  │  ^^^ no such framing")
  })

  test("knows that some characters are wide and some have no width", () => {
    expect(frameOf(about("問題 «答え» x"))).toBe("1 │ 問題 答え x\n  │      ^^^^ no such framing")
    expect(frameOf(about("🙂«🙂»"))).toBe("1 │ 🙂🙂\n  │   ^^ no such framing")
    expect(frameOf(about("e\u0301«x»"))).toBe("1 │ e\u0301x\n  │  ^ no such framing")
  })

  test("shows neither byte order mark nor carriage returns", () => {
    expect(frameOf(about("\ufeff«ab» c\r\nd"))).toBe("1 │ ab c\n  │ ^^ no such framing")
    expect(frameOf(about("x\r\nab «c»\r\nd"))).toBe("2 │ ab c\n  │    ^ no such framing")
  })

  test("a span that ends with its line's break stays on the line", () => {
    expect(frameOf(about("ab «cd\n»ef"))).toBe("1 │ ab cd\n  │    ^^ no such framing")
    expect(frameOf(about("ab«\n»cd"))).toBe("1 │ abcd\n  │   ^ no such framing".replace("abcd", "ab"))
  })

  test("brackets a span of several lines", () => {
    expect(frameOf(about("x\n  «framing y {\n    line 1\n  }»\nz"))).toBe(
      "2 │ ╭   framing y {\n3 │ │     line 1\n4 │ │   }\n  │ ╰───^ no such framing",
    )
    expect(frameOf(about("line «one {\n}»"))).toBe(
      "1 │   line one {\n  │ ╭──────^\n2 │ │ }\n  │ ╰─^ no such framing",
    )
  })

  test("leaves out the middle of a long span", () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join("\n")
    expect(frameOf(about(`«${lines}»`))).toBe(
      " 1 │ ╭ line 1\n 2 │ │ line 2\n   │ │ ⋮\n50 │ │ line 50\n   │ ╰───────^ no such framing",
    )
  })

  test("cuts a long line around the span, wherever it stands", () => {
    const words = "abcdefghi ".repeat(10_000)
    for (const at of [0, 40, 50_000, 99_990]) {
      const rows = frameOf(about(`${words.slice(0, at)}«XYZ»${words.slice(at)}`)).split("\n")
      expect(rows).toHaveLength(2)
      expect(rows[0]!.length).toBeLessThanOrEqual(106)
      expect(rows[0]!.slice(rows[1]!.indexOf("^"), rows[1]!.lastIndexOf("^") + 1)).toBe("XYZ")
      expect(rows[0]!.startsWith("1 │ …")).toBe(at >= 40)
      expect(rows[0]!.endsWith("…")).toBe(at < 99_900)
    }
  })

  test("cuts an underline that is longer than the frame", () => {
    const rows = frameOf(about(`ab «${"x".repeat(5000)}» cd`)).split("\n")
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(124)
    expect(rows[1]!.indexOf("^")).toBe(rows[0]!.indexOf("x"))
  })

  test("puts a long label under the underline", () => {
    const label = "l".repeat(100)
    expect(frameOf(about(`${" ".repeat(40)}«x»`, { label }))).toBe(
      `1 │ ${" ".repeat(40)}x\n  │ ${" ".repeat(40)}^\n  │ ${" ".repeat(20)}${label}`,
    )
  })
})

describe("a hostile file", () => {
  const hostile =
    "a\u001b[2J\u0007\u0000\u007f\u009b31m\u202e«\u001b]0;title\u0007»\u2066b\u200bc\u2028d\ud800e"

  test("is shown with its control characters as signs", () => {
    expect(frameOf(about(hostile, { label: "" })).split("\n")[0]).toBe(
      "1 │ a␛[2J␇␀␡\\u{9b}31m\\u{202e}␛]0;title␇\\u{2066}b\\u{200b}c\\u{2028}d\\u{d800}e",
    )
  })

  test("is underlined where its signs stand", () => {
    const [line, marks] = frameOf(about(hostile, { label: "" })).split("\n")
    expect(line!.slice(marks!.indexOf("^"), marks!.lastIndexOf("^") + 1)).toBe("␛]0;title␇")
  })

  test("can send nothing to the terminal through names, messages, labels or hints either", () => {
    const evil = "\u001b[2J\u009b\u202e"
    const d = about("«x»", {
      title: evil,
      message: evil,
      label: evil,
      hint: evil,
      source: { name: `${evil}\nerror[CFX9999]: forged`, text: evil },
      related: [{ source: { name: evil, text: evil }, span: { start: 0, end: 2 }, label: evil }],
    })
    expect(controls(render(d, { color: false }))).toEqual([])
    expect(render(d, { color: false })).not.toContain("\u202e")
    expect(render(d, { color: false })).not.toMatch(/^error\[CFX9999\]/m)
  })

  test("whatever text and span, rendering ends, and holds no control character", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 })
    const span = fc.record({
      start: fc.integer({ min: -5, max: 310 }),
      end: fc.integer({ min: -5, max: 310 }),
    })
    fc.assert(
      fc.property(text, span, text, (body, place, label) => {
        const d = about("«»", { source: { name: "x", text: body }, span: place, label, message: label })
        const shown = render(d, { color: false })
        expect(controls(shown)).toEqual([])
        expect(Buffer.from(shown).toString()).toBe(shown)
      }),
    )
  })

  test("a message of a megabyte is cut", () => {
    expect(render(about("«x»", { message: "m".repeat(1_000_000) }), { color: false }).length).toBeLessThan(
      3000,
    )
  })
})

describe("colour", () => {
  test("changes no character of the text", () => {
    const d = about("ab «cd» ef", { hint: "hint" })
    const escapes = new RegExp(`${"\u001b"}\\[[0-9;]*m`, "g")
    expect(render(d, { color: true }).replace(escapes, "")).toBe(render(d, { color: false }))
    expect(render(d, { color: true })).toMatch(escapes)
  })

  test.each([
    ["error", "31"],
    ["warning", "33"],
    ["note", "36"],
  ] as const)("tells %s by its own", (severity, style) => {
    expect(render(about("«x»", { severity }), { color: true })).toContain(`\u001b[1;${style}m${severity}[`)
  })
})

describe("for a program", () => {
  test("a diagnostic is code, severity, message, file, start, end and, where there is one, hint", () => {
    const d = about("x\r\n\t🙂«peple»", { hint: "Did you mean `people`?" })
    expect(toJson(d)).toEqual({
      code: "CFX2001",
      severity: "error",
      title: "Unknown name",
      message: "There is no framing `peple` here.",
      file: "spec.cfx",
      start: { line: 2, column: 4 },
      end: { line: 2, column: 9 },
      label: "no such framing",
      hint: "Did you mean `people`?",
      related: [],
    })
    expect("hint" in toJson(about("«x»"))).toBe(false)
  })
})

describe("the summary", () => {
  const of = (...severities: Diagnostic["severity"][]) =>
    summary(severities.map((severity) => about("«x»", { severity })))

  test("counts by severity, and leaves out what there is none of", () => {
    expect(of("error", "warning", "error")).toBe("2 errors, 1 warning")
    expect(of("note", "note")).toBe("2 notes")
    expect(of("error")).toBe("1 error")
    expect(of()).toBe("")
  })
})
