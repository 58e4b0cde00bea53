/** Processes that are killed, or whose disk fills up, and what a later run makes of what they left. */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { rolldown } from "rolldown"
import { beforeAll, describe, expect, it } from "vitest"
import { simulatedBackend } from "../../runtime/backend/simulated.ts"
import { LOCK } from "../../runtime/run/lock.ts"
import { run } from "../../runtime/run/run.ts"
import { contents } from "./contents.ts"
import { request } from "./request.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
const script = join(folder, "child.mjs")

beforeAll(async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("child.ts", import.meta.url)),
    platform: "node",
    external: [/^node-llama-cpp/],
  })
  await bundle.write({ file: script, format: "esm", codeSplitting: false })
  await bundle.close()
})

/** Runs the spec to its end, in this process. */
const finish = (directory: string, items: number): Promise<unknown> =>
  Effect.runPromise(run(request(directory, { items })).pipe(Effect.provide(simulatedBackend())))

describe("kill -9", () => {
  const ITEMS = 8
  const PAUSE = 5

  /** Starts a run and kills it so many milliseconds after it began to ask. Resolves to the answers that it left. */
  const kill = (directory: string, after: number): Promise<number> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [script, directory, String(ITEMS), String(PAUSE)])
      child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), after))
      child.once("error", fail)
      child.once("exit", () =>
        done(readFileSync(join(directory, "ledger.jsonl"), "utf8").split('"kind":"answer"').length - 1),
      )
    })

  it("at ten random moments costs nothing but time: the files come out byte for byte the same", async () => {
    const whole = join(folder, "whole")
    await finish(whole, ITEMS)
    const expected = contents(whole)
    const left: number[] = []
    const attempts = Array.from({ length: 10 }, (_, n) => join(folder, `killed-${n}`))
    const work = async (): Promise<void> => {
      for (let directory = attempts.pop(); directory !== undefined; directory = attempts.pop()) {
        const after = Math.random() * ITEMS * 5 * PAUSE
        left.push(await kill(directory, after))
        await finish(directory, ITEMS)
        expect(contents(directory), `killed ${after} ms after the first read`).toEqual(expected)
      }
    }
    await Promise.all([work(), work()])
    // Had none been killed between its first and its last read, this would have shown nothing.
    expect(left.some((answers) => answers > 0 && answers < ITEMS * 5)).toBe(true)
  }, 90_000)

  it("leaves a lock that nobody holds", async () => {
    const directory = join(folder, "locked")
    await kill(directory, 20)
    expect(readdirSync(directory)).toContain(LOCK)
    await finish(directory, ITEMS)
    expect(readdirSync(directory)).not.toContain(LOCK)
  })
})

describe("a disk that takes no more", () => {
  const ITEMS = 60

  // A limit on the size of files stands in for a full disk: the system refuses the same calls.
  it.skipIf(process.platform === "win32")(
    "stops the run with what to do, and a later run goes on",
    async () => {
      const directory = join(folder, "full")
      const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((done, fail) => {
        const child = spawn("bash", [
          "-c",
          'ulimit -f 64; exec "$@"',
          "bash",
          process.execPath,
          script,
          directory,
          String(ITEMS),
          "0",
        ])
        let stderr = ""
        child.stderr.on("data", (data) => {
          stderr += data
        })
        child.once("error", fail)
        child.once("exit", (code) => done({ code, stderr }))
      })
      expect(code).toBe(3)
      expect(stderr).toContain("cannot write the ledger: the file may not grow further")
      expect(stderr).toContain(`where: ${join(directory, "ledger.jsonl")}`)
      const whole = join(folder, "roomy")
      await finish(whole, ITEMS)
      await finish(directory, ITEMS)
      expect(contents(directory)).toEqual(contents(whole))
    },
  )
})
