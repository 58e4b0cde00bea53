/** Everything that `cfx run`, `cfx resume` and `cfx report` do once a spec is compiled: plan, lock, ask, write down, measure, report. */
import { join } from "node:path"
import { Cause, Effect, Exit } from "effect"
import type { ModelIR } from "../../compiler/ir.ts"
import { Backend, type ModelFile } from "../backend/backend.ts"
import { modelFileOf } from "../backend/modelOf.ts"
import { diskWork, makeFolder, removeIfEmpty } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import { atCommit } from "../hub/address.ts"
import type { SumWatch } from "../hub/watch.ts"
import { unable } from "./able.ts"
import { claim, isVacant } from "./claim.ts"
import {
  type Concluded,
  conclude,
  type Evidence,
  evidenceOf,
  published,
  type RunOutcome,
} from "./conclude.ts"
import {
  files,
  keepsPlan,
  readKept,
  readPrompts,
  removeUnanswered,
  writePlan,
  writePrompts,
} from "./directory.ts"
import { execute } from "./execute.ts"
import { keyOf, readGathered } from "./gatheredFile.ts"
import { hooksOf } from "./hooks.ts"
import { openLedger } from "./ledger.ts"
import { lockDirectory } from "./lock.ts"
import type { Engine, Mode, Plan } from "./plan.ts"
import { type Compilation, planned } from "./planned.ts"
import type { Copies } from "./portable.ts"
import type { Progress } from "./progress.ts"
import { holdsAnswers, type LedgerState, readLedger } from "./readLedger.ts"
import { cut, isComplete, recordsOf } from "./records.ts"
import { otherFile } from "./sameFiles.ts"
import { samples } from "./samples.ts"
import { startSession } from "./session.ts"
import type { ModelState, RunState } from "./state.ts"
import type { Watch } from "./watch.ts"

export type { RunOutcome } from "./conclude.ts"

export interface RunRequest extends Compilation {
  /** Absolute. */
  readonly directory: string
  /** What the backend that the effect is given is, for the run's own files. */
  readonly engine: Engine
  readonly mode: Mode
  /** Of cfx. */
  readonly version: string
  /** Where the files of models are, as the lock pins them, by the model's name; the program's own word where one is left out. */
  readonly files?: Readonly<Record<string, Pick<ModelIR, "file" | "bytes" | "sha256">>>
  /** sha256 of what `cfx.lock` says of the spec, for `run.json`. */
  readonly lock?: string
  readonly progress: Progress
  readonly sums?: SumWatch
  readonly failFast?: boolean
  readonly audit?: number
}

export interface ResumeRequest {
  readonly directory: string
  readonly version: string
  readonly progress: Progress
  /** Hears of the sums that are made of the files of models that have answered before. */
  readonly sums?: SumWatch
  /** Whether to stop at the first read that has no usable answer. */
  readonly failFast?: boolean
  /** Reads of each model that are taken again at the end; as many as `audit.ts` says where left out. */
  readonly audit?: number
}

/** A run, whether its spec was just compiled or is taken from its own directory. */
interface Job extends ResumeRequest, Omit<Concluded, "progress"> {
  readonly models: Readonly<Record<string, ModelState>>
  /** Absent where the directory has them. */
  readonly copies?: Copies
  readonly lock?: string
}

/**
 * Carries out a spec into a directory, and continues what an earlier run of the same spec left there, whatever limit or experiment it
 * was given. On an interruption everything answered so far is in the ledger and the state is `interrupted`. Fails where the directory
 * belongs to another spec or process. A run that fails before its first answer leaves nothing in a folder that was empty.
 */
export const run = (request: RunRequest): Effect.Effect<RunOutcome, EnvironmentFailure, Backend> =>
  Effect.suspend(() => {
    const { files: pinned = {}, lock, directory, version, progress } = request
    const { declared, ...job } = planned(request, request)
    const models = Object.fromEntries(
      declared.map((model) => {
        const { file, bytes, sha256 } = pinned[model.name] ?? model
        return [model.name, modelState(file, bytes, sha256)]
      }),
    )
    const held = lock === undefined ? {} : { lock }
    const { failFast, audit, sums } = request
    const ways = {
      ...(failFast === undefined ? {} : { failFast }),
      ...(audit === undefined ? {} : { audit }),
      ...(sums === undefined ? {} : { sums }),
    }
    return carryOut({ directory, version, progress, ...job, models, ...held, ...ways })
  })

/** Continues a run from what its directory holds, and from nothing else but the model files. */
export const resume = (request: ResumeRequest): Effect.Effect<RunOutcome, EnvironmentFailure, Backend> =>
  Effect.gen(function* () {
    const { plan, items, text, state } = yield* attempt(() => readKept(request.directory), request.directory)
    const models = Object.fromEntries(
      Object.entries(state.models).map(([name, { file, bytes, sha256, facts }]) => [
        name,
        modelState(atCommit(file, facts?.commit), bytes, sha256),
      ]),
    )
    const held = state.lock === undefined ? {} : { lock: state.lock }
    return yield* carryOut({ ...request, plan, items, text, models, ...held })
  })

/** The engine and the mode of the run in a directory: which backend `resume` is to be given. */
export const planOfRun = (directory: string): Effect.Effect<Plan, EnvironmentFailure> =>
  attempt(() => readKept(directory).plan, directory)

/**
 * The report of a run from its ledger, without a model; of a run that was stopped, as far as it came. `write` puts the files into the
 * directory too. Fails where a finished run's ledger has lost answers: its report, which has them, stays.
 */
export const rebuild = (request: {
  readonly directory: string
  readonly version: string
  readonly write: boolean
  /** Is told of models that take long to fit. */
  readonly progress?: Pick<Progress, "note">
  /** Is told how far the ledger and the trials have been gone through. */
  readonly watch?: Watch
}): Effect.Effect<RunOutcome, EnvironmentFailure> =>
  attempt(() => {
    const { directory, version, progress, watch } = request
    const { plan, items, text, state } = readKept(directory)
    const answers = (): LedgerState => readLedger(join(directory, files.ledger), watch)
    const watched = progress === undefined ? {} : { progress }
    const run = { directory, version, plan, items, text, ...replayedIn(state), ...watched }
    const key = keyOf(directory, plan)
    const kept = readGathered(directory, plan, key)
    const evidence =
      kept === undefined ? evidenceOf(run, answers(), { key, watch }) : { gathered: kept, answers }
    const outcome = conclude(run, evidence, readPrompts(directory, plan))
    if (state.state === "finished" && !outcome.complete) {
      throw answersLost(directory, state.counts.answered, outcome.counts.answered)
    }
    return outcome
  }, request.directory).pipe(
    Effect.flatMap((outcome) => (request.write ? published(outcome) : Effect.succeed(outcome))),
  )

function answersLost(directory: string, before: number, now: number): EnvironmentFailure {
  const missing = before > now ? `${before - now} of the ${before} answers` : "some of the reads"
  return new EnvironmentFailure({
    what: `the run was finished, but its ledger lacks ${missing} that it had`,
    where: join(directory, files.ledger),
    todo: "restore the file from a copy, or run cfx resume DIR: it asks them again",
  })
}

const modelState = (file: string, bytes?: number, sha256?: string): ModelState => ({
  file,
  ...(bytes === undefined ? {} : { bytes }),
  ...(sha256 === undefined ? {} : { sha256 }),
})

const carryOut = (job: Job): Effect.Effect<RunOutcome, EnvironmentFailure, Backend> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { directory, plan, items, copies, models, progress, sums } = job
      const vacant = yield* attempt(() => isVacant(directory), directory)
      const made = yield* attempt(() => makeFolder(directory), directory)
      // Registered before the lock is taken, so that it comes after the lock's own file is gone.
      yield* Effect.addFinalizer((exit) =>
        failed(exit) && made ? Effect.sync(() => removeIfEmpty(directory)) : Effect.void,
      )
      yield* lockDirectory(directory)
      const { before, ledger: known } = yield* attempt(() => claim(directory, plan), directory)

      const other = yield* Effect.promise(() => otherFile(models, before?.models ?? {}, known, sums))
      if (other !== undefined) return yield* other
      if (before?.state === "finished" && isSettled(job, known, before.models)) {
        const outcome = yield* attempt(() => {
          if (copies !== undefined) writePlan(directory, plan, items, copies)
          return conclude(
            { ...job, ...replayedIn(before) },
            evidenceOf(job, known),
            readPrompts(directory, plan),
          )
        }, directory)
        return yield* published(outcome)
      }
      const problem = unable(plan.program, plan.engine, models)
      if (problem !== undefined) return yield* problem
      const sources = copies === undefined ? (before?.sources ?? {}) : Object.fromEntries(copies.paths)
      const { version, lock } = job
      const session = startSession({ directory, version, plan, models, sources, lock, before })
      const concluded = { ...job, ...replayedIn(before) }
      let answered = (): number => known.byKey.size
      // Registered before the ledger is opened, so that it comes after the ledger's last line.
      yield* Effect.addFinalizer((exit) => {
        if (Exit.isSuccess(exit)) return Effect.void
        if (vacant && failed(exit) && !holdsAnswers(join(directory, files.ledger))) {
          return Effect.sync(() => removeUnanswered(directory))
        }
        return Effect.ignore(session.stopped(answered(), failed(exit)))
      })
      yield* session.begin
      if (copies !== undefined) yield* attempt(() => writePlan(directory, plan, items, copies), directory)
      // Files that have to be fetched come now: interrupted there, the run is one that can be gone on with.
      const { prepare } = yield* Backend
      if (prepare !== undefined) yield* prepare([...modelFiles(models, plan).values()])

      const ledger = yield* openLedger(join(directory, files.ledger))
      answered = () => ledger.byKey.size
      const sampled = samples(plan.program)
      const stopped = yield* execute({
        program: plan.program,
        items,
        ...cut(plan),
        files: modelFiles(models, plan),
        ledger,
        ...(job.audit === undefined ? {} : { audit: job.audit }),
        hooks: hooksOf({ session, progress, samples: sampled, failFast: job.failFast ?? false }),
      }).pipe(
        Effect.as(undefined),
        Effect.catchTag("ReadFailure", (failure) => Effect.succeed(failure)),
        Effect.ensuring(Effect.sync(progress.end)),
      )
      yield* ledger.close
      if (stopped !== undefined) {
        yield* session.end("interrupted", { answered: answered() })
        const prompts = yield* attempt(() => readPrompts(directory, plan), directory)
        return conclude(concluded, evidenceOf(job, ledger), prompts, { stopped, session: session.done() })
      }
      const prompts = sampled.all()
      const evidence = evidenceOf(job, ledger)
      const outcome = conclude(concluded, evidence, { value: prompts }, { session: session.done() })
      if (!outcome.complete) return yield* Effect.die(new Error(leftOpen(evidence)))
      yield* attempt(() => writePrompts(directory, plan, prompts), directory)
      yield* published(outcome)
      yield* session.end("finished", outcome.counts)
      return outcome
    }),
  )

/** A limit or the choice of an experiment is in the plan, so that nothing of it may be left when all models have been asked. */
const leftOpen = ({ gathered: { open } }: Evidence): string =>
  `all models were asked, and ${open.count} reads were left out, such as ${open.first}`

/**
 * Whether all is answered, by the models that are given now (`otherFile` has looked into their files), and the prompts that are kept say where their words stand in the
 * spec as it is now: a model is needed to make them anew.
 */
function isSettled(job: Job, ledger: LedgerState, before: Readonly<Record<string, ModelState>>): boolean {
  const sameFiles = Object.entries(job.models).every(
    ([name, { file, sha256 }]) =>
      before[name]?.file === file || (sha256 !== undefined && before[name]?.sha256 === sha256),
  )
  return (
    sameFiles &&
    keepsPlan(job.directory, job.plan) &&
    "value" in readPrompts(job.directory, job.plan) &&
    isComplete(recordsOf(job.plan.program, job.items, ledger, cut(job.plan)))
  )
}

function modelFiles(
  models: Readonly<Record<string, ModelState>>,
  { program }: Plan,
): ReadonlyMap<string, ModelFile> {
  return new Map(
    program.models.flatMap((model) => {
      const at = models[model.name]
      return at === undefined ? [] : [[model.name, modelFileOf(model, at)] as const]
    }),
  )
}

/** Answers that were taken from an earlier run stay so where their run is gone on with. */
const replayedIn = (before: RunState | undefined): Pick<Concluded, "replayed"> =>
  before?.replayed === undefined ? {} : { replayed: true }

/** By an error, and not by a person. */
const failed = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.hasFails(exit.cause)

const attempt = <A>(work: () => A, directory: string): Effect.Effect<A, EnvironmentFailure> =>
  diskWork(work, "use the run directory", directory)
