/** Keeps `run.json` up to date while a run is carried out. */
import { hostname } from "node:os"
import { Effect } from "effect"
import type { LoadedModel } from "../backend/backend.ts"
import { diskWork } from "../disk/disk.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { Plan } from "./plan.ts"
import {
  FORMAT,
  type ModelState,
  type RunCounts,
  type RunState,
  type SessionState,
  writeState,
} from "./state.ts"

export interface SessionRequest {
  readonly directory: string
  readonly version: string
  readonly plan: Plan
  readonly models: Readonly<Record<string, ModelState>>
  readonly sources: Readonly<Record<string, string>>
  /** Of the lock that the spec was held to; where a run is resumed, it is the one of before. */
  readonly lock: string | undefined
  /** The run whose answers are taken, where no model is asked. */
  readonly replayed?: string
  /** What stood in `run.json` before, of a plan with the same basis. */
  readonly before: RunState | undefined
}

export interface Session {
  /** Writes that the run is going on. */
  readonly begin: Effect.Effect<void, EnvironmentFailure>
  readonly opened: (model: LoadedModel) => Effect.Effect<void, EnvironmentFailure>
  /** A read was answered, and the engine evaluated so many tokens for it. */
  readonly answered: (tokens: number) => void
  /** The same of a read that was taken again. */
  readonly audited: (tokens: number) => void
  readonly end: (
    state: "interrupted" | "finished",
    counts: Partial<RunCounts>,
  ) => Effect.Effect<void, EnvironmentFailure>
  /**
   * The run ends early, with so many answers in its ledger. One that was finished, and was asked nothing since, is as it was. After a failure, models that
   * were not opened are where they were before: their new files may be what failed, and the run is to be gone on with.
   */
  readonly stopped: (answered: number, failed: boolean) => Effect.Effect<void, EnvironmentFailure>
  /** What this session has done so far. */
  readonly done: () => Pick<SessionState, "asked" | "evaluated" | "seconds" | "audited">
}

export function startSession(request: SessionRequest): Session {
  const { directory, version, plan, models, sources, lock, before } = request
  const replayed = request.replayed ?? before?.replayed
  const started = Date.now()
  let asked = 0
  let evaluated = 0
  let audited = { reads: 0, evaluated: 0 }
  const opened = new Set<string>()
  const done: Session["done"] = () => ({
    asked,
    evaluated,
    ...(audited.reads === 0 ? {} : { audited }),
    seconds: (Date.now() - started) / 1000,
  })
  const sum = (part: "trials" | "reads"): number =>
    plan.counts.reduce((total, count) => total + count[part], 0)
  let state: RunState = {
    format: FORMAT,
    state: "running",
    cfx: version,
    spec: plan.spec,
    plan: plan.hash,
    basis: plan.basis,
    engine: plan.engine,
    mode: plan.mode,
    ...(lock === undefined ? {} : { lock }),
    ...(replayed === undefined ? {} : { replayed }),
    models: Object.fromEntries(
      Object.entries(models).map(([name, model]) => [name, { ...before?.models[name], ...model }]),
    ),
    sources,
    counts:
      before?.plan === plan.hash
        ? before.counts
        : { trials: sum("trials"), reads: sum("reads"), answered: before?.counts.answered ?? 0, failed: 0 },
    sessions: before?.sessions ?? [],
  }
  const write = (next: RunState): Effect.Effect<void, EnvironmentFailure> =>
    diskWork(
      () => {
        state = next
        const session: SessionState = {
          started: new Date(started).toISOString(),
          ...(next.state === "running" ? {} : { ended: new Date().toISOString() }),
          host: hostname(),
          platform: `${process.platform} ${process.arch}`,
          node: process.version,
          ...done(),
        }
        writeState(directory, { ...next, sessions: [...next.sessions, session] })
      },
      "write the state of the run",
      directory,
    )
  const restore = (kept: RunState): Effect.Effect<void, EnvironmentFailure> =>
    diskWork(() => writeState(directory, kept), "write the state of the run", directory)
  return {
    begin: Effect.suspend(() => write(state)),
    opened: ({ name, fingerprint, facts }) =>
      Effect.suspend(() => {
        opened.add(name)
        const model = { ...(state.models[name] as ModelState), fingerprint, facts }
        return write({ ...state, models: { ...state.models, [name]: model } })
      }),
    answered: (tokens) => {
      asked++
      evaluated += tokens
    },
    audited: (tokens) => {
      audited = { reads: audited.reads + 1, evaluated: audited.evaluated + tokens }
    },
    end: (how, counts) =>
      Effect.suspend(() => write({ ...state, state: how, counts: { ...state.counts, ...counts } })),
    stopped: (answered, failed) =>
      Effect.suspend(() => {
        const nothing = asked === 0 && audited.reads === 0
        if (before?.state === "finished" && before.plan === plan.hash && nothing) return restore(before)
        const models = Object.fromEntries(
          Object.entries(state.models).map(([name, model]) => {
            const kept = failed && !opened.has(name) ? before?.models[name] : undefined
            return [name, kept ?? model]
          }),
        )
        return write({ ...state, state: "interrupted", models, counts: { ...state.counts, answered } })
      }),
    done,
  }
}
