/** What `cfx run` and `cfx resume` have in common: signals, progress, the table, and what the exit code says. */
import { Cause, Effect, Exit, type Layer } from "effect"
import { visible } from "../../compiler/diagnostics/visible.ts"
import type { Backend } from "../backend/backend.ts"
import { simulatedBackend } from "../backend/simulated.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { describeFailedRead } from "../run/failedReads.ts"
import type { Engine } from "../run/plan.ts"
import { duration, type Progress, progress, silent } from "../run/progress.ts"
import type { RunOutcome } from "../run/run.ts"
import { llama } from "./engine.ts"
import { exit, gravest } from "./exit.ts"
import { interruptible } from "./interrupt.ts"
import { here, invocation, quoted } from "./paths.ts"
import { printed } from "./printed.ts"
import type { Terminal } from "./terminal.ts"

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
  if (json) terminal.print(outcomeJson(outcome), "data")
  else terminal.print(printed(outcome, "text", terminal), "painted")
  explainCode(outcome, terminal)
  remark(outcome, terminal)
  return codeOf(outcome)
}

/** @throws UsageError when the environment asks of the engine what cannot be */
export const backendOf = (engine: Engine, terminal: Terminal): Layer.Layer<Backend, EnvironmentFailure> =>
  engine === "simulated" ? simulatedBackend() : llama(terminal)

const outcomeJson = ({ directory, counts, failed, results }: RunOutcome): string =>
  JSON.stringify({ directory, counts, failed, results }, null, 2)

/** The progress of a run, on standard error. */
export function runProgress({ quiet, redraws }: Terminal): Progress {
  if (quiet) return silent
  const shown = progress({
    write: (text) => void process.stderr.write(text),
    redraw: redraws,
    ...(process.stderr.columns > 0 ? { width: process.stderr.columns } : {}),
    now: () => performance.now(),
  })
  // It writes escapes of its own, so what others say is made visible before.
  return { ...shown, note: (text) => shown.note(visible(text)) }
}

/** Failed reads that are named one by one; a broken pool may have thousands. */
const NAMED = 10

/** Says on standard error what the exit code of an outcome comes from. */
export function explainCode({ failed, unmet }: Judged, { complain }: Pick<Terminal, "complain">): void {
  if (failed.length > 0) {
    const more = failed.length > NAMED ? [`and ${failed.length - NAMED} more`] : []
    complain(
      [
        `${failed.length} reads have no usable answer:`,
        ...[...failed.slice(0, NAMED).map(describeFailedRead), ...more].map(
          (line) => `  ${line.replaceAll("\n", "␊")}`,
        ),
      ].join("\n"),
    )
  }
  for (const { experiment, name, held } of unmet) {
    const verdict = held === false ? "did not hold" : "could not be judged"
    complain(`expect ${name}: ${verdict} (experiment ${experiment})`)
  }
}

function remark({ directory, session }: RunOutcome, { note }: Terminal): void {
  if (session) {
    const { asked, evaluated, seconds } = session
    note(`${asked} reads asked in ${duration(seconds)}, ${evaluated} tokens evaluated`)
  } else note("all reads were answered before; nothing was asked")
  note(`report: ${here(directory)}/report.html`)
}

type Judged = Pick<RunOutcome, "failed" | "unmet">

export const codeOf = ({ failed, unmet }: Judged): number =>
  gravest([...(failed.length > 0 ? [exit.reads] : []), ...(unmet.length > 0 ? [exit.expect] : [])])
