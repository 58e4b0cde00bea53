/** Tells on standard error how far a run's folder has been gone through. */
import { unwatched, type Watch, watch } from "../run/watch.ts"
import type { Terminal } from "./terminal.ts"

export const watchOn = ({ quiet, redraws }: Terminal): Watch =>
  quiet
    ? unwatched
    : watch({
        write: (text) => void process.stderr.write(text),
        redraw: redraws,
        now: () => performance.now(),
      })
