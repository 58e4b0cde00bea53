/** Where a command says how far it has come: standard error. */
import type { StateLineOptions } from "../stateLine.ts"
import type { Terminal } from "./terminal.ts"

export const progressLine = ({ redraws }: Pick<Terminal, "redraws">): StateLineOptions => ({
  write: (text) => void process.stderr.write(text),
  redraw: redraws,
  ...(process.stderr.columns > 0 ? { width: process.stderr.columns } : {}),
  now: () => performance.now(),
})
