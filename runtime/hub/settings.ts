/** How files are fetched, as the environment says: which hub, with what token, into which folder, or not at all. */
import { statfsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { cfxHome } from "../disk/home.ts"
import { EnvironmentFailure } from "../failure.ts"

type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  /** The hub's address, without a slash at its end, as it was given: `checkEndpoint` says whether anything can be asked there. */
  readonly endpoint: string
  /** Sent to the endpoint's own host and nowhere else; never written. */
  readonly token?: string
  /** Nothing is fetched: what is not at hand is said. */
  readonly offline: boolean
  /** Where fetched files are kept, below `models`, and sums are remembered. */
  readonly home: string
  /** The cache of the hub's own library, which is read and never written. */
  readonly shared: string
  /** Milliseconds without a byte after which a connection counts as dead. */
  readonly stall: number
  /** Milliseconds to wait before each try again; one more failure in a row ends it. Tries that brought bytes count anew. */
  readonly pauses: readonly number[]
  readonly fetch: typeof fetch
  /** Bytes that may still be written below a folder that exists. */
  readonly free: (folder: string) => number
}

const HUB = "https://huggingface.co"

const endpointFrom = ({ HF_ENDPOINT }: Environment): string => (HF_ENDPOINT || HUB).replace(/\/+$/, "")

/** Called before a hub is asked, and not earlier: what is at hand needs none. @throws EnvironmentFailure where its address is none */
export function checkEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:"
  if (isWeb && url.username === "" && url.password === "" && url.search === "" && url.hash === "") return
  // What stands before an @ or behind a question mark may be a secret.
  const shown = /[@?]/.test(endpoint) ? "" : ` (${JSON.stringify(endpoint)})`
  throw new EnvironmentFailure({
    what: `the hub cannot be asked: what HF_ENDPOINT holds${shown} is no address of one`,
    where: "the environment variable HF_ENDPOINT",
    todo: `set it to an address with its scheme and nothing behind its path, such as "${HUB}", or unset it`,
  })
}

export const settingsFrom = (env: Environment = process.env): Settings => ({
  endpoint: endpointFrom(env),
  ...(env.HF_TOKEN ? { token: env.HF_TOKEN } : {}),
  offline: isSet(env.CFX_OFFLINE) || isSet(env.HF_HUB_OFFLINE),
  home: cfxHome(env),
  shared: sharedCache(env),
  stall: 30_000,
  pauses: [1000, 2000, 4000, 8000, 16_000],
  fetch,
  free: (folder) => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  },
})

const isSet = (value: string | undefined): boolean =>
  !["", "0", "false", "no"].includes((value ?? "").toLowerCase())

/** https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables */
function sharedCache({ HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME }: Environment): string {
  if (HF_HUB_CACHE) return HF_HUB_CACHE
  return join(HF_HOME || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "huggingface"), "hub")
}
