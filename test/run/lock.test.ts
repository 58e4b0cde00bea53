import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { LOCK, lockDirectory } from "../../runtime/run/lock.ts"
import { temporary } from "./temporary.ts"

const parent = temporary()
const fresh = (): string => mkdtempSync(join(parent, "run-"))

const held = <A>(directory: string, work: () => Promise<A>): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.andThen(lockDirectory(directory), () => Effect.promise(work))))

const lockOf = (directory: string, holder: object): void =>
  writeFileSync(join(directory, LOCK), JSON.stringify(holder))

describe("the lock of a run directory", () => {
  it("is there while it is held, and nothing is left afterwards", async () => {
    const directory = fresh()
    await held(directory, async () => {
      expect(JSON.parse(readFileSync(join(directory, LOCK), "utf8"))).toMatchObject({ pid: process.pid })
      expect(readdirSync(directory)).toEqual([LOCK])
    })
    expect(readdirSync(directory)).toEqual([])
  })

  it("refuses a second holder, and says who holds it", async () => {
    const directory = fresh()
    await held(directory, async () => {
      await expect(held(directory, async () => {})).rejects.toThrow(
        `another cfx writes to this run directory: process ${process.pid} on ${hostname()}`,
      )
      expect(existsSync(join(directory, LOCK))).toBe(true)
    })
    await held(directory, async () => {})
  })

  it("is taken over from a process that was killed", async () => {
    const directory = fresh()
    const { pid } = spawnSync(process.execPath, ["-e", ""])
    lockOf(directory, { pid, host: hostname(), started: null })
    await held(directory, async () => {
      expect(JSON.parse(readFileSync(join(directory, LOCK), "utf8"))).toMatchObject({ pid: process.pid })
    })
  })

  it("is taken over from an earlier process that had this process's own number", async () => {
    const directory = fresh()
    lockOf(directory, { pid: process.pid, host: hostname(), started: "1" })
    if (existsSync("/proc/self/stat")) await held(directory, async () => {})
  })

  it("is not taken from another process that lives, nor from one of another machine", async () => {
    const directory = fresh()
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"])
    try {
      lockOf(directory, { pid: other.pid, host: hostname(), started: null })
      await expect(held(directory, async () => {})).rejects.toThrow(`process ${other.pid}`)
    } finally {
      other.kill("SIGKILL")
    }
    lockOf(directory, { pid: 1, host: "elsewhere", started: null })
    await expect(held(directory, async () => {})).rejects.toThrow("on elsewhere")
  })

  it("asks for help where it says nothing", async () => {
    const directory = fresh()
    writeFileSync(join(directory, LOCK), "")
    await expect(held(directory, async () => {})).rejects.toThrow("remove the lock file")
  })
})
