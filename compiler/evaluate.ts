/**
 * Expressions over one trial while it is under way: gates, and conditions on the design and on items. What is not known has no value, and `and`,
 * `or` and `not` are Kleene's: false and unknown is false, true or unknown is true.
 */
import type { ExprIR, HoleIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { isOfOptions, isOption } from "./looks.ts"
import { isSameAnswer, NO_ANSWER, NO_LABEL, PLACEBO } from "./noAnswer.ts"
import { recalibrated } from "./recalibrated.ts"
import type { Reading, Target } from "./trial.ts"
import { densityIn, occurrencesIn, sentencesIn, wordsIn } from "./wording.ts"

/** An option is its index in the item of the facts. */
export type Value = number | string | boolean

/** A read that has come to a value of which no more is known. */
export interface Something {
  readonly status: "something"
}

/** All that an expression may ask about. */
export interface Facts {
  /** The level of a factor; also of `model`, the studied one, and of `pool`. */
  readonly level: (factor: string) => string | undefined
  /** The name of the model in a role; `model` is the studied one. */
  readonly role: (role: string) => string | undefined
  readonly item?: Item | undefined
  /**
   * What was read, options by their place in `item`. An index that is not a number stands for a wrong option, no matter which: it is not gold,
   * and whether it is another wrong one is not known.
   */
  readonly reading: (hole: string) => Reading | Something | undefined
  /** An attribute of the studied model. */
  readonly attribute: (name: string) => string | number | undefined
  /** A read's declaration: needed for lists of reads, which are of options where it is not told. */
  readonly hole?: (name: string) => HoleIR | undefined
  /** Whether an invalid read's answer counts as one that no option and no label is (a measure's `invalid wrong`), or is not known. */
  readonly invalidIsWrong?: boolean
  readonly target?: () => Target | undefined
  readonly pushed?: () => Target | undefined
  /** Of the arm's lines, means. */
  readonly lines?: () => { readonly words: number; readonly answerIndex?: number | undefined } | undefined
}

/** The value of an expression, or undefined where something that it needs is not known or has no value. */
export const evaluate = (expression: ExprIR, facts: Facts): Value | undefined => {
  switch (expression.kind) {
    case "number":
    case "string":
      return expression.value
    case "answer":
      return placeAt(expression.hole, facts)
    case "gold":
      return facts.item?.gold
    case "target":
    case "pushed":
      return optionOf(facts[expression.kind]?.())
    case "confidence":
    case "mass":
    case "value":
    case "p":
    case "raw":
    case "recalibrated":
      return numberOf(expression, facts)
    case "label":
      return saidAt(expression.hole, facts)
    case "column":
      return facts.item?.columns[expression.column]
    case "choices":
      return facts.item?.options.length
    case "attribute":
      return facts.attribute(expression.attribute)
    case "lines": {
      const lines = facts.lines?.()
      return expression.of === "words" ? lines?.words : lines?.answerIndex
    }
    case "state":
      return stateOf(expression, facts)
    case "measured":
    case "lexicon":
    case "found":
      return ofText(expression, facts)
    case "sequence":
      return sequenceOf(expression, facts)
    case "among": {
      const value = evaluate(expression.value, facts)
      return value === undefined ? undefined : expression.levels.includes(String(value))
    }
    case "role":
      return facts.role(expression.role)
    case "level":
      return facts.level(expression.factor)
    case "unary":
      return unary(expression, facts)
    case "binary":
      return binary(expression, facts)
  }
}

type Of<Kind extends ExprIR["kind"]> = ExprIR & { readonly kind: Kind }

/** The answer that a read came to; of an invalid one, where that counts as wrong, `wrong`. */
const answerAt = <Wrong>(hole: string, { reading, invalidIsWrong }: Facts, wrong: Wrong) => {
  const found = reading(hole)
  if (found?.status === "invalid" && invalidIsWrong === true) return wrong
  return found?.status === "value" || found?.status === "answer" ? found : undefined
}

const placeAt = (hole: string, facts: Facts): number | undefined =>
  answerAt(hole, facts, { index: NO_ANSWER })?.index

const saidAt = (hole: string, facts: Facts): string | undefined =>
  answerAt(hole, facts, { value: NO_LABEL })?.value

const optionOf = (target: Target | undefined): number | undefined =>
  target?.kind === "option" ? target.index : target?.kind === "placebo" ? PLACEBO : undefined

const numberOf = (
  expression: Of<"confidence" | "mass" | "value" | "p" | "raw" | "recalibrated">,
  facts: Facts,
): number | undefined => {
  const reading = facts.reading(expression.hole)
  if (expression.kind === "value") {
    const known = reading?.status === "value" || reading?.status === "answer"
    const number = known ? Number(reading.value) : Number.NaN
    return Number.isFinite(number) ? number : undefined
  }
  if (reading?.status !== "value") return undefined
  switch (expression.kind) {
    case "confidence":
      return reading.probabilities[reading.index]
    case "mass":
      return reading.mass
    case "recalibrated":
      return recalibrated(reading.probabilities, expression.temperature)
    case "p":
    case "raw": {
      if (expression.kind === "raw" && isPlacebo(expression.option, facts)) return reading.placebo
      const option = evaluate(expression.option, facts)
      if (typeof option !== "number" || reading.censored?.labels.includes(option) === true) return undefined
      const p = reading.probabilities[option]
      return expression.kind === "p" || p === undefined ? p : p * reading.mass
    }
  }
}

const isPlacebo = ({ kind }: ExprIR, facts: Facts): boolean =>
  (kind === "target" || kind === "pushed") && facts[kind]?.()?.kind === "placebo"

const stateOf = ({ hole, state }: Of<"state">, facts: Facts): boolean | undefined => {
  const reading = facts.reading(hole)
  if (reading === undefined) return undefined
  switch (reading.status) {
    case "value":
    case "answer":
    case "text":
    case "something":
      return state === "value"
    default:
      return state === reading.status
  }
}

const ofText = (expression: Of<"measured" | "lexicon" | "found">, facts: Facts): Value | undefined => {
  const reading = facts.reading(expression.hole)
  if (reading?.status !== "text") return undefined
  const { text, tokens } = reading
  switch (expression.of) {
    case "words":
      return wordsIn(text)
    case "sentences":
      return sentencesIn(text)
    case "tokens":
      return tokens
    case "count":
      return occurrencesIn(text, expression.terms)
    case "density":
      return densityIn(text, expression.terms)
    case "contains":
      return text.includes(expression.text)
    case "starts":
      return text.startsWith(expression.text)
  }
}

const sequenceOf = ({ of, holes }: Of<"sequence">, facts: Facts): number | undefined => {
  const answers = holes.map((name) => {
    const hole = facts.hole?.(name)
    return hole === undefined || isOfOptions(hole) ? placeAt(name, facts) : saidAt(name, facts)
  })
  const [first, ...steps] = answers
  if (of === "first_change") {
    for (const [index, answer] of steps.entries()) {
      const same = sameAnswer(first, answer)
      if (same === undefined) return undefined
      if (!same) return index + 1
    }
    return undefined
  }
  const same = steps.map((answer, index) => sameAnswer(answers[index], answer))
  return same.includes(undefined) ? undefined : same.filter((one) => one === false).length
}

const unary = ({ operator, operand }: Of<"unary">, facts: Facts): Value | undefined => {
  const value = evaluate(operand, facts)
  if (operator === "not") return typeof value === "boolean" ? !value : undefined
  return typeof value === "number" ? -value : undefined
}

const binary = ({ operator, left, right }: Of<"binary">, facts: Facts): Value | undefined => {
  const a = evaluate(left, facts)
  if (operator === "and" && a === false) return false
  if (operator === "or" && a === true) return true
  const b = evaluate(right, facts)
  const same = () => (isOption(left) ? sameAnswer(a, b) : equal(a, b))
  switch (operator) {
    case "and":
      return b === false ? false : a === undefined || b === undefined ? undefined : true
    case "or":
      return b === true ? true : a === undefined || b === undefined ? undefined : false
    case "==":
      return same()
    case "!=": {
      const equal = same()
      return equal === undefined ? undefined : !equal
    }
  }
  const [x, y] = [numeric(a), numeric(b)]
  if (x === undefined || y === undefined) return undefined
  switch (operator) {
    case "<":
      return x < y
    case "<=":
      return x <= y
    case ">":
      return x > y
    case ">=":
      return x >= y
  }
  const result = operator === "+" ? x + y : operator === "-" ? x - y : operator === "*" ? x * y : x / y
  return Number.isFinite(result) ? result : undefined
}

/** Of two wrong options of which no more is known, it is not known whether they are the same. */
const sameAnswer = (a: Value | undefined, b: Value | undefined): boolean | undefined => {
  if (a === undefined || b === undefined || typeof a === "boolean" || typeof b === "boolean") return undefined
  return Number.isNaN(a) && Number.isNaN(b) ? undefined : isSameAnswer(a, b)
}

/** A level is written as text, also where it is a number: beside a number it is one. */
const equal = (a: Value | undefined, b: Value | undefined): boolean | undefined => {
  if (a === undefined || b === undefined) return undefined
  if (a === NO_LABEL || b === NO_LABEL) return false
  if (typeof a === typeof b) return a === b
  const number = numeric(a)
  return number !== undefined && number === numeric(b)
}

const numeric = (value: Value | undefined): number | undefined => {
  if (typeof value === "boolean" || value === undefined || value === "") return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}
