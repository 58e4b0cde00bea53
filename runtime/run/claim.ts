/** Whether a run may work in a folder: it is free, or what stands there is answers to the same spec. */
import { join } from "node:path"
import { entries, isUnfinished, removeUnfinished } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import { files, readPlan } from "./directory.ts"
import { LOCK } from "./lock.ts"
import { differences, type Plan } from "./plan.ts"
import { type LedgerState, readLedger } from "./readLedger.ts"
import { type RunState, readState } from "./state.ts"

export interface Claimed {
  /** What `run.json` says of runs with the same basis; undefined where there were none, or where it is lost. */
  readonly before: RunState | undefined
  readonly ledger: LedgerState
}

/**
 * Whether a folder is missing or empty, but for what a killed run leaves that wrote nothing yet. Throws `EnvironmentFailure` where it
 * is neither that nor a run's.
 */
export function isVacant(directory: string): boolean {
  const names = entries(directory).filter((name) => !isUnfinished(name) && !name.startsWith(LOCK))
  if (names.length === 0) return true
  if (names.includes(files.state) || "value" in readPlan(directory)) return false
  throw new EnvironmentFailure({
    what: `the folder is not empty and holds no run (there is no ${files.state} in it)`,
    where: directory,
    todo: "choose another folder with -o",
  })
}

/**
 * Makes sure that the answers in the directory are to the plan's spec: `run.json` says of which spec they are, and `plan.json` where that
 * one is lost. Where nothing has been answered, anything may be planned anew.
 */
export function claim(directory: string, plan: Plan): Claimed {
  removeUnfinished(directory)
  const state = readState(directory)
  const ledger = readLedger(join(directory, files.ledger))
  const before = "value" in state ? state.value : undefined
  const kept = readPlan(directory)
  const basis = before?.basis ?? ("value" in kept ? kept.value.basis : undefined)
  if (basis === plan.basis) return { before, ledger }
  if (ledger.byPrompt.size === 0) return { before: undefined, ledger }
  if (basis === undefined && "problem" in state) throw unknown(directory, state.problem)
  const differing = "value" in kept ? differences(kept.value, plan) : []
  throw new EnvironmentFailure({
    what: `the folder holds another run; it differs in ${differing.join(", ") || "its plan"}`,
    where: directory,
    todo: "choose another folder with -o, or remove this one",
  })
}

const unknown = (directory: string, problem: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the folder holds answers, but not whose: ${problem}, and ${files.plan} cannot be read either`,
    where: directory,
    todo: `restore one of the two files from a copy, or choose another folder with -o`,
  })
