/** Phase 6: what a reader of the results will ask of a design that runs. Each can be allowed, with a reason. */
import type { Experiment } from "../../grammar/ast.ts"
import type { Code } from "../diagnostics/catalogue.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { AssertionIR, CellIR, ContrastIR, ExperimentIR, RestrictedIR, TextIR } from "../ir.ts"
import type { Item } from "../item.ts"
import type { Module } from "../load.ts"
import { armsOf, fieldsOf, print } from "../lower/columns.ts"
import type { Names } from "../resolve.ts"
import { sameTexts, textOf } from "./identical.ts"
import { type Scene, sceneOf } from "./scene.ts"

export const allowableCodes = [
  "CFX4001",
  "CFX4002",
  "CFX4003",
  "CFX4004",
  "CFX4005",
  "CFX4006",
  "CFX4008",
] as const satisfies readonly Code[]

const FEW_ITEMS = 30
/** A baseline of at most so many words is a plain re-ask, however short the assertions are. */
const FEW_WORDS = 15

/** Warnings about one experiment, without those that it allows. */
export const checkDesign = (
  experiment: ExperimentIR,
  declaration: Experiment,
  module: Module,
  names: Names,
  items: ReadonlyMap<string, readonly Item[]>,
): readonly Diagnostic[] => {
  const diagnostics: Diagnostic[] = []
  const scene = sceneOf(declaration, module, names, diagnostics)
  checkBaselines(experiment, declaration, scene)
  checkFloor(experiment, declaration, scene)
  checkTexts(experiment, declaration, scene)
  for (const contrast of experiment.contrasts) checkContrast(contrast, experiment, declaration, scene)
  for (const { pool, sample } of fieldsOf(declaration, "items").flatMap(({ pools }) => pools)) {
    const all = items.get(pool.text)?.length ?? 0
    const used = sample === undefined ? all : Math.min(all, sample.value)
    if (used < FEW_ITEMS) scene.say("CFX4006", { pool: pool.text, items: used }, pool)
  }
  const given = new Set<string>(diagnostics.map(({ code }) => code))
  const allowed = new Set(experiment.allows.map(({ code }) => code))
  const kept = diagnostics.filter(({ code }) => !allowed.has(code))
  diagnostics.length = 0
  for (const { code } of fieldsOf(declaration, "allow")) {
    if (!given.has(code.text)) scene.say("CFX4007", { code: code.text }, code)
  }
  return [...kept, ...diagnostics]
}

const assertions = (cells: readonly CellIR[]) =>
  cells.flatMap(({ stimulus, levels }) => (stimulus.kind === "assertion" ? [{ stimulus, levels }] : []))

/**
 * A baseline is an arm that asserts nothing. One of at least half as many words as the shortest assertion controls for length; one
 * that is shorter, or of a few words, asks again and no more. Where assertions are that short themselves, one baseline is both.
 */
const checkBaselines = ({ cells, name }: ExperimentIR, declaration: Experiment, scene: Scene): void => {
  const lengths = assertions(cells).map(({ stimulus }) => wordsOf(assertionText(stimulus)))
  if (lengths.length === 0) return
  const shortest = Math.min(...lengths)
  const baselines = cells.flatMap(({ stimulus }) =>
    stimulus.kind === "block" ? [wordsOf(written(stimulus.text))] : [],
  )
  if (!baselines.some((words) => words * 2 < shortest || words <= FEW_WORDS))
    scene.say("CFX4001", { experiment: name }, declaration.name)
  if (!baselines.some((words) => words * 2 >= shortest)) {
    scene.say("CFX4002", { experiment: name, words: shortest }, declaration.name)
  }
}

const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

/** A text with one word for each of its places. */
const written = (text: TextIR, assertion = "x"): string =>
  text
    .map((piece) => {
      if (piece.kind === "text") return piece.text
      return piece.kind === "line" && piece.field === "assertion" ? assertion : "x"
    })
    .join("")

const assertionText = ({ preamble, lines, wordings, dose }: AssertionIR): string => {
  const asserted = Array.from({ length: dose.lines }, (_, index) => {
    const wording = wordings[index % wordings.length]
    return written(lines[index % lines.length] ?? [], wording === undefined ? "x" : written(wording))
  })
  return [written(preamble), ...asserted].join("\n")
}

/** The floor is a framing whose every line is the assertion and nothing else. */
const checkFloor = ({ cells }: ExperimentIR, declaration: Experiment, scene: Scene): void => {
  const labelled = new Set<string>()
  for (const { stimulus, levels } of assertions(cells)) {
    const bare = stimulus.lines.every(([piece, ...rest]) => {
      return rest.length === 0 && piece?.kind === "line" && piece.field === "assertion"
    })
    if (bare) return
    labelled.add(levels.framing ?? "")
  }
  if (labelled.size > 0) scene.say("CFX4003", { framings: [...labelled] }, declaration.name)
}

/** Notes the levels that come to the same prompt, at the factor where it is first written. */
const checkTexts = (experiment: ExperimentIR, declaration: Experiment, scene: Scene): void => {
  const arms = armsOf(declaration)
  for (const { factor, cases } of sameTexts(experiment)) {
    const written = arms.flatMap(({ stimulus }) => (stimulus.kind === "assertion" ? stimulus.arguments : []))
    const levels = new Set(cases.flatMap((one) => one.levels))
    const at =
      factor === "arm"
        ? arms.findLast(({ name }) => levels.has(name.text))?.name
        : written.find(
            (one) => one.factor.text === factor && one.levels.some((level) => levels.has(print(level))),
          )?.factor
    scene.say("CFX2104", { factor, cases }, at ?? declaration.name)
  }
}

const checkContrast = (
  contrast: ContrastIR,
  experiment: ExperimentIR,
  declaration: Experiment,
  scene: Scene,
): void => {
  const at = fieldsOf(declaration, "contrast").find(({ name }) => name.text === contrast.name)?.value
  if (at === undefined) return
  if (isSameText(contrast, experiment)) {
    scene.say("CFX2309", { same: "prompts" }, at)
    return
  }
  const left = levelsOf(contrast.left, experiment)
  const right = levelsOf(contrast.right, experiment)
  const differing = [...left].flatMap(([factor, levels]) => {
    const others = right.get(factor)
    if (others === undefined || isSameSet(levels, others)) return []
    return [{ factor, levels, others }]
  })
  // Two arms that differ in one factor differ in that factor: that the arms have two names is no second difference.
  const factors = differing.length > 1 ? differing.filter(({ factor }) => factor !== "arm") : differing
  const differs = factors.map(({ factor }) => factor)
  if (contrast.left.measure !== contrast.right.measure && factors.length > 0) {
    const measures = { left: contrast.left.measure, right: contrast.right.measure }
    scene.say("CFX4008", { contrast: contrast.name, ...measures, factors: differs }, at)
    return
  }
  if (factors.length < 2) return
  const dose = factors.find(({ factor }) => factor === "dose")
  if (dose !== undefined && factors.length === 2 && factors.some(({ factor }) => factor === "framing")) {
    const sides = { left: dose.levels.join(", "), right: dose.others.join(", ") }
    scene.say("CFX4004", { contrast: contrast.name, ...sides }, at)
    return
  }
  scene.say("CFX4005", { contrast: contrast.name, factors: differs }, at)
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

/** Whether both sides take one measure of the same prompts, by the same models over the same pools. */
const isSameText = ({ left, right }: ContrastIR, experiment: ExperimentIR): boolean => {
  const texts = ({ levels }: RestrictedIR): readonly string[] => [
    ...new Set(cellsWith(levels, experiment).map(({ stimulus }) => textOf(stimulus, experiment))),
  ]
  return (
    left.measure === right.measure &&
    left.levels.model === right.levels.model &&
    left.levels.pool === right.levels.pool &&
    isSameSet(texts(left), texts(right))
  )
}

/** The cells that have these levels; every cell is asked of every model about every pool. */
const cellsWith = (levels: RestrictedIR["levels"], { cells }: ExperimentIR): readonly CellIR[] =>
  cells.filter((cell) =>
    Object.entries(levels).every(
      ([factor, level]) => factor === "model" || factor === "pool" || cell.levels[factor] === level,
    ),
  )

/** The levels that each column takes among the trials of a side. A column that they lack is absent. */
const levelsOf = (
  { levels }: RestrictedIR,
  experiment: ExperimentIR,
): ReadonlyMap<string, readonly string[]> => {
  const { models, pools } = experiment
  const found = new Map<string, Set<string>>()
  const outer = { model: models, pool: pools.map(({ pool }) => pool) }
  for (const cell of cellsWith(levels, experiment)) {
    for (const [factor, level] of Object.entries(cell.levels)) {
      found.set(factor, (found.get(factor) ?? new Set()).add(level))
    }
  }
  for (const [factor, all] of Object.entries(outer)) {
    const only = levels[factor]
    found.set(factor, new Set(only === undefined ? all : [only]))
  }
  return new Map([...found].map(([factor, all]) => [factor, [...all]]))
}
