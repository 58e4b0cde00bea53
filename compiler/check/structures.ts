/** Structures and orders: what lines assert, and where they stand. */
import type { Expression, Order, Structure, Target } from "../../grammar/ast.ts"
import { either } from "../diagnostics/words.ts"
import { print } from "../lower/print.ts"
import {
  assertedOf,
  assertedWords,
  builtInOrders,
  builtInStructures,
  exceptPlace,
} from "../lower/structure.ts"
import type { Bound } from "../resolve.ts"
import type { Scene } from "./scene.ts"

export const checkStructure = (structure: Structure, scene: Scene): void => {
  const { name, value } = structure
  if ((builtInStructures as readonly string[]).includes(name.text))
    scene.say("CFX2422", { kind: "structure", name: name.text }, name)
  checkStructureValue(value, scene)
  checkCircle(structure, "structure", scene)
}

export const checkOrder = (order: Order, scene: Scene): void => {
  const { name, value } = order
  if ((builtInOrders as readonly string[]).includes(name.text))
    scene.say("CFX2422", { kind: "order", name: name.text }, name)
  checkOrderValue(value, scene)
  checkCircle(order, "order", scene)
}

/** Reports what says nothing about lines, as a value of a declaration or as a level. A name that nothing declares was reported. */
export const checkStructureValue = (value: Expression, scene: Scene): void => {
  const problem = structureProblem(value)
  if (problem === undefined) return
  const { at, ...told } = problem
  scene.say("CFX2420", { found: print(value), ...told }, at)
}

/** Reports what is no permutation, as a value of a declaration or as a level. */
export const checkOrderValue = (value: Expression, scene: Scene): void => {
  const problem = orderProblem(value)
  if (problem !== undefined) scene.say("CFX2421", { found: print(value), why: problem.why }, problem.at)
}

interface Problem {
  readonly why: string
  readonly at: Expression
  /** A word that is none of those that can stand for a line. */
  readonly word?: string
}

const unknown = (word: string, at: Expression): Problem => ({
  why: `a line asserts ${either(Object.keys(assertedWords))}, not \`${word}\``,
  at,
  word,
})

const structureProblem = (value: Expression): Problem | undefined => {
  if (value.kind === "name") return undefined
  if (value.kind === "except") return exceptProblem(value)
  if (value.kind !== "list") return { why: "it says nothing about lines", at: value }
  if (value.elements.length === 0) return { why: "it is about no line", at: value }
  const wrong = value.elements.find((one) => one.kind !== "name" || assertedOf(one.text) === undefined)
  return wrong && unknown(print(wrong), wrong)
}

const uniform = ["all_wrong", "all_correct"]

const exceptProblem = ({
  structure,
  place,
  as,
}: Extract<Expression, { kind: "except" }>): Problem | undefined => {
  if (!uniform.includes(structure.text)) {
    const why = `there can be an exception from ${either(uniform)}, not from \`${structure.text}\``
    return { why, at: structure }
  }
  if (exceptPlace(place) === undefined)
    return { why: `a place is \`first\`, \`last\` or a number from 1, not \`${print(place)}\``, at: place }
  if (as === undefined) return undefined
  const asserted = assertedOf(as.text)
  if (asserted === undefined) return unknown(as.text, as)
  const rest = structure.text === "all_wrong" ? "target" : "gold"
  return asserted === rest ? { why: "the exception asserts what all others do", at: as } : undefined
}

const orderProblem = (value: Expression): Problem | undefined => {
  if (value.kind === "name") return undefined
  if (value.kind !== "list") return { why: "it says nothing about places", at: value }
  const { length } = value.elements
  if (length === 0) return { why: "it is about no line", at: value }
  const met = new Set<number>()
  for (const one of value.elements) {
    if (one.kind !== "number" || !Number.isSafeInteger(one.value) || one.value < 1 || one.value > length)
      return { why: `its places are the numbers from 1 to ${length}, not \`${print(one)}\``, at: one }
    if (met.has(one.value)) return { why: `place ${one.value} stands in it twice`, at: one }
    met.add(one.value)
  }
  return undefined
}

/** Reports a declaration that is another's name, which in the end is its own. */
export const checkCircle = (
  declaration: Structure | Order | Target,
  kind: "structure" | "order" | "target",
  scene: Scene,
): void => {
  const chain: (Structure | Order | Target)[] = [declaration]
  let next: Bound<Structure | Order | Target> | undefined
  for (let value = declaration.value; value.kind === "name"; value = next.declaration.value) {
    next = scene.names.find(value, kind)
    if (next === undefined) return
    if (next.declaration === declaration) {
      // Once for the whole circle: at the one that stands first in its file.
      const first = chain.reduce((one, other) => (other.name.span.start < one.name.span.start ? other : one))
      const cycle = [...chain, declaration].map(({ name }) => name.text)
      if (first === declaration) scene.say("CFX2423", { kind, cycle }, declaration.value)
      return
    }
    if (chain.includes(next.declaration)) return
    chain.push(next.declaration)
  }
}
