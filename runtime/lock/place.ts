/** Where the lock of a spec lies. Of its own, so that a command looks for one without loading all that reads it. */
import { dirname, join } from "node:path"

export const LOCK = "cfx.lock"

export const lockPath = (spec: string): string => join(dirname(spec), LOCK)
