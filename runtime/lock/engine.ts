/** Which build of the engine is installed: read off its packages, without starting it. */
import { join } from "node:path"
import { readIfThere } from "../disk/disk.ts"
import { parsed } from "../disk/json.ts"
import { packaged } from "../disk/packages.ts"
import type { EngineLock } from "./lock.ts"

const ENGINE = "node-llama-cpp"

/** `root`: the folder of cfx, whose engine it is. */
export function engineBuild(root: string): EngineLock {
  const version = field(root, "package.json", "version")
  const release = field(root, "llama/binariesGithubRelease.json", "release")
  return {
    ...(version === undefined ? {} : { [ENGINE]: version }),
    ...(release === undefined ? {} : { prebuilt: `llama.cpp ${release}` }),
    platform: `${process.platform}-${process.arch}`,
  }
}

function field(root: string, file: string, key: string): string | undefined {
  const found = packaged(ENGINE, file, join(root, "package.json"))
  if ("problem" in found) return undefined
  const value = parsed(readIfThere(found.path) ?? "")
  const text =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined
  return typeof text === "string" ? text : undefined
}
