/** A spec held to the `cfx.lock` beside it. */
import { basename } from "node:path"
import type { Source, Span } from "../../grammar/source.ts"
import { readIfThere } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import { compare, type Drift } from "./drift.ts"
import { type Lock, lockSum, type ReadLock, readLock } from "./lock.ts"
import { LOCK, lockPath } from "./place.ts"
import { type SnapshotRequest, snapshot } from "./snapshot.ts"

export interface Held {
  /** sha256 of what the lock says of the spec; none where it says nothing. */
  readonly sum?: string
  readonly drifts: readonly PlacedDrift[]
  readonly remarks: readonly string[]
}

/** A drift with the place in the lock that it moved away from. */
export type PlacedDrift = Drift & { readonly source: Source; readonly span: Span }

export { lockPath } from "./place.ts"

/** The lock beside a spec; undefined where there is none. Throws `EnvironmentFailure` where it cannot be read. */
export function lockBeside(spec: string, show: (path: string) => string): ReadLock | undefined {
  const path = lockPath(spec)
  const text = readIfThere(path)
  if (text === undefined) return undefined
  const read = readLock({ name: show(path), text })
  if ("file" in read) return read
  throw new EnvironmentFailure({
    what: `${LOCK} is damaged: ${read.problem}`,
    where: path,
    todo: `restore it from a copy, or delete it and write it anew with cfx lock ${basename(spec)}`,
  })
}

export const entryOf = (lock: ReadLock | undefined, spec: string): Lock | undefined => {
  const specs = lock?.file.specs ?? {}
  const name = basename(spec)
  return Object.hasOwn(specs, name) ? specs[name] : undefined
}

/** What moved since the lock was written; undefined where no lock stands beside the spec. Throws `EnvironmentFailure` for a damaged one. */
export async function heldToLock(request: Omit<SnapshotRequest, "before">): Promise<Held | undefined> {
  const { spec, files } = request
  const lock = lockBeside(spec, files.show)
  if (lock === undefined) return undefined
  const before = entryOf(lock, spec)
  const name = basename(spec)
  if (before === undefined) {
    return {
      drifts: [],
      remarks: [`${lock.source.name} says nothing of ${name}: cfx lock pins what it depends on`],
    }
  }
  const { drifts, remarks } = compare(before, await snapshot({ ...request, before }))
  return {
    sum: lockSum(before),
    drifts: drifts.map((drift) => ({
      ...drift,
      source: lock.source,
      span: lock.spanOf(["specs", name, ...drift.path]),
    })),
    remarks,
  }
}
