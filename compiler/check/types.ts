/** The types of expressions over one trial, or over one item of a pool. */
import type { Expression, Name } from "../../grammar/ast.ts"
import { isFactor, outerColumns } from "../lower/columns.ts"
import { levelName, print } from "../lower/print.ts"
import { typeOfCall } from "./functions.ts"
import { settledBy } from "./ranges.ts"
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
  if (found === type || (type === "number" && found === "column value")) return type
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
  { reads, onRead, given, metric }: Environment,
  scene: Scene,
): boolean => {
  const facts = expression.kind === "name" ? reads.get(expression.text) : undefined
  if (expression.kind !== "name" || facts === undefined) return false
  const parameter = expression.text
  const read = given?.get(parameter)
  if (!fits(facts.type, use)) {
    const who = read === undefined ? what : `\`${parameter}\` of \`${metric}\`, the read \`${read}\`,`
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

/** The read that an expression names, as a person knows it: a parameter of a metric by what it is given. */
const readNamed = (expression: Expression, { given }: Environment): string => {
  const name = print(expression)
  return given?.get(name) ?? name
}

const isRead = (type: Type): type is ReadType =>
  type === "read" || type === "read of another item" || type.endsWith(" read")

const typeOfName = (name: Name, environment: Environment, scene: Scene): Type | undefined => {
  const { reads, columns, metric, rows, onColumn } = environment
  if (rows !== undefined) {
    if (rows.has(name.text)) {
      onColumn?.(name)
      return "column value"
    }
    scene.say("CFX2314", { name: name.text, known: [...rows] }, name)
    return undefined
  }
  if (columns.has(name.text)) return "level"
  const read = reads.get(name.text)
  if (read !== undefined) return read.type
  if (name.text === "target" || name.text === "pushed") return "option"
  const known = [...columns.keys(), ...reads.keys(), "target", "pushed", "item.gold"]
  const within = metric === undefined ? undefined : { name: metric, isFactor: isDesignColumn(name.text) }
  scene.say("CFX2314", { name: name.text, known, metric: within }, name)
  return undefined
}

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
  if (property.text === "p") {
    const parameters = { what: "`.p` without its option", expected: "number", found: "distribution" }
    scene.say("CFX2301", parameters, member)
    return undefined
  }
  const use = property.text === "value" ? "integer read" : "read with probabilities"
  const what = `What \`.${property.text}\` is asked of`
  return useRead(object, use, what, environment, scene) ? "number" : undefined

  function lacks(what: string, known: readonly string[]): undefined {
    scene.say("CFX2303", { property: property.text, of: what, known }, property)
  }
}

const ofAnswers = ["confidence", "mass", "p"] as const

/** What can follow a read and a dot. */
export const propertiesOf = (type: Type): readonly string[] => {
  switch (type) {
    case "integer read":
      return ["value"]
    case "option read":
      return ofAnswers
    case "label read":
    case "read of another item":
      return ["confidence", "mass"]
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

const typeOfMembership = (
  { subject, levels }: Extract<Expression, { kind: "membership" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  if (isColumn(subject, environment)) {
    const sound = levels.map((level) => isLevel(subject, level, environment, scene))
    return sound.every(Boolean) ? "truth value" : undefined
  }
  const of = typeOf(subject, environment, scene)
  if (of === undefined) return undefined
  if (of !== "column value" && of !== "label read" && of !== "read") {
    scene.say("CFX2301", { what: "What `in` looks for", expected: "column value", found: of }, subject)
    return undefined
  }
  const sound = levels.map((level) => {
    const type = typeOf(level, environment, scene)
    if (type === undefined) return false
    if (of === "column value" && type === "number") return true
    if (type === "text") return of === "column value" || isLabel(subject, level, environment, scene)
    scene.say("CFX2302", { operator: "in", left: of, right: type }, level)
    return false
  })
  return sound.every(Boolean) ? "truth value" : undefined
}

type Binary = Extract<Expression, { kind: "binary" }>

const typeOfBinary = (binary: Binary, environment: Environment, scene: Scene): Type | undefined => {
  const { operator, left, right } = binary
  if (operator === "and" || operator === "or") return both("truth value")
  if (operator === "+" || operator === "-" || operator === "*" || operator === "/") return both("number")
  if (isColumn(left, environment) || isColumn(right, environment))
    return typeOfLevel(binary, environment, scene)
  // What an unknown factor is compared with is a level of it, and no mistake of its own.
  const factor = [left, right].find((side) => isForeignFactor(side, environment))
  if (factor !== undefined) return typeOf(factor, environment, scene)
  const first = typeOf(left, environment, scene)
  // A bare name beside one that is not known may be a level of what was meant.
  if (first === undefined && isBareName(left) && isBareName(right)) return undefined
  const second = typeOf(right, environment, scene)
  if (first === undefined || second === undefined) return undefined
  const isNumber = (type: Type) => type === "number" || type === "column value"
  if (isNumber(first) && isNumber(second)) {
    const settled = settledBy(binary, () => undefined)
    if (settled !== undefined) scene.say("CFX2316", { ...settled, of: "fraction" }, binary)
    return "truth value"
  }
  if (operator === "==" || operator === "!=") {
    if (first === "truth value" && second === "truth value") return "truth value"
    const equal = typeOfEquality(left, first, right, second, environment, scene)
    if (equal !== "unlike") return equal
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

/** Two options, two answers, or a label or a column and a text. `unlike` where the two are never equal, which is not reported here. */
const typeOfEquality = (
  left: Expression,
  first: Type,
  right: Expression,
  second: Type,
  environment: Environment,
  scene: Scene,
): Type | undefined | "unlike" => {
  const use = (side: Expression, as: Use) => useRead(side, as, "What is compared", environment, scene)
  const given = (...uses: readonly boolean[]) => (uses.every(Boolean) ? "truth value" : undefined)
  if (first === "option" && second === "option") return "truth value"
  for (const [read, type, other, than] of [
    [left, first, right, second],
    [right, second, left, first],
  ] as const) {
    if (than === "text") {
      if (type === "column value") return "truth value"
      if (type === "label read" || type === "read") return given(isLabel(read, other, environment, scene))
    }
    if (than === "option") {
      if (type === "option read") return given(use(read, "option read"))
      if (isGold(other) && (type === "label read" || type === "read"))
        return given(use(read, "read with a gold answer"))
      if (type === "read") return given(use(read, "option read"))
    }
  }
  const answers: readonly Type[] = ["option read", "label read", "read"]
  if (!answers.includes(first) || !answers.includes(second)) return "unlike"
  if (first !== second && first !== "read" && second !== "read") return "unlike"
  const known = [first, second].find((type) => type !== "read")
  const as = known === "option read" || known === "label read" ? known : "option or label read"
  return given(use(left, as), use(right, as))
}

const isGold = (expression: Expression): boolean =>
  expression.kind === "member" && print(expression) === "item.gold"

/** Whether a text is a label of a read, which is then used as one of labels. */
const isLabel = (read: Expression, text: Expression, environment: Environment, scene: Scene): boolean => {
  if (!useRead(read, "label read", "What is compared with a text", environment, scene)) return false
  const labels = read.kind === "name" ? environment.reads.get(read.text)?.labels : undefined
  const label = levelName(text)
  if (labels === undefined || labels.includes(label)) return true
  scene.say("CFX2502", { label, read: readNamed(read, environment), known: labels }, text)
  return false
}

/** Whether an expression of a metric names a factor, which only conditions of an experiment can compare. */
const isForeignFactor = (expression: Expression, { metric, reads }: Environment): boolean =>
  metric !== undefined &&
  expression.kind === "name" &&
  !reads.has(expression.text) &&
  isDesignColumn(expression.text)

const isBareName = ({ kind }: Expression): boolean => kind === "name"

const isDesignColumn = (name: string): boolean => isFactor(name) || ["arm", ...outerColumns].includes(name)

const isColumn = (expression: Expression, { columns, rows }: Environment): expression is Name =>
  rows === undefined && expression.kind === "name" && columns.has(expression.text)

/** `framing == people`: a column and the name of one of its levels, on either side; `source == model`: two models. */
const typeOfLevel = (
  { operator, left, right, ...binary }: Binary,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const column = isColumn(left, environment) ? left : (right as Name)
  const level = column === left ? right : left
  if (operator !== "==" && operator !== "!=") {
    scene.say("CFX2302", { operator, left: "column", right: "level" }, binary)
    return undefined
  }
  return isLevel(column, level, environment, scene) ? "truth value" : undefined
}

const isLevel = (column: Name, level: Expression, environment: Environment, scene: Scene): boolean => {
  const { columns, roles } = environment
  const isModel = (name: string) => roles.has(name) || (name === "model" && columns.has(name))
  if (isModel(column.text) && level.kind === "name" && isModel(level.text)) return true
  const known = columns.get(column.text)
  const written = levelName(level)
  if (known === undefined || known.includes(written)) return true
  scene.say("CFX2204", { factor: column.text, level: written, known }, level)
  return false
}
