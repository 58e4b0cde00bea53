/** Failed reads by kind: a broken pool may have thousands, and all of them say the same of another item. */
import type { FailedRead } from "./failedReads.ts"

export interface FailureKind {
  /** The first of them. */
  readonly example: FailedRead
  readonly reads: number
  readonly trials: number
}

/** Numbers and quoted texts differ from read to read. */
export const kindOf = (why: string): string =>
  why.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d+(?:\.\d+)?/g, "0")

/** In the order of their first. */
export function failureKinds(failed: readonly FailedRead[]): readonly FailureKind[] {
  const kinds = new Map<string, FailureKind>()
  for (const read of failed) {
    const kind = kindOf(read.why)
    const known = kinds.get(kind)
    kinds.set(kind, {
      example: known?.example ?? read,
      reads: (known?.reads ?? 0) + 1,
      trials: (known?.trials ?? 0) + read.trials,
    })
  }
  return [...kinds.values()]
}
