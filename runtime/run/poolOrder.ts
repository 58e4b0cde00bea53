/** Options are shown in the order that a design asks for; what is recorded of them is in the order of the pool, so that trials can be compared. */
import type { HoleIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { inPoolOrder, toPool, toShown } from "../../compiler/shown.ts"
import type { Reading, Target, Trial } from "../../compiler/trial.ts"

/** The target with its place in the pool. */
export const targetInPool = (item: Item, target: Target): Target =>
  target.kind === "option" ? { ...target, index: toPool(item, target.index) } : target

/** A target of a record as its trial showed it: what `targetInPool` took it from. */
export const targetAsShown = (item: Item, target: Target): Target =>
  target.kind === "option" ? { ...target, index: toShown(item, target.index) } : target

/** A reading with its options in the order of their pool; the label stays the one that was displayed. */
export function readingInPool(trial: Trial, hole: HoleIR, reading: Reading): Reading {
  const item = itemRead(trial, hole)
  if (item?.original === undefined) return reading
  switch (reading.status) {
    case "value":
      return {
        ...reading,
        index: toPool(item, reading.index),
        probabilities: inPoolOrder(item, reading.probabilities),
        ...censoredAt(reading, (index) => toPool(item, index)),
      }
    case "answer":
      return { ...reading, index: toPool(item, reading.index) }
    default:
      return reading
  }
}

/** A reading of a record as its trial showed it: what `readingInPool` took it from. */
export function readingAsShown(trial: Trial, hole: HoleIR, reading: Reading): Reading {
  const item = itemRead(trial, hole)
  const order = item?.original
  if (item === undefined || order === undefined) return reading
  switch (reading.status) {
    case "value":
      return {
        ...reading,
        index: toShown(item, reading.index),
        probabilities: order.map((place) => reading.probabilities[place] ?? 0),
        ...censoredAt(reading, (index) => toShown(item, index)),
      }
    case "answer":
      return { ...reading, index: toShown(item, reading.index) }
    default:
      return reading
  }
}

/** What a server did not list, each label at its other place. */
const censoredAt = (
  { censored }: Reading & { readonly status: "value" },
  placeOf: (index: number) => number,
): Pick<Reading & { readonly status: "value" }, "censored"> =>
  censored === undefined
    ? {}
    : { censored: { ...censored, labels: censored.labels.map(placeOf).sort((a, b) => a - b) } }

/** The item whose options a hole is about; undefined where it is about none. */
function itemRead(trial: Trial, hole: HoleIR): Item | undefined {
  if (hole.type === "extract") return hole.as.type === "option" ? trial.item : undefined
  if (hole.type !== "option") return undefined
  return hole.of === undefined ? trial.item : trial.others[hole.of.draw]?.[hole.of.index - 1]
}
