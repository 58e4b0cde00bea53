/** Files of models that the command line fetches, with its progress on standard error. */
import type { Layer } from "effect"
import type { Backend } from "../backend/backend.ts"
import { withFiles } from "../hub/files.ts"
import { settingsFrom } from "../hub/settings.ts"
import { unwatched, type Watch, watch } from "../hub/watch.ts"
import { progressLine } from "./progressLine.ts"
import type { Terminal } from "./terminal.ts"

/** What a terminal says of fetching. */
export type Says = Pick<Terminal, "quiet" | "redraws">

/** An engine that finds the files of models at their addresses. */
export const fetching = <E>(engine: Layer.Layer<Backend, E>, terminal: Says): Layer.Layer<Backend, E> =>
  withFiles(engine, settingsFrom(), watchOn(terminal))

/** Fetching, sums and other work on large files, as a person sees it go on. */
export const watchOn = (terminal: Says): Watch => (terminal.quiet ? unwatched : watch(progressLine(terminal)))
