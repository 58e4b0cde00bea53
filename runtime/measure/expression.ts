/**
 * Expressions of the language as Arquero source text. Arquero reads a function's text, so nothing may be closed over: every column, number and
 * string is written out, quoted by JSON. Names were checked by the compiler, and a name that the table lacks is an error here, not null.
 */
import type { ExprIR, HoleIR } from "../../compiler/ir.ts"
import "./operators.ts"
import { NO_ANSWER, PLACEBO } from "./operators.ts"
import { factorColumn, probabilityColumn } from "./table.ts"

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
        return JSON.stringify(e.value)
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
        if (hole.type !== "integer")
          throw new Error(`\`${e.hole}\` reads an option: it has an answer, not a number`)
        return call("cfx_add", column(`${hole.name}.option`), literal(hole.low))
      }
      case "p": {
        const { hole, alternatives } = holeOf(e.hole, schema)
        const columns = Array.from({ length: alternatives }, (_, index) =>
          column(probabilityColumn(hole, index)),
        )
        return call("cfx_pick", compile(e.option), ...columns)
      }
      case "level":
        return column(factorColumn(e.factor))
      case "unary":
        return call(e.operator === "not" ? "cfx_not" : "cfx_neg", compile(e.operand))
      case "binary":
        return binary(e, compile)
    }
  }
  return compile(expression)
}

/** `d => TEXT`, the form in which Arquero takes it. */
export function rowFunction(text: string): string {
  return `d => ${text}`
}

/** The holes that an expression reads, and what else it may find without a value: in order, each once. */
export function needsOf(expression: ExprIR): {
  readonly holes: readonly string[]
  readonly options: readonly ("target" | "pushed")[]
  readonly levels: readonly string[]
  /** Targets whose probability is asked for. */
  readonly probabilities: readonly ("target" | "pushed")[]
} {
  const holes = new Set<string>()
  const options = new Set<"target" | "pushed">()
  const levels = new Set<string>()
  const probabilities = new Set<"target" | "pushed">()
  const walk = (e: ExprIR) => {
    if ("hole" in e) holes.add(e.hole)
    if (e.kind === "target" || e.kind === "pushed") options.add(e.kind)
    if (e.kind === "level") levels.add(e.factor)
    if (e.kind === "unary") walk(e.operand)
    if (e.kind === "binary") {
      walk(e.left)
      walk(e.right)
    }
    if (e.kind === "p") {
      walk(e.option)
      if (e.option.kind === "target" || e.option.kind === "pushed") probabilities.add(e.option.kind)
    }
  }
  walk(expression)
  return { holes: [...holes], options: [...options], levels: [...levels], probabilities: [...probabilities] }
}

function binary(e: Extract<ExprIR, { kind: "binary" }>, compile: (e: ExprIR) => string): string {
  const [left, right] = [compile(e.left), compile(e.right)]
  switch (e.operator) {
    case "and":
    case "or":
      return call(`cfx_${e.operator}`, left, right)
    case "==":
      return call(isOption(e.left) ? "cfx_same" : "cfx_eq", left, right)
    case "!=":
      return call("cfx_not", call(isOption(e.left) ? "cfx_same" : "cfx_eq", left, right))
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

function isOption(e: ExprIR): boolean {
  return e.kind === "answer" || e.kind === "gold" || e.kind === "target" || e.kind === "pushed"
}

function holeOf(name: string, schema: Schema) {
  const found = schema.holes.get(name)
  if (!found) throw new Error(`the trial table has no read \`${name}\``)
  return found
}

export function column(name: string): string {
  return `d[${JSON.stringify(name)}]`
}

function call(name: string, ...parameters: readonly string[]): string {
  return `op.${name}(${parameters.join(", ")})`
}

/** A negative number is written as its own expression, so that no operator can swallow its sign. */
function literal(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(-${-value})` : String(value)
}
