/** Which option trials are about: that targets say one, and that it is known in time. */
import type { Assertion, Experiment, Expression, Protocol, Target, Text } from "../../grammar/ast.ts"
import { armsOf, factorLevels, fieldsOf, levelName, print } from "../lower/columns.ts"
import { expressionsIn } from "../lower/expressions.ts"
import { placesIn } from "../lower/place.ts"
import { type ReadInfo, readsOf } from "../lower/reads.ts"
import { lowerTarget, readOfTarget, targetsOf } from "../lower/target.ts"
import { isCircular, protocolField, type Step, slotsOf, stepsOf, turnText } from "../lower/turns.ts"
import type { Bound, Names } from "../resolve.ts"
import { analysedOf, type Levels, trialsOf } from "./analysed.ts"
import { missing, type Scene } from "./scene.ts"
import { checkCircle } from "./structures.ts"
import { namesTarget, readsTarget, textsOfLevel } from "./targetUse.ts"

/** A declared target. What read it is taken from, an experiment's protocol decides. */
export const checkTarget = (target: Target, scene: Scene): void => {
  const { value } = target
  checkCircle(target, "target", scene)
  if (value.kind !== "name" && lowerTarget(value, scene.names) === undefined) sayUnknown(value, scene)
}

const sayUnknown = (target: Expression, scene: Scene): void =>
  scene.say("CFX2212", { found: print(target) }, target)

/** The targets of an experiment. */
export const checkTargetLevels = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  scene: Scene,
): void => {
  const targets = targetsOf(experiment)
  const isGiven = experiment.fields.some(({ field }) => field === "target")
  if (!isGiven && readsTarget(experiment, protocol, scene.names))
    missing(scene, experiment, "target", "target top_wrong(a0)")
  for (const field of fieldsOf(experiment, "target"))
    if (field.levels.length === 0 && !scene.torn) scene.say("CFX2017", { what: "target" }, field)
  const met = new Set<string>()
  for (const target of targets) {
    const written = levelName(target)
    if (met.has(written)) scene.say("CFX2205", { factor: "target", level: written }, target)
    met.add(written)
    const lowered = lowerTarget(target, scene.names)
    if (lowered === undefined) {
      // A name that nothing declares was reported, and so was what a declaration says.
      if (target.kind !== "name") sayUnknown(target, scene)
      continue
    }
    if (protocol !== undefined) checkRead(target, experiment, protocol, scene)
  }
}

/** Reports a target that is taken from no read, from one without probabilities, or from one that comes too late. */
const checkRead = (
  target: Expression,
  experiment: Experiment,
  protocol: Bound<Protocol>,
  scene: Scene,
): void => {
  const { names } = scene
  const named = readOfTarget(target, names)
  if (named === undefined) return
  // The place of a declared target's read is in its declaration; the use is the experiment's.
  const place = target.kind === "call" ? named : target
  const reads = readsOf(protocol, names)
  const read = reads.find(({ name }) => name === named.text)
  if (read === undefined) {
    scene.say("CFX2314", { name: named.text, known: reads.map(({ name }) => name) }, place)
    return
  }
  const what = `What \`${print(target)}\` looks at`
  if (read.kind !== "option") {
    scene.say("CFX2301", { what, expected: "option read", found: `${read.kind} read` }, place)
    return
  }
  if (read.other === true || !read.hasProbabilities) {
    const kind = read.other === true ? "read of another item's options" : "answer that is found in a text"
    scene.say("CFX2468", { what: `\`${print(target)}\``, kind }, place)
    return
  }
  if (isCircular(protocol.declaration)) return
  if (isTooLate(target, read, experiment, protocol.declaration, scene))
    scene.say("CFX2108", { what: "The target", hole: named.text, turn: read.turn }, place)
}

/** Whether a step needs the target no later than its read is taken: by the protocol's own words, or by a stimulus of trials that have this target. */
const isTooLate = (
  target: Expression,
  { turn }: ReadInfo,
  experiment: Experiment,
  protocol: Protocol,
  scene: Scene,
): boolean => {
  const steps = stepsOf(protocol)
  const early = steps.slice(0, steps.findIndex(({ name }) => name === turn) + 1)
  if (early.some((step) => needsTarget(step, protocol))) return true
  const pushing = pushingLevels(early, experiment, protocol, scene.names)
  if (pushing.length === 0) return false
  // `only when` may keep a stimulus and a target apart.
  const analysed = analysedOf(experiment, scene)
  const own: Levels = targetsOf(experiment).length > 1 ? { target: levelName(target) } : {}
  return pushing.some((levels) => trialsOf({ ...own, ...levels }, analysed).length > 0)
}

const textsAt = ({ turn }: Step, protocol: Protocol): readonly Text[] => {
  const said = (["system", "user", "assistant"] as const).flatMap((field) => turnText(turn, field) ?? [])
  const whole = protocolField(protocol, "system")?.text
  const opens = turn.continues === undefined && turnText(turn, "system") === undefined
  return opens && whole !== undefined ? [whole, ...said] : said
}

/** Whether a step names the option by itself. In a condition `target` is a column of the design, and `pushed` alone the option. */
const needsTarget = (step: Step, protocol: Protocol): boolean =>
  textsAt(step, protocol).some(namesTarget) ||
  (step.turn.when !== undefined &&
    expressionsIn(step.turn.when).some((one) => one.kind === "name" && one.text === "pushed"))

/** The arms and levels of factors that put the option into a slot of one of these steps. */
const pushingLevels = (
  steps: readonly Step[],
  experiment: Experiment,
  protocol: Protocol,
  names: Names,
): readonly Levels[] => {
  const pushesIn = (slot: string | undefined, stimulus: Expression | Assertion): boolean =>
    steps.some(
      (step) =>
        textsAt(step, protocol).some((text) => placesIn(text).some(({ head }) => head === slot)) &&
        (stimulus.kind === "assertion" || textsOfLevel(stimulus, names, step.step).some(namesTarget)),
    )
  const first = slotsOf(protocol)[0]?.text
  return [
    ...armsOf(experiment).flatMap(({ name, stimulus }) =>
      pushesIn(first, stimulus) ? [{ arm: name.text }] : [],
    ),
    ...fieldsOf(experiment, "factor").flatMap((field) =>
      factorLevels(field, experiment).flatMap((level) =>
        pushesIn(field.factor.text, level) ? [{ [field.factor.text]: levelName(level) }] : [],
      ),
    ),
  ]
}
