/** The command line as a person has it: the bundle in a process of its own, in an empty folder. */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject, onTestFinished } from "vitest"

export const root = join(import.meta.dirname, "../..")
export const quickstart = join(root, "specs", "quickstart.cfx")

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface CallOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** Starts `cfx` and gives the process too, for those who want to stop it. */
export function start(
  words: readonly string[],
  { cwd, env = {}, input }: CallOptions,
): { child: ChildProcess; ended: Promise<Ended> } {
  // What npm tells its scripts, and what a person's shell may ask for, is not of the calls that are tested.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NO_COLOR$|^CFX_/.test(name)),
  )
  const child = spawn(process.execPath, [inject("bundle"), ...words], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  let out = ""
  let err = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text
  })
  child.stdin.on("error", () => {}).end(input)
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, out, err })))
  return { child, ended }
}

export const cfx = (words: readonly string[], options: CallOptions): Promise<Ended> =>
  start(words, options).ended

/** A folder that is gone after the test. */
export function folder(): string {
  const made = makeFolder()
  onTestFinished(() => removeFolder(made))
  return made
}

export const makeFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "cfx-test-")))

export const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true })

/** A folder with a copy of the quickstart, its text changed, and its items. */
export function copyOfQuickstart(change: (text: string) => string = (text) => text): string {
  const made = folder()
  cpSync(join(root, "specs"), join(made, "specs"), { recursive: true })
  writeFileSync(join(made, "specs/quickstart.cfx"), change(readFileSync(quickstart, "utf8")))
  return made
}
