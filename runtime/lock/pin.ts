/** From what a spec depends on to a lock: what only the hub knows is asked for, and what stays open is said. */
import { hubDataset, hubFile } from "../hub/address.ts"
import { type Hub, isUnknown, type Pinned, type Unknown } from "../hub/hub.ts"
import { type Lock, type ModelLock, type PoolLock, UNLOCKED } from "./lock.ts"

export interface PinnedLock {
  readonly lock: Lock
  /** In words, one for each thing that nothing pins, with why. */
  readonly open: readonly string[]
}

/**
 * Revisions that `before` has pinned stay, so that locking again moves nothing; without `before` the hub is asked for all. A revision is the hub's own
 * word or `unlocked`.
 */
export async function pin(now: Lock, hub: Hub, before: Lock | undefined): Promise<PinnedLock> {
  const models = await Promise.all(
    Object.entries(now.models).map(async ([name, model]) => {
      const pinned = await pinModel(model, hub, before?.models[name])
      return { name, ...pinned }
    }),
  )
  const pools = await Promise.all(
    Object.entries(now.pools).map(async ([name, pool]) => ({
      name,
      ...(await pinPool(pool, hub, before?.pools[name])),
    })),
  )
  return {
    lock: {
      ...now,
      models: Object.fromEntries(models.map(({ name, entry }) => [name, entry])),
      pools: Object.fromEntries(pools.map(({ name, entry }) => [name, entry])),
    },
    open: [
      ...(now.engine["node-llama-cpp"] === undefined ? ["engine: node-llama-cpp is not installed"] : []),
      ...models.flatMap(({ name, open }) => (open === undefined ? [] : [`model ${name}: ${open}`])),
      ...pools.flatMap(({ name, open }) => (open === undefined ? [] : [`pool ${name}: ${open}`])),
    ],
  }
}

interface Entry<E> {
  readonly entry: E
  readonly open: string | undefined
}

async function pinModel(now: ModelLock, hub: Hub, before: ModelLock | undefined): Promise<Entry<ModelLock>> {
  const { source } = now
  const file = source === undefined ? undefined : hubFile(source)
  if (file === undefined) {
    if (now.sha256 !== undefined) return { entry: now, open: undefined }
    const isServer = source !== undefined && /^https?:/.test(source)
    return {
      entry: now,
      open: isServer ? "nothing pins what a server answers with" : "its file is not at hand",
    }
  }
  const kept = before?.source === source && isCommit(before?.revision) ? before : undefined
  if (kept !== undefined) {
    const entry = { ...kept, ...now, revision: now.revision === UNLOCKED ? kept.revision! : now.revision! }
    return { entry, open: entry.sha256 === undefined ? "the hub gave no sum of its file" : undefined }
  }
  if (isCommit(now.revision) && now.sha256 !== undefined) return { entry: now, open: undefined }
  const found = await hub.model(file)
  if (isUnknown(found)) return { entry: now, open: unlocked(now.revision, found) }
  if (now.sha256 !== undefined && found.sha256 !== undefined && now.sha256 !== found.sha256)
    return {
      entry: now,
      open: `${UNLOCKED}, since the hub's file has sha256 ${found.sha256}, not the declared one`,
    }
  const entry = { ...now, ...found }
  return { entry, open: entry.sha256 === undefined ? "the hub gave no sum of its file" : undefined }
}

async function pinPool(now: PoolLock, hub: Hub, before: PoolLock | undefined): Promise<Entry<PoolLock>> {
  const { source, files, plan } = now
  if (files !== undefined) {
    const lacking = Object.entries(files).find(([, { sha256 }]) => sha256 === undefined)
    return { entry: now, open: lacking === undefined ? undefined : `${lacking[0]} is not at hand` }
  }
  const dataset = source === undefined ? undefined : hubDataset(source)
  if (dataset === undefined || source === undefined) {
    return { entry: now, open: plan === undefined ? "the run is not there" : undefined }
  }
  if (isCommit(now.revision)) return { entry: now, open: undefined }
  if (before?.source === source && isCommit(before.revision))
    return { entry: { ...now, revision: before.revision! }, open: undefined }
  const found: Pinned | Unknown = await hub.dataset(dataset)
  if (isUnknown(found)) return { entry: now, open: unlocked(now.revision, found) }
  return { entry: { ...now, revision: found.revision }, open: undefined }
}

const isCommit = (revision: string | undefined): boolean => revision !== undefined && revision !== UNLOCKED

const unlocked = (revision: string | undefined, { unknown }: Unknown): string =>
  isCommit(revision) ? `its file has no sum: ${unknown}` : `stays ${UNLOCKED}: ${unknown}`
