/** One process at a time fetches a file; another that wants it waits, and finds it there. */
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { diskFailure, makeFolder } from "../disk/disk.ts"
import { release, take } from "../disk/lockFile.ts"
import type { Watch } from "./watch.ts"

/** Milliseconds between two looks at a lock that another process holds. */
const LOOK = 500

/** Does something while this process holds the lock beside `place`. */
export async function alone<A>(
  place: string,
  { watch, signal }: { readonly watch: Pick<Watch, "note">; readonly signal: AbortSignal },
  work: () => Promise<A>,
): Promise<A> {
  const path = `${place}.lock`
  makeFolder(dirname(place))
  for (let told = false; ; told = true) {
    const found = taken(path)
    if (found === "taken") break
    const { holder } = found
    const who = holder === undefined ? "another cfx" : `another cfx (process ${holder.pid} on ${holder.host})`
    if (!told)
      watch.note(`${who} is fetching this file; waiting for it. If no cfx is running, remove ${path}`)
    await sleep(LOOK, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    release(path)
  }
}

function taken(path: string): ReturnType<typeof take> {
  try {
    return take(path)
  } catch (cause) {
    throw diskFailure(cause, "lock the file that is to be fetched", path)
  }
}
