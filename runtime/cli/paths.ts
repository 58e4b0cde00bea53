/** Paths and commands as a person would type them. */
import { isAbsolute, relative } from "node:path"

/** A path seen from where the command runs, or the absolute one where that leads out of this folder. */
export function here(path: string): string {
  const near = relative(process.cwd(), path).replaceAll("\\", "/")
  return near === "" ? "." : near.startsWith("..") || isAbsolute(near) ? path : near
}

/** For a shell: as it is where that is plain, else in quotes. */
export function quoted(word: string): string {
  if (/^[\w./:@%+=-]+$/.test(word)) return word
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** How this cfx was called: through npm, which finds it in the project, or by its own name. */
export const invocation = (): string => (process.env.npm_execpath ? "npx cfx" : "cfx")
