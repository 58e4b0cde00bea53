/** What `cfx run` and `cfx resume` have in common: signals, progress, the table, and what the exit code says. */
import { Cause, Effect, Exit, type Layer } from "effect"
import type { Backend } from "../backend/backend.ts"
import { simulatedBackend } from "../backend/simulated.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { resultsJson } from "../report/resultsJson.ts"
import { duration } from "../run/duration.ts"
import type { Engine, Plan } from "../run/plan.ts"
import { type Progress, progress, silent } from "../run/progress.ts"
import type { RunOutcome } from "../run/run.ts"
import { engines } from "./engine.ts"
import { exit } from "./exit.ts"
import { interruptible } from "./interrupt.ts"
import { here, invocation, quoted } from "./paths.ts"
import { printed } from "./printed.ts"
import { progressLine } from "./progressLine.ts"
import type { Terminal } from "./terminal.ts"
import { codeOf, explainCode } from "./verdict.ts"

export interface CarriedOut {
  /** For the run's engine, from `backendOf`. */
  readonly backend: Layer.Layer<Backend, EnvironmentFailure>
  readonly engine: Engine
  readonly directory: string
  readonly json: boolean
  readonly terminal: Terminal
}

/** Carries the run out, prints what came of it, and resolves to the exit code. */
export async function carriedOut(
  effect: Effect.Effect<RunOutcome, EnvironmentFailure, Backend>,
  { backend, engine, directory, json, terminal }: CarriedOut,
): Promise<number> {
  const { complain, note } = terminal
  if (engine === "simulated")
    note("The answers are simulated: no model is asked, and the numbers mean nothing.")
  const result = await interruptible(Effect.provide(effect, backend), () =>
    complain("\nstopping; what was answered is kept (once more to stop at once)"),
  )
  if (Exit.isFailure(result)) {
    if (!Cause.hasInterruptsOnly(result.cause)) throw Cause.squash(result.cause)
    complain(`interrupted; to go on:\n  ${invocation()} resume ${quoted(here(directory))}`)
    return exit.interrupted
  }
  const outcome = result.value
  if (outcome.stopped !== undefined) {
    const { about, why } = outcome.stopped
    complain(
      `stopped at the first read without a usable answer (--fail-fast):\n  ${about}: ${why.replaceAll("\n", "␊")}`,
    )
    complain(`what was answered is kept; to go on:\n  ${invocation()} resume ${quoted(here(directory))}`)
    if (json) terminal.print(outcomeJson(outcome), "data")
    return codeOf(outcome)
  }
  if (json) terminal.print(outcomeJson(outcome), "data")
  else for (const piece of await printed(outcome, "text", terminal)) terminal.print(piece, "painted")
  explainCode(outcome, terminal)
  remark(outcome, terminal)
  return codeOf(outcome)
}

/** `--fail-fast` of `cfx run` and `cfx resume`. */
export const failFast = {
  "fail-fast": { type: "boolean", about: "stop at the first read without a usable answer; all is kept" },
} as const

/** @throws UsageError when the environment asks of the engine what cannot be */
export const backendOf = (
  { engine, mode }: Pick<Plan, "engine" | "mode">,
  terminal: Terminal,
  note: (text: string) => void = terminal.note,
): Layer.Layer<Backend, EnvironmentFailure> =>
  engine === "simulated" ? simulatedBackend({ mode }) : engines(terminal, mode, note)

/** `results` is what `results.json` holds. */
const outcomeJson = ({ directory, counts, failed, stopped, report }: RunOutcome): string => {
  const how = stopped === undefined ? {} : { stopped: { about: stopped.about, why: stopped.why } }
  const results: unknown = JSON.parse(resultsJson(report.results, report))
  return JSON.stringify({ directory, counts, ...how, failed, results }, null, 2)
}

/** The progress of a run, on standard error. */
export const runProgress = (terminal: Terminal): Progress =>
  terminal.quiet ? silent : progress(progressLine(terminal))

function remark({ directory, session }: RunOutcome, { note }: Terminal): void {
  if (session) {
    const { asked, evaluated, seconds, audited } = session
    const again =
      audited === undefined
        ? ""
        : `; ${audited.reads} taken again, ${audited.evaluated} tokens on top of that`
    note(`${asked} reads asked in ${duration(seconds)}, ${evaluated} tokens evaluated${again}`)
  } else note("all reads were answered before; nothing was asked")
  note(`report: ${here(directory)}/report.html`)
}
