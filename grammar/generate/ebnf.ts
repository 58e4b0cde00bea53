/** The rules of the parser, as it knows them itself, in EBNF. */
import type { ISerializedGast } from "chevrotain"
import { slip } from "../cst.ts"
import { type Doc, group, indent, line, print, separated } from "../format/doc.ts"
import { CfxParser } from "../parser.ts"
import { TextEnd, vocabulary } from "../tokens.ts"

/** What Chevrotain says of a part of a rule, besides its type. */
interface Part extends ISerializedGast {
  readonly name?: string
  readonly label?: string
  readonly terminalLabel?: string
  readonly separator?: Part
  readonly definition?: Part[]
}

/** Tokens that are no fixed word or sign. */
const kinds: Readonly<Record<string, string>> = {
  Word: "NAME",
  Number: "NUMBER",
  Checksum: "SHA256",
  Comparison: '("==" | "!=" | "<" | "<=" | ">" | ">=")',
  TextOpen: "QUOTES",
  TextEnd: "QUOTES",
  Characters: "CHARACTERS",
  PatternOpen: "QUOTES",
  PatternCharacters: "RAW",
  HoleOpen: '"{"',
}

const columns = 100

export class Ebnf {
  private readonly rules: ReadonlyMap<string, Part>
  private readonly shown: ReadonlySet<string>

  /** Rules that are not `shown` are written out where they are used. */
  constructor(shown: ReadonlySet<string>) {
    const parts: Part[] = new CfxParser().getSerializedGastProductions()
    this.rules = new Map(parts.map((rule) => [rule.name ?? "", rule]))
    this.shown = shown
  }

  rule(name: string): string {
    const rule = this.rules.get(name)
    if (rule === undefined) throw new Error(`the grammar has no rule \`${name}\``)
    const parts = rule.definition ?? []
    const [only] = parts
    const alternatives = parts.length === 1 && only?.type === "Alternation" ? this.alternatives(only) : []
    const doc =
      alternatives.length > 1
        ? group(`${name} =`, indent(line, separated(alternatives, [line, "| "])))
        : group(`${name} =`, indent(line, this.sequence(parts)))
    return print(doc, columns).trimEnd()
  }

  private sequence(parts: readonly Part[]): Doc {
    const written = parts.filter((part) => !isSlip(part)).map((part) => this.part(part))
    return filled(written)
  }

  private alternatives({ definition = [] }: Part): Doc[] {
    const kept = definition.filter((alternative) => !isSlip(alternative.definition?.[0]))
    return kept.map((alternative) => this.sequence(alternative.definition ?? []))
  }

  private part(part: Part): Doc {
    const inside = part.definition ?? []
    switch (part.type) {
      case "Terminal":
        return terminal(part)
      case "NonTerminal":
        return this.reference(part.name ?? "")
      case "Alternation": {
        const alternatives = this.alternatives(part)
        return alternatives.length === 1 ? alternatives[0]! : bracketed(filled(alternatives, "| "))
      }
      case "Option":
        // A text without its end is a problem of the lexer's.
        if (inside[0]?.name === TextEnd.name) return terminal(inside[0])
        return this.commaList(inside) ?? [this.operand(inside), "?"]
      case "Repetition":
        return [this.operand(inside), "*"]
      case "RepetitionMandatory":
        return [this.operand(inside), "+"]
      case "RepetitionMandatoryWithSeparator":
        return [this.sequence(inside), group(line, '("," '), this.sequence(inside), ")*"]
      default:
        throw new Error(`no EBNF for ${part.type}`)
    }
  }

  /** What `?`, `*` and `+` stand behind. */
  private operand(parts: readonly Part[]): Doc {
    const [only] = parts
    const isOne = parts.length === 1 && only !== undefined
    if (isOne && only.type === "Alternation" && this.alternatives(only).length > 1) return this.part(only)
    if (isOne && only.type === "Terminal") return terminal(only)
    if (isOne && only.type === "NonTerminal") {
      const { name = "" } = only
      const inside = this.rules.get(name)?.definition ?? []
      return this.isShown(name) ? this.part(only) : this.operand(inside)
    }
    return bracketed(this.sequence(parts))
  }

  /** `x,*`: elements with commas between, and one allowed at the end. */
  private commaList(parts: readonly Part[]): Doc | undefined {
    const [element, more, comma] = parts
    const isList = more?.type === "Repetition" && comma?.type === "Option"
    return isList && element !== undefined ? [this.operand([element]), ",*"] : undefined
  }

  private isShown(name: string): boolean {
    return name === "text" || this.shown.has(name)
  }

  private reference(name: string): Doc {
    if (this.isShown(name)) return name === "text" ? "TEXT" : name
    return this.sequence(this.rules.get(name)?.definition ?? [])
  }
}

const isSlip = (part: Part | undefined): boolean =>
  part?.terminalLabel === slip || (part?.type === "NonTerminal" && part.label === slip)

/** As many on a line as fit. */
const filled = (docs: readonly Doc[], before = ""): Doc[] =>
  docs.map((doc, index) => (index === 0 ? doc : group(line, before, doc)))

const bracketed = (doc: Doc): Doc => group("(", indent(doc), ")")

const terminal = ({ name = "" }: Part): string => {
  const kind = kinds[name]
  if (kind !== undefined) return kind
  const label = vocabulary.find((type) => type.name === name)?.LABEL
  if (label === undefined) throw new Error(`no name for the token ${name}`)
  return `"${label}"`
}
