/** `--mode` of the commands that have it. */
import type { Mode } from "../run/plan.ts"
import { UsageError } from "./command.ts"

const MODES = ["exact", "fast"] as const satisfies readonly Mode[]

export const modeOption = {
  mode: {
    type: "string",
    value: MODES.join("|"),
    about: "exact (default): the same bits in any order; fast: fewer tokens",
  },
} as const

/** @throws UsageError when there is no such mode */
export function modeOf(name: string = "exact"): Mode {
  const found = MODES.find((known) => known === name)
  if (found === undefined) throw new UsageError(`--mode takes ${MODES.join(" or ")}, not ${name}`)
  return found
}
