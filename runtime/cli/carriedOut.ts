/** What `cfx run` and `cfx resume` have in common: signals, progress, the table, and what the exit code says. */
import { Cause, Effect, Exit, type Layer } from "effect"
import type { Backend } from "../backend/backend.ts"
import { llamaBackend } from "../backend/llama.ts"
import { simulatedBackend } from "../backend/simulated.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { describeFailedRead } from "../run/failedReads.ts"
import type { Engine } from "../run/plan.ts"
import { duration, type Progress, progress, silent } from "../run/progress.ts"
import type { RunOutcome } from "../run/run.ts"
import { exit, gravest } from "./exit.ts"
import { interruptible } from "./interrupt.ts"
import { here, invocation, quoted } from "./paths.ts"
import { printed } from "./printed.ts"
import type { Terminal } from "./terminal.ts"

export interface CarriedOut {
  readonly engine: Engine
  readonly directory: string
  readonly json: boolean
  readonly terminal: Terminal
}

/** Carries the run out, prints what came of it, and resolves to the exit code. */
export async function carriedOut(
  effect: Effect.Effect<RunOutcome, EnvironmentFailure, Backend>,
  { engine, directory, json, terminal }: CarriedOut,
): Promise<number> {
  const { complain, note } = terminal
  if (engine === "simulated")
    note("The answers are simulated: no model is asked, and the numbers mean nothing.")
  const result = await interruptible(Effect.provide(effect, backendOf(engine)), () =>
    complain("\nstopping; what was answered is kept (once more to stop at once)"),
  )
  if (Exit.isFailure(result)) {
    if (!Cause.hasInterruptsOnly(result.cause)) throw Cause.squash(result.cause)
    complain(`interrupted; to go on:\n  ${invocation()} resume ${quoted(here(directory))}`)
    return exit.interrupted
  }
  const outcome = result.value
  terminal.print(json ? outcomeJson(outcome) : printed(outcome, "text", terminal))
  remark(outcome, terminal)
  return codeOf(outcome)
}

const backendOf = (engine: Engine): Layer.Layer<Backend, EnvironmentFailure> =>
  engine === "simulated" ? simulatedBackend() : llamaBackend()

const outcomeJson = ({ directory, counts, failed, results }: RunOutcome): string =>
  JSON.stringify({ directory, counts, failed, results }, null, 2)

/** The progress of a run, on standard error. */
export const runProgress = ({ quiet, redraws }: Terminal): Progress =>
  quiet
    ? silent
    : progress({
        write: (text) => void process.stderr.write(text),
        redraw: redraws,
        ...(process.stderr.columns > 0 ? { width: process.stderr.columns } : {}),
        now: () => performance.now(),
      })

/** Failed reads that are named one by one; a broken pool may have thousands. */
const NAMED = 10

function remark({ directory, failed, unmet, session }: RunOutcome, { complain, note }: Terminal): void {
  if (failed.length > 0) {
    const more = failed.length > NAMED ? [`and ${failed.length - NAMED} more`] : []
    complain(
      [
        `${failed.length} reads have no usable answer:`,
        ...[...failed.slice(0, NAMED).map(describeFailedRead), ...more].map((line) => `  ${line}`),
      ].join("\n"),
    )
  }
  for (const { experiment, name } of unmet)
    complain(`expect ${name} does not hold (experiment ${experiment})`)
  if (session) {
    const { asked, evaluated, seconds } = session
    note(`${asked} reads asked in ${duration(seconds)}, ${evaluated} tokens evaluated`)
  } else note("all reads were answered before; nothing was asked")
  note(`report: ${here(directory)}/report.html`)
}

const codeOf = ({ failed, unmet }: RunOutcome): number =>
  gravest([...(failed.length > 0 ? [exit.reads] : []), ...(unmet.length > 0 ? [exit.expect] : [])])
