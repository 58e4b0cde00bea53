/** What a hub of models and data says of a revision. Asked only by `cfx lock`; a hub that cannot be reached leaves things unlocked. */

import { branchOf, type HubDataset, type HubFile, isCommit } from "./address.ts"
import { describedBy } from "./described.ts"
import { checkEndpoint, settingsFrom } from "./settings.ts"
import { partsOf, wholeOf } from "./split.ts"

export interface Hub {
  /** The commit that a revision of a model's repository is now, and the file in it; or why that cannot be known. Both fail with `EnvironmentFailure` where the hub's address is none. */
  readonly model: (file: HubFile) => Promise<Pinned | Unknown>
  readonly dataset: (dataset: HubDataset) => Promise<Pinned | Unknown>
}

export interface Pinned {
  readonly revision: string
  readonly bytes?: number
  readonly sha256?: string
}

export interface Unknown {
  readonly unknown: string
}

export interface HubOptions {
  readonly endpoint: string
  /** Sent to the endpoint and nowhere else; never written. */
  readonly token?: string
  /** Milliseconds for each answer. */
  readonly timeout: number
  readonly fetch: typeof fetch
}

/** The hub as the environment names it: `HF_ENDPOINT`, `HF_TOKEN`. */
export function hubFrom(env: Readonly<Record<string, string | undefined>> = process.env): Hub {
  const { endpoint, token, offline, fetch } = settingsFrom(env)
  if (offline) return { model: async () => unasked, dataset: async () => unasked }
  return hubOf({ endpoint, ...(token === undefined ? {} : { token }), timeout: 5000, fetch })
}

const unasked: Unknown = { unknown: "nothing is asked (CFX_OFFLINE)" }

export function hubOf({ endpoint, token, timeout, fetch }: HubOptions): Hub {
  const ask = async (path: string): Promise<Readonly<Record<string, unknown>> | Unknown> => {
    checkEndpoint(endpoint)
    try {
      const response = await fetch(`${endpoint}/api/${path}`, {
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
        signal: AbortSignal.timeout(timeout),
      })
      if (!response.ok) return { unknown: `${endpoint} answers ${response.status}` }
      const value: unknown = await response.json()
      if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>
      return { unknown: `${endpoint} gives no description of it` }
    } catch (error) {
      const { name } = error as Error
      return {
        unknown:
          name === "TimeoutError" ? `${endpoint} did not answer in time` : `${endpoint} cannot be reached`,
      }
    }
  }
  const pinned = (value: Readonly<Record<string, unknown>> | Unknown): Pinned | Unknown => {
    if (isUnknown(value)) return value
    const { sha } = value
    // Anything but a commit pins nothing.
    return typeof sha === "string" && isCommit(sha)
      ? { revision: sha }
      : { unknown: `${endpoint} names no commit` }
  }
  return {
    model: async ({ repository, file, revision }) => {
      const value = await ask(
        `models/${repository}/revision/${encodeURIComponent(branchOf(revision))}?blobs=true`,
      )
      const found = pinned(value)
      if (isUnknown(found) || isUnknown(value)) return found
      const { files } = describedBy(value)
      const names = partsOf(file)
      const missing = names.find((name) => !files.has(name))
      if (missing !== undefined) return { unknown: `${endpoint} has no ${missing} in ${repository}` }
      return { ...found, ...wholeOf(names.map((name) => ({ name, ...files.get(name) }))) }
    },
    dataset: async ({ repository, revision }) =>
      pinned(await ask(`datasets/${repository}/revision/${encodeURIComponent(branchOf(revision))}`)),
  }
}

export const isUnknown = (value: object): value is Unknown => "unknown" in value
