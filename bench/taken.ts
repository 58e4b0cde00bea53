/** What a process of cfx takes. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const cfx = join(process.cwd(), "dist/cfx.js")

/** Seconds and the largest resident set of a process of cfx. `codes`: of exit, that count as an end. */
export function taken(
  words: readonly string[],
  codes: readonly number[] = [0],
): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  const started = performance.now()
  const child = spawn(process.execPath, [cfx, ...words], { stdio: ["ignore", "ignore", "inherit"] })
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(child.pid ?? 0))
  }, 100)
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      clearInterval(timer)
      if (code === null || !codes.includes(code))
        reject(new Error(`cfx ${words.join(" ")} ended with ${code}`))
      else resolve({ seconds: (performance.now() - started) / 1000, megabytes: most / 1e6 })
    })
  })
}

/** The largest resident set so far, in bytes, as Linux tells it; 0 where there is no such process. */
function residentOf(pid: number): number {
  try {
    return 1024 * Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}
