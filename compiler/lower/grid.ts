/** The grid of a design as it is written: arms crossed with their levels, and with the factors of the experiment. */
import type { Arm, Assertion, Experiment, Expression } from "../../grammar/ast.ts"
import { once, onceFor } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import {
  type AssertionFactor,
  argumentOf,
  armsOf,
  type Crossing,
  factorLevels,
  fieldsOf,
  hasUnanimity,
  isFactor,
  ONLY_ARM,
  replicateLevels,
  replicatesOf,
  UNANIMITY,
  unanimities,
} from "./columns.ts"
import { doseListOf } from "./doseList.ts"
import { type WholeFraming, wholeFraming, wordingsOf } from "./inherit.ts"
import { placeholdersOf } from "./place.ts"
import type { LineField } from "./placeholders.ts"
import { levelName, print } from "./print.ts"
import { lowerStructure } from "./structure.ts"
import { targetsOf } from "./target.ts"
import { isUniform } from "./uniform.ts"

export type Levels = Readonly<Record<string, string>>

/** One cell of the grid, by what is written for it. */
export interface Point {
  /** None where no arms are declared. */
  readonly arm?: Arm
  /** Of an arm that is an assertion. */
  readonly crossing?: Crossing
  /** What stands in each slot and role, by the `factor` fields. */
  readonly factors: ReadonlyMap<string, Expression>
  readonly seed?: Expression
  readonly target?: Expression
  readonly options?: Expression
  /** From 1. */
  readonly replicate: number
  /** Level by column of the design, `arm` included. */
  readonly levels: Levels
}

const placesOf = once(
  ({ lines }: WholeFraming): ReadonlySet<string> => new Set((lines?.node ?? []).flatMap(placeholdersOf)),
)

/** Whether a line of a framing holds this placeholder. */
export const holdsPlace = (whole: WholeFraming, place: LineField): boolean => placesOf(whole).has(place)

/** Whether a framing's lines hold an assertion, which a paraphrase words. */
export const readsParaphrase = (framing: WholeFraming): boolean => holdsPlace(framing, "assertion")

/** Whether all lines of a structure under a dose assert the same; not, where either is not known. */
const isAlike = (structure: Expression, dose: Expression | undefined, names: Names): boolean => {
  const lowered = lowerStructure(structure, names)
  if (lowered === undefined) return false
  const doses = dose === undefined ? [] : (doseListOf(dose, names) ?? [])
  return isUniform(lowered, doses.length === 0 ? undefined : Math.max(...doses.map(({ lines }) => lines)))
}

/** Whether it matters in which order lines stand: those that all assert the same stand alike in every order. */
export const readsOrder = (structure: Expression, dose: Expression | undefined, names: Names): boolean =>
  !isAlike(structure, dose, names)

/** A cell of one arm, before what stands outside the arms. */
type ArmCell = Pick<Point, "arm" | "crossing" | "levels">

/** A level of a factor, and its name. */
interface NamedLevel {
  readonly level: Expression
  readonly name: string
}

interface NamedLevels {
  readonly factor: AssertionFactor
  readonly levels: readonly NamedLevel[]
}

/**
 * The cells of an arm: its crossings, each with its levels as printed; the factor that is written last changes first. Where a level does not
 * read a factor there is one cell for all of that factor's levels, in which it has none: one prompt is one observation. So it is with the
 * paraphrase of a framing that words its own lines, the wording of a framing that has one only, and several orders of lines that all
 * assert the same. `unanimity` says whether the design has that column.
 */
const cellsOf = (arm: Arm, unanimity: boolean, names: Names): readonly ArmCell[] => {
  const { name, stimulus } = arm
  if (stimulus.kind === "name") return [{ arm, levels: { arm: name.text } }]
  const factors = namedLevels(stimulus)
  const ordered = (argumentOf(stimulus, "order")?.levels.length ?? 0) > 1
  const mayMerge = factors.some(
    ({ factor, levels }) =>
      (levels.length > 1 && canBeUnread(factor)) ||
      new Set(levels.map(({ name }) => name)).size < levels.length,
  )
  const met = new Set<string>()
  const cells: ArmCell[] = []
  const count = factors.reduce((product, { levels }) => product * levels.length, 1)
  for (let index = 0; index < count; index += 1) {
    const chosen = chosenAt(index, factors)
    const crossing = new Map<AssertionFactor, Expression>()
    for (const [at, { factor }] of factors.entries()) crossing.set(factor, chosen[at]!.level)
    const unread = unreadIn(crossing, ordered, names)
    const levels: Record<string, string> = { arm: name.text }
    for (const [at, { factor }] of factors.entries())
      if (!unread.includes(factor)) levels[factor] = chosen[at]!.name
    if (mayMerge) {
      const key = JSON.stringify(levels)
      if (met.has(key)) continue
      met.add(key)
    }
    const structure = crossing.get("structure")
    if (unanimity && structure !== undefined)
      levels[UNANIMITY] = isAlike(structure, crossing.get("dose"), names) ? unanimities[0] : unanimities[1]
    cells.push({ arm, crossing, levels })
  }
  return cells
}

const namedLevels = ({ arguments: given }: Assertion): readonly NamedLevels[] =>
  given.flatMap(({ factor: { text }, levels }) =>
    isFactor(text)
      ? [{ factor: text, levels: levels.map((level) => ({ level, name: levelName(level) })) }]
      : [],
  )

/** One choice of a level for each factor: the `index`th, from 0. */
const chosenAt = (index: number, factors: readonly NamedLevels[]): readonly NamedLevel[] => {
  const chosen = new Array<NamedLevel>(factors.length)
  let rest = index
  for (let at = factors.length - 1; at >= 0; at -= 1) {
    const { levels } = factors[at]!
    chosen[at] = levels[rest % levels.length]!
    rest = Math.floor(rest / levels.length)
  }
  return chosen
}

const canBeUnread = (factor: AssertionFactor): boolean =>
  factor === "paraphrase" || factor === "wording" || factor === "order"

const nothing: readonly AssertionFactor[] = []

/** The factors that a crossing does not read. `ordered`: whether its lines are put into several orders. */
const unreadIn = (crossing: Crossing, ordered: boolean, names: Names): readonly AssertionFactor[] => {
  let unread = nothing
  const framing = framingOf(crossing, names)
  if (framing !== undefined) {
    if (!readsParaphrase(wholeOf(framing, crossing, names))) unread = [...unread, "paraphrase"]
    if (wordingsOf(framing, names).length === 0) unread = [...unread, "wording"]
  }
  const structure = crossing.get("structure")
  if (ordered && structure !== undefined && !readsOrder(structure, crossing.get("dose"), names))
    unread = [...unread, "order"]
  return unread
}

export const framingOf = (crossing: Crossing, names: Names) => {
  const level = crossing.get("framing")
  return level?.kind === "name" ? names.find(level, "framing") : undefined
}

/** A framing in the wording of a crossing. */
export const wholeOf = (
  framing: Bound & Parameters<typeof wholeFraming>[0],
  crossing: Crossing,
  names: Names,
): WholeFraming => {
  const wording = crossing.get("wording")
  return wholeFraming(framing, names, wording === undefined ? undefined : levelName(wording))
}

/**
 * The grid in the order written, whatever `only when` says: the arms, their factors, the `factor` fields, seed, target, options and
 * replicate; what stands last changes first.
 */
export const gridOf = onceFor((experiment: Experiment, names): readonly Point[] => {
  const cells = armCells(experiment, names)
  const outer = outerOf(experiment)
  const [only] = outer
  if (outer.length === 1 && only !== undefined && isEmpty(only.levels))
    return cells.map((cell) => ({ ...only, ...cell }))
  return cells.flatMap((cell) =>
    outer.map((rest) => ({ ...rest, ...cell, levels: { ...cell.levels, ...rest.levels } })),
  )
})

const isEmpty = (levels: Levels): boolean => {
  for (const _ in levels) return false
  return true
}

const armCells = (experiment: Experiment, names: Names): readonly ArmCell[] => {
  if (fieldsOf(experiment, "arms").length === 0) return [{ levels: { arm: ONLY_ARM } }]
  const unanimity = hasUnanimity(experiment, names)
  return armsOf(experiment).flatMap((arm) => cellsOf(arm, unanimity, names))
}

type Outer = Omit<Point, "arm" | "crossing">

/** The crossings of what stands outside the arms. */
const outerOf = (experiment: Experiment): readonly Outer[] => {
  let points: readonly Outer[] = [{ factors: new Map(), replicate: 1, levels: {} }]
  const cross = (next: (point: Outer) => readonly Outer[]): void => {
    points = points.flatMap(next)
  }
  for (const field of fieldsOf(experiment, "factor")) {
    const name = field.factor.text
    cross((point) =>
      factorLevels(field, experiment).map((level) => ({
        ...point,
        factors: new Map([...point.factors, [name, level]]),
        levels: { ...point.levels, [name]: levelName(level) },
      })),
    )
  }
  const written = { seed: seedsOf(experiment), target: targetsOf(experiment), options: ordersOf(experiment) }
  for (const name of ["seed", "target", "options"] as const) {
    const levels = written[name]
    if (levels.length === 0) continue
    cross((point) =>
      levels.map((level) => ({
        ...point,
        [name]: level,
        levels: levels.length > 1 ? { ...point.levels, [name]: print(level) } : point.levels,
      })),
    )
  }
  const count = replicatesOf(experiment)
  const replicates = count > 1 ? replicateLevels(count) : []
  if (replicates.length > 1) {
    cross((point) =>
      replicates.map((level, index) => ({
        ...point,
        replicate: index + 1,
        levels: { ...point.levels, replicate: level },
      })),
    )
  }
  return points
}

/** The seeds of an experiment, as written. */
export const seedsOf = (experiment: Experiment): readonly Expression[] =>
  fieldsOf(experiment, "seed").flatMap(({ levels }) => levels)

/** The orders in which options are shown, as written. */
export const ordersOf = (experiment: Experiment): readonly Expression[] =>
  fieldsOf(experiment, "options").flatMap(({ levels }) => levels)
