/** A file of a model on this machine: fetched where it is not there, and held to what is known of it. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import type { ModelFile } from "../backend/backend.ts"
import { sumAt } from "../disk/sums.ts"
import { EnvironmentFailure } from "../failure.ts"
import { atCommit, type HubFile } from "./address.ts"
import { alone } from "./alone.ts"
import { download } from "./download.ts"
import { notReached, otherFile, refusedBy, type Wanted } from "./failures.ts"
import { keepSaid, said } from "./place.ts"
import type { Settings } from "./settings.ts"
import { partsOf, wholeSum } from "./split.ts"
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

/** What is declared, or locked, of a file. */
export const declaredOf = ({
  bytes,
  sha256,
}: ModelFile): { readonly bytes?: number; readonly sha256?: string } => ({
  ...(bytes === undefined ? {} : { bytes }),
  ...(sha256 === undefined ? {} : { sha256: sha256.toLowerCase() }),
})

/** Fetches one file unless it is there, one process at a time. */
export async function fetched(
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
export async function held(
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

/** Makes the sum of one file. */
export async function summed(
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

export const areThere = (path: string): boolean => partsOf(path).every((part) => existsSync(part))

/** What a failed request means for the file that was wanted. */
export function failed(
  error: unknown,
  wanted: Wanted,
  hub: HubFile | undefined,
  settings: Settings,
): unknown {
  if (error instanceof Passing) return notReached(wanted, error)
  if (error instanceof Refused) {
    const page = hub === undefined ? undefined : `${settings.endpoint}/${hub.repository}`
    return refusedBy(wanted, error, page, settings.token !== undefined)
  }
  return error
}
