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
import type { FailedRead, FailedShare } from "./failedReads.ts"
import { fitNotes } from "./fitNotes.ts"
import { gathered, type RunFindings } from "./gathered.ts"
import { keyOf, writeGathered } from "./gatheredFile.ts"
import type { Plan } from "./plan.ts"
import type { Progress } from "./progress.ts"
import { cut, recordsOf } from "./records.ts"
import { reportInput } from "./reportInput.ts"
import type { Found } from "./sealed.ts"
import type { RunCounts, SessionState } from "./state.ts"
import type { Watch } from "./watch.ts"

export interface RunOutcome {
  readonly directory: string
  readonly plan: Plan
  /** False only for the report of a run that has reads left to ask. */
  readonly complete: boolean
  /** The failed read at which the run stopped, since it was asked to (`--fail-fast`). */
  readonly stopped?: { readonly about: string; readonly why: string }
  /** What the records of all trials came to. */
  readonly gathered: RunFindings
  /** Under which it is to be kept in the folder; absent where it was read from there. */
  readonly key?: string
  /** These records, made anew each time that they are asked for: nothing keeps them. */
  readonly records: readonly TrialRecord[]
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

/** What was answered, and what all of it comes to. */
export interface Evidence {
  readonly gathered: RunFindings
  /** Under which it is to be kept in the folder; absent where it was read from there. */
  readonly key?: string
  /** Called only for what is not gathered. */
  readonly answers: () => Answers
}

/** `key`: taken before the answers were read, where somebody may still write to the folder's ledger. */
export const evidenceOf = (
  { directory, plan, items }: Pick<Concluded, "directory" | "plan" | "items">,
  answers: Answers,
  { key = keyOf(directory, plan), watch }: { readonly key?: string; readonly watch?: Watch | undefined } = {},
): Evidence => ({ key, gathered: gathered(plan, items, answers, watch), answers: () => answers })

/** Measures what was gathered, and makes the report: a function of the plan, the items, the ledger and the prompts that were sent. */
export function conclude(
  run: Concluded,
  { gathered, key, answers }: Evidence,
  prompts: Found<readonly PromptSample[]>,
  session: Pick<RunOutcome, "session" | "stopped"> = {},
): RunOutcome {
  const { directory, version, plan, items, text, replayed = false, progress } = run
  const { open, failed, shares } = gathered
  const material = { plan, items, text, gathered, prompts, version, replayed }
  const fitting = progress && fitNotes(progress.note, () => performance.now())
  const report = reportInput(material, fitting)
  return {
    directory,
    plan,
    complete: open.count === 0,
    gathered,
    ...(key === undefined ? {} : { key }),
    get records() {
      return [...recordsOf(plan.program, items, answers(), cut(plan))]
    },
    results: report.results,
    failed,
    shares,
    audits: failedAudits(report),
    unmet: report.results.filter(({ kind, held }) => kind === "expect" && held !== true),
    counts: {
      trials: trialsIn(report),
      reads: report.reads.all,
      answered: report.reads.distinct,
      failed: failed.length,
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
          const { directory, gathered, key, report } = outcome
          writeReport(directory, reportFiles(report))
          if (key !== undefined) writeGathered(directory, key, gathered)
          return outcome
        },
        "use the run directory",
        outcome.directory,
      ),
    ),
  )
