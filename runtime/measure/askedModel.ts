import type { TurnIR } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"

/** The model that a turn is asked of in a trial: the studied one, one that is named, or the one in a role. */
export function askedModelOf({ model, roles }: TrialRecord, turn: TurnIR | undefined): string {
  const by = turn?.by
  if (by === undefined) return model
  return "model" in by ? by.model : (roles[by.role] ?? model)
}
