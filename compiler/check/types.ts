/** The types of expressions over one trial, or over one item of a pool. */
import type { Expression, Name } from "../../grammar/ast.ts"
import { print } from "../lower/print.ts"
import { typeOfBinary, typeOfMembership } from "./comparisons.ts"
import { typeOfCall } from "./functions.ts"
import type { Scene } from "./scene.ts"
import { fits, type ReadFacts, type ReadType, type Use } from "./uses.ts"

/** `column value` is a text or a number, by the row; `level` one of a column of the design. */
export type Type = "truth value" | "number" | "option" | "text" | "column value" | "level" | ReadType

/** What an expression may name. `environment.ts` makes one for each place where expressions stand. */
export interface Environment {
  readonly reads: ReadonlyMap<string, ReadFacts>
  /** Columns of the design that may be compared with one of their levels; no levels where these are not known. */
  readonly columns: ReadonlyMap<string, readonly string[] | undefined>
  /** Those of them that are roles, whose level is a model: one can be compared with `model` and with another. */
  readonly roles: ReadonlySet<string>
  /** What `item.` can be followed by besides `gold` and `choices`; anything where it is not known which pools there will be. */
  readonly items: ReadonlySet<string> | undefined
  /** What `model.` can be followed by; anything where it is not known which models there will be. */
  readonly attributes: ReadonlySet<string> | undefined
  /** Where the expression is over the rows of a pool: their columns, by their bare names. There is no trial then. */
  readonly rows?: ReadonlySet<string>
  /** The metric that the expression belongs to; none in a condition of an experiment. */
  readonly metric?: string
  /** Of a name in a comparison: the column or the read with whose texts it is compared. */
  readonly beside?: string | undefined
  /** Is told of each name that stands for nothing, and reports it. */
  readonly onUnknown?: (name: Name) => void
  /** Of a metric that an experiment measures: which read of the protocol each parameter is. */
  readonly given?: ReadonlyMap<string, string>
  /** Is told of each read that is used, and as what. */
  readonly onRead?: (name: Name, as: Use) => void
  /** Is told of each column of an item that is used. */
  readonly onColumn?: (name: Name) => void
}

/** The type of an expression; none where a mistake in it was reported, so that nothing more is said about it. */
export const typeOf = (expression: Expression, environment: Environment, scene: Scene): Type | undefined => {
  switch (expression.kind) {
    case "number":
      return "number"
    case "text":
      return "text"
    case "name":
      return typeOfName(expression, environment, scene)
    case "member":
      return typeOfMember(expression, environment, scene)
    case "call":
      return typeOfCall(expression, environment, scene)
    case "is":
      return typeOfState(expression, environment, scene)
    case "membership":
      return typeOfMembership(expression, environment, scene)
    case "unary": {
      const type = expression.operator === "not" ? "truth value" : "number"
      const what = `What \`${expression.operator}\` is applied to`
      return expect(expression.operand, type, what, environment, scene)
    }
    case "binary":
      return typeOfBinary(expression, environment, scene)
    case "index":
    case "list":
    case "except":
      scene.say("CFX2315", { what: `\`${print(expression)}\`` }, expression)
      return undefined
    case "restriction":
      scene.say("CFX2315", { what: `\`${print(expression)}\`, a measure over many trials,` }, expression)
      return undefined
    default:
      return expression satisfies never
  }
}

export type Expected = "truth value" | "number" | "number or truth value" | "option"

/** Reports an expression that is not of this type. Gives the type where it is. */
export const expect = (
  expression: Expression,
  type: Expected,
  what: string,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const found = typeOf(expression, environment, scene)
  if (found === undefined) return undefined
  if (type === "number or truth value") {
    if (found === "number" || found === "truth value") return found
    if (found === "column value") return "number"
  } else if (found === type || (type === "number" && found === "column value")) return type
  if (type === "option" && (found === "option read" || found === "read")) {
    return useRead(expression, "option read", what, environment, scene) ? type : undefined
  }
  scene.say("CFX2301", { what, expected: type, found }, expression)
  return undefined
}

/** Reports an expression that is no read, or none that can be used so. */
export const useRead = (
  expression: Expression,
  use: Use,
  what: string,
  environment: Environment,
  scene: Scene,
): boolean => {
  const { reads, onRead, given, metric } = environment
  const facts = expression.kind === "name" ? reads.get(expression.text) : undefined
  if (expression.kind !== "name" || facts === undefined) return false
  const parameter = expression.text
  const read = given?.get(parameter)
  if (!fits(facts.type, use)) {
    const who = readAs(expression, what, environment)
    scene.say("CFX2301", { what: who, expected: use, found: facts.type }, expression)
    return false
  }
  if (use === "read with probabilities" && facts.hasProbabilities === false) {
    scene.say("CFX2504", { read: read ?? parameter, metric }, expression)
    return false
  }
  if (use === "read with a gold answer" && facts.type === "label read" && facts.gold === undefined) {
    scene.say("CFX2503", { read: read ?? parameter, metric, labels: facts.labels ?? [] }, expression)
    return false
  }
  onRead?.(expression, use)
  return true
}

/** What a read is used as, for a message: a parameter of a metric that is given its reads goes by its name. */
export const readAs = ({ text }: Name, what: string, { given, metric }: Environment): string => {
  const read = given?.get(text)
  return read === undefined ? what : `\`${text}\` of \`${metric}\`, the read \`${read}\`,`
}

const isRead = (type: Type): type is ReadType =>
  type === "read" || type === "read of another item" || type.endsWith(" read")

const typeOfName = (name: Name, environment: Environment, scene: Scene): Type | undefined => {
  const { reads, columns, rows, items, beside, onColumn, onUnknown } = environment
  if (rows !== undefined) {
    if (rows.has(name.text)) {
      onColumn?.(name)
      return "column value"
    }
    scene.say("CFX2314", { name: name.text, known: [...rows], beside, of: "row" }, name)
    return undefined
  }
  if (columns.has(name.text)) return "level"
  const read = reads.get(name.text)
  if (read !== undefined) return read.type
  if (name.text === "target" || name.text === "pushed") return "option"
  if (onUnknown === undefined) {
    const of = items?.has(name.text) === true ? "item" : undefined
    scene.say("CFX2314", { name: name.text, known: knownNames(environment), beside, of }, name)
  } else onUnknown(name)
  return undefined
}

/** What a name can stand for, in an expression over a trial. */
export const knownNames = ({ columns, reads }: Environment): readonly string[] => [
  ...columns.keys(),
  ...reads.keys(),
  "target",
  "pushed",
  "item.gold",
]

type Member = Extract<Expression, { kind: "member" }>

const typeOfMember = (member: Member, environment: Environment, scene: Scene): Type | undefined => {
  const { object, property } = member
  const { items, attributes, rows, onColumn } = environment
  const head = object.kind === "name" && !environment.reads.has(object.text) ? object.text : undefined
  if (head === "item") {
    if (rows === undefined && property.text === "gold") return "option"
    if (property.text === "choices") return "number"
    const known = rows ?? items
    if (known === undefined || known.has(property.text)) {
      onColumn?.(property)
      return "column value"
    }
    return lacks("item", ["gold", "choices", ...known])
  }
  if (rows === undefined && head === "model") {
    if (attributes === undefined || attributes.has(property.text)) return "column value"
    return lacks("model", [...attributes])
  }
  if (rows === undefined && head === "line") {
    if (property.text === "words" || property.text === "answer_index") return "number"
    return lacks("line", ["words", "answer_index"])
  }
  const of = typeOf(object, environment, scene)
  if (of === undefined) return undefined
  // A metric that is given its reads has the properties that it asks for, or was reported: what does not fit is the read.
  const known = environment.given === undefined ? propertiesOf(of) : propertiesOf("read")
  if (!known.includes(property.text)) return lacks(of, known)
  if (property.text === "p" || property.text === "raw") {
    const what = `\`.${property.text}\` without its option`
    const parameters = { what, expected: "number", found: "distribution" }
    scene.say("CFX2301", parameters, member)
    return undefined
  }
  if (property.text === "recalibrated") {
    const what = "`.recalibrated` without its temperature"
    scene.say("CFX2301", { what, expected: "number", found: "distribution" }, member)
    return undefined
  }
  const use = property.text === "value" ? "integer read" : "read with probabilities"
  const what = `What \`.${property.text}\` is asked of`
  return useRead(object, use, what, environment, scene) ? "number" : undefined

  function lacks(what: string, known: readonly string[]): undefined {
    scene.say("CFX2303", { property: property.text, of: what, known }, property)
  }
}

const ofAnswers = ["confidence", "mass", "p", "raw", "recalibrated"] as const

/** What can follow a read and a dot. */
export const propertiesOf = (type: Type): readonly string[] => {
  switch (type) {
    case "integer read":
      return ["value"]
    case "option read":
      return ofAnswers
    case "label read":
    case "read of another item":
      return ["confidence", "mass", "recalibrated"]
    case "read":
      return [...ofAnswers, "value"]
    default:
      return []
  }
}

const states = ["value", "invalid", "refused", "skipped"] as const

const typeOfState = (
  { subject, state }: Extract<Expression, { kind: "is" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const of = typeOf(subject, environment, scene)
  if (of === undefined) return undefined
  const known: readonly string[] = states
  if (!known.includes(state.text)) {
    scene.say("CFX2501", { state: state.text, known }, state)
    return undefined
  }
  if (useRead(subject, "read", "What `is` looks at", environment, scene)) return "truth value"
  if (!isRead(of)) scene.say("CFX2301", { what: "What `is` looks at", expected: "read", found: of }, subject)
  return undefined
}
