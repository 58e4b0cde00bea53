/** What can be compared: numbers, answers, labels and texts, columns and their levels; and what can be looked for in a set. */
import type { Expression, Name } from "../../grammar/ast.ts"
import { isFactor, outerColumns } from "../lower/columns.ts"
import { levelName, print } from "../lower/print.ts"
import { settledBy } from "./ranges.ts"
import type { Scene } from "./scene.ts"
import { type Environment, expect, type Type, typeOf, useRead } from "./types.ts"
import type { Use } from "./uses.ts"

export const typeOfMembership = (
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
    const type = typeOf(level, besideTexts(level, subject, environment), scene)
    if (type === undefined) return false
    if (of === "column value" && type === "number") return true
    if (type === "text") return of === "column value" || isLabel(subject, level, environment, scene)
    scene.say("CFX2302", { operator: "in", left: of, right: type }, level)
    return false
  })
  return sound.every(Boolean) ? "truth value" : undefined
}

type Binary = Extract<Expression, { kind: "binary" }>

export const typeOfBinary = (binary: Binary, environment: Environment, scene: Scene): Type | undefined => {
  const { operator, left, right } = binary
  if (operator === "and" || operator === "or") return both("truth value")
  if (operator === "+" || operator === "-" || operator === "*" || operator === "/") return both("number")
  if (isColumn(left, environment) || isColumn(right, environment))
    return typeOfLevel(binary, environment, scene)
  // What an unknown factor is compared with is a level of it, and no mistake of its own.
  const factor = [left, right].find((side) => isForeignFactor(side, environment))
  if (factor !== undefined) return typeOf(factor, environment, scene)
  const first = typeOf(left, besideTexts(left, right, environment), scene)
  // A bare name beside one that is not known may be a level of what was meant.
  const mayBeLevel = environment.metric === undefined && isBareName(left) && isBareName(right)
  if (first === undefined && mayBeLevel) return undefined
  const second = typeOf(right, besideTexts(right, left, environment), scene)
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

/**
 * Reports two sides of a `kappa` that do not put trials into the same categories: labels and columns of texts, answers and options, or truth values.
 * What is not known of a metric's own parameters, the experiment that measures it knows.
 */
export const expectAlike = (
  left: Expression,
  right: Expression,
  environment: Environment,
  scene: Scene,
): void => {
  const [first, second] = [left, right].map((side) => typeOf(side, environment, scene))
  if (first === undefined || second === undefined) return
  const families = Object.values(categories).filter((types) => types.includes(first))
  if (!families.some((types) => types.includes(second))) {
    scene.say("CFX2302", { operator: "kappa", left: first, right: second }, right)
    return
  }
  const known = [first, second].find((type) => type !== "read")
  const as =
    known === "option read" || known === "option"
      ? "option read"
      : known === undefined || known === "truth value"
        ? "option or label read"
        : "label read"
  for (const [side, type] of [
    [left, first],
    [right, second],
  ] as const)
    if (isAnswer(type)) useRead(side, as, "What a `kappa` is taken of", environment, scene)
}

const isAnswer = (type: Type): boolean => type === "option read" || type === "label read" || type === "read"

/** What tells trials apart by the same categories. */
const categories: Readonly<Record<string, readonly Type[]>> = {
  labels: ["label read", "column value", "read"],
  options: ["option read", "option", "read"],
  truths: ["truth value"],
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

/** For a bare name that is compared with what holds texts: it may be a text that lacks its quotation marks. */
const besideTexts = (side: Expression, other: Expression, environment: Environment): Environment => {
  const { rows, items, reads } = environment
  if (side.kind !== "name") return environment
  const ofItem = other.kind === "member" && print(other.object) === "item" ? (rows ?? items) : undefined
  const holds =
    other.kind === "name"
      ? rows?.has(other.text) === true || reads.get(other.text)?.type === "label read"
      : other.kind === "member" && ofItem?.has(other.property.text) === true
  return holds ? { ...environment, beside: print(other) } : environment
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

export const isDesignColumn = (name: string): boolean =>
  isFactor(name) || ["arm", ...outerColumns].includes(name)

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

/** The read that an expression names, as a person knows it: a parameter of a metric by what it is given. */
const readNamed = (expression: Expression, { given }: Environment): string => {
  const name = print(expression)
  return given?.get(name) ?? name
}
