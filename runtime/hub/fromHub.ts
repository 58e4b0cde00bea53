/** Models at an address on a hub: in our cache, in that of the hub's own library, or fetched; a name of a revision is made a commit. */
import { basename } from "node:path"
import type { ModelFile } from "../backend/backend.ts"
import { EnvironmentFailure } from "../failure.ts"
import { atCommit, type HubFile, isCommit } from "./address.ts"
import {
  areThere,
  declaredOf,
  type Fetching,
  failed,
  fetched,
  held,
  type Obtained,
  summed,
} from "./atHand.ts"
import { type Described, describe } from "./described.ts"
import { isOffline, otherFile, type Wanted } from "./failures.ts"
import { hubPlace, inSharedCache, keepCommit, knownCommit } from "./place.ts"
import type { Settings } from "./settings.ts"
import { partsOf, wholeOf, wholeSum } from "./split.ts"
import { Passing } from "./wire.ts"

/** @throws EnvironmentFailure */
export async function fromHub(model: ModelFile, hub: HubFile, fetching: Fetching): Promise<Obtained> {
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
