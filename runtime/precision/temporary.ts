/** A file for the time that it is needed, which may be as large as the disk allows. */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const NAME = /^weights-(\d+)\.gguf$/

/** Where a process may write one, in a folder that is there. What killed processes left in the folder is removed. */
export function temporaryFile(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
  return join(folder, `weights-${process.pid}.gguf`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}
