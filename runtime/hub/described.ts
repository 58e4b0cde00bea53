/** What the hub says of a revision of a repository: the commit that it is, and the size and sum of each file. */

import { parsed } from "../disk/json.ts"
import { EnvironmentFailure } from "../failure.ts"
import { branchOf, type HubFile, isCommit } from "./address.ts"
import { again } from "./again.ts"
import { checkEndpoint, type Settings } from "./settings.ts"
import type { Watch } from "./watch.ts"
import { get, Passing } from "./wire.ts"

export interface Described {
  readonly commit: string
  /** By name in the repository. Sums are known of large files (LFS), whose id they are. */
  readonly files: ReadonlyMap<string, { readonly bytes?: number; readonly sha256?: string }>
}

/** Descriptions of the largest repositories have some megabytes. */
const MOST_BYTES = 64 * 1024 * 1024

/** @throws Passing, Refused, EnvironmentFailure where the answer is no description */
export async function describe(
  { repository, revision }: HubFile,
  settings: Settings,
  watch: Watch,
  signal: AbortSignal,
): Promise<Described> {
  checkEndpoint(settings.endpoint)
  const path = `/api/models/${repository}/revision/${encodeURIComponent(branchOf(revision))}?blobs=true`
  const text = await again(() => textAt(settings, path, signal), {
    pauses: settings.pauses,
    unreachable: 1,
    watch,
    signal,
  })
  const value = parsed(text)
  const { commit, files } = describedBy(value)
  if (commit === undefined)
    throw new EnvironmentFailure({
      what: `the answer to what is in ${repository} names no commit: it is no hub's`,
      where: `${settings.endpoint}${path}`,
      todo: "check HF_ENDPOINT",
    })
  return { commit, files }
}

async function textAt(settings: Settings, path: string, signal: AbortSignal): Promise<string> {
  const answer = await get(settings, `${settings.endpoint}${path}`, {}, signal)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.pieces) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new Passing(`${settings.endpoint} sends no end of a description`)
  }
  return Buffer.concat(pieces).toString("utf8")
}

interface Sibling {
  readonly rfilename?: unknown
  readonly size?: unknown
  readonly lfs?: { readonly size?: unknown; readonly sha256?: unknown } | null
}

/** Reads the hub's JSON, believing none of it. */
export function describedBy(value: unknown): Partial<Pick<Described, "commit">> & Pick<Described, "files"> {
  const { sha, siblings } = (typeof value === "object" && value !== null ? value : {}) as {
    sha?: unknown
    siblings?: unknown
  }
  const files = new Map<string, { bytes?: number; sha256?: string }>()
  for (const sibling of Array.isArray(siblings) ? (siblings as readonly (Sibling | null)[]) : []) {
    const { rfilename, size, lfs } = sibling ?? {}
    if (typeof rfilename !== "string") continue
    const bytes = lfs?.size ?? size
    const sha256 = lfs?.sha256
    files.set(rfilename, {
      ...(Number.isSafeInteger(bytes) ? { bytes: bytes as number } : {}),
      ...(typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) ? { sha256 } : {}),
    })
  }
  return { ...(typeof sha === "string" && isCommit(sha) ? { commit: sha } : {}), files }
}
