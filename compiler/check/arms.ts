/** Arms: the factors of assertions, and whether their levels fit one another. */
import type { Arm, Assertion, Experiment, Expression, Protocol } from "../../grammar/ast.ts"
import {
  type AssertionFactor,
  argumentOf,
  armsOf,
  assertionFactors,
  fieldsOf,
  isFactor,
  levelName,
  print,
} from "../lower/columns.ts"
import { holdsPlace, readsOrder, readsParaphrase } from "../lower/grid.ts"
import { type WholeFraming, wholeFraming, wordingsOf } from "../lower/inherit.ts"
import { slotsOf } from "../lower/protocol.ts"
import { lowerStructure } from "../lower/structure.ts"
import type { Bound, Names } from "../resolve.ts"
import { checkArgument, factorExamples } from "./levels.ts"
import { checkLines } from "./lines.ts"
import { distinctNames, onlyOnce, type Scene } from "./scene.ts"

export { unhalved } from "./lines.ts"

export const checkArms = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  scene: Scene,
): void => {
  const arms = armsOf(experiment)
  distinctNames(
    scene,
    "arm",
    arms.map(({ name }) => name),
  )
  const [field] = fieldsOf(experiment, "arms")
  if (field !== undefined && field.arms.length === 0 && !scene.torn)
    scene.say("CFX2017", { what: "arm" }, field)
  if (protocol !== undefined && arms.length > 0 && slotsOf(protocol.declaration).length === 0) {
    const at = fieldsOf(experiment, "protocol")[0]?.protocol ?? experiment.name
    scene.say("CFX2112", { protocol: protocol.declaration.name.text }, at)
  }
  for (const arm of arms) {
    if (arm.stimulus.kind === "assertion") checkAssertion(arm, arm.stimulus, scene)
  }
}

const checkAssertion = (arm: Arm, assertion: Assertion, scene: Scene): void => {
  onlyOnce(scene, "an assertion", assertion.arguments, ({ factor }) => factor.text)
  for (const argument of assertion.arguments) checkArgument(argument, scene)
  const framings = framingsOf(assertion, scene.names)
  const allKnown = framings.length === levelsOf(assertion, "framing").length
  const worded = framings.filter(({ wholes }) => wholes.some(readsParaphrase))

  const lacking = assertionFactors.filter((factor) => {
    if (factor === "wording" || argumentOf(assertion, factor) !== undefined) return false
    return factor !== "paraphrase" || !allKnown || worded.length > 0
  })
  // A factor that is misspelt is there, and was reported.
  const misspelt = assertion.arguments.some(({ factor }) => !isFactor(factor.text))
  if (lacking.length > 0 && !misspelt && !scene.torn) {
    const examples = lacking.map((factor) => factorExamples[factor])
    scene.say("CFX2206", { factors: lacking, arm: arm.name.text, examples }, arm.name)
  }

  // What a line that asserts nothing should have said is not known; that it does not was reported.
  const allAssert = framings.every(({ wholes }) => wholes.every(asserts))
  if (allKnown && allAssert && framings.length > 0) checkParaphrase(assertion, framings, scene)
  if (allKnown && framings.length > 0) checkWording(assertion, framings, scene)
  checkOrder(assertion, scene)
  checkLines(
    assertion,
    framings.flatMap(({ wholes }) => wholes),
    scene,
  )
}

/** A framing among the levels of an assertion, in each of the wordings that the assertion takes it in. */
interface Framed {
  readonly level: Expression
  readonly variants: readonly string[]
  readonly wholes: readonly WholeFraming[]
}

const framingsOf = (assertion: Assertion, names: Names): readonly Framed[] => {
  const wordings = levelsOf(assertion, "wording").map(levelName)
  return levelsOf(assertion, "framing").flatMap((level) => {
    const bound = level.kind === "name" ? names.find(level, "framing") : undefined
    if (bound === undefined) return []
    const variants = wordingsOf(bound, names)
    const taken = variants.length === 0 || wordings.length === 0 ? [undefined] : wordings
    return [{ level, variants, wholes: taken.map((wording) => wholeFraming(bound, names, wording)) }]
  })
}

const asserts = (whole: WholeFraming): boolean =>
  readsParaphrase(whole) ||
  (["answer", "answer.label", "answer.text"] as const).some((place) => holdsPlace(whole, place)) ||
  whole.lines === undefined

const levelsOf = (assertion: Assertion, factor: AssertionFactor): readonly Expression[] =>
  argumentOf(assertion, factor)?.levels ?? []

/** Reports a paraphrase that no framing reads, and notes several that some framings do not. */
const checkParaphrase = (assertion: Assertion, framings: readonly Framed[], scene: Scene): void => {
  const paraphrase = argumentOf(assertion, "paraphrase")
  const wholes = framings.flatMap((framing) => framing.wholes)
  if (paraphrase === undefined || wholes.some(({ lines }) => lines === undefined)) return
  if (!wholes.some(readsParaphrase)) {
    const fix = "Delete it, or write `{assertion}` into a line of a framing."
    const why = "no line of the framings holds `{assertion}`"
    scene.say("CFX2103", { what: "A paraphrase", why, fix }, paraphrase)
    return
  }
  const unread = framings.filter((framing) => !framing.wholes.some(readsParaphrase))
  noteUnread(paraphrase, unread, scene)
}

/** Reports wordings that a framing does not have, and notes that they make no difference to one that has none. */
const checkWording = (assertion: Assertion, framings: readonly Framed[], scene: Scene): void => {
  const wording = argumentOf(assertion, "wording")
  if (wording === undefined) return
  for (const { level, variants } of framings) {
    for (const one of wording.levels) {
      const name = levelName(one)
      if (one.kind !== "name" || name === "base" || variants.length === 0 || variants.includes(name)) continue
      scene.say("CFX2455", { wording: name, framing: print(level), known: ["base", ...variants] }, one)
    }
  }
  const without = framings.filter(({ variants }) => variants.length === 0)
  if (without.length === framings.length) {
    const why = "no framing of the assertion has more than one"
    const fix = "Delete it, or write `wording NAME { ... }` into a framing."
    scene.say("CFX2103", { what: "A wording", why, fix }, wording)
    return
  }
  noteUnread(wording, without, scene)
}

/** Notes a factor of several levels that make no difference under some framings. */
const noteUnread = (
  { factor, levels }: Assertion["arguments"][number],
  unread: readonly Framed[],
  scene: Scene,
): void => {
  if (unread.length === 0 || levels.length < 2) return
  const cases = [{ levels: levels.map(levelName), under: unread.map(({ level }) => print(level)) }]
  scene.say("CFX2104", { factor: factor.text, cases }, factor)
}

/** Reports several orders of lines that all assert the same: an error where no structure reads them, a note where some do not. */
const checkOrder = (assertion: Assertion, scene: Scene): void => {
  const order = argumentOf(assertion, "order")
  const levels = levelsOf(assertion, "structure")
  const doses = levelsOf(assertion, "dose")
  const isKnown = levels.every((level) => lowerStructure(level, scene.names) !== undefined)
  if (order === undefined || order.levels.length < 2 || !isKnown) return
  const reads = (level: Expression): boolean =>
    doses.length === 0
      ? readsOrder(level, undefined, scene.names)
      : doses.some((dose) => readsOrder(level, dose, scene.names))
  const unread = levels.filter((level) => !reads(level)).map(levelName)
  if (unread.length === 0) return
  if (unread.length < levels.length) {
    const cases = [{ levels: order.levels.map(levelName), under: unread }]
    scene.say("CFX2104", { factor: "order", cases }, order.factor)
    return
  }
  const why = "its lines all assert the same answer, in whatever order they stand"
  const fix = "Write `order = identity`, or add the structure `mixed`."
  scene.say("CFX2103", { what: "More than one order", why, fix }, order)
}
