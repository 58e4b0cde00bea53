/** The trials that the sides of a contrast are about. */
import { evaluate } from "../../evaluate.ts"
import type { CellIR, ContrastIR, ExperimentIR, ExprIR, RestrictedIR } from "../../ir.ts"
import { UNANIMITY } from "../../lower/columns.ts"
import { STUDIED } from "../../lower/slotFills.ts"
import { once } from "../../memo.ts"

/** Two sides of a contrast that are subtracted from one another; of a difference of differences, two such pairs. */
export const pairsOf = ({
  terms,
}: ContrastIR): readonly { readonly left: RestrictedIR; readonly right: RestrictedIR }[] => {
  const pairs: { left: RestrictedIR; right: RestrictedIR }[] = []
  for (let at = 0; at + 1 < terms.length; at += 2) {
    const [one, other] = [terms[at]!, terms[at + 1]!]
    if (one.sign === other.sign) continue
    pairs.push(one.sign === 1 ? { left: one, right: other } : { left: other, right: one })
  }
  return pairs
}

/** The cells that have a side's levels, and of which its condition may hold; every cell is asked of every model about every pool. */
export const cellsWith = (
  { levels, where }: Pick<RestrictedIR, "levels" | "where">,
  { cells, models, pools }: ExperimentIR,
): readonly CellIR[] => {
  const wanted = Object.entries(levels).filter(([factor]) => factor !== "model" && factor !== "pool")
  const some = cells.filter((cell) => wanted.every(([factor, level]) => cell.levels[factor] === level))
  if (where === undefined) return some
  const around = models.flatMap((model) => pools.map(({ pool }) => ({ model, pool })))
  return some.filter((cell) => around.some((outer) => holds(where, { ...cell.levels, ...outer })))
}

/** The kinds of trials of a side, one for each cell, model and pool: numbers that are equal where the kinds are. */
export const kindsWith = (
  side: Pick<RestrictedIR, "levels" | "where">,
  { cells, models, pools }: ExperimentIR,
): ReadonlySet<number> => {
  const { model: ofModel, pool: ofPool, ...own } = side.levels
  const wanted = Object.entries(own)
  const outer = models.flatMap((model) => pools.map(({ pool }) => ({ model, pool })))
  const kinds = new Set<number>()
  for (const [at, { levels }] of cells.entries()) {
    if (!wanted.every(([factor, level]) => levels[factor] === level)) continue
    for (const [place, around] of outer.entries()) {
      if (ofModel !== undefined && ofModel !== around.model) continue
      if (ofPool !== undefined && ofPool !== around.pool) continue
      if (side.where === undefined || holds(side.where, { ...levels, ...around }))
        kinds.add(at * outer.length + place)
    }
  }
  return kinds
}

const holds = (where: ExprIR, levels: Readonly<Record<string, string>>): boolean =>
  evaluate(where, {
    level: (factor) => levels[factor],
    role: (role) => (levels[role] === STUDIED ? levels.model : levels[role]),
    reading: () => undefined,
    attribute: () => undefined,
  }) === true

/** The levels that each column takes among the trials of a side. A column that they lack is absent. */
const levelsOf = (side: RestrictedIR, experiment: ExperimentIR): ReadonlyMap<string, readonly string[]> => {
  const known = sides(experiment).get(side)
  if (known !== undefined) return known
  const fresh = levelsIn(side, experiment)
  sides(experiment).set(side, fresh)
  return fresh
}

const sides = once((_: ExperimentIR) => new Map<RestrictedIR, ReadonlyMap<string, readonly string[]>>())

const levelsIn = (side: RestrictedIR, experiment: ExperimentIR): ReadonlyMap<string, readonly string[]> => {
  const { models, pools } = experiment
  const found = new Map<string, Set<string>>()
  const outer = { model: models, pool: pools.map(({ pool }) => pool) }
  for (const cell of cellsWith(side, experiment)) {
    for (const [factor, level] of Object.entries(cell.levels)) {
      const all = found.get(factor)
      if (all === undefined) found.set(factor, new Set([level]))
      else all.add(level)
    }
  }
  for (const [factor, all] of Object.entries(outer)) {
    const only = side.levels[factor]
    found.set(factor, new Set(only === undefined ? all : [only]))
  }
  return new Map([...found].map(([factor, all]) => [factor, [...all]]))
}

export interface Difference {
  readonly factor: string
  readonly left: readonly string[]
  readonly right: readonly string[]
}

/**
 * The columns in which two sides differ, where both have them. That two arms which differ in a factor have two names is no second
 * difference, and neither is what follows from their structures.
 */
export const differencesOf = (
  left: RestrictedIR,
  right: RestrictedIR,
  experiment: ExperimentIR,
): readonly Difference[] => {
  const others = levelsOf(right, experiment)
  const all = [...levelsOf(left, experiment)].flatMap(([factor, levels]): readonly Difference[] => {
    const other = others.get(factor)
    return other === undefined || isSameSet(levels, other) ? [] : [{ factor, left: levels, right: other }]
  })
  const differs = (factor: string): boolean => all.some((one) => one.factor === factor)
  const own = all.filter(({ factor }) => factor !== UNANIMITY || !differs("structure"))
  return own.length > 1 ? own.filter(({ factor }) => factor !== "arm") : own
}

export const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))
