/** Tokens of cfx in random order and layout: names, numbers, texts, expressions. */
import fc from "fast-check"

/** Names, keywords among them, since those may be names too. */
export const name = fc.constantFrom(
  ...["a", "a0", "HRR", "order", "items", "text", "verbatim", "line", "model", "by", "not_a"],
  ...["judge", "target", "when", "first", "except", "is", "read", "equals", "sha256"],
)
export const number = fc.constantFrom("0", "7", "0.5", "100", "1.0", "007")

/** White space that is no layout: a character of whatever text or comment it stands in. */
const unlike = ["\u00A0", "\u3000", "\u2028", "\f", "\uFEFF"]

/** White space and comments between two tokens. */
export const gap = fc.oneof(
  { weight: 12, arbitrary: fc.constant(" ") },
  { weight: 2, arbitrary: fc.constant("\n") },
  { weight: 1, arbitrary: fc.constant("\n\n\n") },
  { weight: 1, arbitrary: fc.constant("\t \r\n  ") },
  { weight: 1, arbitrary: fc.constant(" // note\n") },
  { weight: 1, arbitrary: fc.constant("\n// note of its own  \n") },
  { weight: 1, arbitrary: fc.constant("\n\n/// doc\n/// of two lines\n\n// and a note\n") },
  { weight: 1, arbitrary: fc.constantFrom("\r", "\r\r", "\n// note\r/// doc\r// note \r\n") },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("//", "/// doc"),
        fc.constantFrom(...unlike),
        fc.constantFrom("\n", " \t\r", "\n\n"),
      )
      .map(([start, end, line]) => `\n${start}${end}${line}`),
  },
)

export type Tokens = fc.Arbitrary<readonly string[]>

export type Part = string | fc.Arbitrary<string> | Tokens

export const tokens = (...parts: readonly Part[]): Tokens =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((values) => values.flat())

export const maybe = (...parts: readonly Part[]): Tokens => fc.oneof(tokens(), tokens(...parts))

export const many = (part: Tokens, minLength = 0, maxLength = 3): Tokens =>
  fc.array(part, { minLength, maxLength }).map((parts) => parts.flat())

export const commas = (part: Tokens, minLength = 1): Tokens =>
  fc
    .tuple(fc.array(part, { minLength, maxLength: 3 }), fc.boolean())
    .map(([parts, trailing]) =>
      parts.flatMap((each, index) => (index < parts.length - 1 || trailing ? [...each, ","] : each)),
    )

/** `a, b` without brackets, where no comma may stand at the end. */
export const bare = (part: Tokens): Tokens =>
  fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.flatMap((each, index) => (index === 0 ? each : [",", ...each])))

// ---------------------------------------------------------------- texts

const hole = fc.constantFrom(
  ...["{item.question}", "{ x }", "{a0:option}", "{k0 : integer  1 .. 10}", "{f( a,b )}", "{-a+2}"],
  ...["{a[t]: option}", "{a [ t ]:text}", "{v: label( yes,no )}", "{n:label(1,2,)}", "{past[1].gold.label}"],
  ...["{x: option of  past [ t ]}", "{text: text}"],
)
const plain = fc.constantFrom(
  ...["word", " ", "  ", "{{", "}}", "\\n", "\\u{1F600}", "é", "'", "//", "# ,", ...unlike],
)
const single = fc.array(fc.oneof(plain, hole), { maxLength: 5 }).map((parts) => `"${parts.join("")}"`)
const triple = fc
  .array(fc.oneof(plain, hole, fc.constantFrom("\n", "\n  ", "\r\n    ", "\n\t", "\n\n", "\r", '"')), {
    maxLength: 9,
  })
  .map((parts) => parts.join(""))
  .filter((inside) => !inside.includes('""') && !inside.endsWith('"'))
  .map((inside) => `"""${inside}"""`)
export const text = fc.oneof(single, triple)

/** A regular expression: nothing in it is a hole or an escape but `\"`. */
export const pattern = fc
  .array(fc.constantFrom("x", " ", "\\s*", "(A|B)", "{2,3}", "{", "}", "\\\\", '\\"', "//", "[^)]", "é"), {
    maxLength: 6,
  })
  .map((parts) => `"${parts.join("")}"`)

// ---------------------------------------------------------------- expressions

export const { expression } = fc.letrec<{ expression: readonly string[]; atom: readonly string[] }>(
  (tie) => ({
    atom: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      tokens(name),
      tokens(number),
      tokens(fc.constantFrom('"text"', '"{{a}} \\\\ \\" \\n\\t\\u{7}"', '"é{item.subject}"')),
      tokens(name, ".", name),
      tokens(name, "(", commas(tie("expression"), 0), ")"),
      tokens(name, "[", commas(tokens(name, fc.constantFrom("=", "!="), tie("expression"))), "]"),
      tokens(name, "[", commas(tokens(name, "in", "{", commas(tie("expression")), "}")), "]"),
      tokens(name, "[", fc.oneof(name, number), "]", ".", name),
      tokens("[", commas(tie("expression"), 0), "]"),
      tokens("(", name, "except", fc.constantFrom("last", "first", "2"), maybe("=", name), ")"),
      tokens("(", tie("expression"), ")"),
    ),
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      tie("atom"),
      tokens("(", "not", tie("atom"), "==", tie("atom"), ")"),
      tokens("-", tie("atom")),
      tokens(tie("atom"), fc.constantFrom("and", "or", "+", "-", "*", "/"), tie("expression")),
      tokens("(", tie("atom"), fc.constantFrom("==", "!=", "<", ">="), tie("atom"), ")"),
      tokens("(", tie("atom"), "is", fc.constantFrom("value", "invalid", "refused", "skipped"), ")"),
      tokens("(", tie("atom"), "in", "{", commas(tie("atom")), "}", ")"),
    ),
  }),
)

export const condition = fc.oneof(expression, tokens("not", expression, "!=", "-", expression))
