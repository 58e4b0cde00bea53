/** What the command line says of a spec and the `cfx.lock` beside it. */
import { existsSync } from "node:fs"
import { isAddress } from "../../compiler/address.ts"
import type { CompileOptions } from "../../compiler/compiled.ts"
import { placeOf } from "../../compiler/diagnostics/place.ts"
import type { JsonDiagnostic } from "../../compiler/diagnostics/render.ts"
import { absolute, diskFiles } from "../disk/files.ts"
import type { Drift } from "../lock/drift.ts"
import { entryOf, type Held, heldToLock, lockBeside, type PlacedDrift } from "../lock/held.ts"
import { type Pinned, pinnedFiles } from "../lock/pinned.ts"
import type { SnapshotRequest } from "../lock/snapshot.ts"
import type { Sound } from "./compiled.ts"
import { exit } from "./exit.ts"
import { type Says, watchOn } from "./files.ts"
import { packageRoot, version } from "./package.ts"
import { here, invocation, quoted } from "./paths.ts"
import type { Terminal } from "./terminal.ts"

/** What a snapshot of a spec is taken from. */
export const snapshotOf = (
  spec: string,
  { program }: Sound,
  given: CompileOptions,
  terminal: Says,
): SnapshotRequest => ({
  spec: absolute(spec),
  program,
  files: diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` }),
  given,
  version: version(),
  root: packageRoot(),
  watch: watchOn(terminal),
})

/** Holds a spec to the lock beside it and says what moved. @throws EnvironmentFailure for a lock that cannot be read */
export async function held(
  spec: string,
  sound: Sound,
  given: CompileOptions,
  terminal: Says & Pick<Terminal, "complain" | "note">,
): Promise<Held | undefined> {
  const { complain, note } = terminal
  const found = await heldToLock(snapshotOf(spec, sound, given, terminal))
  if (found === undefined) return undefined
  for (const remark of found.remarks) note(remark)
  if (found.drifts.length > 0) complain(driftText(found.drifts, spec))
  return found
}

/**
 * The same before a run, which a drift stops.
 * @returns the exit code of a spec that moved, or the sum of its lock, if it has one
 */
export async function heldForRun(
  spec: string,
  sound: Sound,
  given: CompileOptions,
  terminal: Says & Pick<Terminal, "complain" | "note">,
  asks: boolean,
): Promise<number | { readonly lock?: string; readonly files?: Readonly<Record<string, Pinned>> }> {
  const found = await held(spec, sound, given, terminal)
  if (found === undefined) return {}
  if (found.drifts.length === 0) {
    return found.sum === undefined ? {} : { lock: found.sum, files: pinsBeside(spec, sound) }
  }
  const missing = asks ? notAtHand(sound) : []
  for (const what of missing) terminal.complain(`error: ${what} is not at hand`)
  return missing.length > 0 ? exit.environment : exit.drift
}

/** Where the lock beside a spec, if one stands there, says that its models' files are. @throws EnvironmentFailure for a lock that cannot be read */
export function pinsBeside(spec: string, { program }: Sound): Readonly<Record<string, Pinned>> {
  const path = absolute(spec)
  return pinnedFiles(program.models, entryOf(lockBeside(path, here), path))
}

/** What a run would fail for besides. */
const notAtHand = ({ program, absent }: Sound): readonly string[] => [
  ...program.models.flatMap(({ name, engine, file }) =>
    engine === "gguf" && !isAddress(file) && !existsSync(file) ? [`the file of model ${name}`] : [],
  ),
  ...[...absent.keys()].map((pool) => `pool ${pool}`),
]

/** Each thing that moved, old and new. */
export const driftText = (drifts: readonly Drift[], spec: string): string =>
  [
    `error: ${spec} is not what its lock says: ${drifts.length === 1 ? "1 thing" : `${drifts.length} things`} moved`,
    ...movedLines(drifts),
    `Accept what is meant with: ${invocation()} lock ${quoted(spec)} --update`,
  ].join("\n")

export const movedLines = (drifts: readonly Drift[]): readonly string[] =>
  drifts.flatMap(({ what, aspect, before, now }) => [
    `  ${what}: ${aspect}`,
    `    was ${before ?? "not in the lock"}`,
    `    is  ${now ?? "not there"}`,
  ])

/** A drift as `cfx check --json` prints it, at its place in the lock. */
export const driftJson =
  (spec: string) =>
  ({ what, aspect, before, now, source, span }: PlacedDrift) =>
    ({
      code: "drift",
      severity: "error",
      title: "Drift from the lock",
      message: `${what}: ${aspect} was ${before ?? "not in the lock"} and is ${now ?? "not there"}.`,
      file: source.name,
      start: placeOf(source, span.start),
      end: placeOf(source, span.end),
      label: "moved since the lock was written",
      hint: `Accept what is meant with: cfx lock ${spec} --update`,
      related: [],
    }) satisfies JsonDiagnostic
