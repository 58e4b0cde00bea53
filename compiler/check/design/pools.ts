/** Items: whether there are enough, and whether their labels and their order let the target be told from the rest. */
import type { ExperimentIR, ExprIR, PoolUseIR } from "../../ir.ts"
import type { Item } from "../../item.ts"
import { fieldsOf, levelName, poolsOf } from "../../lower/columns.ts"
import { measureName } from "../../lower/measures.ts"
import { itemsOf } from "../../sampled.ts"
import { placeboOf } from "../../target.ts"
import type { Check, Review } from "./review.ts"

const FEW_ITEMS = 30

/** From so many items on, gold at one place is no accident. */
const MANY_ITEMS = 10

/** How many items a pool brings: counted where they are at hand, else by what is published of it; none where nothing is. */
const countOf = (
  use: PoolUseIR,
  used: readonly Item[] | undefined,
  { program }: Review,
): number | undefined => {
  if (used !== undefined) return new Set(used.map(({ id }) => id)).size
  const published = program.pools.find(({ name }) => name === use.pool)?.published
  const { sample, per } = use
  if (sample === undefined) return published?.size
  if (per === undefined) return Math.min(sample, published?.size ?? sample)
  const strata = published?.strata?.[per]
  return strata === undefined
    ? undefined
    : Math.min(sample * strata, published?.size ?? Number.POSITIVE_INFINITY)
}

const usedBy = (review: Review): ReadonlyMap<string, readonly Item[]> =>
  new Map(
    itemsOf(review.experiment, review.items).flatMap(({ pool, items }) =>
      review.items.has(pool) ? [[pool, items] as const] : [],
    ),
  )

export const checkItemCounts: Check = (review) => {
  const { experiment, declaration, scene } = review
  const used = usedBy(review)
  const counts = experiment.pools.map((use) => countOf(use, used.get(use.pool), review))
  for (const [index, use] of experiment.pools.entries()) {
    const count = counts[index]
    const at = poolsOf(declaration).find(({ pool }) => pool.text === use.pool)?.pool
    if (count !== undefined && count < FEW_ITEMS)
      scene.say("CFX4006", { pool: use.pool, items: count }, at ?? declaration.name)
  }
  // With few items in every pool more was said than that few are eligible.
  if (counts.includes(undefined)) return
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  if (total >= FEW_ITEMS) checkEligible(total, review)
}

/** Measures whose denominator `assume` makes out to be small. */
const checkEligible = (total: number, { experiment, declaration, scene }: Review): void => {
  for (const { name, given } of experiment.measures) {
    const share = given === undefined ? 1 : shareOf(given, experiment)
    if (share === undefined || total * share >= FEW_ITEMS) continue
    const field = fieldsOf(declaration, "measure").find((one) => measureName(one).text === name)
    const items = Math.round(total * share)
    scene.say(
      "CFX4012",
      { measure: name, items, total },
      field === undefined ? declaration.name : measureName(field),
    )
  }
}

/** The share of items that a condition lets through by what is assumed; none where nothing is assumed about it. */
const shareOf = (given: ExprIR, experiment: ExperimentIR): number | undefined => {
  const { accuracy, refusal } = experiment.assume ?? {}
  switch (given.kind) {
    case "state":
      return given.state === "refused" ? refusal : undefined
    case "unary": {
      const share = given.operator === "not" ? shareOf(given.operand, experiment) : undefined
      return share === undefined ? undefined : 1 - share
    }
    case "binary": {
      if (given.operator === "and") {
        const [left, right] = [shareOf(given.left, experiment), shareOf(given.right, experiment)]
        return left === undefined ? right : right === undefined ? left : left * right
      }
      if (given.operator !== "==" && given.operator !== "!=") return undefined
      if (accuracy === undefined || !isRightness(given, experiment)) return undefined
      return given.operator === "==" ? accuracy : 1 - accuracy
    }
    default:
      return undefined
  }
}

/** Whether it compares the first answer that is read with the gold one: what `accuracy` is about. */
const isRightness = (given: Extract<ExprIR, { kind: "binary" }>, { protocol }: ExperimentIR): boolean => {
  const sides = [given.left, given.right]
  const read = sides.find((side) => side.kind === "answer" || side.kind === "label")
  const answered = protocol.holes.find(({ type }) => type !== "integer" && type !== "text")
  if (read === undefined || answered?.name !== read.hole) return false
  return sides.some(({ kind }) => kind === "gold" || (read.kind === "label" && kind === "string"))
}

/** A label that no option of one item has, and an option of another. */
export const checkPlacebo: Check = (review) => {
  const { experiment, declaration, scene } = review
  if (!experiment.cells.some(({ target }) => target.kind === "placebo_label")) return
  const all = [...usedBy(review).values()].flat()
  const labels = new Set(all.flatMap((item) => item.labels))
  const real = all.flatMap((item) => placeboOf(item.labels) ?? []).filter((label) => labels.has(label))
  const [label] = real
  if (label === undefined) return
  const at = fieldsOf(declaration, "target")
    .flatMap(({ levels }) => levels)
    .find((level) => levelName(level) === "placebo_label")
  const having = all.filter((item) => item.labels.includes(label)).length
  scene.say("CFX4011", { label, items: real.length, having, total: all.length }, at ?? declaration.name)
}

/** A respondent that always answers by one place is always right, and a target never stands there. */
export const checkGoldPlace: Check = (review) => {
  const { experiment, declaration, scene } = review
  if (experiment.cells.some(({ options }) => options.kind !== "identity")) return
  for (const [pool, items] of usedBy(review)) {
    const [first] = items
    if (first === undefined || items.length < MANY_ITEMS) continue
    if (items.some(({ gold }) => gold !== first.gold)) continue
    const at = poolsOf(declaration).find((use) => use.pool.text === pool)?.pool
    const label = first.labels[first.gold] ?? ""
    scene.say("CFX4020", { pool, items: items.length, place: first.gold + 1, label }, at ?? declaration.name)
  }
}
