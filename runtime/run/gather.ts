/** What is found out while records are gone through once: they are made one after another, and none is kept. */
import type { TrialRecord } from "../record.ts"

/** Takes records in their order, and says in the end what they came to. */
export interface Gathering<Found> {
  readonly take: (record: TrialRecord) => void
  readonly found: () => Found
}

/** Hands each record to all. */
export function gather(records: Iterable<TrialRecord>, gatherings: readonly Gathering<unknown>[]): void {
  for (const record of records) for (const { take } of gatherings) take(record)
}
