/** Contrasts: whether their two sides differ, and in one thing only. */
import type { ContrastIR, RestrictedIR } from "../../ir.ts"
import { fieldsOf } from "../../lower/columns.ts"
import type { Scene } from "../scene.ts"
import { writtenCell } from "../written.ts"
import { isContainer, linesOf } from "./doses.ts"
import type { Check, Review } from "./review.ts"
import { cellsWith, type Difference, differencesOf, isSameSet, kindsWith, pairsOf } from "./sides.ts"

export const checkContrasts: Check = (review) => {
  for (const contrast of review.experiment.contrasts) {
    const at = fieldsOf(review.declaration, "contrast").find(({ name }) => name.text === contrast.name)?.value
    // One remark about a contrast is enough, also where it has two pairs.
    if (at !== undefined) pairsOf(contrast).some((pair) => checkPair(contrast, pair, at, review))
  }
}

/** Reports contrasts of which two terms take one measure of some of the same trials, but not of the very same. */
export const checkOverlap: Check = ({ experiment, declaration, scene }) => {
  for (const { name, terms, by } of experiment.contrasts) {
    const at = fieldsOf(declaration, "contrast").find((field) => field.name.text === name)?.value
    if (at === undefined) continue
    const sides = terms.map((term) => ({ measure: term.measure, kinds: kindsWith(term, experiment) }))
    const isShared = sides.some((one, a) =>
      sides.slice(a + 1).some((other) => {
        const shared = [...one.kinds].filter((kind) => other.kinds.has(kind)).length
        const isSame = shared === one.kinds.size && shared === other.kinds.size
        return one.measure === other.measure && shared > 0 && !isSame
      }),
    )
    if (!isShared) continue
    const isWithin = (way: (typeof by)[number]): boolean => way === "paired" || way === "permutation"
    const ways = { within: by.some(isWithin), other: by.some((way) => !isWithin(way)) }
    scene.say("CFX4024", { contrast: name, sides: terms.length, ...ways }, at)
  }
}

interface Pair {
  readonly left: RestrictedIR
  readonly right: RestrictedIR
}

/** Whether something was said of the pair. */
const checkPair = (
  contrast: ContrastIR,
  { left, right }: Pair,
  at: Parameters<Scene["say"]>[2],
  review: Review,
): boolean => {
  const { experiment, scene } = review
  if (isSameText({ left, right }, review)) {
    scene.say("CFX2309", { same: "prompts" }, at)
    return true
  }
  const factors = differencesOf(left, right, experiment)
  const differs = factors.map(({ factor }) => factor)
  if (left.measure !== right.measure && factors.length > 0) {
    const measures = { left: left.measure, right: right.measure }
    scene.say("CFX4008", { contrast: contrast.name, ...measures, factors: differs }, at)
    return true
  }
  if (factors.length < 2) return false
  const dose = factors.find(({ factor }) => factor === "dose")
  const framing = factors.find(({ factor }) => factor === "framing")
  if (dose !== undefined && framing !== undefined && factors.length === 2) {
    checkDoses(contrast, { left, right }, dose, framing, at, review)
    return true
  }
  scene.say("CFX4005", { contrast: contrast.name, factors: differs }, at)
  return true
}

/** Framings at different doses; a container beside a framing has a warning of its own where the lines are not as many. */
const checkDoses = (
  contrast: ContrastIR,
  { left, right }: Pair,
  dose: Difference,
  framing: Difference,
  at: Parameters<Scene["say"]>[2],
  review: Review,
): void => {
  const { experiment, scene } = review
  const lines = [left, right].map((side) => linesOf(cellsWith(side, experiment)))
  const kinds = [framing.left, framing.right].map((levels) =>
    levels.some((level) => isContainer(level, review)),
  )
  if (kinds[0] !== kinds[1] && !isSameSet(lines[0]!.map(String), lines[1]!.map(String))) {
    const sides = { left: framing.left, right: framing.right, lines: [...lines[0]!, ...lines[1]!] }
    scene.say("CFX4016", { what: contrast.name, ...sides }, at)
    return
  }
  const sides = { left: dose.left.join(", "), right: dose.right.join(", ") }
  scene.say("CFX4004", { contrast: contrast.name, ...sides }, at)
}

/** Whether both sides take one measure of the same prompts, by the same models over the same pools. */
const isSameText = ({ left, right }: Pair, { experiment }: Review): boolean => {
  // Which model asks and which is asked is no part of a cell.
  if (left.where !== undefined || right.where !== undefined) return false
  const texts = (side: RestrictedIR): readonly string[] => [
    ...new Set(cellsWith(side, experiment).map((cell) => writtenCell(experiment, cell))),
  ]
  return (
    left.measure === right.measure &&
    left.levels.model === right.levels.model &&
    left.levels.pool === right.levels.pool &&
    isSameSet(texts(left), texts(right))
  )
}
