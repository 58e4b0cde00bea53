import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  escapeHtml,
  escapeMarkdown,
  markdownAlt,
  markdownBlock,
  markdownCode,
  markdownCodeCell,
  terminalLine,
  visible,
} from "../../runtime/report/escape.ts"

describe("text on its way into a report", () => {
  test("shows what a reader cannot see, or what would reorder what they see", () => {
    expect(visible("a\u0000b\u001b[2Jc")).toBe("a⟨U+0000⟩b⟨U+001B⟩[2Jc")
    expect(visible("\u202Egnp.exe\u2066x\u2069")).toBe("⟨U+202E⟩gnp.exe⟨U+2066⟩x⟨U+2069⟩")
    expect(visible("\uFEFFx\u200By\r\u2028\uFFFF")).toBe("⟨U+FEFF⟩x⟨U+200B⟩y⟨U+000D⟩⟨U+2028⟩⟨U+FFFF⟩")
    expect(visible("so\u00ADft \u{E0041}\u{E0042}\u{E0100}")).toBe("so⟨U+00AD⟩ft ⟨U+E0041⟩⟨U+E0042⟩⟨U+E0100⟩")
    expect(visible("half a pair: \uD83D, \uDE00, whole: 😀")).toBe(
      "half a pair: ⟨U+D83D⟩, ⟨U+DE00⟩, whole: 😀",
    )
  })

  test("leaves ordinary text of any script as it is", () => {
    const text = "Ünïcode, 日本語, العربية, עברית, 👩‍👩‍👧, ❤️, tab\tand\nline"
    expect(visible(text)).toBe(text)
  })

  test("is never HTML", () => {
    expect(escapeHtml(`</script><img src=x onerror="alert('1')">&amp;`)).toBe(
      "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;",
    )
    expect(escapeHtml("<|im_end|>")).toBe("&lt;|im_end|&gt;")
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/)
        expect(escapeHtml(text)).not.toContain("\u0000")
      }),
    )
  })

  test("loses nothing that HTML can show: its entities decode to the visible text", () => {
    const decode = (html: string) =>
      html.replace(
        /&(lt|gt|quot|amp|#39);/g,
        (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" })[name]!,
      )
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decode(escapeHtml(text))).toBe(visible(text))
      }),
    )
  })

  test("is neither a link, an image, markup nor a cell's end in Markdown", () => {
    expect(escapeMarkdown("![x](http://a.b) | `c` <b> *d* _e_ no_source @f")).toBe(
      "!\\[x\\](http:\\/\\/a.b) \\| \\`c\\` \\<b\\> \\*d\\* \\_e\\_ no_source \\@f",
    )
    expect(escapeMarkdown("# a\n- b")).toBe("\\# a - b")
    expect(escapeMarkdown("- a")).toBe("\\- a")
    // A backslash before a digit would be shown.
    expect(escapeMarkdown("1. a")).toBe("1\\. a")
    expect(escapeMarkdown("+ 12) a")).toBe("\\+ 12) a")
    expect(escapeMarkdown("12) a")).toBe("12\\) a")
  })

  test("is no address that Markdown would make a link of", () => {
    expect(escapeMarkdown("www.x.org/a_b, WWW.x.org, (www.y.org)")).toBe(
      "www\\.x.org/a_b, WWW\\.x.org, (www\\.y.org)",
    )
    expect(escapeMarkdown("https://x.org, ftp://y.org")).toBe("https:\\/\\/x.org, ftp:\\/\\/y.org")
    // GitHub joins what backslashes part, and then looks for addresses of mail.
    expect(escapeMarkdown("a.b_c@d-e.org, a_@_b.c, 3 @ 5.0")).toBe(
      "a.b_c\\@<!-- -->d-e.org, a\\_\\@<!-- -->\\_b.c, 3 \\@ 5.0",
    )
    expect(markdownAlt("a@b.org")).toBe("a\\@b.org")
  })

  test("has a backslash before a bar of code in a table's cell, where it ends the cell, and nowhere else", () => {
    expect(markdownCode("a|b")).toBe("`a|b`")
    expect(markdownCodeCell("a|b")).toBe("`a\\|b`")
  })

  test("cannot end the code that it stands in", () => {
    expect(markdownCode("a`b``c")).toBe("```a`b``c```")
    expect(markdownCode("`")).toBe("`` ` ``")
    expect(markdownBlock("x\n````\ny")).toBe("`````\nx\n````\ny\n`````")
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "a", "\n") }), (text) => {
        const lines = markdownBlock(text).split("\n")
        const fence = lines[0]!
        expect(lines.filter((line) => line.startsWith(fence))).toHaveLength(2)
      }),
    )
  })

  test("cannot move a terminal's cursor", () => {
    expect(terminalLine("a\u001b[31mb\r\nc\u0007")).toBe("a⟨U+001B⟩[31mb c⟨U+0007⟩")
  })
})
