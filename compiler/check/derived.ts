/** What is worked out from texts that models wrote: extracts, and the judges that a protocol calls. */
import type { ExtractField, Judge, JudgeField, Member, Name, Pattern, Protocol } from "../../grammar/ast.ts"
import { isRule } from "../lower/judge.ts"
import { patternProblem } from "../lower/pattern.ts"
import { placeIn } from "../lower/place.ts"
import { itemFill } from "../lower/placeholders.ts"
import { labelText, print } from "../lower/print.ts"
import { listsOf, type ReadInfo } from "../lower/reads.ts"
import { checkType } from "./holes.ts"
import { declaredAt, type Scene } from "./scene.ts"

/** `holes`: what the turns read, repeated ones unrolled. */
export const checkDerived = (protocol: Protocol, holes: readonly ReadInfo[], scene: Scene): void => {
  for (const field of protocol.fields) {
    if (field.field === "extract") checkExtract(field, protocol, holes, scene)
    if (field.field === "judge") checkJudgeUse(field, protocol, holes, scene)
  }
}

const checkExtract = (
  { from, type, name, pattern }: ExtractField,
  protocol: Protocol,
  holes: readonly ReadInfo[],
  scene: Scene,
): void => {
  checkIsText(from, `The extract \`${name.text}\``, protocol, holes, scene)
  if (type.kind === "option" && type.of !== undefined) scene.say("CFX2413", { of: print(type.of) }, type)
  else checkType(type, scene)
  if (type.kind === "label") {
    for (const [index, label] of type.labels.entries()) {
      const text = labelText(label)
      const other = type.labels
        .slice(0, index)
        .map(labelText)
        .find((one) => one !== text && one.toLowerCase() === text.toLowerCase())
      if (other !== undefined) scene.say("CFX2419", { label: text, other }, label)
    }
  }
  checkPattern(pattern, scene)
}

/** Reports a regular expression that is none, at the part of it that is at fault. */
export const checkPattern = ({ source, span }: Pattern, scene: Scene): void => {
  // An empty pattern finds nothing, at the beginning of every text.
  if (source === "") {
    scene.say("CFX2116", {}, { span })
    return
  }
  const problem = patternProblem(source)
  if (problem === undefined) return
  const written = scene.module.source.text.slice(span.start, span.end)
  const at = written.indexOf(problem.part, 1)
  const place = at < 0 ? span : { start: span.start + at, end: span.start + at + problem.part.length }
  scene.say("CFX2411", problem, { span: place })
}

const checkJudgeUse = (
  field: JudgeField,
  protocol: Protocol,
  holes: readonly ReadInfo[],
  scene: Scene,
): void => {
  const { judge, arguments: given, by } = field
  const lists = listsOf(holes)
  const bound = scene.names.find(judge, "judge")
  const what = `The judge \`${field.name.text}\``
  const sound = given.map((text) =>
    text.kind === "name"
      ? checkIsText(text, what, protocol, holes, scene)
      : checkIsOfItem(text, what, bound?.declaration, scene),
  )
  const lengths = given.flatMap((text) => {
    const list = lists[print(text)]
    return list === undefined ? [] : [{ name: print(text), reads: list.length }]
  })
  if (sound.every(Boolean) && new Set(lengths.map(({ reads }) => reads)).size > 1)
    scene.say("CFX2424", { lists: lengths }, field)
  if (bound === undefined) return
  const { parameters } = bound.declaration
  if (parameters.length !== given.length) {
    const told = { callee: judge.text, parameters: parameters.map(({ text }) => text), given: given.length }
    scene.say("CFX2207", told, judge, [declaredAt(bound, "declared here")])
  }
  if (by !== undefined && isRule(bound.declaration)) {
    const why = `\`${judge.text}\` is a rule, which asks no model`
    scene.say("CFX2103", { what: `\`by ${by.text}\``, why, fix: "Delete it." }, by, [
      declaredAt(bound, "declared here"),
    ])
  }
}

/** What would be said from it is not asked here. */
const nowhere = { declaration: "", file: "", line: 0 }

/** Reports what no item has as a text, and a text of the items for a rule, which looks at what a model wrote; says whether it is neither. */
const checkIsOfItem = (text: Member, what: string, judge: Judge | undefined, scene: Scene): boolean => {
  const place = placeIn(text)
  const isThere = place !== undefined && itemFill(place, nowhere) !== undefined
  if (isThere && (judge === undefined || !isRule(judge))) return true
  const found = isThere
    ? "a text of the items, and a rule looks at what a model wrote"
    : "nothing that an item has"
  if (!scene.torn)
    scene.say("CFX2412", { what, read: print(text), found, known: [], isConstant: isThere }, text)
  return false
}

/** Reports what is no text that a model wrote, and no list of such; says whether it is one. */
const checkIsText = (
  name: Name,
  what: string,
  protocol: Protocol,
  holes: readonly ReadInfo[],
  scene: Scene,
): boolean => {
  const found = holes.find((read) => read.name === name.text || read.list === name.text)
  if (found?.kind === "text") return true
  const texts = holes.filter(({ kind }) => kind === "text").map(({ name, list }) => list ?? name)
  const derived = protocol.fields.some(
    (field) => (field.field === "extract" || field.field === "judge") && field.name.text === name.text,
  )
  const kind =
    found === undefined ? (derived ? "made of a text" : "no read") : `a read of ${nouns[found.kind]}`
  if (!scene.torn)
    scene.say("CFX2412", { what, read: name.text, found: kind, known: [...new Set(texts)] }, name)
  return false
}

const nouns = { option: "an option", label: "a label", integer: "an integer", text: "a text" } as const
