/** `cfx.tmLanguage.json`: colours for editors. Keywords come from the tokens; what is a keyword and what a name, the neighbours say. */
import { keywords, reservedWords } from "../tokens.ts"
import { declarationWords } from "./reference.ts"

const oneOf = (words: readonly string[]): string =>
  [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join("|")

const labels = (types: readonly { readonly LABEL?: string }[]): string[] =>
  types.map(({ LABEL = "" }) => LABEL)

const name = "[A-Za-z_][A-Za-z0-9_]*"
/** After a keyword these show that it was a name. */
const afterNames = "\\s*(?:=|[,.:)\\]<>+*/]|!=)"

const holeTypes = ["option", "label", "integer", "text", "of"]

export const textmate = (): string => {
  const declarations = declarationWords()
  const grammar = {
    $schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
    name: "cfx",
    scopeName: "source.cfx",
    fileTypes: ["cfx"],
    patterns: [{ include: "#code" }],
    repository: {
      code: {
        patterns: [
          "comments",
          "checksum",
          "pattern",
          "texts",
          "declaration",
          "keywords",
          "numbers",
          "names",
          "operators",
        ].map((each) => ({ include: `#${each}` })),
      },
      comments: {
        patterns: [
          { name: "comment.line.documentation.cfx", match: "///.*$" },
          { name: "comment.line.double-slash.cfx", match: "//.*$" },
        ],
      },
      checksum: { name: "constant.other.checksum.cfx", match: "\\bsha256:[0-9A-Fa-f]+\\b" },
      pattern: {
        begin: '\\b(matching)\\s*(")',
        beginCaptures: {
          1: { name: "keyword.other.cfx" },
          2: { name: "punctuation.definition.string.begin.cfx" },
        },
        end: '"|$',
        endCaptures: { 0: { name: "punctuation.definition.string.end.cfx" } },
        contentName: "string.regexp.cfx",
        patterns: [
          { name: "constant.character.escape.regexp.cfx", match: "\\\\." },
          { name: "constant.other.character-class.regexp.cfx", match: '\\[(?:\\\\.|[^\\]\\\\"])*\\]' },
          { name: "keyword.operator.quantifier.regexp.cfx", match: "[*+?|]|\\{\\d+(?:,\\d*)?\\}" },
        ],
      },
      texts: {
        patterns: [
          {
            name: "string.quoted.triple.cfx",
            begin: '"""',
            end: '"""',
            patterns: [{ include: "#inText" }],
          },
          { name: "string.quoted.double.cfx", begin: '"', end: '"|$', patterns: [{ include: "#inText" }] },
        ],
      },
      inText: {
        patterns: [
          { name: "constant.character.escape.cfx", match: '\\\\(?:[nt"\\\\]|u\\{[0-9A-Fa-f]{1,6}\\})' },
          { name: "constant.character.escape.brace.cfx", match: "\\{\\{|\\}\\}" },
          { include: "#hole" },
        ],
      },
      hole: {
        name: "meta.embedded.hole.cfx",
        begin: '\\{(?=[^{}"\\r\\n]*\\})',
        end: "\\}",
        beginCaptures: { 0: { name: "punctuation.section.embedded.begin.cfx" } },
        endCaptures: { 0: { name: "punctuation.section.embedded.end.cfx" } },
        patterns: [
          {
            match: `\\b(${name})(\\s*\\[\\s*(${name})\\s*\\])?\\s*(:)\\s*(${oneOf(holeTypes)})\\b`,
            captures: {
              1: { name: "variable.parameter.read.cfx" },
              3: { name: "variable.other.step.cfx" },
              4: { name: "punctuation.separator.type.cfx" },
              5: { name: "storage.type.read.cfx" },
            },
          },
          { name: "storage.type.read.cfx", match: "\\bof\\b" },
          { include: "#numbers" },
          { name: "variable.other.placeholder.cfx", match: `\\b${name}\\b` },
        ],
      },
      declaration: {
        match: `\\b(${oneOf(declarations)})\\s+(${name})(?=\\s*(?:=|\\{|\\(|extends\\b))`,
        captures: {
          1: { name: "storage.type.declaration.cfx" },
          2: { name: "entity.name.type.cfx" },
        },
      },
      keywords: {
        patterns: [
          { name: "keyword.operator.word.cfx", match: `\\b(?:${oneOf(labels(reservedWords))})\\b` },
          {
            name: "keyword.other.cfx",
            match: `(?<!\\.)\\b(?:${oneOf(labels(keywords))})\\b(?!${afterNames})`,
          },
        ],
      },
      numbers: { name: "constant.numeric.cfx", match: "\\b\\d+(?:\\.\\d+)?\\b" },
      names: {
        patterns: [
          { name: "entity.name.function.cfx", match: `\\b${name}(?=\\()` },
          { name: "variable.other.assignment.cfx", match: `\\b${name}(?=\\s*(?:=(?!=)|in\\b))` },
          { name: "variable.other.cfx", match: `\\b${name}\\b` },
        ],
      },
      operators: { name: "keyword.operator.cfx", match: "==|!=|<=|>=|[<>=+*/~-]|\\.\\." },
    },
  }
  return `${JSON.stringify(grammar, null, 2)}\n`
}
