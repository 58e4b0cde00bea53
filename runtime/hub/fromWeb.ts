/** Models at an address of the web, which must have a sum. */
import type { ModelFile } from "../backend/backend.ts"
import { EnvironmentFailure } from "../failure.ts"
import { isPathSafe } from "./address.ts"
import { areThere, declaredOf, type Fetching, fetched, held, type Obtained } from "./atHand.ts"
import { isOffline, type Wanted } from "./failures.ts"
import { webPlace } from "./place.ts"
import { partsOf } from "./split.ts"

/** @throws EnvironmentFailure */
export async function fromWeb(model: ModelFile, fetching: Fetching): Promise<Obtained> {
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
