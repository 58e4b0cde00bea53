/** Where fetched files stand: below `models` of `CFX_HOME`, by repository, revision and name; and what is kept beside them. */
import { existsSync, realpathSync } from "node:fs"
import { basename, join } from "node:path"
import { readIfThere, writeFileAtomic } from "../disk/disk.ts"
import { parsed } from "../disk/json.ts"
import { type HubFile, isCommit } from "./address.ts"

/** `models/hf/user/repo/REVISION/folder/file.gguf` */
export const hubPlace = (home: string, { repository, revision, file }: HubFile): string =>
  join(home, "models", "hf", ...repository.split("/"), folderOf(revision), ...file.split("/"))

/** `models/web/SHA256/file.gguf`: a file on the web is known by its sum alone. */
export const webPlace = (home: string, sha256: string, name: string): string =>
  join(home, "models", "web", sha256.toLowerCase(), name)

/** Revisions may have slashes and dots, which are no folders here. */
const folderOf = (revision: string): string =>
  encodeURIComponent(revision).replace(/^\.+/, (dots) => "%2E".repeat(dots.length))

/** The commit that a branch or a tag was when it was last asked for, for days without a network. */
const refOf = (home: string, repository: string, revision: string): string =>
  join(home, "models", "hf", ...repository.split("/"), "refs", folderOf(revision))

export function knownCommit(home: string, { repository, revision }: HubFile): string | undefined {
  const commit = readIfThere(refOf(home, repository, revision))?.trim() ?? ""
  return isCommit(commit) ? commit : undefined
}

export function keepCommit(home: string, { repository, revision }: HubFile, commit: string): void {
  const path = refOf(home, repository, revision)
  if (readIfThere(path)?.trim() !== commit) writeFileAtomic(path, `${commit}\n`)
}

/** What the hub said of a file when it was fetched: what it is held to from then on. */
export interface Said {
  readonly bytes: number
  readonly sha256: string
}

const saidPath = (path: string): string => `${path}.sum.json`

export function said(path: string): Said | undefined {
  const value = parsed(readIfThere(saidPath(path)) ?? "")
  if (typeof value !== "object" || value === null) return undefined
  const { bytes, sha256 } = value as Partial<Record<keyof Said, unknown>>
  return typeof bytes === "number" && typeof sha256 === "string" ? { bytes, sha256 } : undefined
}

export const keepSaid = (path: string, { bytes, sha256 }: Said): void =>
  writeFileAtomic(saidPath(path), `${JSON.stringify({ bytes, sha256 })}\n`)

/**
 * The same file in the cache of the hub's own library, with its sum: blobs of large files are called by it.
 * https://huggingface.co/docs/huggingface_hub/guides/manage-cache
 */
export function inSharedCache(
  cache: string,
  { repository, file }: HubFile,
  commit: string,
): { readonly path: string; readonly sha256: string } | undefined {
  const snapshot = join(cache, `models--${repository.replaceAll("/", "--")}`, "snapshots", commit, file)
  try {
    if (!existsSync(snapshot)) return undefined
    const path = realpathSync(snapshot)
    const name = basename(path)
    // Through the snapshot's own name, since the engine finds the parts of a split model by theirs.
    return /^[0-9a-f]{64}$/.test(name) ? { path: snapshot, sha256: name } : undefined
  } catch {
    return undefined
  }
}
