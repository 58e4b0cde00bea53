/** Which option trials are about: that targets say one, and that it is known in time. */
import type { Experiment, Expression, Protocol, Target } from "../../grammar/ast.ts"
import { armsOf, fieldsOf, levelName, print } from "../lower/columns.ts"
import { placesIn } from "../lower/place.ts"
import { isCircular, slotsOf, stepsOf, turnText } from "../lower/protocol.ts"
import { readsOf } from "../lower/reads.ts"
import { lowerTarget, readOfTarget, targetsOf } from "../lower/target.ts"
import type { Bound } from "../resolve.ts"
import { missing, type Scene } from "./scene.ts"
import { checkCircle } from "./structures.ts"
import { readsTarget } from "./targetUse.ts"

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
  const late = firstTargetStep(experiment, protocol.declaration)
  if (late === undefined || isCircular(protocol.declaration)) return
  const steps = stepsOf(protocol.declaration).map(({ name }) => name)
  if (steps.indexOf(read.turn) >= late) {
    scene.say("CFX2108", { what: "The target", hole: named.text, turn: read.turn }, place)
  }
}

/** The first step of a protocol whose text names the target: a read that comes after it, or stands in it, comes too late. */
const firstTargetStep = (experiment: Experiment, protocol: Protocol): number | undefined => {
  const slots = slotsOf(protocol).map(({ text }) => text)
  const asserts = armsOf(experiment).some(({ stimulus }) => stimulus.kind === "assertion")
  const first = stepsOf(protocol).findIndex(({ turn }) =>
    (["system", "user", "assistant"] as const).some((field) => {
      const text = turnText(turn, field)
      return (
        text !== undefined &&
        placesIn(text).some(
          ({ head }) => head === "target" || head === "pushed" || (asserts && head === slots[0]),
        )
      )
    }),
  )
  return first < 0 ? undefined : first
}
