/** Judges: a text that a model wrote, put into a category. */
import type { Judge, JudgePart } from "../../grammar/ast.ts"
import { categoriesOf, equalsOf, isRule, judgePart, judgeText } from "../lower/judge.ts"
import { placesIn } from "../lower/place.ts"
import { itemFields, itemFill, pushFields, pushFill } from "../lower/placeholders.ts"
import { print } from "../lower/print.ts"
import type { Fill } from "../lower/text.ts"
import { checkPattern } from "./derived.ts"
import { checkType } from "./holes.ts"
import { checkPlaces, notEmpty } from "./placeholders.ts"
import { isReserved } from "./reserved.ts"
import { checkProvenance, distinctNames, missing, onlyOnce, type Scene } from "./scene.ts"

const ofModel: readonly JudgePart["field"][] = ["system", "user", "assistant"]
const ofRule: readonly JudgePart["field"][] = ["matching", "equals", "then"]

export const checkJudge = (judge: Judge, scene: Scene): void => {
  distinctNames(scene, "parameter", judge.parameters)
  for (const { text, span } of judge.parameters)
    if (isReserved(text)) scene.say("CFX2422", { kind: "parameter", name: text }, { span })
  if (judge.parameters.length === 0 && !scene.torn) scene.say("CFX2017", { what: "text" }, judge.name)
  onlyOnce(scene, judge, judge.fields, ({ field }) => field)
  checkProvenance(scene, judge)
  if (isOfTwoKinds(judge, scene)) return
  if (isRule(judge)) checkRule(judge, scene)
  else checkModel(judge, scene)
  const gold = judgePart(judge, "gold")?.label
  const known = categoriesOf(judge)
  if (gold !== undefined && known.length > 0 && !known.includes(gold.text))
    scene.say("CFX2416", { label: gold.text, known }, gold)
}

const isOfTwoKinds = (judge: Judge, scene: Scene): boolean => {
  const has = judge.fields.map(({ field }) => field)
  const model = has.filter((field) => ofModel.includes(field))
  const rules = has.filter((field) => ofRule.includes(field))
  const lacks =
    model.length > 0 && rules.length > 0
      ? rules.length > model.length
        ? model
        : rules
      : has.includes("matching") && has.includes("equals")
        ? ["equals"]
        : []
  if (lacks.length > 0)
    scene.say(
      "CFX2415",
      { judge: judge.name.text, has: [...new Set([...model, ...rules])], lacks: [...new Set(lacks)] },
      judge.name,
    )
  return lacks.length > 0
}

const checkRule = (judge: Judge, scene: Scene): void => {
  const matching = judgePart(judge, "matching")
  const equals = judgePart(judge, "equals")
  const verdict = judgePart(judge, "then")
  if (matching !== undefined) checkPattern(matching.pattern, scene)
  if (equals !== undefined && equalsOf(judge) === undefined)
    scene.say("CFX2417", { found: `\`${print(equals.value)}\`` }, equals.value)
  if (verdict === undefined) missing(scene, judge, "then", "then yes else no")
  else distinctNames(scene, "label", [verdict.yes, verdict.no])
  const [, second] = judge.parameters
  if (second === undefined) return
  const fix = "Delete it: a rule looks at one text."
  const why = "a rule looks at the first text only"
  scene.say("CFX2103", { what: `The parameter \`${second.text}\``, why, fix }, second)
}

const checkModel = (judge: Judge, scene: Scene): void => {
  const parameters = judge.parameters.map(({ text }) => text)
  const fill: Fill = (place, origin) =>
    place.rest.length === 0 && place.index === undefined && parameters.includes(place.head)
      ? { kind: "hole", hole: place.head, origin }
      : (itemFill(place, origin) ?? pushFill(place, origin))
  const known = [...parameters, ...itemFields, ...pushFields]
  const where = { system: "the system message", user: "the user text", assistant: "the assistant text" }
  const heads = new Set<string>()
  let isWhole = true
  for (const side of ["system", "user", "assistant"] as const) {
    const text = judgeText(judge, side)
    if (text === undefined) {
      if (side === "system") continue
      isWhole = false
      const example =
        side === "user" ? 'user "Is it right? {reply}"' : 'assistant "{verdict: label(same, different)}"'
      missing(scene, judge, side, example)
      continue
    }
    const places = text.parts.filter(({ kind }) => kind === "placeholder")
    const at = `${where[side]} of a judge`
    const filled = checkPlaces(scene, text, { where: at, known, fill, holes: side === "assistant" })
    if (filled.length < places.length) isWhole = false
    for (const { head } of placesIn(text)) heads.add(head)
    notEmpty(scene, text)
    if (side === "assistant") checkVerdict(judge, scene)
  }
  if (!isWhole || scene.torn) return
  for (const parameter of judge.parameters) {
    if (heads.has(parameter.text)) continue
    const fix = `Write \`{${parameter.text}}\` into the \`user\` text, or delete the parameter.`
    const what = `The parameter \`${parameter.text}\``
    scene.say("CFX2103", { what, why: "the judge is not shown it", fix }, parameter)
  }
}

/** Reports an assistant text with another than one label to read. */
const checkVerdict = (judge: Judge, scene: Scene): void => {
  const holes =
    judgeText(judge, "assistant")?.parts.flatMap((part) => (part.kind === "hole" ? [part] : [])) ?? []
  const [first, second] = holes
  if (first === undefined) {
    if (!scene.torn) scene.say("CFX2414", { judge: judge.name.text, found: "no read" }, judge.name)
  } else if (second !== undefined) {
    scene.say("CFX2414", { judge: judge.name.text, found: `${holes.length} reads` }, second)
  } else if (first.type.kind !== "label" || first.step !== undefined) {
    const found = first.step === undefined ? `a read of type \`${first.type.kind}\`` : "a read of many steps"
    scene.say("CFX2414", { judge: judge.name.text, found }, first.type)
  } else checkType(first.type, scene)
}
