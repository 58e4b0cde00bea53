/** Arms that assert nothing: what the effect of an assertion is told apart from. */
import { wordsOfStimulus } from "../written.ts"
import { assertions, type Check, isBare } from "./review.ts"

/** A baseline of at most so many words is a plain re-ask, however short the assertions are. */
const FEW_WORDS = 15

/**
 * One baseline of at least half as many words as the shortest assertion controls for length; one that is shorter, or of a few words, asks
 * again and no more. Where assertions are that short themselves, one baseline is both. A control of less than half the words of some
 * assertions does not control for theirs.
 */
export const checkBaselines: Check = ({ experiment, declaration, scene }) => {
  const { cells, name } = experiment
  const words = new Map(cells.map((cell) => [cell, wordsOfStimulus(experiment, cell)]))
  const lengthOf = (cell: (typeof cells)[number]): number => words.get(cell) ?? 0
  const asserted = assertions(cells).map(({ cell }) => cell)
  if (asserted.length === 0) return
  const shortest = Math.min(...asserted.map(lengthOf))
  const baselines = cells.filter(({ stimulus }) => stimulus.kind === "block").map(lengthOf)
  if (!baselines.some((count) => count * 2 < shortest || count <= FEW_WORDS))
    scene.say("CFX4001", { experiment: name }, declaration.name)
  const control = Math.max(0, ...baselines)
  if (control * 2 < shortest) {
    scene.say("CFX4002", { experiment: name, words: shortest }, declaration.name)
    return
  }
  const longer = asserted.filter((cell) => lengthOf(cell) > control * 2)
  if (longer.length === 0) return
  const longest = Math.max(...longer.map(lengthOf))
  const arms = [...new Set(longer.map(({ arm }) => arm))]
  scene.say("CFX4009", { arms, words: longest, control }, declaration.name)
}

/** The floor is a framing whose every line is the assertion and nothing else. */
export const checkFloor: Check = ({ experiment, declaration, scene }) => {
  const labelled = new Set<string>()
  for (const { cell, stimulus } of assertions(experiment.cells)) {
    if (isBare(stimulus)) return
    labelled.add(cell.levels.framing ?? "")
  }
  if (labelled.size > 0) scene.say("CFX4003", { framings: [...labelled] }, declaration.name)
}
