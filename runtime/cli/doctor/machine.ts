/** What can be said without a model: Node and the disk. */
import { closeSync, existsSync, openSync, rmSync } from "node:fs"
import { availableParallelism, cpus, totalmem } from "node:os"
import { dirname, join } from "node:path"
import { diskFailure } from "../../disk/disk.ts"
import { type Finding, fine, wrong } from "./finding.ts"

const LEAST_NODE = [20, 19] as const

export function machine(folder: string): readonly Finding[] {
  return [node(process.versions.node), processor(), disk(folder)]
}

export function node(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const recent = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  const says = `${version} on ${process.platform}-${process.arch}`
  return recent ? fine("node", says) : wrong("node", says, `install Node ${LEAST_NODE.join(".")} or later`)
}

function processor(): Finding {
  const cores = availableParallelism()
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1)
  return fine(
    "machine",
    `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${cores} core${cores === 1 ? "" : "s"} for this process, ${gigabytes} GiB of memory`,
  )
}

/** Whether a run can write where it would write: tried in the nearest folder that exists. */
function disk(folder: string): Finding {
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  const trial = join(nearest, `.cfx-doctor-${process.pid}`)
  try {
    closeSync(openSync(trial, "wx"))
    return fine("disk", `runs can be written below ${nearest}`)
  } catch (cause) {
    const { what, todo } = diskFailure(cause, `write below ${nearest}`, trial)
    return wrong("disk", what, todo)
  } finally {
    rmSync(trial, { force: true })
  }
}
