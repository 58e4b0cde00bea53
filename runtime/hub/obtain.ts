/** From a model as it is declared to a file on this machine: at hand, in a cache, or fetched; its size and sum checked in any case. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { isAddress } from "../../compiler/address.ts"
import type { ModelFile } from "../backend/backend.ts"
import { isLarge, sumAt } from "../disk/sums.ts"
import { EnvironmentFailure } from "../failure.ts"
import { atCommit, type HubFile, hubFile, isCommit, isPathSafe } from "./address.ts"
import { alone } from "./alone.ts"
import { type Described, describe } from "./described.ts"
import { download } from "./download.ts"
import { isOffline, notReached, otherFile, refusedBy, type Wanted } from "./failures.ts"
import { hubPlace, inSharedCache, keepCommit, keepSaid, knownCommit, said, webPlace } from "./place.ts"
import type { Settings } from "./settings.ts"
import { partsOf, wholeOf, wholeSum } from "./split.ts"
import type { Watch } from "./watch.ts"
import { Passing, Refused } from "./wire.ts"

export interface Obtained {
  /** Absolute; of a model in several files the first. */
  readonly path: string
  /** Of all its files; `wholeSum` for several. */
  readonly bytes: number
  readonly sha256: string
  /** The address at the commit that it is of, for a file that has one. */
  readonly source?: string
  readonly commit?: string
}

/** What fetching needs besides the model. */
export interface Fetching {
  readonly settings: Settings
  readonly watch: Watch
  readonly signal: AbortSignal
}

/**
 * The file of a model whose `path` is an address. It is held to what the declaration or the lock says (`model.bytes`, `model.sha256`) and to what the
 * hub said when it was fetched.
 * @throws EnvironmentFailure
 */
export async function obtain(model: ModelFile, fetching: Fetching): Promise<Obtained> {
  const hub = hubFile(model.path)
  if (hub !== undefined) {
    if (isPathSafe(hub.repository) && isPathSafe(hub.file)) return fromHub(model, hub, fetching)
  } else if (/^https?:\/\//.test(model.path)) return fromWeb(model, fetching)
  throw new EnvironmentFailure({
    what: `the file of model ${model.name} is at an address that nothing is fetched from`,
    where: model.path,
    todo: "give a file, hf:USER/REPOSITORY/FILE.gguf#REVISION, or an https address with its sha256",
  })
}

// ---------------------------------------------------------------- a hub

async function fromHub(model: ModelFile, hub: HubFile, fetching: Fetching): Promise<Obtained> {
  const { settings, watch } = fetching
  const at = (revision: string): HubFile => ({ ...hub, revision })
  const placed = (revision: string): string => hubPlace(settings.home, at(revision))
  // A person may put a file there by hand, under the revision as it is declared.
  if (areThere(placed(hub.revision)))
    return held(model, placed(hub.revision), fetching, isCommit(hub.revision) ? hub.revision : undefined)
  const before = isCommit(hub.revision) ? hub.revision : knownCommit(settings.home, hub)
  const wanted: Wanted = { model: model.name, address: model.path, place: placed(before ?? hub.revision) }
  if (isCommit(hub.revision)) {
    const shared = await fromShared(model, hub, hub.revision, fetching)
    if (shared !== undefined) return shared
  }
  const atKnownCommit = async (why: string): Promise<Obtained | undefined> => {
    if (before === undefined) return undefined
    const found = areThere(placed(before))
      ? await held(model, placed(before), fetching, before)
      : await fromShared(model, hub, before, fetching)
    if (found !== undefined)
      watch.note(`${model.name}: ${hub.revision} is taken to be commit ${before}, as it last was: ${why}`)
    return found
  }
  if (settings.offline) {
    const known = await atKnownCommit("nothing is fetched (CFX_OFFLINE)")
    if (known !== undefined) return known
    throw isOffline(wanted)
  }
  let described: Described
  try {
    described = await describe(hub, settings, watch, fetching.signal)
  } catch (error) {
    if (error instanceof Passing) {
      const known = await atKnownCommit(error.message)
      if (known !== undefined) return known
    }
    throw failed(error, wanted, hub, settings)
  }
  const { commit, files } = described
  if (!isCommit(hub.revision)) {
    keepCommit(settings.home, hub, commit)
    watch.note(`${model.name}: ${hub.revision} is commit ${commit} now; cfx lock SPEC pins it`)
  }
  const place = placed(commit)
  const names = partsOf(hub.file)
  const missing = names.find((name) => !files.has(name))
  if (missing !== undefined) throw noSuchFile(wanted, hub, missing, files, settings)
  checkAgainst(model, wholeOf(names.map((name) => ({ name, ...files.get(name) }))))
  if (areThere(place)) return held(model, place, fetching, commit)
  const shared = await fromShared(model, hub, commit, fetching)
  if (shared !== undefined) return shared
  const places = partsOf(place)
  for (const [index, name] of names.entries()) {
    const target = places[index] ?? place
    const url = `${settings.endpoint}/${hub.repository}/resolve/${commit}/${name.split("/").map(encodeURIComponent).join("/")}`
    // Of a model in one file, what is declared is known of that file.
    const known = { ...(names.length === 1 ? declaredOf(model) : {}), ...files.get(name) }
    await fetched({ ...wanted, place: target, url, ...known }, hub, fetching)
  }
  return held(model, place, fetching, commit)
}

/** What the hub says against what the declaration or the lock does, before gigabytes are fetched that are not the ones. */
function checkAgainst(model: ModelFile, hub: { readonly bytes?: number; readonly sha256?: string }): void {
  const todo =
    "correct the declaration, name the revision that is meant, or accept what the hub has now with cfx lock SPEC --update"
  const about = { model: model.name, address: model.path }
  const sha256 = model.sha256?.toLowerCase()
  if (sha256 !== undefined && hub.sha256 !== undefined && sha256 !== hub.sha256)
    throw otherFile(
      about,
      `has sha256 ${hub.sha256} on the hub`,
      `and not the declared or locked ${sha256}`,
      todo,
    )
  if (model.bytes !== undefined && hub.bytes !== undefined && model.bytes !== hub.bytes)
    throw otherFile(
      about,
      `has ${hub.bytes} bytes on the hub`,
      `and not the declared or locked ${model.bytes}`,
      todo,
    )
}

function noSuchFile(
  wanted: Wanted,
  { repository }: HubFile,
  missing: string,
  files: Described["files"],
  { endpoint }: Settings,
): EnvironmentFailure {
  const models = [...files.keys()].filter((name) => name.endsWith(".gguf"))
  const some = models.slice(0, 8).join(", ")
  const has =
    models.length === 0 ? "it has no GGUF file" : `it has ${some}${models.length > 8 ? ", ..." : ""}`
  return new EnvironmentFailure({
    what: `the repository ${repository} has no file ${missing}: ${has}`,
    where: wanted.address,
    todo: `correct the name in the declaration of model ${wanted.model}; ${endpoint}/${repository} lists the files`,
  })
}

/** The file in the cache of the hub's own library, where it is the one that is meant. */
async function fromShared(
  model: ModelFile,
  hub: HubFile,
  commit: string,
  fetching: Fetching,
): Promise<Obtained | undefined> {
  const { settings, watch } = fetching
  const parts = partsOf(hub.file).map((file) => inSharedCache(settings.shared, { ...hub, file }, commit))
  const sums: { readonly path: string; readonly bytes: number; readonly sha256: string }[] = []
  for (const part of parts) {
    if (part === undefined) return undefined
    const sum = await summed(part.path, fetching)
    if (sum.sha256 !== part.sha256) {
      watch.note(`${part.path} is not used: it has sha256 ${sum.sha256}, which is not its name there`)
      return undefined
    }
    sums.push({ path: part.path, ...sum })
  }
  const [first] = sums
  if (first === undefined) return undefined
  const whole = wholeSum(sums.map((sum) => ({ ...sum, name: basename(sum.path) })))
  checkAgainst(model, whole)
  return { path: first.path, ...whole, source: atCommit(model.path, commit), commit }
}

// ---------------------------------------------------------------- the web

async function fromWeb(model: ModelFile, fetching: Fetching): Promise<Obtained> {
  const { settings } = fetching
  const { path: address, sha256 } = model
  if (sha256 === undefined || !URL.canParse(address))
    throw new EnvironmentFailure({
      what: `the file of model ${model.name} is fetched from the web, and nothing says which file it has to be`,
      where: address,
      todo: "give its sha256 in the declaration of the model",
    })
  const last = decodeURIComponent(new URL(address).pathname.split("/").at(-1) ?? "")
  const name = isPathSafe(last) && last.endsWith(".gguf") ? last : "model.gguf"
  if (partsOf(name).length > 1)
    throw new EnvironmentFailure({
      what: `the model ${model.name} is in several files, which are fetched from a hub only`,
      where: address,
      todo: `download them into one folder and give the first with --model ${model.name}=FILE`,
    })
  const place = webPlace(settings.home, sha256, name)
  if (areThere(place)) return held(model, place, fetching, undefined)
  const wanted: Wanted = { model: model.name, address, place }
  if (settings.offline) throw isOffline(wanted)
  await fetched({ ...wanted, url: address, ...declaredOf(model) }, undefined, fetching)
  return held(model, place, fetching, undefined)
}

// ---------------------------------------------------------------- both

const declaredOf = ({ bytes, sha256 }: ModelFile): { readonly bytes?: number; readonly sha256?: string } => ({
  ...(bytes === undefined ? {} : { bytes }),
  ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }),
})

/** Fetches one file unless it is there, one process at a time. */
async function fetched(
  file: Parameters<typeof download>[0],
  hub: HubFile | undefined,
  { settings, watch, signal }: Fetching,
): Promise<void> {
  if (existsSync(file.place)) return
  await alone(file.place, { watch, signal }, async () => {
    if (existsSync(file.place)) return
    try {
      const sum = await download(file, settings, watch, signal)
      if (file.sha256 === undefined)
        watch.note(`${basename(file.place)}: nobody says what its sum should be; it has sha256 ${sum.sha256}`)
      keepSaid(file.place, sum)
    } catch (error) {
      throw failed(error, file, hub, settings)
    }
  })
}

/** A file that is there, held to what is known of it. */
async function held(
  model: ModelFile,
  path: string,
  fetching: Fetching,
  commit: string | undefined,
): Promise<Obtained> {
  const sums: { readonly name: string; readonly bytes: number; readonly sha256: string }[] = []
  for (const part of partsOf(path)) {
    const sum = await summed(part, fetching)
    const before = said(part)
    if (before !== undefined && before.sha256 !== sum.sha256)
      throw otherFile(
        { model: model.name, address: part },
        `has sha256 ${sum.sha256}`,
        `and had ${before.sha256} when it was fetched`,
        `remove it and run the same command again, or give another with --model ${model.name}=FILE`,
      )
    sums.push({ name: basename(part), ...sum })
  }
  const whole = wholeSum(sums)
  const sha256 = model.sha256?.toLowerCase()
  const about = { model: model.name, address: path }
  const todo = `correct the declaration, accept it with cfx lock SPEC --update, or remove the file and run the same command again`
  if (model.bytes !== undefined && model.bytes !== whole.bytes)
    throw otherFile(about, `has ${whole.bytes} bytes`, `and not the declared or locked ${model.bytes}`, todo)
  if (sha256 !== undefined && sha256 !== whole.sha256)
    throw otherFile(about, `has sha256 ${whole.sha256}`, `and not the declared or locked ${sha256}`, todo)
  return {
    path,
    ...whole,
    ...(commit === undefined ? {} : { source: atCommit(model.path, commit), commit }),
  }
}

async function summed(
  path: string,
  { settings, watch, signal }: Fetching,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  watch.begin({ doing: "checking the sum of", name: basename(path), done: 0 })
  try {
    const sum = await sumAt(path, settings.home, { passed: watch.passed, signal })
    if (sum === undefined) throw new Error("it is not a file")
    return sum
  } catch (error) {
    if (signal.aborted) throw error
    throw new EnvironmentFailure({
      what: `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      where: path,
      todo: "check the file and its rights",
    })
  } finally {
    watch.end()
  }
}

const areThere = (path: string): boolean => partsOf(path).every((part) => existsSync(part))

/** What a failed request means for the file that was wanted. */
function failed(error: unknown, wanted: Wanted, hub: HubFile | undefined, settings: Settings): unknown {
  if (error instanceof Passing) return notReached(wanted, error)
  if (error instanceof Refused) {
    const page = hub === undefined ? undefined : `${settings.endpoint}/${hub.repository}`
    return refusedBy(wanted, error, page, settings.token !== undefined)
  }
  return error
}

/** Whether a model is read from somewhere else than this machine's disk. */
export const isFetched = ({ path, served }: Pick<ModelFile, "path" | "served">): boolean =>
  served === undefined && isAddress(path)

/** Makes the sums of a model's files, of which large ones are remembered. @throws EnvironmentFailure */
export async function sumOnce({ path }: Pick<ModelFile, "path">, fetching: Fetching): Promise<void> {
  if (areThere(path)) for (const part of partsOf(path)) if (isLarge(part)) await summed(part, fetching)
}
