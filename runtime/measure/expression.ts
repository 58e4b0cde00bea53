/**
 * Expressions of the language as Arquero source text. Arquero reads a function's text, so nothing may be closed over: every column, number and
 * string is written out, quoted by JSON. Names were checked by the compiler, and a name that the table lacks is an error here, not null.
 */
import type { ExprIR, HoleIR } from "../../compiler/ir.ts"
import { isOfOptions, isOption } from "../../compiler/looks.ts"
import { NO_ANSWER, NO_LABEL, PLACEBO } from "../../compiler/noAnswer.ts"
// Registers the functions that compiled expressions call.
import "./operators.ts"
import { probabilityColumn } from "./readColumns.ts"
import {
  attributeColumn,
  CHOICES,
  factorColumn,
  itemColumn,
  LINE_ANSWER,
  LINE_WORDS,
  roleColumn,
} from "./table.ts"

/** What an expression may name: the protocol's holes with how many alternatives each has in the table. */
export interface Schema {
  readonly holes: ReadonlyMap<string, { readonly hole: HoleIR; readonly alternatives: number }>
  /** Whether an invalid read's answer counts as an answer that is no option (`invalid wrong`), or is missing. */
  readonly invalidIsWrong: boolean
}

/** The expression over one row `d`. */
export function compileExpression(expression: ExprIR, schema: Schema): string {
  const compile = (e: ExprIR): string => {
    switch (e.kind) {
      case "number":
        return literal(e.value)
      case "string":
        return quoted(e.value)
      case "answer": {
        const option = column(`${holeOf(e.hole, schema).hole.name}.option`)
        if (!schema.invalidIsWrong) return option
        return `(${column(`${e.hole}.status`)} === "invalid" ? ${literal(NO_ANSWER)} : ${option})`
      }
      case "gold":
        return column("gold.option")
      case "target":
      case "pushed":
        return `(${column(`${e.kind}.kind`)} === "placebo" ? ${literal(PLACEBO)} : ${column(`${e.kind}.option`)})`
      case "confidence":
      case "mass":
        return column(`${holeOf(e.hole, schema).hole.name}.${e.kind}`)
      case "value": {
        const { hole } = holeOf(e.hole, schema)
        const type = hole.type === "extract" ? hole.as : hole
        if (type.type !== "integer")
          throw new Error(`\`${e.hole}\` reads no integer: it has an answer, not a number`)
        return call("cfx_add", column(`${hole.name}.option`), literal(type.low))
      }
      case "p":
        return probability(e)
      case "raw": {
        const { name } = holeOf(e.hole, schema).hole
        const raw = call("cfx_mul", probability(e), column(`${name}.mass`))
        const { kind } = e.option
        if (kind !== "target" && kind !== "pushed") return raw
        return `(${column(`${kind}.kind`)} === "placebo" ? ${column(`${name}.placebo`)} : ${raw})`
      }
      case "recalibrated":
        return call("cfx_recalibrated", literal(e.temperature), ...probabilitiesOf(e.hole))
      case "label": {
        const label = column(`${holeOf(e.hole, schema).hole.name}.answer`)
        if (!schema.invalidIsWrong) return label
        return `(${column(`${e.hole}.status`)} === "invalid" ? ${quoted(NO_LABEL)} : ${label})`
      }
      case "column":
        return column(itemColumn(e.column))
      case "choices":
        return column(CHOICES)
      case "attribute":
        return column(attributeColumn(e.attribute))
      case "lines":
        return column(e.of === "words" ? LINE_WORDS : LINE_ANSWER)
      case "role":
        return column(roleColumn(e.role))
      case "level":
        return column(factorColumn(e.factor))
      case "state": {
        const { name } = holeOf(e.hole, schema).hole
        return call("cfx_state", column(`${name}.status`), column(`${name}.why`), quoted(e.state))
      }
      case "measured":
        if (e.of === "tokens") return writtenOf(e.hole, "tokens")
        return call(e.of === "words" ? "cfx_words" : "cfx_sentences", writtenOf(e.hole, "text"))
      case "lexicon": {
        const name = e.of === "count" ? "cfx_count" : "cfx_density"
        return call(name, writtenOf(e.hole, "text"), ...e.terms.map(quoted))
      }
      case "found":
        return call(
          e.of === "contains" ? "cfx_contains" : "cfx_starts",
          writtenOf(e.hole, "text"),
          quoted(e.text),
        )
      case "sequence": {
        // Places among labels tell nothing of other labels: what is not of options is compared by what it says.
        const answers = e.holes.map((hole) =>
          compile({ kind: isOfOptions(holeOf(hole, schema).hole) ? "answer" : "label", hole }),
        )
        return call(e.of === "changes" ? "cfx_changes" : "cfx_first_change", ...answers)
      }
      case "among":
        return call("cfx_among", compile(e.value), ...e.levels.map(quoted))
      case "unary":
        return e.operator === "not"
          ? call("cfx_not", compile(e.operand))
          : call("cfx_neg", numberText(e.operand, compile))
      case "binary":
        return binary(e, compile)
    }
  }
  return compile(expression)

  /** The probability that a read gives to an option. */
  function probability({ hole: name, option }: Extract<ExprIR, { kind: "p" | "raw" }>): string {
    return call("cfx_pick", compile(option), ...probabilitiesOf(name))
  }

  /** A read's distribution, one column for each alternative. */
  function probabilitiesOf(name: string): readonly string[] {
    const { hole, alternatives } = holeOf(name, schema)
    return Array.from({ length: alternatives }, (_, index) => column(probabilityColumn(hole, index)))
  }

  /** What a text read wrote; a refusal is none. */
  function writtenOf(hole: string, what: "text" | "tokens"): string {
    const { name } = holeOf(hole, schema).hole
    return `(${column(`${name}.status`)} === "value" ? ${column(`${name}.${what}`)} : null)`
  }
}

/** A number; a level or a column that is written as one is taken for it. */
function numberText(e: ExprIR, compile: (e: ExprIR) => string): string {
  const isWritten = e.kind === "column" || e.kind === "attribute" || e.kind === "level"
  return isWritten ? call("cfx_number", compile(e)) : compile(e)
}

/** `d => TEXT`, the form in which Arquero takes it. */
export function rowFunction(text: string): string {
  return `d => ${text}`
}

function binary(e: Extract<ExprIR, { kind: "binary" }>, compile: (e: ExprIR) => string): string {
  if (e.operator === "and" || e.operator === "or")
    return call(`cfx_${e.operator}`, compile(e.left), compile(e.right))
  if (e.operator === "==" || e.operator === "!=") {
    const equal = call(isOption(e.left) ? "cfx_same" : "cfx_eq", compile(e.left), compile(e.right))
    return e.operator === "==" ? equal : call("cfx_not", equal)
  }
  const [left, right] = [numberText(e.left, compile), numberText(e.right, compile)]
  switch (e.operator) {
    case "<":
      return call("cfx_lt", left, right)
    case "<=":
      return call("cfx_le", left, right)
    case ">":
      return call("cfx_lt", right, left)
    case ">=":
      return call("cfx_le", right, left)
    case "+":
      return call("cfx_add", left, right)
    case "-":
      return call("cfx_sub", left, right)
    case "*":
      return call("cfx_mul", left, right)
    case "/":
      return call("cfx_div", left, right)
  }
}

function holeOf(name: string, schema: Schema) {
  const found = schema.holes.get(name)
  if (!found) throw new Error(`the trial table has no read \`${name}\``)
  return found
}

export function column(name: string): string {
  return `d[${JSON.stringify(name)}]`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

function call(name: string, ...parameters: readonly string[]): string {
  return `op.${name}(${parameters.join(", ")})`
}

/** A negative number is written as its own expression, so that no operator can swallow its sign. */
function literal(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(-${-value})` : String(value)
}
