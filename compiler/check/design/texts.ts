/** Levels that come to one text: for every item, or for some. */
import type { CellIR, StimulusIR } from "../../ir.ts"
import type { Item } from "../../item.ts"
import { armsOf, fieldsOf, levelName } from "../../lower/columns.ts"
import { once } from "../../memo.ts"
import { itemsOf } from "../../sampled.ts"
import { stimuliOf, textsOfStimulus } from "../../stimulusTexts.ts"
import { sameTexts } from "../identical.ts"
import { writtenCell } from "../written.ts"
import type { Check, Review } from "./review.ts"

/** Notes the levels that come to the same prompt for every item, at the factor where it is first written. */
export const checkTexts: Check = (review) => {
  for (const { factor, cases } of sameTexts(review.experiment)) {
    const levels = new Set(cases.flatMap((one) => one.levels))
    review.scene.say("CFX2104", { factor, cases }, placeOf(factor, levels, review))
  }
}

/** Where a factor is first written with one of these levels. */
const placeOf = (factor: string, levels: ReadonlySet<string>, { declaration }: Review) => {
  const arms = armsOf(declaration)
  if (factor === "arm") return arms.findLast(({ name }) => levels.has(name.text))?.name ?? declaration.name
  const given = arms
    .flatMap(({ stimulus }) => (stimulus.kind === "assertion" ? stimulus.arguments : []))
    .find((one) => one.factor.text === factor && one.levels.some((level) => levels.has(levelName(level))))
  const own = fieldsOf(declaration, "factor").find((one) => one.factor.text === factor)
  const named = (["seed", "target", "options"] as const).find((name) => name === factor)
  const field = named === undefined ? undefined : fieldsOf(declaration, named)[0]
  return given?.factor ?? own?.factor ?? field?.levels[0] ?? declaration.name
}

/**
 * Arms whose texts are told apart by a column of the item only, and are the same for some items. So many items are looked at: enough
 * to see what is common, and few enough to be quick.
 */
const LOOKED_AT = 200

export const checkSomeItems: Check = (review) => {
  const { experiment, scene, items } = review
  const open = experiment.cells.filter((cell) => stimuliOf(cell).some(namesColumn))
  if (open.length === 0) return
  const pools = itemsOf(experiment, items).map((pool) => pool.items.slice(0, LOOKED_AT))
  const told = new Set<string>()
  for (const [factor, pairs] of neighbours(experiment.cells)) {
    for (const [one, other] of pairs) {
      if (!open.includes(one) && !open.includes(other)) continue
      const [first, second] = [writtenCell(experiment, one), writtenCell(experiment, other)]
      const all = pools.flat()
      const same = all.filter((item) => withColumns(first, item) === withColumns(second, item)).length
      const levels = [one.levels[factor] ?? "", other.levels[factor] ?? ""]
      const key = JSON.stringify([factor, levels])
      // Two that are the same for every item are noted as such.
      if (first === second || same === 0 || told.has(key)) continue
      told.add(key)
      const place = placeOf(factor, new Set(levels), review)
      scene.say("CFX4014", { factor, levels, same, items: all.length }, place)
    }
  }
}

const namesColumn = once((stimulus: StimulusIR): boolean =>
  textsOfStimulus(stimulus).some((text) =>
    text.some((piece) => piece.kind === "item" && typeof piece.field === "object"),
  ),
)

/** A text with an item's own columns in it. */
const withColumns = (text: string, { columns }: Item): string =>
  Object.entries(columns).reduce(
    (filled, [name, value]) => filled.replaceAll(`\u0000item.column:${name}\u0000`, () => String(value)),
    text,
  )

/** Pairs of cells that differ in one factor. */
const neighbours = (
  cells: readonly CellIR[],
): ReadonlyMap<string, readonly (readonly [CellIR, CellIR])[]> => {
  const factors = new Set(cells.flatMap(({ levels }) => Object.keys(levels)))
  return new Map(
    [...factors].map((factor) => {
      const groups = new Map<string, CellIR[]>()
      for (const cell of cells) {
        const { [factor]: level, ...context } = cell.levels
        if (level === undefined) continue
        const key = JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1)))
        groups.set(key, [...(groups.get(key) ?? []), cell])
      }
      const pairs = [...groups.values()].flatMap((group) =>
        group.flatMap((one, index) => group.slice(index + 1).map((other) => [one, other] as const)),
      )
      return [factor, pairs] as const
    }),
  )
}
