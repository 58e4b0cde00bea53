import type { Dose, Expression } from "../../grammar/ast.ts"
import { print } from "../lower/columns.ts"
import { distinctNames, missing, onlyOnce, type Scene } from "./scene.ts"

export const checkDose = (dose: Dose, scene: Scene): void => {
  distinctNames(scene, "parameter", dose.parameters)
  onlyOnce(scene, dose, dose.fields, ({ field }) => field)
  const known = dose.parameters.map(({ text }) => text)
  const read = new Set<string>()
  for (const field of ["lines", "speakers"] as const) {
    const given = dose.fields.find((one) => one.field === field)
    if (given === undefined) missing(scene, dose, field, `${field} ${known[0] ?? 1}`)
    else for (const name of arithmetic(given.value, known, scene)) read.add(name)
  }
  for (const parameter of dose.parameters) {
    // A name that is unknown may be this one, misspelt.
    const misspelt = [...read].some((name) => !known.includes(name))
    if (read.has(parameter.text) || misspelt || scene.torn) continue
    const fix = "Delete the parameter, or use it in `lines` or `speakers`."
    scene.say(
      "CFX2103",
      { what: `The parameter \`${parameter.text}\``, why: "the dose does not use it", fix },
      parameter,
    )
  }
}

/** Reports what is no arithmetic over these names; gives the names that it reads. */
export const arithmetic = (
  expression: Expression,
  known: readonly string[],
  scene: Scene,
): readonly string[] => {
  switch (expression.kind) {
    case "number":
      return []
    case "name":
      if (!known.includes(expression.text)) scene.say("CFX2314", { name: expression.text, known }, expression)
      return [expression.text]
    case "unary":
      if (expression.operator === "-") return arithmetic(expression.operand, known, scene)
      break
    case "binary":
      if (["+", "-", "*", "/"].includes(expression.operator)) {
        return [...arithmetic(expression.left, known, scene), ...arithmetic(expression.right, known, scene)]
      }
      break
    default:
  }
  scene.say(
    "CFX2301",
    { what: `\`${print(expression)}\``, expected: "number", found: sortOf(expression) },
    expression,
  )
  return []
}

const sortOf = ({ kind }: Expression): string => {
  if (kind === "text") return "text"
  return kind === "unary" || kind === "binary" ? "truth value" : "value of a trial"
}
