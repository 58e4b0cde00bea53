/** What is known of the records of an experiment, for a report: nothing of when or where they were scored. */
import type { Finding } from "./problems.ts"
import type { CountedReads } from "./readCount.ts"
import type { RecordsFile } from "./rows.ts"
import type { UnseenLevel } from "./unseen.ts"

export interface ScoredFacts {
  readonly experiment: string
  readonly file: string
  readonly sha256: string
  readonly format: RecordsFile["format"]
  /** Rows of the file, those that could not be read too, and trials that they came to. */
  readonly rows: number
  readonly trials: number
  /** Of these trials; what was skipped was put to nobody. */
  readonly reads: CountedReads
  readonly findings: readonly Finding[]
  /** Trials of the design without a row. */
  readonly missing: MissingTrials
  /** Of records alone: levels that the analysis names and no trial has. */
  readonly unseen: readonly UnseenLevel[]
}

export interface MissingTrials {
  readonly count: number
  readonly of: number
  /** Cells that lack some of their items. */
  readonly cells: readonly {
    readonly model: string
    readonly pool: string
    readonly levels: Readonly<Record<string, string>>
    readonly missing: number
    readonly of: number
  }[]
}
