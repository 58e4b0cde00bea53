import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { change, writeStudy } from "../lock/study.ts"
import { cfx, folder, makeFolder, removeFolder } from "./support.ts"

const study = (): string => {
  const home = folder()
  writeStudy(home)
  return home
}

/** Locked once for all tests, each of which has a copy. */
let original = ""
beforeAll(async () => {
  original = makeFolder()
  writeStudy(original)
  const { code, err } = await cfx(["lock", "experiment.cfx"], { cwd: original })
  expect({ code, err }).toEqual({ code: 0, err: "" })
  return () => removeFolder(original)
})

const locked = (): string => {
  const home = folder()
  cpSync(original, home, { recursive: true })
  return home
}

const simulated = ["run", "experiment.cfx", "--backend", "simulated", "--limit", "2", "-o", "run"]

describe("cfx lock", () => {
  it("writes what a run depends on, the same bytes every time and everywhere", async () => {
    const home = study()
    const { code, out } = await cfx(["lock", "experiment.cfx"], { cwd: home })
    expect(code).toBe(0)
    expect(out).toMatch(
      /^experiment\.cfx is locked in cfx\.lock:\n {2}cfx .*, node-llama-cpp 3\.\d+\.\d+ \(llama\.cpp .*\)/,
    )
    expect(out).toContain("1 model, 1 pool")
    expect(out).not.toContain("Not pinned")
    const text = readFileSync(join(home, "cfx.lock"), "utf8")
    for (const line of [
      /^ {6}lib\.cfx:\n {8}meanings:\n {10}crowd: [0-9a-f]{64}$/m,
      /^ {6}pkg:cfx-rumour\/rumour\.cfx:\n {8}meanings:\n {10}rumour: [0-9a-f]{64}\n {8}version: 1\.0\.0$/m,
      /^ {6}pocket:\n {8}bytes: 2930272\n {8}sha256: cebaac6056b5[0-9a-f]+\n {8}source: pocket\.gguf$/m,
      /^ {10}questions\.yaml:\n {12}rows: 48\n {12}sha256: "?[0-9a-f]{64}"?$/m,
    ]) {
      expect(text).toMatch(line)
    }
    expect(text).not.toContain(home)
    const elsewhere = folder()
    cpSync(home, join(elsewhere, "copy"), { recursive: true })
    rmSync(join(elsewhere, "copy/cfx.lock"))
    expect((await cfx(["lock", "copy/experiment.cfx"], { cwd: elsewhere })).code).toBe(0)
    expect(readFileSync(join(elsewhere, "copy/cfx.lock"), "utf8")).toBe(text)
    expect((await cfx(["lock", "experiment.cfx", "--update"], { cwd: home })).code).toBe(0)
    expect(readFileSync(join(home, "cfx.lock"), "utf8")).toBe(text)
  })

  it("holds check, plan and run to it, and run.json says so", async () => {
    const home = locked()
    expect(await cfx(["check", "experiment.cfx"], { cwd: home })).toMatchObject({ code: 0 })
    const { code } = await cfx(simulated, { cwd: home })
    expect(code).toBe(0)
    const { lock } = JSON.parse(readFileSync(join(home, "run/run.json"), "utf8"))
    const told = await cfx(["lock", "experiment.cfx", "--json"], { cwd: home })
    expect(JSON.parse(told.out)).toMatchObject({ lock: "cfx.lock", sum: lock, moved: [], open: [] })
  })

  it("ends with 5 where something moved, and names it, old and new, until that is accepted", async () => {
    const home = locked()
    change(home, "lib.cfx", "A crowd says", "A crowd said")
    const moved = / {2}library lib\.cfx, crowd: meaning\n {4}was [0-9a-f]{64}\n {4}is {2}[0-9a-f]{64}\n/
    const checked = await cfx(["check", "experiment.cfx"], { cwd: home })
    expect(checked.code).toBe(5)
    expect(checked.err).toMatch(moved)
    expect(checked.err).toMatch(/lock experiment\.cfx --update/)
    expect(checked.err).not.toContain("no errors")
    const accepted = await cfx(["lock", "experiment.cfx", "--update"], { cwd: home })
    expect(accepted.code).toBe(0)
    expect(accepted.out).toMatch(moved)
    expect((await cfx(["check", "experiment.cfx"], { cwd: home })).code).toBe(0)
  })

  it.each([["plan", "experiment.cfx"], simulated, ["lock", "experiment.cfx"]])(
    "stops a command before it does anything: %s",
    async (...words) => {
      const home = locked()
      change(home, "lib.cfx", "A crowd says", "A crowd said")
      const lock = readFileSync(join(home, "cfx.lock"), "utf8")
      const { code, out, err } = await cfx(words, { cwd: home })
      expect({ code, out }).toEqual({ code: 5, out: "" })
      expect(err).toContain("  library lib.cfx, crowd: meaning\n    was ")
      expect(existsSync(join(home, "run"))).toBe(false)
      expect(readFileSync(join(home, "cfx.lock"), "utf8")).toBe(lock)
    },
  )

  it("gives a drift its place in the lock, for programs", async () => {
    const home = locked()
    change(home, "lib.cfx", "A crowd says", "A crowd said")
    const { code, out } = await cfx(["check", "experiment.cfx", "--json"], { cwd: home })
    expect(code).toBe(5)
    const [drift, ...others] = JSON.parse(out).filter(
      ({ severity }: { severity: string }) => severity === "error",
    )
    expect(others).toEqual([])
    expect(drift).toMatchObject({ code: "drift", severity: "error", file: "cfx.lock" })
    const line = readFileSync(join(home, "cfx.lock"), "utf8").split("\n")[drift.start.line - 1]
    expect(line?.slice(0, drift.start.column - 1)).toMatch(/^ +crowd: $/)
  })

  it("ends with 3, before 5, where a model's file is not there either", async () => {
    const home = locked()
    change(home, "lib.cfx", "A crowd says", "A crowd said")
    rmSync(join(home, "pocket.gguf"))
    const { code, err } = await cfx(["run", "experiment.cfx", "-o", "run"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("library lib.cfx, crowd: meaning")
    expect(err).toContain("the file of model pocket is not at hand")
    expect((await cfx(["check", "experiment.cfx"], { cwd: home })).code).toBe(5)
  })

  it("ends with 1 where the spec has errors, whatever moved", async () => {
    const home = locked()
    change(home, "lib.cfx", "{assertion}", "{asertion}")
    expect((await cfx(["check", "experiment.cfx"], { cwd: home })).code).toBe(1)
    expect((await cfx(["lock", "experiment.cfx", "--update"], { cwd: home })).code).toBe(1)
  })

  it("keeps what it says of other specs of the folder, and says nothing of one that it does not know", async () => {
    const home = locked()
    const first = readFileSync(join(home, "cfx.lock"), "utf8")
    cpSync(join(home, "experiment.cfx"), join(home, "again.cfx"))
    const checked = await cfx(["check", "again.cfx"], { cwd: home })
    expect(checked).toMatchObject({
      code: 0,
      err: expect.stringContaining("cfx.lock says nothing of again.cfx"),
    })
    expect((await cfx(["lock", "again.cfx"], { cwd: home })).code).toBe(0)
    const both = readFileSync(join(home, "cfx.lock"), "utf8")
    expect(both).toContain("  again.cfx:\n")
    expect(both).toContain(first.slice(first.indexOf("  experiment.cfx:")))
  })

  it("is no lock where it is damaged: that is the environment's fault, and it says what to do", async () => {
    const home = locked()
    change(home, "cfx.lock", "format: 1", "<<<<<<< HEAD")
    const { code, err } = await cfx(["check", "experiment.cfx"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("cfx.lock is damaged")
  })

  it("is released where the command line gives other items, with a remark; and holds those that it was written for", async () => {
    const home = locked()
    cpSync(join(home, "questions.yaml"), join(home, "mine.yaml"))
    change(home, "mine.yaml", "id: q07", "id: seven")
    const released = await cfx([...simulated, "--items", "questions=mine.yaml"], { cwd: home })
    expect(released.code).toBe(0)
    expect(released.err).toContain("pool questions is not held to the lock: the command line gives it")
    const given = ["experiment.cfx", "--items", "questions=mine.yaml"]
    expect((await cfx(["lock", ...given], { cwd: home })).code).toBe(0)
    expect(readFileSync(join(home, "cfx.lock"), "utf8")).toMatch(/given: true/)
    change(home, "mine.yaml", "id: seven", "id: eight")
    const moved = await cfx([...simulated, "--items", "questions=mine.yaml"], { cwd: home })
    expect(moved).toMatchObject({
      code: 5,
      err: expect.stringContaining("pool questions, mine.yaml: sha256"),
    })
  })
})

describe("cfx lock and the hub", () => {
  const COMMIT = "0123456789abcdef0123456789abcdef01234567"
  const spec = (home: string): void => {
    change(home, "experiment.cfx", 'gguf "pocket.gguf"', 'gguf "hf:lab/pocket/pocket.gguf#unlocked"')
  }

  it("pins the revision that the hub names, without asking again later", async () => {
    const home = study()
    spec(home)
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end(
        JSON.stringify({
          sha: COMMIT,
          siblings: [{ rfilename: "pocket.gguf", lfs: { sha256: "ab".repeat(32), size: 9 } }],
        }),
      )
    })
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
    onTestFinished(() => void server.close())
    const env = { HF_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    expect((await cfx(["lock", "experiment.cfx"], { cwd: home, env })).code).toBe(0)
    const text = readFileSync(join(home, "cfx.lock"), "utf8")
    expect(text).toContain(
      `bytes: 9\n        revision: "${COMMIT}"`.replaceAll('"', text.includes(`"${COMMIT}"`) ? '"' : ""),
    )
    expect((await cfx(["check", "experiment.cfx"], { cwd: home, env })).code).toBe(0)
    expect((await cfx(["lock", "experiment.cfx"], { cwd: home, env })).code).toBe(0)
    expect(readFileSync(join(home, "cfx.lock"), "utf8")).toBe(text)
    expect(asked).toBe(1)
  })

  it("says what stays unlocked where it cannot be reached, and invents nothing", async () => {
    const home = study()
    spec(home)
    const { code, out } = await cfx(["lock", "experiment.cfx"], {
      cwd: home,
      env: { HF_ENDPOINT: "http://127.0.0.1:9" },
    })
    expect(code).toBe(0)
    expect(out).toContain(
      "Not pinned:\n  model pocket: stays unlocked: http://127.0.0.1:9 cannot be reached\n",
    )
    expect(readFileSync(join(home, "cfx.lock"), "utf8")).toMatch(
      /pocket:\n {8}revision: unlocked\n {8}source: hf:lab\/pocket\/pocket\.gguf#unlocked\n/,
    )
  })
})

describe("cfx lock --freeze", () => {
  it("writes sums into the imports and changes nothing else, and a second time nothing at all", async () => {
    const home = study()
    const before = readFileSync(join(home, "experiment.cfx"), "utf8")
    const first = await cfx(["lock", "experiment.cfx", "--freeze"], { cwd: home })
    expect(first.code).toBe(0)
    const frozen = readFileSync(join(home, "experiment.cfx"), "utf8")
    const imports = before.match(/^import /gm)?.length ?? 0
    expect(frozen.match(/ sha256:[0-9a-f]{64}$/gm)).toHaveLength(imports)
    expect(frozen.replaceAll(/ sha256:[0-9a-f]{64}$/gm, "")).toBe(before)
    expect((await cfx(["check", "experiment.cfx"], { cwd: home })).code).toBe(0)
    expect((await cfx(["lock", "experiment.cfx", "--freeze"], { cwd: home })).err).toContain(
      "every import carries its sum",
    )
    expect(readFileSync(join(home, "experiment.cfx"), "utf8")).toBe(frozen)
  })

  it("refuses another meaning with both sums, until it is told to accept it", async () => {
    const home = study()
    await cfx(["lock", "experiment.cfx", "--freeze"], { cwd: home })
    change(home, "lib.cfx", "A crowd says", "A crowd said")
    const refused = await cfx(["check", "experiment.cfx"], { cwd: home })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain("error[CFX2550]")
    expect(new Set(refused.err.match(/[0-9a-f]{64}/g)).size).toBe(2)
    expect((await cfx(["lock", "experiment.cfx", "--freeze"], { cwd: home })).code).toBe(1)
    expect((await cfx(["lock", "experiment.cfx", "--freeze", "--update"], { cwd: home })).code).toBe(0)
    expect((await cfx(["check", "experiment.cfx"], { cwd: home })).code).toBe(0)
  })

  it("keeps a byte order mark and the ends of lines", async () => {
    const home = study()
    const text = `\uFEFF${readFileSync(join(home, "experiment.cfx"), "utf8").replaceAll("\n", "\r\n")}`
    writeFileSync(join(home, "experiment.cfx"), text)
    expect((await cfx(["lock", "experiment.cfx", "--freeze"], { cwd: home })).code).toBe(0)
    const frozen = readFileSync(join(home, "experiment.cfx"), "utf8")
    expect(frozen).not.toBe(text)
    expect(frozen.replaceAll(/ sha256:[0-9a-f]{64}(?=\r$)/gm, "")).toBe(text)
  })
})
