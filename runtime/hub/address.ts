/** Addresses of models and data on a hub. They come from specs, so that what becomes a path is looked at here. */

/** `hf:user/repo/folder/file.gguf#revision` */
export interface HubFile {
  readonly repository: string
  readonly file: string
  readonly revision: string
}

/** `hf://datasets/org/name@revision#config/split` */
export interface HubDataset {
  readonly repository: string
  readonly revision: string
}

/** What a hub's branch is called that has no other name. */
const MAIN = "main"

/** In place of a revision: nothing is pinned. */
export const UNLOCKED = "unlocked"

export function hubFile(source: string): HubFile | undefined {
  const [, repository, file, revision = MAIN] = /^hf:([^/#]+\/[^/#]+)\/([^#]+)(?:#(.*))?$/.exec(source) ?? []
  return repository === undefined || file === undefined ? undefined : { repository, file, revision }
}

export function hubDataset(address: string): HubDataset | undefined {
  const [, repository, revision = MAIN] =
    /^hf:\/\/datasets\/([^@#]+?)(?:@([^#]*))?(?:#.*)?$/.exec(address) ?? []
  return repository === undefined ? undefined : { repository, revision }
}

/** A commit, which names the same files for ever; branches and tags move. */
export const isCommit = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision)

/** The branch or tag that is asked for where nothing is pinned. */
export const branchOf = (revision: string): string =>
  revision === UNLOCKED || revision === "" ? MAIN : revision

/** The same file at a commit; anything else than an address on the hub and a commit leaves it as it is. */
export function atCommit(source: string, commit: unknown): string {
  const file = hubFile(source)
  return file !== undefined && typeof commit === "string" && isCommit(commit)
    ? `hf:${file.repository}/${file.file}#${commit}`
    : source
}

/** Whether all parts of a name may become folders and files: none climbs, none is hidden, none has a sign that a system reads in its own way. */
export const isPathSafe = (name: string): boolean =>
  name !== "" && name.split("/").every((part) => /^[A-Za-z0-9_-][\w.-]*$/.test(part) && !part.endsWith("."))
