/** The levels of an assertion's factors, each by itself. */
import type { AssertionArgument, Expression } from "../../grammar/ast.ts"
import { type AssertionFactor, assertionFactors, isFactor, levelName, print } from "../lower/columns.ts"
import { argumentsOf, calculate, doseField, isCount, MOST_LINES } from "../lower/dose.ts"
import { dosesIn } from "../lower/doseList.ts"
import { headOf } from "../resolveReferences.ts"
import { arithmetic } from "./doses.ts"
import { declaredAt, type Scene } from "./scene.ts"
import { checkOrderValue, checkStructureValue } from "./structures.ts"

export const factorExamples: Record<AssertionFactor, string> = {
  framing: "framing in { no_source, people }",
  wording: "wording in { base, second }",
  structure: "structure = all_wrong",
  order: "order = identity",
  dose: "dose = distinct(6)",
  paraphrase: "paraphrase = verbatim",
}

export const checkArgument = ({ factor, levels, span }: AssertionArgument, scene: Scene): void => {
  const name = factor.text
  if (!isFactor(name)) {
    scene.say("CFX2201", { factor: name, known: assertionFactors }, factor)
    return
  }
  if (levels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "level" }, { span })
  const met = new Set<string>()
  for (const level of levels) {
    const written = levelName(level)
    if (met.has(written)) scene.say("CFX2205", { factor: name, level: written }, level)
    met.add(written)
    checkLevel(level, name, scene)
  }
  checkKind(levels, name, scene)
}

/** Reports levels that are none of their factor, whatever they say: those of one list at once, since they are one mistake. */
const checkKind = (levels: readonly Expression[], factor: AssertionFactor, scene: Scene): void => {
  const wrong =
    factor === "dose"
      ? levels.flatMap(dosesIn).filter((level) => headOf(level) === undefined)
      : levels.filter(({ kind }) => kind !== "name" && factor !== "structure" && factor !== "order")
  const [first, ...others] = wrong
  if (first === undefined) return
  const numbers = wrong.filter(({ kind }) => kind === "number")
  const parameters = {
    factor,
    found: wrong.map(print),
    // Of a bare number a dose is left out: one that says by how many voices.
    lines: factor === "dose" ? numbers.map(print) : [],
    example: factorExamples[factor],
  }
  // Where no level of the list is one, they are shown as a whole.
  if (wrong.length === levels.length) {
    const end = wrong.at(-1)?.span.end ?? first.span.end
    scene.say("CFX2216", parameters, { span: { start: first.span.start, end } })
    return
  }
  const { source } = scene.module
  const related = others.map(({ span }) => ({ source, span, label: "neither is this" }))
  scene.say("CFX2216", parameters, first, related)
}

const checkLevel = (level: Expression, factor: AssertionFactor, scene: Scene): void => {
  if (factor === "dose") {
    if (level.kind === "list" && level.elements.length === 0) scene.say("CFX2017", { what: "dose" }, level)
    for (const dose of dosesIn(level)) checkDose(dose, scene)
  } else if (level.kind === "name") return
  else if (factor === "structure") checkStructureValue(level, scene)
  else if (factor === "order") checkOrderValue(level, scene)
}

const checkDose = (level: Expression, scene: Scene): void => {
  const head = headOf(level)
  if (head === undefined) return
  const bound = scene.names.find(head, "dose")
  if (bound === undefined) return
  const dose = bound.declaration
  const given = argumentsOf(level)
  if (given.length !== dose.parameters.length) {
    const after = /^[ \t]+(\d+)/.exec(scene.module.source.text.slice(level.span.end))?.[1]
    const parameters = {
      callee: head.text,
      parameters: dose.parameters.map(({ text }) => text),
      given: given.length,
      ...(after === undefined || given.length > 0 ? {} : { after }),
    }
    scene.say("CFX2207", parameters, level, [declaredAt(bound, "declared here")])
    return
  }
  for (const argument of given) arithmetic(argument, [], scene)
  const values = given.map((argument) => calculate(argument, new Map()))
  if (values.some((value) => value === undefined)) return
  const counts = (["lines", "speakers"] as const).map((field) => ({
    field,
    value: doseField(dose, field, values),
  }))
  // One unfitting argument makes both counts unfitting: it is one mistake.
  const wrong = counts.find(({ value }) => value !== undefined && !isCount(value))
  if (wrong !== undefined) {
    const what = `The ${wrong.field} of \`${print(level)}\``
    scene.say("CFX2208", { what, found: String(wrong.value), most: MOST_LINES }, given[0] ?? level)
    return
  }
  const [lines, speakers] = counts.map(({ value }) => value)
  if (lines !== undefined && speakers !== undefined && speakers > lines) {
    scene.say("CFX2211", { speakers, lines, dose: print(level) }, level)
  }
}
