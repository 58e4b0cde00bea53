/** Generators of cfx texts: well-formed files in random layouts, and files that were damaged. */
import { readdirSync, readFileSync } from "node:fs"
import fc from "fast-check"
import { declaration } from "./arbitrary/declarations.ts"
import { gap, many, name, number } from "./arbitrary/tokens.ts"

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesIn(path)
    return path.endsWith(".cfx") ? [path] : []
  })

/** Every library and every spec. */
export const sampleFiles = [...filesIn("stdlib"), ...filesIn("specs")].sort()

export const samples = sampleFiles.map((name) => ({ name, text: readFileSync(name, "utf8") }))

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
  'matching "',
  "[",
  "except",
  "judge",
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
      fc.constantFrom("items", "judge", "assume", "read", "is", "except when", "one", "factor", "table", "~"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(" "))
