/** The types of expressions over one trial. */
import type { Expression, Name } from "../../grammar/ast.ts"
import { isFactor, outerColumns, print } from "../lower/columns.ts"
import { settledBy } from "./ranges.ts"
import type { Scene } from "./scene.ts"

/** `read` is a read of which it is not known yet whether it is of an option or of an integer. */
export type Type = "truth value" | "number" | "option" | "option read" | "integer read" | "read" | "level"

export interface Environment {
  /** What reads may be named, and of which type. */
  readonly reads: ReadonlyMap<string, "option read" | "integer read" | "read">
  /** Columns that may be compared with one of their levels. */
  readonly columns: ReadonlyMap<string, readonly string[] | undefined>
  /** The metric that the expression belongs to; none in a condition of an experiment. */
  readonly metric?: string
  /** Is told of each read that is used, and as what. */
  readonly onRead?: (name: Name, as: "option read" | "integer read") => void
}

const optionProperties = ["confidence", "mass", "p"] as const

/** The type of an expression; none where a mistake in it was reported, so that nothing more is said about it. */
const typeOf = (expression: Expression, environment: Environment, scene: Scene): Type | undefined => {
  switch (expression.kind) {
    case "number":
      return "number"
    case "name":
      return typeOfName(expression, environment, scene)
    case "member":
      return typeOfMember(expression, environment, scene)
    case "call":
      return typeOfCall(expression, environment, scene)
    case "unary": {
      const type = expression.operator === "not" ? "truth value" : "number"
      return expect(
        expression.operand,
        type,
        `What \`${expression.operator}\` is applied to`,
        environment,
        scene,
      )
    }
    case "binary":
      return typeOfBinary(expression, environment, scene)
    case "text":
      scene.say("CFX2315", { what: "A text" }, expression)
      return undefined
    case "restriction":
      scene.say("CFX2315", { what: `\`${print(expression)}\`, a measure over many trials,` }, expression)
      return undefined
    default:
      return expression satisfies never
  }
}

/** Reports an expression that is not of this type. Gives the type where it is. */
export const expect = (
  expression: Expression,
  type: "truth value" | "number" | "option",
  what: string,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const found = typeOf(expression, environment, scene)
  if (found === undefined) return undefined
  if (found === type) return type
  if (type === "option" && isOption(found)) {
    use(expression, "option read", environment)
    return type
  }
  scene.say("CFX2301", { what, expected: type, found }, expression)
  return undefined
}

const isOption = (type: Type): boolean => type === "option" || type === "option read" || type === "read"

const use = (
  expression: Expression,
  as: "option read" | "integer read",
  { onRead, reads }: Environment,
): void => {
  if (expression.kind === "name" && reads.has(expression.text)) onRead?.(expression, as)
}

const typeOfName = (name: Name, { reads, columns, metric }: Environment, scene: Scene): Type | undefined => {
  if (columns.has(name.text)) return "level"
  const read = reads.get(name.text)
  if (read !== undefined) return read
  if (name.text === "target" || name.text === "pushed") return "option"
  const known = [...columns.keys(), ...reads.keys(), "target", "pushed", "item.gold"]
  const within = metric === undefined ? undefined : { name: metric, isFactor: isDesignColumn(name.text) }
  scene.say("CFX2314", { name: name.text, known, metric: within }, name)
  return undefined
}

const typeOfMember = (
  member: Extract<Expression, { kind: "member" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const { object, property } = member
  if (object.kind === "name" && object.text === "item") {
    if (property.text === "gold") return "option"
    scene.say("CFX2303", { property: property.text, of: "item", known: ["gold"] }, property)
    return undefined
  }
  const of = typeOf(object, environment, scene)
  if (of === undefined) return undefined
  if (of === "read" || of === "option read" || of === "integer read") {
    if (property.text === "value" && of !== "option read") {
      use(object, "integer read", environment)
      return "number"
    }
    if ((property.text === "confidence" || property.text === "mass") && of !== "integer read") {
      use(object, "option read", environment)
      return "number"
    }
    if (property.text === "p" && of !== "integer read") {
      const parameters = { what: "`.p` without its option", expected: "number", found: "distribution" }
      scene.say("CFX2301", parameters, member)
      return undefined
    }
  }
  scene.say("CFX2303", { property: property.text, of, known: propertiesOf(of) }, property)
  return undefined
}

const propertiesOf = (type: Type): readonly string[] => {
  if (type === "integer read") return ["value"]
  if (type === "option read") return optionProperties
  return type === "read" ? [...optionProperties, "value"] : []
}

const typeOfCall = (
  call: Extract<Expression, { kind: "call" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const { callee, arguments: given } = call
  if (callee.kind !== "member" || callee.property.text !== "p") {
    scene.say("CFX2315", { what: `\`${print(callee)}(...)\`` }, call)
    return undefined
  }
  const of = typeOf(callee.object, environment, scene)
  if (of === undefined) return undefined
  if (of !== "read" && of !== "option read") {
    scene.say("CFX2303", { property: "p", of, known: propertiesOf(of) }, callee.property)
    return undefined
  }
  use(callee.object, "option read", environment)
  const [option] = given
  if (option === undefined || given.length > 1) {
    scene.say(
      "CFX2207",
      { callee: `${print(callee.object)}.p`, parameters: ["option"], given: given.length },
      call,
    )
    return undefined
  }
  const what = `What \`${print(callee.object)}.p\` is asked for`
  return expect(option, "option", what, environment, scene) === undefined ? undefined : "number"
}

const typeOfBinary = (
  binary: Extract<Expression, { kind: "binary" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const { operator, left, right } = binary
  if (operator === "and" || operator === "or") return both("truth value")
  if (operator === "+" || operator === "-" || operator === "*" || operator === "/") return both("number")
  if (isColumn(left, environment) || isColumn(right, environment))
    return typeOfLevel(binary, environment, scene)
  // What an unknown factor is compared with is a level of it, and no mistake of its own.
  const factor = [left, right].find((side) => isForeignFactor(side, environment))
  if (factor !== undefined) return typeOf(factor, environment, scene)
  const types = [typeOf(left, environment, scene), typeOf(right, environment, scene)] as const
  const [first, second] = types
  if (first === undefined || second === undefined) return undefined
  const equality = operator === "==" || operator === "!="
  if (first === "number" && second === "number") {
    const settled = settledBy(binary, () => undefined)
    if (settled !== undefined) scene.say("CFX2316", { ...settled, of: "fraction" }, binary)
    return "truth value"
  }
  if (equality && first === "truth value" && second === "truth value") return "truth value"
  if (equality && isOption(first) && isOption(second)) {
    use(left, "option read", environment)
    use(right, "option read", environment)
    return "truth value"
  }
  scene.say("CFX2302", { operator, left: first, right: second }, binary)
  return undefined

  function both(type: "truth value" | "number"): Type | undefined {
    const what = (side: string) => `The ${side} side of \`${operator}\``
    const a = expect(left, type, what("left"), environment, scene)
    const b = expect(right, type, what("right"), environment, scene)
    return a === undefined || b === undefined ? undefined : type
  }
}

/** Whether an expression of a metric names a factor, which only conditions of an experiment can compare. */
const isForeignFactor = (expression: Expression, { metric, reads }: Environment): boolean =>
  metric !== undefined &&
  expression.kind === "name" &&
  !reads.has(expression.text) &&
  isDesignColumn(expression.text)

const isDesignColumn = (name: string): boolean => isFactor(name) || ["arm", ...outerColumns].includes(name)

const isColumn = (expression: Expression, { columns }: Environment): expression is Name =>
  expression.kind === "name" && columns.has(expression.text)

/** `framing == people`: a column and the name of one of its levels, on either side. */
const typeOfLevel = (
  { operator, left, right, ...binary }: Extract<Expression, { kind: "binary" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const column = isColumn(left, environment) ? left : (right as Name)
  const level = column === left ? right : left
  if (operator !== "==" && operator !== "!=") {
    scene.say("CFX2302", { operator, left: "column", right: "level" }, binary)
    return undefined
  }
  const known = environment.columns.get(column.text)
  const written = print(level)
  if (known === undefined || known.includes(written)) return "truth value"
  scene.say("CFX2204", { factor: column.text, level: written, known }, level)
  return undefined
}
