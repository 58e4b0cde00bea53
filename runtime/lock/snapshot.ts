/** What a spec depends on as things stand now: everything that its lock pins. Asks no network. */
import { readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { isAddress } from "../../compiler/address.ts"
import type { CompileOptions } from "../../compiler/compiled.ts"
import type { Files } from "../../compiler/files.ts"
import type { ModelIR, PoolIR, Program } from "../../compiler/ir.ts"
import { readerOf } from "../../compiler/items/formats.ts"
import { itemFilesIn } from "../../compiler/items/sources.ts"
import { type Imported, importedBy } from "../../compiler/libraries.ts"
import { packageOf } from "../disk/packages.ts"
import { slashed } from "../disk/paths.ts"
import { sumOf } from "../disk/sums.ts"
import { hubDataset, hubFile } from "../hub/address.ts"
import { modelSum } from "../hub/split.ts"
import type { SumWatch } from "../hub/watch.ts"
import { readPlan } from "../run/directory.ts"
import { engineBuild } from "./engine.ts"
import { type LibraryLock, type Lock, type ModelLock, type PoolLock, UNLOCKED } from "./lock.ts"

export interface SnapshotRequest {
  /** Absolute path of the spec. */
  readonly spec: string
  readonly program: Program
  readonly files: Files
  /** What the command line gave in place of declared files. */
  readonly given: CompileOptions
  /** Of cfx. */
  readonly version: string
  /** The folder of cfx. */
  readonly root: string
  /** What the lock says of the spec, where there is one: rows of files that it knows are not counted again. */
  readonly before?: Lock
  /** Hears of the sums that are made of large files. */
  readonly watch?: SumWatch
}

export async function snapshot(request: SnapshotRequest): Promise<Lock> {
  const { spec, program, files, version, root } = request
  const models: (readonly [string, ModelLock])[] = []
  // One after the other: a disk reads one large file faster than two, and one line tells how far it is.
  for (const model of program.models) models.push([model.name, await modelLock(model, request)])
  return {
    cfx: version,
    engine: engineBuild(root),
    models: Object.fromEntries(models),
    pools: Object.fromEntries(program.pools.map((pool) => [pool.name, poolLock(pool, request)])),
    libraries: librariesLock(importedBy(spec, files)),
  }
}

async function modelLock(model: ModelIR, request: SnapshotRequest): Promise<ModelLock> {
  const { file, engine, bytes, sha256 } = model
  const { watch } = request
  const declared = {
    ...(bytes === undefined ? {} : { bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
  }
  if (isGiven(model.name, request.given.models)) return { given: true, ...(await modelSum(file, watch)) }
  if (engine === "server") return { source: file }
  const hub = hubFile(file)
  if (hub !== undefined) return { source: file, revision: commitOr(hub.revision), ...declared }
  if (isAddress(file)) return { source: file, ...declared }
  return { source: nameOf(file, request), ...declared, ...(await modelSum(file, watch)) }
}

function poolLock(pool: PoolIR, request: SnapshotRequest): PoolLock {
  const { source } = pool
  const given = isGiven(pool.name, request.given.items)
  switch (source.kind) {
    case "hub": {
      const revision = commitOr(hubDataset(source.address)?.revision ?? UNLOCKED)
      return { source: source.address, revision }
    }
    case "run": {
      const plan = readPlan(source.folder)
      return {
        ...(given ? { given } : { source: nameOf(source.folder, request) }),
        ...("value" in plan ? { plan: plan.value.hash } : {}),
      }
    }
    case "files": {
      const known = request.before?.pools[pool.name]?.files ?? {}
      const all = source.files.flatMap((path) => filesIn(path, request.files))
      const entries = all.map((path) => {
        const name = given ? basename(path) : nameOf(path, request)
        return [name, dataFile(path, pool, request.files, known[name])] as const
      })
      return { ...(given ? { given } : {}), files: Object.fromEntries(entries) }
    }
  }
}

/** The files that a pool is read from: of a folder those of a kind that is read. */
function filesIn(path: string, files: Files): readonly string[] {
  const listed = files.list(path)
  if ("problem" in listed) return [path]
  return itemFilesIn(listed.names).map((name) => slashed(join(path, name)))
}

type DataLock = NonNullable<PoolLock["files"]>[string]

function dataFile(path: string, pool: PoolIR, files: Files, known: DataLock | undefined): DataLock {
  let sha256: string
  try {
    sha256 = sumOf(readFileSync(path))
  } catch {
    return {}
  }
  if (known?.sha256 === sha256) return known
  const read = files.read(path)
  const rows =
    "text" in read ? readerOf(path)?.({ name: path, text: read.text }, pool.fields).rows.length : undefined
  return { sha256, ...(rows === undefined ? {} : { rows }) }
}

const librariesLock = ({ libraries }: Imported): Readonly<Record<string, LibraryLock>> =>
  Object.fromEntries(
    libraries.map(({ name, path, meanings }) => {
      const version = name.startsWith("pkg:") ? packageOf(path)?.version : undefined
      return [name, { ...(version ? { version } : {}), meanings }]
    }),
  )

const isGiven = (name: string, given: CompileOptions["models"]): boolean =>
  given !== undefined && Object.hasOwn(given, name)

/** A revision that names a branch pins nothing. */
const commitOr = (revision: string): string => (/^[0-9a-f]{40}$/.test(revision) ? revision : UNLOCKED)

/** A path that is the same on every machine: in the standard library, or seen from the lock's folder. */
function nameOf(path: string, { spec, files }: SnapshotRequest): string {
  if (path.startsWith(`${files.stdlib}/`)) return `std${path.slice(files.stdlib.length)}`
  return slashed(relative(dirname(spec), path))
}
