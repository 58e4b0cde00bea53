/** Generators of cfx texts: well-formed files in random layouts, and files that were damaged. */
import { readFileSync } from "node:fs"
import fc from "fast-check"

export const sampleFiles = [
  "specs/quickstart.cfx",
  ...["baselines", "doses", "framings", "metrics", "models", "paraphrases", "protocols"].map(
    (name) => `stdlib/${name}.cfx`,
  ),
]

export const samples = sampleFiles.map((name) => ({ name, text: readFileSync(name, "utf8") }))

/** Names, keywords among them, since those may be names too. */
const name = fc.constantFrom(
  "a",
  "a0",
  "HRR",
  "order",
  "items",
  "text",
  "verbatim",
  "line",
  "model",
  "by",
  "not_a",
)
const number = fc.constantFrom("0", "7", "0.5", "100")

/** White space and comments between two tokens. */
const gap = fc.oneof(
  { weight: 12, arbitrary: fc.constant(" ") },
  { weight: 2, arbitrary: fc.constant("\n") },
  { weight: 1, arbitrary: fc.constant("\n\n\n") },
  { weight: 1, arbitrary: fc.constant("\t \r\n  ") },
  { weight: 1, arbitrary: fc.constant(" // note\n") },
  { weight: 1, arbitrary: fc.constant("\n// note of its own  \n") },
  { weight: 1, arbitrary: fc.constant("\n\n/// doc\n/// of two lines\n\n// and a note\n") },
)

type Tokens = fc.Arbitrary<readonly string[]>

type Part = string | fc.Arbitrary<string> | Tokens

const tokens = (...parts: readonly Part[]): Tokens =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((values) => values.flat())

const maybe = (...parts: readonly Part[]): Tokens => fc.oneof(tokens(), tokens(...parts))

const many = (part: Tokens, minLength = 0, maxLength = 3): Tokens =>
  fc.array(part, { minLength, maxLength }).map((parts) => parts.flat())

const commas = (part: Tokens, minLength = 1): Tokens =>
  fc
    .tuple(fc.array(part, { minLength, maxLength: 3 }), fc.boolean())
    .map(([parts, trailing]) =>
      parts.flatMap((each, index) => (index < parts.length - 1 || trailing ? [...each, ","] : each)),
    )

/** `a, b` without brackets, where no comma may stand at the end. */
const bare = (part: Tokens): Tokens =>
  fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.flatMap((each, index) => (index === 0 ? each : [",", ...each])))

const { expression } = fc.letrec<{ expression: readonly string[]; atom: readonly string[] }>((tie) => ({
  atom: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tokens(name),
    tokens(number),
    tokens('"text"'),
    tokens(name, ".", name),
    tokens(name, "(", commas(tie("expression"), 0), ")"),
    tokens(name, "[", commas(tokens(name, "=", tie("expression"))), "]"),
    tokens("(", tie("expression"), ")"),
  ),
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("atom"),
    tokens("(", "not", tie("atom"), "==", tie("atom"), ")"),
    tokens("-", tie("atom")),
    tokens(tie("atom"), fc.constantFrom("and", "or", "+", "-", "*", "/"), tie("expression")),
    tokens("(", tie("atom"), fc.constantFrom("==", "!=", "<", ">="), tie("atom"), ")"),
  ),
}))

const hole = fc.constantFrom(
  "{item.question}",
  "{ x }",
  "{a0:option}",
  "{k0 : integer  1 .. 10}",
  "{f( a,b )}",
  "{-a+2}",
)
const plain = fc.constantFrom("word", " ", "  ", "{{", "}}", "\\n", "\\u{1F600}", "é", "'", "//", "# ,")
const single = fc.array(fc.oneof(plain, hole), { maxLength: 5 }).map((parts) => `"${parts.join("")}"`)
const triple = fc
  .array(fc.oneof(plain, hole, fc.constantFrom("\n", "\n  ", "\r\n    ", "\n\t", "\n\n", '"')), {
    maxLength: 9,
  })
  .map((parts) => parts.join(""))
  .filter((inside) => !inside.includes('""') && !inside.endsWith('"'))
  .map((inside) => `"""${inside}"""`)
export const text = fc.oneof(single, triple)

const provenance = tokens(fc.constantFrom("verbatim", "reconstructed"), text)
const levels = fc.oneof(tokens("in", "{", commas(expression), "}"), tokens("=", expression))
const arm = fc.oneof(
  tokens(name, "=", name),
  tokens(name, "=", "assertion", "(", commas(tokens(name, levels)), ")"),
)
const condition = fc.oneof(expression, tokens("not", expression, "!=", "-", expression))
const where = maybe("where", condition)

const column = fc.oneof(tokens(name, many(tokens(".", name))), tokens(text))

const experimentField = fc.oneof(
  tokens(fc.constantFrom("protocol", "measure"), name),
  tokens("models", "{", commas(tokens(name)), "}"),
  tokens("items", "{", commas(fc.oneof(tokens(name), tokens(name, "sample", number))), "}"),
  tokens("seed", number),
  tokens(fc.constantFrom("target", "expect"), expression),
  tokens("arms", "{", many(arm), "}"),
  tokens("contrast", name, "=", expression, "by", bare(expression)),
  tokens(
    "table",
    name,
    "{",
    "rows",
    bare(tokens(name)),
    "columns",
    bare(tokens(name)),
    maybe("average", name),
    where,
    "}",
  ),
  tokens("figure", name, "{", "bar", name, "by", name, maybe("color", name), where, "}"),
  tokens("allow", "CFX4003", text),
)

const framingField = fc.oneof(
  tokens(fc.constantFrom("preamble", "line"), text),
  tokens("lines", many(tokens(text), 1)),
  tokens("speakers", name),
  provenance,
)
const metricField = fc.oneof(
  tokens(fc.constantFrom("rate", "mean", "given"), expression),
  tokens("interval", name, number),
  tokens("invalid", name),
)
const turn = tokens(
  "turn",
  name,
  maybe("continues", name),
  "{",
  many(tokens(fc.constantFrom("user", "assistant"), text)),
  "}",
)
const protocolField = fc.oneof(
  tokens("slot", name),
  tokens("options", text, "join", text),
  tokens("system", text),
  turn,
  provenance,
)

const declaration = fc.oneof(
  tokens("import", "{", commas(fc.oneof(tokens(name), tokens(name, "as", name))), "}", "from", '"std/x"'),
  tokens("model", name, "=", "gguf", text),
  tokens("model", name, "=", "gguf", text, "{", many(tokens(name, fc.oneof(text, number, name))), "}"),
  tokens("items", name, "=", text),
  tokens("items", name, "=", text, "{", many(tokens(name, "=", bare(column))), "}"),
  tokens(fc.constantFrom("framing", "container"), name, maybe("extends", name), "{", many(framingField), "}"),
  tokens("roster", name, "{", many(tokens(text), 0, 9), "}"),
  tokens("paraphrase", name, "{", many(fc.oneof(tokens(text), provenance)), "}"),
  tokens(
    "dose",
    name,
    maybe("(", commas(tokens(name), 0), ")"),
    "{",
    many(tokens(fc.constantFrom("lines", "speakers"), expression)),
    "}",
  ),
  tokens("block", name, "{", many(fc.oneof(tokens("text", text), provenance)), "}"),
  tokens("protocol", name, "{", many(protocolField), "}"),
  tokens(
    "metric",
    name,
    maybe("(", commas(tokens(name, "=", expression), 0), ")"),
    maybe("extends", name),
    "{",
    many(metricField),
    "}",
  ),
  tokens("experiment", name, "{", many(experimentField, 0, 6), "}"),
)

/** A well-formed file whose tokens stand in a random layout, comments anywhere between. */
export const wellFormed: fc.Arbitrary<string> = many(declaration, 0, 4).chain((all) =>
  fc
    .array(gap, { minLength: all.length + 1, maxLength: all.length + 1 })
    .map((gaps) => gaps.map((each, index) => `${each}${all[index] ?? ""}`).join("")),
)

const sample = fc.constantFrom(...samples.map((each) => each.text))
const noise = fc.constantFrom(
  "{",
  "}",
  "(",
  ")",
  '"',
  '"""',
  "=",
  ",",
  "\\",
  "\n",
  "#",
  "framing",
  "in",
  "{{",
  "1..",
  "é",
  "\0",
  "😀",
)

/** A file of the library with characters deleted, doubled or put in, or cut off. */
export const damaged: fc.Arbitrary<string> = fc
  .tuple(
    sample,
    fc.array(fc.tuple(fc.nat(4000), fc.nat(12), fc.oneof(fc.constant(""), noise)), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.boolean(),
  )
  .map(([text, edits, cut]) => {
    const edited = edits.reduce((done, [at, length, put]) => {
      const start = at % (done.length + 1)
      return done.slice(0, start) + put + done.slice(start + length)
    }, text)
    return cut ? edited.slice(0, edits[0]![0] % (edited.length + 1)) : edited
  })

/** Tokens of the language in no order at all. */
export const soup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      noise,
      name,
      number,
      gap,
      fc.constantFrom("experiment", "arms", "turn", "metric", "rate", "protocol", "import", "[", "not", "-"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(" "))
