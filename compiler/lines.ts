/** What each line of an assertion asserts. */

import type { AssertedIR, AssertionIR, CellIR, OrderIR, StimulusIR, StructureIR } from "./ir.ts"
import { once } from "./memo.ts"

/** What is asserted, line by line, before lines are permuted. */
const assigned = (structure: StructureIR, lines: number): readonly AssertedIR[] => {
  const every = (of: (index: number) => AssertedIR): readonly AssertedIR[] =>
    Array.from({ length: lines }, (_, index) => of(index))
  if (structure === "all_wrong") return new Array<AssertedIR>(lines).fill("target")
  if (structure === "all_correct") return new Array<AssertedIR>(lines).fill("gold")
  if (structure === "mixed") {
    const wrongs = lines - Math.floor(lines / 2)
    return every((index) => (index < wrongs ? "target" : "gold"))
  }
  if (structure.kind === "list") {
    if (structure.lines.length !== lines) {
      throw new Error(`internal: a structure of ${structure.lines.length} lines under a dose of ${lines}`)
    }
    return structure.lines
  }
  const { rest, place, as } = structure
  const exception = place < 0 ? lines + place : place - 1
  return every((index) => (index === exception ? as : rest))
}

/**
 * What the lines assert before they are numbered: the structure's assignment, in the order asked for. `shuffle` gives the places of so many
 * lines in the order drawn for the item.
 */
export const assignments = (
  structure: StructureIR,
  order: OrderIR,
  lines: number,
  shuffle: (lines: number) => readonly number[],
): readonly AssertedIR[] => {
  const before = assigned(structure, lines)
  const at = (places: readonly number[]): readonly AssertedIR[] => {
    if (places.length !== lines) {
      throw new Error(`internal: an order of ${places.length} lines under a dose of ${lines}`)
    }
    return places.map((place) => before[place] as AssertedIR)
  }
  if (typeof order === "object") return at(order.places.map((place) => place - 1))
  switch (order) {
    case "identity":
      return before
    case "reversed":
      return before.toReversed()
    case "interleaved": {
      // The first half's lines and the second half's take turns.
      const half = Math.ceil(lines / 2)
      return at(before.map((_, index) => (index % 2 === 0 ? index / 2 : half + (index - 1) / 2)))
    }
    case "shuffled":
      return at(shuffle(lines))
  }
}

/** The dose of an assertion in a step of a repeated turn, or its only one. */
export const doseAt = ({ dose, doses }: AssertionIR, step: number | undefined): AssertionIR["dose"] => {
  if (doses === undefined || step === undefined) return dose
  const own = doses[step - 1]
  if (own === undefined) throw new Error(`internal: there is no dose for step ${step}`)
  return own
}

/** All that the lines of a stimulus assert, in any step, whatever their order. */
export const assertedBy = once(
  (stimulus: StimulusIR): ReadonlySet<AssertedIR> =>
    stimulus.kind === "block"
      ? new Set()
      : new Set(
          (stimulus.doses ?? [stimulus.dose]).flatMap(({ lines }) => assigned(stimulus.structure, lines)),
        ),
)

/** What the lines of a cell push: the target, unless they assert gold and nothing else. A cell without lines pushes nothing: its would-be target. */
export const pushedBy = ({ stimulus }: CellIR): "target" | "gold" => {
  const asserted = assertedBy(stimulus)
  return asserted.size === 1 && asserted.has("gold") ? "gold" : "target"
}
