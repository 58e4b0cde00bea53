/** Text on its way into LaTeX: every sign taken literally, and how wide it is set. */
import { visible } from "./escape.ts"
import { MARK } from "./grid.ts"

const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "''",
  "`": "\\textasciigrave{}",
  [MARK]: "\\textdagger{}",
  "⟨": "\\textless{}",
  "⟩": "\\textgreater{}",
  "…": "\\ldots{}",
  "–": "--",
  "—": "---",
  "‘": "`",
  "’": "'",
  "“": "``",
  "”": "''",
  "≤": "$\\le$",
  "≥": "$\\ge$",
  "→": "$\\to$",
  "≠": "$\\ne$",
}

const SIGN = new RegExp(
  `[${Object.keys(SIGNS)
    .join("")
    .replace(/[\\\]^]/g, "\\$&")}]`,
  "gu",
)

/**
 * What pdfLaTeX has no sign for, beyond ASCII, in the encoding that it begins with (OT1; TeX Live 2022): all but Latin letters with usual accents and some
 * signs. LuaLaTeX and XeLaTeX print it where the paper's font has it.
 */
const FOREIGN = /[^\u0020-\u007e¡-ªª¬®-º¼-ÏÑ-ÝßÀ-ïñ-ýÿĀ-ăĆ-ďĒ-ėĚ-ĥĨ-ĭİ-ķĹ-ľŁ-ňŌ-ťŨ-űŴ-ž−]/gu

/** As `\cfxunicode{4E2D}{中}`, which `UNICODE` defines. */
const foreign = (sign: string): string =>
  `\\cfxunicode{${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}}{${sign}}`

/** A sign where the engine reads Unicode, its number where it does not. */
export const UNICODE =
  "\\providecommand{\\cfxunicode}[2]{\\ifdefined\\directlua#2\\else\\ifdefined\\XeTeXversion#2\\else\\textless{}U+#1\\textgreater{}\\fi\\fi}"

/** Text on one line; a hyphen before a digit that stands for a minus is one. */
export function escapeLatex(text: string): string {
  return (
    visible(text)
      .replace(/\s+/g, " ")
      // Signs first: what they become has backslashes and braces of its own.
      .replace(SIGN, (sign) => SIGNS[sign]!)
      .replace(FOREIGN, foreign)
      .replace(/(?<![\w.])(-?)(\d+(?:\.\d+)?)e([+-])(\d+)(?!\w)/g, scientific)
      .replace(/−|(?<![\w.}{$])-(?=[\d.])/g, "$-$")
      // Ligatures would join these, and a bracket or a star behind a line's end would be taken for an argument.
      .replace(/--(?=-)/g, "-{}-{}")
      .replace(/^( ?)([[*])/, "$1{$2}")
  )
}

/** "2.6e-5" as $2.6\times10^{-5}$. */
const scientific = (_: string, minus: string, digits: string, sign: string, power: string): string =>
  `$${minus}${digits}\\times10^{${sign === "-" ? "-" : ""}${Number(power)}}$`

/** A comment ends with its line. */
export const comment = (text: string): string => visible(text).replace(/\s+/g, " ")

/** As a part of a label: a name of the language as it is, and of other words no sign that a label may not have. */
export const label = (words: string): string => words.replace(/\W+/g, "-")

/** What is set as one: a raised note, a command, an escaped sign, a formula, a character. */
const TOKEN =
  /\\(?:textsuperscript|cfxunicode)(?:\{[^{}]*\})+|\\[a-zA-Z]+(?:\{\})?|\\.|\$[^$]*\$|\{[[*]\}|./gsu

/** The width of escaped text in em of its size, of Computer Modern: 0.5 for digits and most letters. */
export function widthOf(latex: string): number {
  return (latex.match(TOKEN) ?? []).reduce((sum, token) => sum + tokenWidth(token), 0)
}

function tokenWidth(token: string): number {
  if (token.startsWith("\\cfxunicode")) return 5
  if (token.startsWith("\\textsuperscript")) return 0.36 * (token.length - "\\textsuperscript{}".length)
  if (/^\\(text|ldots)/.test(token)) return 0.78
  if (token.startsWith("$")) return token.length === 3 ? 0.78 : 0.5 * (token.length - 6)
  if (/^[fijlrtI.,:;'|()[\] -]$/.test(token)) return 0.35
  return /^[A-Zmw%&=+]|^\\[%&#]/.test(token) ? 0.83 : 0.53
}

/** Escaped text that may be broken behind the signs that join words, and in words that are wider than `most`, in em. */
export function breakable(latex: string, most: number): string {
  let wide = 0
  return (latex.match(TOKEN) ?? [])
    .map((token) => {
      const own = token === " " ? 0 : tokenWidth(token)
      // A line ends before what has no room on it.
      const isFull = wide > 0 && wide + own > most
      wide = token === " " ? 0 : isFull ? own : wide + own
      const joins = /^(\\_|\/|=|:)$/.test(token)
      if (joins) wide = 0
      return `${isFull ? "\\allowbreak{}" : ""}${token}${joins ? "\\allowbreak{}" : ""}`
    })
    .join("")
}

/** A paragraph of escaped text, of which only words that are wider than a line may be broken. */
export const paragraph = (latex: string): string =>
  latex.replace(/[^ ]+/g, (word) => (widthOf(word) > LINE ? breakable(word, LINE) : word))

/** The width of a page in em of its captions, the widest type, less what letters may be wider than is reckoned. */
const LINE = 28

/** What of escaped text is kept on one line. */
export const wordsOf = (latex: string): readonly string[] =>
  breakable(latex, Number.POSITIVE_INFINITY).split(/ |\\allowbreak\{\}/)
