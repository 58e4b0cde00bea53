/** What moved between a lock and what a spec depends on now. */
import { type Lock, type PoolLock, UNLOCKED } from "./lock.ts"

/** One thing that is not what the lock says. */
export interface Drift {
  /** `model respondent`, `library std/framings, people`: what a person knows it as. */
  readonly what: string
  /** Which side of it: `sha256`, `meaning`. */
  readonly aspect: string
  /** None where the lock says nothing of it. */
  readonly before?: string
  /** None where it is gone. */
  readonly now?: string
  /** Keys below the spec's entry in the lock. */
  readonly path: readonly string[]
}

export interface Comparison {
  /** In the order of the lock's text. */
  readonly drifts: readonly Drift[]
  /** In words: what was not held to the lock, and why. */
  readonly remarks: readonly string[]
}

type Value = string | number | true | undefined

/** A thing that is pinned, with its sides by name. */
interface Thing {
  readonly what: string
  readonly path: readonly string[]
  readonly sides: Readonly<Record<string, Value>>
}

/**
 * Holds what a spec depends on now to its lock. What one of them does not know of the same thing is passed over, with a remark where that leaves something
 * unpinned; what the lock does not list at all is a drift, since the lock no longer says what a run depends on, and so is a pool that comes from
 * elsewhere: from files where it was on the hub or of a run, or the other way round. What a spec no longer uses is none.
 */
export function compare(before: Lock, now: Lock): Comparison {
  const drifts: Drift[] = []
  const remarks: string[] = []
  const old = new Map(thingsOf(before).map((thing) => [JSON.stringify(thing.path), thing]))
  for (const thing of thingsOf(now)) {
    const { what, path, sides } = thing
    const known = old.get(JSON.stringify(path))
    const released = releasedBy(before, now, path)
    if (released) {
      if (path.length === 2) remarks.push(`${what} is not held to the lock: ${released}`)
      continue
    }
    if (known === undefined) {
      const [aspect, value] = Object.entries(sides).find(([, side]) => isKnown(side)) ?? [
        "all of it",
        undefined,
      ]
      drifts.push({ what, aspect, path, ...(value === undefined ? {} : { now: String(value) }) })
      continue
    }
    for (const [aspect, value] of Object.entries(sides)) {
      const was = known.sides[aspect]
      if (!isKnown(was) || !isKnown(value) || was === value) continue
      if (aspect === "platform") {
        remarks.push(
          `The lock was written on ${was}, and this is ${value}: numbers may differ within the engine's tolerance.`,
        )
      } else
        drifts.push({
          what,
          aspect,
          before: String(was),
          now: String(value),
          path: [...path, ...keysOf(thing, aspect)],
        })
    }
  }
  drifts.push(...poolsMoved(before, now))
  return { drifts, remarks }
}

const isKnown = (value: Value): value is Exclude<Value, undefined> =>
  value !== undefined && value !== UNLOCKED

/** Why a thing is not held to the lock, where the command line stands in for it now or did so for the lock. */
function releasedBy(before: Lock, now: Lock, [section, name = ""]: readonly string[]): string | undefined {
  if (section !== "models" && section !== "pools") return undefined
  const was = before[section][name]
  const given = now[section][name]?.given ?? false
  if (was === undefined || given === (was.given ?? false)) return undefined
  return given ? "the command line gives it" : "the lock is of what the command line gave then"
}

function thingsOf(lock: Lock): readonly Thing[] {
  return [
    { what: "cfx", path: ["cfx"], sides: { version: lock.cfx } },
    { what: "engine", path: ["engine"], sides: { ...lock.engine } },
    ...Object.entries(lock.libraries).flatMap(([name, { version, meanings }]): readonly Thing[] => [
      ...(version === undefined
        ? []
        : [{ what: `library ${name}`, path: ["libraries", name], sides: { version } }]),
      ...Object.entries(meanings).map(([declaration, meaning]) => ({
        what: `library ${name}, ${declaration}`,
        path: ["libraries", name, "meanings", declaration],
        sides: { meaning },
      })),
    ]),
    ...Object.entries(lock.models).map(([name, { given: _, ...sides }]) => ({
      what: `model ${name}`,
      path: ["models", name],
      sides,
    })),
    ...Object.entries(lock.pools).flatMap(([name, { given: _, files, ...sides }]): readonly Thing[] => [
      { what: `pool ${name}`, path: ["pools", name], sides },
      ...Object.entries(files ?? {}).map(([file, file_sides]) => ({
        what: `pool ${name}, ${file}`,
        path: ["pools", name, "files", file],
        sides: file_sides,
      })),
    ]),
  ]
}

/** Whether a thing's one side is a key of its own, or its path leads to the value already. */
const keysOf = ({ path }: Thing, aspect: string): readonly string[] =>
  path[0] === "cfx" || path.includes("meanings") ? [] : [aspect]

/** Pools that are read from elsewhere, and files that are gone: each takes rows with it. */
function poolsMoved(before: Lock, now: Lock): readonly Drift[] {
  return Object.entries(now.pools).flatMap(([name, pool]) => {
    const known = before.pools[name]
    if (known === undefined || known.given !== pool.given) return []
    return [...sourceMoved(name, known, pool), ...filesGone(name, known, pool)]
  })
}

/** Sides of one kind are compared one by one; a pool of another kind has none of them. */
function sourceMoved(name: string, known: PoolLock, pool: PoolLock): readonly Drift[] {
  if ((known.files === undefined) === (pool.files === undefined)) return []
  return [
    {
      what: `pool ${name}`,
      aspect: "source",
      before: placeOf(known),
      now: placeOf(pool),
      path: ["pools", name, known.files === undefined ? "source" : "files"],
    },
  ]
}

/** Where a pool comes from, in words; a run that the command line gave has no name in a lock. */
const placeOf = ({ source, files }: PoolLock): string =>
  files === undefined ? (source ?? "a run") : Object.keys(files).join(", ") || "an empty folder"

function filesGone(name: string, known: PoolLock, { files = {} }: PoolLock): readonly Drift[] {
  return Object.entries(known.files ?? {}).flatMap(([file, { sha256 }]): readonly Drift[] =>
    Object.hasOwn(files, file)
      ? []
      : [
          {
            what: `pool ${name}, ${file}`,
            aspect: "sha256",
            path: ["pools", name, "files", file],
            ...(sha256 === undefined ? {} : { before: sha256 }),
          },
        ],
  )
}
