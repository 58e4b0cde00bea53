/** Tells on standard error how far a run's folder has been gone through. */
import { unwatched, type Watch, watch } from "../run/watch.ts"
import { progressLine } from "./progressLine.ts"
import type { Terminal } from "./terminal.ts"

export const watchOn = (terminal: Terminal): Watch =>
  terminal.quiet ? unwatched : watch(progressLine(terminal))
