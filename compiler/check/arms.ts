/** Arms: the factors of assertions, their levels, and whether levels fit one another. */
import type {
  Arm,
  Assertion,
  AssertionArgument,
  Experiment,
  Expression,
  Protocol,
} from "../../grammar/ast.ts"
import { holdsPlace, readsOrder, readsParaphrase } from "../lower/arms.ts"
import {
  type AssertionFactor,
  argumentOf,
  armsOf,
  assertionFactors,
  fieldsOf,
  fixedLevels,
  isFactor,
  print,
} from "../lower/columns.ts"
import { argumentsOf, doseField, doseOf, evaluate, isCount, MOST_LINES } from "../lower/dose.ts"
import { wholeFraming } from "../lower/inherit.ts"
import { slotsOf } from "../lower/protocol.ts"
import type { Names } from "../resolve.ts"
import { headOf } from "../resolveReferences.ts"
import { arithmetic } from "./doses.ts"
import { declaredAt, distinctNames, onlyOnce, type Scene } from "./scene.ts"

const examples: Record<AssertionFactor, string> = {
  framing: "framing in { no_source, people }",
  structure: "structure = all_wrong",
  order: "order = identity",
  dose: "dose = distinct(6)",
  paraphrase: "paraphrase = verbatim",
}

export const checkArms = (experiment: Experiment, protocol: Protocol | undefined, scene: Scene): void => {
  const arms = armsOf(experiment)
  distinctNames(
    scene,
    "arm",
    arms.map(({ name }) => name),
  )
  const [field] = fieldsOf(experiment, "arms")
  if (field !== undefined && field.arms.length === 0 && !scene.torn)
    scene.say("CFX2017", { what: "arm" }, field)
  if (protocol !== undefined && arms.length > 0 && slotsOf(protocol).length === 0) {
    const at = fieldsOf(experiment, "protocol")[0]?.protocol ?? experiment.name
    scene.say("CFX2112", { protocol: protocol.name.text }, at)
  }
  for (const arm of arms) {
    if (arm.stimulus.kind === "assertion") checkAssertion(arm, arm.stimulus, experiment, scene)
  }
}

const checkAssertion = (arm: Arm, assertion: Assertion, experiment: Experiment, scene: Scene): void => {
  onlyOnce(scene, experiment, assertion.arguments, ({ factor }) => factor.text)
  for (const argument of assertion.arguments) checkArgument(argument, scene)
  const framings = levelsOf(assertion, "framing").flatMap((level) => {
    const bound = level.kind === "name" ? scene.names.find(level, "framing") : undefined
    return bound === undefined ? [] : [{ level, bound, whole: wholeFraming(bound, scene.names) }]
  })
  const allKnown = framings.length === levelsOf(assertion, "framing").length
  const worded = framings.filter(({ whole }) => readsParaphrase(whole))

  const lacking = assertionFactors.filter((factor) => {
    if (argumentOf(assertion, factor) !== undefined) return false
    return factor !== "paraphrase" || !allKnown || worded.length > 0
  })
  // A factor that is misspelt is there, and was reported.
  const misspelt = assertion.arguments.some(({ factor }) => !isFactor(factor.text))
  const [first] = lacking
  if (first !== undefined && !misspelt && !scene.torn) {
    scene.say("CFX2206", { factors: lacking, arm: arm.name.text, example: examples[first] }, arm.name)
  }

  // What a line that asserts nothing should have said is not known; that it does not was reported.
  const allAssert = framings.every(
    ({ whole }) => readsParaphrase(whole) || holdsPlace(whole, "answer") || whole.lines === undefined,
  )
  if (allKnown && allAssert && framings.length > 0) {
    checkUse(
      assertion,
      framings.map(({ whole }) => whole),
      scene,
    )
    const paraphrases = argumentOf(assertion, "paraphrase")
    const unread = framings.filter(({ whole }) => !readsParaphrase(whole)).map(({ level }) => print(level))
    if (worded.length > 0 && unread.length > 0 && (paraphrases?.levels.length ?? 0) > 1) {
      const levels = paraphrases!.levels.map(print)
      scene.say("CFX2104", { factor: "paraphrase", cases: [{ levels, under: unread }] }, paraphrases!.factor)
    }
  }
  checkOrder(assertion, scene)
  checkCounts(assertion, framings, scene)
}

/** Reports several orders of lines that all assert the same: an error where no structure reads them, a note where some do not. */
const checkOrder = (assertion: Assertion, scene: Scene): void => {
  const order = argumentOf(assertion, "order")
  const levels = levelsOf(assertion, "structure")
  const isKnown = levels.every((level) => fixedLevels.structure?.includes(print(level)))
  if (order === undefined || order.levels.length < 2 || !isKnown) return
  const unread = levels.filter((level) => !readsOrder(level)).map(print)
  if (unread.length === 0) return
  if (unread.length < levels.length) {
    const cases = [{ levels: order.levels.map(print), under: unread }]
    scene.say("CFX2104", { factor: "order", cases }, order.factor)
    return
  }
  const why = "its lines all assert the same answer, in whatever order they stand"
  const fix = "Write `order = identity`, or add the structure `mixed`."
  scene.say("CFX2103", { what: "More than one order", why, fix }, order)
}

const levelsOf = (assertion: Assertion, factor: AssertionFactor): readonly Expression[] =>
  argumentOf(assertion, factor)?.levels ?? []

const checkArgument = ({ factor, levels, span }: AssertionArgument, scene: Scene): void => {
  const name = factor.text
  if (!isFactor(name)) {
    scene.say("CFX2201", { factor: name, known: assertionFactors }, factor)
    return
  }
  if (levels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "level" }, { span })
  const met = new Set<string>()
  for (const level of levels) {
    const written = print(level)
    if (met.has(written)) scene.say("CFX2205", { factor: name, level: written }, level)
    met.add(written)
    if (name === "dose") checkDoseLevel(level, scene)
    else if (level.kind !== "name") scene.say("CFX2216", { factor: name, example: examples[name] }, level)
    else {
      const known = fixedLevels[name]
      if (known !== undefined && !known.includes(written)) {
        scene.say("CFX2202", { factor: name, level: written, known }, level)
      }
    }
  }
}

const checkDoseLevel = (level: Expression, scene: Scene): void => {
  const head = headOf(level)
  if (head === undefined) {
    // Of a bare number a dose is left out, mostly one that says by how many voices.
    const written = level.kind === "number" ? print(level) : "6"
    scene.say("CFX2216", { factor: "dose", example: `dose = distinct(${written})` }, level)
    return
  }
  const bound = scene.names.find(head, "dose")
  if (bound === undefined) return
  const dose = bound.declaration
  const given = argumentsOf(level)
  if (given.length !== dose.parameters.length) {
    const parameters = {
      callee: head.text,
      parameters: dose.parameters.map(({ text }) => text),
      given: given.length,
    }
    scene.say("CFX2207", parameters, level, [declaredAt(bound, "declared here")])
    return
  }
  for (const argument of given) arithmetic(argument, [], scene)
  const values = given.map((argument) => evaluate(argument, new Map()))
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

type Framed = {
  readonly level: Expression
  readonly bound: Parameters<typeof wholeFraming>[0]
  readonly whole: ReturnType<typeof wholeFraming>
}

/** Reports a factor that is given and that no framing of the assertion reads. */
const checkUse = (assertion: Assertion, framings: readonly Framed["whole"][], scene: Scene): void => {
  if (framings.some(({ lines }) => lines === undefined)) return
  const paraphrase = argumentOf(assertion, "paraphrase")
  if (paraphrase !== undefined && !framings.some(readsParaphrase)) {
    const fix = "Delete it, or write `{assertion}` into a line of a framing."
    scene.say(
      "CFX2103",
      { what: "A paraphrase", why: "no line of the framings holds `{assertion}`", fix },
      paraphrase,
    )
  }
}

const mixedOf = (assertion: Assertion): Expression | undefined =>
  levelsOf(assertion, "structure").find((level) => print(level) === "mixed")

/** The doses of an assertion that `mixed` would halve and that have no half. */
export const unhalved = (assertion: Assertion, names: Names): readonly Expression[] =>
  mixedOf(assertion) === undefined
    ? []
    : levelsOf(assertion, "dose").filter((level) => (doseOf(level, names)?.lines ?? 0) % 2 === 1)

/** Reports rosters that are too short for a dose, and odd counts of lines that must be halved. */
const checkCounts = (assertion: Assertion, framings: readonly Framed[], scene: Scene): void => {
  const mixed = mixedOf(assertion)
  const odd = unhalved(assertion, scene.names)
  for (const level of levelsOf(assertion, "dose")) {
    const dose = doseOf(level, scene.names)
    if (dose === undefined) continue
    const written = print(level)
    if (mixed !== undefined && odd.includes(level)) {
      const related = [{ source: scene.module.source, span: mixed.span, label: "halves the lines" }]
      scene.say("CFX2210", { lines: dose.lines, dose: written }, level, related)
    }
    if (dose.speakers > dose.lines) continue
    const rosters = new Set<string>()
    for (const { whole } of framings) {
      if (whole.speakers === undefined || !holdsPlace(whole, "speaker")) continue
      const roster = scene.names.find(whole.speakers.node, "roster")
      if (roster === undefined || rosters.has(roster.declaration.name.text)) continue
      const speakers = roster.declaration.speakers.length
      if (speakers >= dose.speakers || speakers === 0) continue
      rosters.add(roster.declaration.name.text)
      const parameters = {
        roster: roster.declaration.name.text,
        speakers,
        needed: dose.speakers,
        dose: written,
      }
      scene.say("CFX2209", parameters, level, [declaredAt(roster, `has ${speakers}`)])
    }
  }
}
