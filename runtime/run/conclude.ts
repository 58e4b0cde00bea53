/** The end of a run, and of a report: what it came to, measured and written down. */
import { Effect } from "effect"
import type { Item } from "../../compiler/item.ts"
import { diskWork } from "../disk/disk.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { Result } from "../measure/result.ts"
import type { TrialRecord } from "../record.ts"
import { failedAudits } from "../report/engine.ts"
import type { PromptSample, ReportInput } from "../report/input.ts"
import { trialsIn } from "../report/words.ts"
import type { Answers } from "./answers.ts"
import { writeReport } from "./directory.ts"
import { type FailedRead, type FailedShare, failedReads, failedShares } from "./failedReads.ts"
import { fitNotes } from "./fitNotes.ts"
import { gather } from "./gather.ts"
import type { Plan } from "./plan.ts"
import type { Progress } from "./progress.ts"
import { type OpenReads, openReads, type RecordOptions, recordsOf } from "./records.ts"
import { foundOf, reportInput } from "./reportInput.ts"
import type { Found } from "./sealed.ts"
import type { RunCounts, SessionState } from "./state.ts"

export interface RunOutcome {
  readonly directory: string
  readonly plan: Plan
  /** False only for the report of a run that has reads left to ask. */
  readonly complete: boolean
  /** The failed read at which the run stopped, since it was asked to (`--fail-fast`). */
  readonly stopped?: { readonly about: string; readonly why: string }
  /** The records of all trials, made anew each time that they are asked for: nothing keeps them. */
  readonly records: readonly TrialRecord[]
  /** Reads that are left to ask. */
  readonly open: OpenReads
  readonly results: readonly Result[]
  /** Reads without a usable answer. */
  readonly failed: readonly FailedRead[]
  /** By experiment that has some, how many of its reads failed, and what it tolerates; more than that is exit 4. */
  readonly shares: readonly FailedShare[]
  /** Reads that came out otherwise when they were taken again, by more than is allowed: exit 4. */
  readonly audits: readonly string[]
  /** Expectations that did not hold, or could not be judged: exit 100. */
  readonly unmet: readonly Result[]
  readonly counts: RunCounts
  /** What was done now; absent where nothing had to be asked. */
  readonly session?: Pick<SessionState, "asked" | "evaluated" | "seconds" | "audited">
  /** What the report was made from. */
  readonly report: ReportInput
}

/** What a report is about. */
export interface Concluded {
  readonly directory: string
  readonly version: string
  readonly plan: Plan
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Of the spec. */
  readonly text: string
  /** Whether the answers were taken from an earlier run. */
  readonly replayed?: boolean
  /** Is told of models that take long to fit. */
  readonly progress?: Pick<Progress, "note">
}

/** Measures what was answered, and makes the report: a function of the plan, the items, the ledger and the prompts that were sent. */
export function conclude(
  run: Concluded,
  answers: Answers,
  prompts: Found<readonly PromptSample[]>,
  session: Pick<RunOutcome, "session" | "stopped"> = {},
): RunOutcome {
  const { directory, version, plan, items, text, replayed = false, progress } = run
  const { program } = plan
  const records = (): Iterable<TrialRecord> => recordsOf(program, items, answers, cut(plan))
  const [failed, shares, open] = [failedReads(program), failedShares(program), openReads()]
  const found = foundOf({ plan, answers })
  gather(records(), [failed, shares, open, found])
  const material = { plan, items, text, answers, prompts, version, replayed }
  const fitting = progress && fitNotes(progress.note, () => performance.now())
  const report = reportInput(material, found.found(), failed.found(), fitting)
  return {
    directory,
    plan,
    complete: open.found().count === 0,
    get records() {
      return [...records()]
    },
    open: open.found(),
    results: report.results,
    failed: failed.found(),
    shares: shares.found(),
    audits: failedAudits(report),
    unmet: report.results.filter(({ kind, held }) => kind === "expect" && held !== true),
    counts: {
      trials: trialsIn(report),
      reads: report.reads.all,
      answered: report.reads.distinct,
      failed: failed.found().length,
    },
    report,
    ...session,
  }
}

/** Writes the report of what was concluded, and passes that on. What draws its figures is loaded only now. */
export const published = (outcome: RunOutcome): Effect.Effect<RunOutcome, EnvironmentFailure> =>
  Effect.promise(() => import("../report/write.ts")).pipe(
    Effect.flatMap(({ reportFiles }) =>
      diskWork(
        () => {
          writeReport(outcome.directory, reportFiles(outcome.report))
          return outcome
        },
        "use the run directory",
        outcome.directory,
      ),
    ),
  )

/** The plan's limit, as functions of the grid take it. */
export const cut = (plan: Plan): RecordOptions => (plan.limit === undefined ? {} : { limit: plan.limit })
