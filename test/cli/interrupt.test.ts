import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { cfx, type Ended, folder, makeFolder, quickstart, removeFolder, start } from "./support.ts"

const LIMIT = ["--limit", "15"]
const written = (home: string, name: string): string =>
  readFileSync(join(home, "runs/quickstart", name), "utf8")

/** Starts a run and signals it once its ledger holds so many lines. */
async function stopped(
  home: string,
  lines: number,
  signal: NodeJS.Signals,
): Promise<Ended & { readonly signal: NodeJS.Signals | null }> {
  const { child, ended } = start(["run", quickstart, ...LIMIT], { cwd: home })
  const ledger = join(home, "runs/quickstart/ledger.jsonl")
  while (
    child.exitCode === null &&
    !(existsSync(ledger) && readFileSync(ledger, "utf8").split("\n").length > lines)
  ) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  child.kill(signal)
  return { ...(await ended), signal: child.signalCode }
}

let home: string
beforeAll(async () => {
  home = makeFolder()
  await cfx(["run", quickstart, ...LIMIT, "--quiet"], { cwd: home })
})
afterAll(() => removeFolder(home))

describe("an interrupted run", () => {
  it("ends with 130, keeps what was answered and names the command that goes on", async () => {
    const other = folder()
    const { code, out, err } = await stopped(other, 20, "SIGINT")
    expect({ code, out }).toEqual({ code: 130, out: "" })
    expect(err).toContain(`to go on:\n  node ${inject("bundle")} resume runs/quickstart\n`)
    expect(JSON.parse(written(other, "run.json")).state).toBe("interrupted")
    const answered = written(other, "ledger.jsonl").trim().split("\n").length
    expect(answered).toBeGreaterThanOrEqual(20)

    const resumed = await cfx(["resume", "runs/quickstart"], { cwd: other })
    expect(resumed.code).toBe(0)
    const whole = written(home, "ledger.jsonl").trim().split("\n").length
    expect(Number(/(\d+) reads asked/.exec(resumed.err)![1])).toBeLessThan(whole)
    for (const name of ["results.json", "trials.csv", "report.html"]) {
      expect(written(other, name), name).toBe(written(home, name))
    }
  })

  it("takes two signals of one moment for one press: npm passes on what the terminal sends too", async () => {
    const other = folder()
    const { child, ended } = start(["run", quickstart, ...LIMIT], { cwd: other })
    while (!existsSync(join(other, "runs/quickstart/ledger.jsonl")))
      await new Promise((go) => setTimeout(go, 10))
    child.kill("SIGINT")
    setTimeout(() => child.kill("SIGINT"), 20)
    const { code, err } = await ended
    expect(code).toBe(130)
    expect(err).toContain("to go on")
  })

  it("is reported as far as it came", async () => {
    const other = folder()
    await stopped(other, 20, "SIGTERM")
    const { code, err } = await cfx(["report", "runs/quickstart"], { cwd: other })
    expect(code).toBe(0)
    expect(err).toContain("not complete")
  })
})

describe("a killed run", () => {
  it.each([1, 25, 60])(
    "is resumed to the same bytes after kill -9 at line %d of its ledger",
    async (lines) => {
      const other = folder()
      expect((await stopped(other, lines, "SIGKILL")).signal).toBe("SIGKILL")
      const resumed = await cfx(["run", quickstart, ...LIMIT, "--quiet"], { cwd: other })
      expect(resumed.code).toBe(0)
      for (const name of ["results.json", "trials.csv", "report.html"]) {
        expect(written(other, name), name).toBe(written(home, name))
      }
    },
  )
})
