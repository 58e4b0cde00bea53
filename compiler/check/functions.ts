/** What can be called in an expression: `first.p(pushed)`, and the functions of reads, lists of reads and texts. */
import type { Expression } from "../../grammar/ast.ts"
import { print } from "../lower/print.ts"
import type { Scene } from "./scene.ts"
import { type Environment, expect, propertiesOf, readAs, type Type, typeOf, useRead } from "./types.ts"
import { fits, type Use } from "./uses.ts"

type Call = Extract<Expression, { kind: "call" }>

/** What an argument must be: a read that can be used so, or a name or a text that stands for itself. */
type Argument = Use | "lexicon" | "quoted text"

interface Signature {
  /** Names of the arguments, for a message, and what each must be; several where it can be called in several ways. */
  readonly ways: readonly Readonly<Record<string, Argument>>[]
  readonly gives: "number" | "truth value"
}

const firstAndList = { first: "option, label or integer read", reads: "list of reads" } as const

const signatures: Readonly<Record<string, Signature>> = {
  refused: { ways: [{ read: "read" }], gives: "truth value" },
  words: { ways: [{ text: "text read" }], gives: "number" },
  sentences: { ways: [{ text: "text read" }], gives: "number" },
  tokens: { ways: [{ text: "text read" }], gives: "number" },
  count: { ways: [{ lexicon: "lexicon", text: "text read" }], gives: "number" },
  density: { ways: [{ lexicon: "lexicon", text: "text read" }], gives: "number" },
  contains: { ways: [{ text: "text read", what: "quoted text" }], gives: "truth value" },
  starts: { ways: [{ text: "text read", what: "quoted text" }], gives: "truth value" },
  changes: { ways: [{ reads: "list of reads" }, firstAndList], gives: "number" },
  first_change: { ways: [firstAndList], gives: "number" },
}

export const typeOfCall = (call: Call, environment: Environment, scene: Scene): Type | undefined => {
  const { callee, arguments: given } = call
  if (callee.kind === "member" && (callee.property.text === "p" || callee.property.text === "raw"))
    return typeOfProbability(call, environment, scene)
  if (callee.kind === "member" && callee.property.text === "recalibrated")
    return typeOfRecalibrated(call, callee, environment, scene)
  const name = callee.kind === "name" ? callee.text : undefined
  const signature = name !== undefined && Object.hasOwn(signatures, name) ? signatures[name] : undefined
  if (name === undefined || signature === undefined || environment.rows !== undefined) {
    if (name === undefined) scene.say("CFX2315", { what: `\`${print(callee)}(...)\`` }, call)
    else {
      const known = environment.rows === undefined ? Object.keys(signatures) : []
      scene.say("CFX2500", { name, known }, callee)
    }
    return undefined
  }
  const way = signature.ways.find((one) => Object.keys(one).length === given.length)
  if (way === undefined) {
    const parameters = Object.keys(signature.ways.at(-1)!)
    scene.say("CFX2207", { callee: name, parameters, given: given.length }, call)
    return undefined
  }
  const sound = Object.values(way).map((argument, at) =>
    isArgument(given[at]!, argument, `${ordinals[at]} of \`${name}\``, environment, scene),
  )
  if (!sound.every(Boolean)) return undefined
  const isSound = !("reads" in way) || areAlike(given, name, environment, scene)
  return isSound ? signature.gives : undefined
}

const ordinals = ["The first argument", "The second argument"]

const isArgument = (
  expression: Expression,
  argument: Argument,
  what: string,
  environment: Environment,
  scene: Scene,
): boolean => {
  if (argument === "quoted text") {
    if (expression.kind === "text" && expression.parts.every(({ kind }) => kind === "chars")) return true
    scene.say("CFX2301", { what, expected: argument, found: found() }, expression)
    return false
  }
  if (argument === "lexicon") {
    // A name that is no lexicon was reported where names are resolved.
    if (expression.kind === "name") return scene.names.find(expression, "lexicon") !== undefined
    scene.say("CFX2301", { what, expected: argument, found: found() }, expression)
    return false
  }
  if (expression.kind === "name" && environment.reads.has(expression.text))
    return useRead(expression, argument, what, environment, scene)
  const type = typeOf(expression, environment, scene)
  if (type !== undefined) scene.say("CFX2301", { what, expected: argument, found: type }, expression)
  return false

  function found(): string {
    return expression.kind === "name" ? "name" : (typeOf(expression, environment, scene) ?? "mistake")
  }
}

/**
 * Reports reads of which it cannot be said whether they are the same: a list of texts, or of places among the options of several items, and a first
 * read that is of another kind than those of the list. What a metric's own parameters are, the experiment that measures it knows.
 */
const areAlike = (
  given: readonly Expression[],
  callee: string,
  environment: Environment,
  scene: Scene,
): boolean => {
  const [first, list = first] = given
  const each = list?.kind === "name" ? environment.reads.get(list.text)?.each : undefined
  if (first === undefined || list?.kind !== "name" || each === undefined) return true
  const what = (at: number) => `${ordinals[at]} of \`${callee}\``
  if (!fits(each, "option, label or integer read")) {
    const [expected, found] = [listOf("option, label or integer read"), listOf(each)]
    scene.say("CFX2301", { what: readAs(list, what(given.length - 1), environment), expected, found }, list)
    return false
  }
  return first === list || useRead(first, each as Use, what(0), environment, scene)
}

const listOf = (read: string): string => `list of ${read.replace("read", "reads")}`

/** `second.recalibrated(2)`: the confidence of a read whose logits are divided by a number. */
const typeOfRecalibrated = (
  { arguments: given, ...call }: Call,
  callee: Extract<Expression, { kind: "member" }>,
  environment: Environment,
  scene: Scene,
): Type | undefined => {
  const of = typeOf(callee.object, environment, scene)
  if (of === undefined) return undefined
  if (environment.given === undefined && !propertiesOf(of).includes("recalibrated")) {
    scene.say("CFX2303", { property: callee.property.text, of, known: propertiesOf(of) }, callee.property)
    return undefined
  }
  const asked = `What \`${print(callee)}\` is asked of`
  if (!useRead(callee.object, "read with probabilities", asked, environment, scene)) return undefined
  const [temperature] = given
  if (temperature === undefined || given.length > 1) {
    const parameters = { callee: print(callee), parameters: ["temperature"], given: given.length }
    scene.say("CFX2207", parameters, call)
    return undefined
  }
  if (temperature.kind === "number" && temperature.value > 0) return "number"
  scene.say("CFX2527", { found: print(temperature) }, temperature)
  return undefined
}

const isPerToken = (expression: Expression, { reads }: Environment): boolean =>
  expression.kind === "name" && reads.get(expression.text)?.perToken === true

const typeOfProbability = (call: Call, environment: Environment, scene: Scene): Type | undefined => {
  const { callee, arguments: given } = call
  if (callee.kind !== "member") return undefined
  const of = typeOf(callee.object, environment, scene)
  if (of === undefined) return undefined
  if (of !== "read" && of !== "option read" && environment.given === undefined) {
    scene.say("CFX2303", { property: callee.property.text, of, known: propertiesOf(of) }, callee.property)
    return undefined
  }
  const asked = `What \`${print(callee)}\` is asked of`
  if (!useRead(callee.object, "option read", asked, environment, scene)) return undefined
  if (!useRead(callee.object, "read with probabilities", asked, environment, scene)) return undefined
  if (callee.property.text === "raw" && isPerToken(callee.object, environment)) {
    const read = environment.given?.get(print(callee.object)) ?? print(callee.object)
    scene.say("CFX2517", { read, metric: environment.metric }, callee.property)
    return undefined
  }
  const [option] = given
  if (option === undefined || given.length > 1) {
    scene.say("CFX2207", { callee: print(callee), parameters: ["option"], given: given.length }, call)
    return undefined
  }
  const what = `What \`${print(callee)}\` is asked for`
  return expect(option, "option", what, environment, scene) === undefined ? undefined : "number"
}
