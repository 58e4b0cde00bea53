/** What all records of a run come to, found out while they are gone through once. */
import type { Item } from "../../compiler/item.ts"
import { Marks } from "../compact/marks.ts"
import { emptyTables, takeRecord } from "../measure/table.ts"
import type { ReportInput } from "../report/input.ts"
import { agreementOf } from "./agreement.ts"
import type { Answers } from "./answers.ts"
import { type FailedRead, type FailedShare, failedReads, failedShares } from "./failedReads.ts"
import { floorsOf } from "./floor.ts"
import { type Gathering, gather } from "./gather.ts"
import { lowMassOf } from "./lowMass.ts"
import type { Plan } from "./plan.ts"
import { cut, type OpenReads, openReads, recordsOf } from "./records.ts"
import { trialCount } from "./trialCount.ts"
import { unwatched, type Watch, watched } from "./watch.ts"

export interface RunFindings extends Pick<ReportInput, "tables" | "floors" | "lowMass" | "agreement"> {
  /** How many reads the records rest on. The ledger may hold more: of a run with another limit, or of other experiments. */
  readonly distinct: number
  /** Reads without a usable answer. */
  readonly failed: readonly FailedRead[]
  readonly shares: readonly FailedShare[]
  readonly open: OpenReads
  /** The engine of each model that was opened, by the model's name. */
  readonly fingerprints: ReadonlyMap<string, string>
}

export function gathered(
  plan: Plan,
  items: ReadonlyMap<string, readonly Item[]>,
  answers: Answers,
  progress: Watch = unwatched,
): RunFindings {
  const { program } = plan
  const tables = emptyTables(program)
  const [failed, shares, open] = [failedReads(program), failedShares(program), openReads()]
  const [floors, lowMass, agreement] = [floorsOf(plan, answers), lowMassOf(program), agreementOf(program)]
  const reads = distinctReads(answers)
  const tabled = { take: takeRecord.bind(undefined, tables), found: () => tables }
  const count = program.experiments.reduce(
    (sum, experiment) => sum + trialCount(experiment, program, items, cut(plan)),
    0,
  )
  gather(watched(recordsOf(program, items, answers, cut(plan)), "going through trials:", progress, count), [
    tabled,
    failed,
    shares,
    open,
    floors,
    lowMass,
    agreement,
    reads,
  ])
  for (const table of tables.values()) table.close()
  return {
    tables,
    floors: floors.found(),
    lowMass: lowMass.found(),
    agreement: agreement.found(),
    distinct: reads.found(),
    failed: failed.found(),
    shares: shares.found(),
    open: open.found(),
    fingerprints: new Map(answers.fingerprints),
  }
}

function distinctReads(answers: Answers): Gathering<number> {
  const reads = new Marks()
  /** By hole, the prompt that was met last: trials of one item stand together, and many share the prompt of their first read. */
  const last: Record<string, string> = {}
  return {
    take: ({ prompts }) => {
      for (const hole in prompts) {
        const prompt = prompts[hole]!
        if (last[hole] === prompt) continue
        last[hole] = prompt
        const read = answers.readOf(prompt)
        if (read >= 0) reads.add(read)
      }
    },
    found: () => reads.size,
  }
}
