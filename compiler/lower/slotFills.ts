/** What the `factor` fields of an experiment put into the slots and roles of its protocol. */
import type { Experiment, Expression, Protocol } from "../../grammar/ast.ts"
import type { BlockIR } from "../ir.ts"
import type { Bound, Names } from "../resolve.ts"
import { emptyBlock, lowerBlock, lowerLevelText } from "./block.ts"
import { fieldsOf } from "./columns.ts"
import { rolesOf, slotsOf } from "./protocol.ts"
import { originOf } from "./text.ts"

/** The level of a slot that leaves it empty. */
export const NONE = "none"

/** The level of a role that the studied model takes itself. */
export const STUDIED = "model"

/** The slots that `factor` fields fill: all but the first where arms fill that. */
export const slotsLeft = (experiment: Experiment, protocol: Protocol): readonly string[] => {
  const slots = slotsOf(protocol).map(({ text }) => text)
  return fieldsOf(experiment, "arms").length > 0 ? slots.slice(1) : slots
}

/** Whether an experiment has neither arms nor anything else for the slot that arms would fill. */
export const lacksArms = (experiment: Experiment, protocol: Protocol): boolean => {
  const [first] = slotsLeft(experiment, protocol)
  const [slot] = slotsOf(protocol)
  return (
    first !== undefined &&
    first === slot?.text &&
    !fieldsOf(experiment, "factor").some(({ factor }) => factor.text === first)
  )
}

export const isRole = (name: string, protocol: Protocol): boolean =>
  rolesOf(protocol).some(({ text }) => text === name)

/** What a level of a `factor` field puts into a slot; none where nothing declares it. */
export const lowerFill = (
  level: Expression,
  experiment: Bound<Experiment>,
  names: Names,
): BlockIR | undefined => {
  switch (level.kind) {
    case "name": {
      if (level.text === NONE) return emptyBlock
      const block = names.find(level, "block")
      return block === undefined ? undefined : lowerBlock(block)
    }
    case "text":
      return lowerLevelText(level, experiment)
    case "number": {
      const origin = originOf(experiment, level.span)
      return { kind: "block", text: [{ kind: "text", text: level.written, origin }], provenance: [] }
    }
    default:
      return undefined
  }
}
