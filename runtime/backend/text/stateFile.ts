/** Files by which the engine hands over what a sequence holds: it can write and read nothing else. */
import { existsSync } from "node:fs"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface StateFile {
  /** Where the engine finds it. */
  readonly path: string
  readonly bytes: () => Promise<number>
  readonly remove: () => Promise<void>
}

/** Folders for such files, the best first: one in memory where the system has one. It may be small. */
export const stateFolders = (): readonly string[] =>
  process.platform === "linux" && existsSync("/dev/shm") ? ["/dev/shm", tmpdir()] : [tmpdir()]

let made = 0

/** On Linux the file has no name once it is open, so that nothing is left of it when the process is killed. */
export async function stateFile(folder: string): Promise<StateFile> {
  const path = join(folder, `cfx-${process.pid}-${Date.now().toString(36)}-${made++}`)
  const file = await open(path, "wx+", 0o600)
  const named = !(process.platform === "linux" && existsSync(`/proc/self/fd/${file.fd}`))
  if (!named) await unlink(path)
  return {
    path: named ? path : `/proc/self/fd/${file.fd}`,
    bytes: async () => (await file.stat()).size,
    remove: () => closed(file, named ? path : undefined),
  }
}

async function closed(file: FileHandle, path: string | undefined): Promise<void> {
  await file.close()
  if (path !== undefined) await unlink(path)
}
