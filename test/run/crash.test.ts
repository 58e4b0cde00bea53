/** Processes that are killed, or whose disk fills up, and what a later run makes of what they left. */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { rolldown } from "rolldown"
import { beforeAll, describe, expect, it } from "vitest"
import { simulatedBackend } from "../../runtime/backend/simulated.ts"
import { LOCK } from "../../runtime/run/lock.ts"
import { run } from "../../runtime/run/run.ts"
import { contents } from "./contents.ts"
import { crossed } from "./crossed.ts"
import { handed, restored } from "./handed.ts"
import { request } from "./request.ts"
import { requestOf } from "./spec.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()
const script = join(folder, "child.mjs")
const crossedScript = join(folder, "crossedChild.mjs")

beforeAll(async () => {
  for (const [name, file] of [
    ["child.ts", script],
    ["crossedChild.ts", crossedScript],
  ] as const) {
    const bundle = await rolldown({
      input: fileURLToPath(new URL(name, import.meta.url)),
      platform: "node",
      external: [/^node-llama-cpp/],
    })
    await bundle.write({ file, format: "esm", codeSplitting: false })
    await bundle.close()
  }
}, 120_000)

/** Runs the spec to its end, in this process. */
const finish = (directory: string, items: number): Promise<unknown> =>
  Effect.runPromise(run(request(directory, { items })).pipe(Effect.provide(simulatedBackend())))

describe("kill -9", () => {
  const ITEMS = 8
  const PAUSE = 5

  /** Starts a run and kills it so many milliseconds after its engine gave so many answers. Resolves to the answers that it left. */
  const kill = (directory: string, given: number, after: number): Promise<number> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [script, directory, String(ITEMS), String(PAUSE)])
      let said = ""
      child.stdout.on("data", (data) => {
        said += data
        if (said.split("\n").length > given) setTimeout(() => child.kill("SIGKILL"), after)
      })
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
        const given = 1 + Math.floor(Math.random() * ITEMS * 4)
        const after = Math.random() * 2 * PAUSE
        left.push(await kill(directory, given, after))
        await finish(directory, ITEMS)
        expect(contents(directory), `killed ${after} ms after ${given} answers`).toEqual(expected)
      }
    }
    await Promise.all([work(), work()])
    // Had none been killed between its first and its last read, this would have shown nothing.
    expect(left.some((answers) => answers > 0 && answers < ITEMS * 5)).toBe(true)
  }, 90_000)

  it("leaves a lock that nobody holds", async () => {
    const directory = join(folder, "locked")
    await kill(directory, 3, 1)
    expect(readdirSync(directory)).toContain(LOCK)
    await finish(directory, ITEMS)
    expect(readdirSync(directory)).not.toContain(LOCK)
  })
})

describe("kill -9 of a run of two models that write, read and judge each other", () => {
  const POINTS = 50
  const TIMES = 5
  const given = join(folder, "request.json")

  /** Carries the run out until it is killed at an answer; resolves to the kinds of lines that its ledger then holds. */
  const kill = (directory: string, at: number, after: number): Promise<ReadonlySet<string>> =>
    new Promise((done, fail) => {
      const child = spawn(process.execPath, [crossedScript, given, directory, String(at), String(after)])
      let said = ""
      child.stderr.on("data", (data) => {
        said += data
      })
      child.once("error", fail)
      child.once("exit", (code) => {
        if (code === 3) return fail(new Error(said))
        const lines = readFileSync(join(directory, "ledger.jsonl"), "utf8")
        done(new Set([...lines.matchAll(/^\{"kind":"(\w+)"/gm)].map(([, kind = ""]) => kind)))
      })
    })

  it(`at ${POINTS} random answers, five to a run, leaves the bytes of a run that nobody killed`, async () => {
    const request = requestOf(join(folder, "uncrossed"), crossed, { items: 5 })
    writeFileSync(given, handed(request))
    const complete = (directory: string) =>
      Effect.runPromise(
        run(restored(readFileSync(given, "utf8"), directory)).pipe(Effect.provide(simulatedBackend())),
      )
    const whole = join(folder, "uncrossed")
    const { session } = await complete(whole)
    const expected = contents(whole)
    const answers = (session?.asked ?? 0) + (session?.audited?.reads ?? 0)
    expect(answers).toBeGreaterThan(100)
    const attempts = Array.from({ length: POINTS / TIMES }, (_, n) => join(folder, `crossed-${n}`))
    const seen = new Set<string>()
    let within = 0
    const work = async (): Promise<void> => {
      for (let directory = attempts.pop(); directory !== undefined; directory = attempts.pop()) {
        const killed: string[] = []
        for (let time = 0; time < TIMES; time++) {
          const at = 1 + Math.floor((Math.random() * answers) / (TIMES - time / 2))
          const after = Math.random() * 4
          killed.push(`answer ${at}, ${after} ms later`)
          const kinds = await kill(directory, at, after)
          for (const kind of kinds) seen.add(kind)
          if (kinds.size > 1) within += 1
        }
        await complete(directory)
        expect(contents(directory), `killed at ${killed.join("; ")}`).toEqual(expected)
      }
    }
    await Promise.all([work(), work()])
    // Had none been killed within its reads, its texts or its audits, this would have shown nothing.
    expect(within).toBeGreaterThan(POINTS / 2)
    for (const kind of ["model", "answer", "text", "audit"]) expect(seen, kind).toContain(kind)
  }, 900_000)
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
