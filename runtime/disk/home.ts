import { homedir } from "node:os"
import { join } from "node:path"

/** Where cfx keeps what it may make anew: `CFX_HOME`, or the folder that this system has for caches. */
export function cfxHome(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { CFX_HOME, XDG_CACHE_HOME, LOCALAPPDATA } = env
  if (CFX_HOME) return CFX_HOME
  if (platform === "win32") return join(LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "cfx")
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "cfx")
  return join(XDG_CACHE_HOME || join(homedir(), ".cache"), "cfx")
}
