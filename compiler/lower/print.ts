/** Expressions as a person writes them, in one way only: what is printed, parses to the same tree. */
import type { Expression, NumberLiteral, RecordedLabel, Text } from "../../grammar/ast.ts"
import { bracketed, SIGN, STRENGTH, SUFFIXED, strengthOnLeft, strengthOnRight } from "../strength.ts"

/** A level or a claim as a person writes it: `distinct(6)`. */
export const print = (expression: Expression): string => printed(expression, 0)

/** `around`: how strongly what stands around it binds. */
const printed = (expression: Expression, around: number): string => {
  switch (expression.kind) {
    case "name":
      return expression.text
    case "number":
      return digitsOf(expression)
    case "text":
      return quoted(expression)
    case "member":
      return `${printed(expression.object, SUFFIXED)}.${expression.property.text}`
    case "call":
      return `${printed(expression.callee, SUFFIXED)}(${expression.arguments.map(print).join(", ")})`
    case "index":
      return `${expression.object.text}[${print(expression.index)}]`
    case "list":
      return `[${expression.elements.map(print).join(", ")}]`
    case "is": {
      const subject = printed(expression.subject, strengthOnLeft("is"))
      return bracketed(`${subject} is ${expression.state.text}`, STRENGTH.is, around)
    }
    case "membership": {
      const side = (one: Expression) => printed(one, strengthOnLeft("in"))
      // Without brackets `b in { c }` among levels reads as the next factor.
      const levels = expression.levels.map(side).join(", ")
      return bracketed(`${side(expression.subject)} in { ${levels} }`, STRENGTH.in, around)
    }
    case "except": {
      const { structure, place, as } = expression
      return `${structure.text} except ${print(place)}${as === undefined ? "" : ` = ${as.text}`}`
    }
    case "unary": {
      const [own, sign] = expression.operator === "not" ? [STRENGTH.not, "not "] : [SIGN, "-"]
      return bracketed(`${sign}${printed(expression.operand, own)}`, own, around)
    }
    case "binary": {
      const { operator, left, right } = expression
      const sides = [printed(left, strengthOnLeft(operator)), printed(right, strengthOnRight(operator))]
      return bracketed(sides.join(` ${operator} `), STRENGTH[operator], around)
    }
    case "restriction":
      return `${expression.measure.text}[${[
        ...expression.levels.map(({ factor, level }) => `${factor.text} = ${print(level)}`),
        ...expression.conditions.map(print),
      ].join(", ")}]`
    default:
      return expression satisfies never
  }
}

/** A number by its value, or as it is spelt where that would be printed with an exponent, which the language does not have. */
const digitsOf = ({ value, written }: NumberLiteral): string => {
  const digits = String(value)
  return digits.includes("e") ? written : digits
}

const escapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
  "{": "{{",
  "}": "}}",
}

/** Between quotation marks, with no line break and no sign that is not seen. */
const quoted = ({ parts }: Text): string => {
  const escaped = (characters: string): string =>
    characters.replace(
      /["\\{}\p{Cc}]/gu,
      (sign) => escapes[sign] ?? `\\u{${sign.codePointAt(0)!.toString(16).toUpperCase()}}`,
    )
  return `"${parts.map((part) => (part.kind === "chars" ? escaped(part.text) : holePrinted(part))).join("")}"`
}

/** The name of a level: as it is written, a text without its quotes; a number in its own spelling, since it may stand in a text. */
export const levelName = (level: Expression): string => {
  if (level.kind === "number") return level.written
  return level.kind === "text" ? charactersOf(level) : print(level)
}

/** A label as it is written, a text without its quotes: these characters are what a model is asked for, and what records are held to. */
export const labelText = (label: RecordedLabel): string => levelName(label)

const charactersOf = ({ parts }: Text): string =>
  parts.map((part) => (part.kind === "chars" ? part.text : holePrinted(part))).join("")

type InBraces = Exclude<Text["parts"][number], { kind: "chars" }>

const holePrinted = (part: InBraces): string =>
  part.kind === "placeholder" ? `{${print(part.path)}}` : `{${part.name.text}}`
