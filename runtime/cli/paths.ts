/** Paths and commands as a person would type them. */
import { basename, delimiter, dirname, isAbsolute, relative } from "node:path"
import { isPlain, shellWord } from "../shell.ts"

/** A path seen from where the command runs, or the absolute one where that leads out of this folder. */
export function here(path: string): string {
  const near = relative(process.cwd(), path).replaceAll("\\", "/")
  return near === "" ? "." : near.startsWith("..") || isAbsolute(near) ? path : near
}

/** For the shell of this machine: as it is where that is plain, else in quotes. */
export function quoted(word: string): string {
  return process.platform === "win32" && !isPlain(word) ? `"${word}"` : shellWord(word)
}

/**
 * How this cfx was called, so that a command can be printed to be run as it stands: through npm, by its name where the shell finds it,
 * or by its path.
 */
export function invocation(
  env: Readonly<Record<string, string | undefined>> = process.env,
  script = process.argv[1] ?? "",
): string {
  if (env.npm_lifecycle_event === "cfx" && env.npm_command !== "exec") return "npm run cfx --"
  if (env.npm_command !== undefined || env.npm_lifecycle_event !== undefined) return "npx cfx"
  if (basename(script) === "cfx" && (env.PATH ?? "").split(delimiter).includes(dirname(script))) return "cfx"
  return /\.[cm]?js$/.test(script) ? `node ${quoted(here(script))}` : quoted(here(script))
}
