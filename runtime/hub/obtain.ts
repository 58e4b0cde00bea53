/** From a model as it is declared to a file on this machine: at hand, in a cache, or fetched; its size and sum checked in any case. */
import { isAddress } from "../../compiler/address.ts"
import type { ModelFile } from "../backend/backend.ts"
import { isLarge } from "../disk/sums.ts"
import { EnvironmentFailure } from "../failure.ts"
import { hubFile, isPathSafe } from "./address.ts"
import { areThere, type Fetching, type Obtained, summed } from "./atHand.ts"
import { fromHub } from "./fromHub.ts"
import { fromWeb } from "./fromWeb.ts"
import { partsOf } from "./split.ts"

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

/** Whether a model is read from somewhere else than this machine's disk. */
export const isFetched = ({ path, served }: Pick<ModelFile, "path" | "served">): boolean =>
  served === undefined && isAddress(path)

/** Makes the sums of a model's files, of which large ones are remembered. @throws EnvironmentFailure */
export async function sumOnce({ path }: Pick<ModelFile, "path">, fetching: Fetching): Promise<void> {
  if (areThere(path)) for (const part of partsOf(path)) if (isLarge(part)) await summed(part, fetching)
}
