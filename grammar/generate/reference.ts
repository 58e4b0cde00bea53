/** `reference.md`: the grammar's rules with a line each and examples, the operators, the words. */
import { CfxParser } from "../parser.ts"
import { precedence } from "../precedence.ts"
import { keywords, reservedWords } from "../tokens.ts"
import { Ebnf } from "./ebnf.ts"
import { sections } from "./notes.ts"

const heading = /^\/\/ # (.*)$/gm

/** The parts of the example, by the titles that stand above them. */
export const examplesIn = (example: string): ReadonlyMap<string, string> => {
  const parts = example.split(heading).slice(1)
  return new Map(
    parts.flatMap((title, index) => (index % 2 === 0 ? [[title, (parts[index + 1] ?? "").trim()]] : [])),
  )
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const operators = (): string => {
  const rows = precedence.map((types, index) => {
    const signs = types
      .filter((type) => type.name !== "Equals")
      .map((type) => type.LABEL ?? "== != < <= > >=")
    return `| ${index + 1} | ${signs
      .flatMap((sign) => sign.split(" "))
      .map((sign) => `\`${sign}\``)
      .join(" ")} |`
  })
  return ["| binds | operators |", "| ----- | --------- |", ...rows].join("\n")
}

const wordList = (words: readonly { readonly LABEL?: string }[]): string =>
  words
    .map(({ LABEL = "" }) => LABEL)
    .sort()
    .map((word) => `\`${word}\``)
    .join(" ")

const introduction = `# The grammar of cfx

Generated from the parser and the tokens by \`npm run grammar\`; a test keeps it in step. \`cfx explain CODE\` says more about a mistake,
\`docs/language.md\` about what things mean.

\`"word"\` stands for itself. \`NAME\` is a letter or \`_\` with letters, digits and \`_\` behind, and may be any word but the reserved ones;
\`NUMBER\` is \`12\` or \`0.5\`, \`SHA256\` is \`sha256:\` with 64 hexadecimal digits behind, and \`TEXT\` is a \`text\`. \`x?\` may be left out, \`x*\` may be repeated or left out, \`x+\` may be repeated, \`x | y\` is one of both, and \`x,*\` is a list with
commas between, of which one may stand at the end. White space and comments (\`// ...\`) may stand between any two words; lines right
above a declaration that begin with \`///\` are its documentation, and the first such lines of a file, with an empty line below, are the file's.`

const characters = `\`QUOTES\` are \`"\` or \`"""\`, the same at both ends. \`CHARACTERS\` are any but quotes, backslashes and braces: inside quotes, \`\\n\`, \`\\t\`, \`\\"\`, \`\\\\\` and \`\\u{1F600}\` are escapes, and \`{{\` and \`}}\` are braces. A text in triple quotes loses its first and last line
break, where nothing but spaces and tabs parts them from the quotes, and the spaces and tabs that all its lines begin with.`

/** `example` is the text of `example.cfx`. */
export const reference = (example: string): string => {
  const shown = new Set(sections.flatMap(({ notes }) => Object.keys(notes)))
  const ebnf = new Ebnf(shown)
  const examples = examplesIn(example)
  const unknown = [...examples.keys()].filter((title) => sections.every((section) => section.title !== title))
  if (unknown.length > 0) throw new Error(`the example has sections without rules: ${unknown.join(", ")}`)
  const parts = sections.map(({ title, notes }) => {
    const rules = Object.keys(notes).map((name) => ebnf.rule(name))
    const lines = Object.entries(notes).map(([name, note]) => `- \`${name}\`: ${note}`)
    const sample = examples.get(title)
    return [
      `## ${title}`,
      fence("ebnf", rules.join("\n")),
      lines.join("\n"),
      ...(title === "Expressions"
        ? [`The weakest first; those of one row group to the left.\n\n${operators()}`]
        : []),
      ...(title === "Texts" ? [characters] : []),
      ...(sample === undefined ? [] : [fence("cfx", sample)]),
    ].join("\n\n")
  })
  const words = [
    "## Words",
    `Reserved, and never names: ${wordList(reservedWords)}.`,
    `Keywords where a declaration or a field may start, and names everywhere else: ${wordList(keywords)}.`,
  ].join("\n\n")
  return `${[introduction, ...parts, words].join("\n\n")}\n`
}

/** The words that start declarations. */
export const declarationWords = (): string[] =>
  new CfxParser().declarationStarts.flatMap(({ LABEL, name }) => (name === "Import" ? [] : [LABEL ?? ""]))
