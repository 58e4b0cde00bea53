import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import { cfx, copyOfQuickstart, folder, quickstart, root } from "./support.ts"

const pocket = join(root, "stdlib/models/pocket/pocket.gguf")

describe("the environment fails: exit 3, with what, where and what to do", () => {
  it("when a model's file is missing", async () => {
    const home = folder()
    const { code, out, err } = await cfx(["run", quickstart, "--model", "respondent=models/none.gguf"], {
      cwd: home,
    })
    expect({ code, out }).toEqual({ code: 3, out: "" })
    expect(err).toContain("the file of model respondent does not exist")
    expect(err).toContain(join(home, "models/none.gguf"))
    expect(err).toContain("what to do:")
  })

  it("when a model's file is cut short", async () => {
    const home = folder()
    writeFileSync(join(home, "short.gguf"), readFileSync(pocket).subarray(0, 1_000_000))
    const { code, err } = await cfx(["run", quickstart, "--model", "respondent=short.gguf"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("short.gguf")
    expect(err).not.toMatch(/^ +at /m)
  })

  it("when a model's file is not the declared one, by a single byte", async () => {
    const home = copyOfQuickstart((text) =>
      text.replace(
        'import { pocket as respondent } from "std/models"',
        'import { respondent } from "./models.cfx"',
      ),
    )
    const bytes = readFileSync(pocket)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(join(home, "specs/changed.gguf"), bytes)
    const sum = readFileSync(join(root, "stdlib/models/pocket/SHA256"), "utf8").split(" ")[0]
    writeFileSync(
      join(home, "specs/models.cfx"),
      `model respondent = gguf "changed.gguf" {\n  sha256 "${sum}"\n}\n`,
    )
    const { code, err } = await cfx(["run", "specs/quickstart.cfx"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toMatch(/has sha256 [0-9a-f]{64}, not the declared/)
  })

  it("when the items are missing", async () => {
    const home = copyOfQuickstart()
    rmSync(join(home, "specs/items/kinds.yaml"))
    const { code, out, err } = await cfx(["run", "specs/quickstart.cfx"], { cwd: home })
    expect({ code, out }).toEqual({ code: 3, out: "" })
    expect(err).toContain("items/kinds.yaml")
    expect(err).toContain("no such file")
    expect(existsSync(join(home, "runs"))).toBe(false)
  })

  it("when the run directory is a file, or lies below one", async () => {
    const home = folder()
    writeFileSync(join(home, "taken"), "")
    for (const [directory, why] of [
      ["taken", "this is a file"],
      ["taken/below", "a part of the path is a file"],
    ] as const) {
      const { code, err } = await cfx(["run", quickstart, "-o", directory, "--limit", "1"], { cwd: home })
      expect(code).toBe(3)
      expect(err).toContain(why)
      expect(err).toContain("choose another folder with -o")
    }
  })

  it("when the folder holds something else", async () => {
    const home = folder()
    mkdirSync(join(home, "mine"))
    writeFileSync(join(home, "mine/thesis.txt"), "words")
    const { code, err } = await cfx(["run", quickstart, "-o", "mine", "--limit", "1"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("holds no run")
    expect(readdirSync(join(home, "mine"))).toEqual(["thesis.txt"])
  })

  it("when the folder holds a run of another spec", async () => {
    const home = copyOfQuickstart((text) => text.replace("seed 0", "seed 1"))
    const run = (spec: string) =>
      cfx(["run", spec, "-o", "r", "--limit", "2", "--backend", "simulated"], { cwd: home })
    expect((await run(quickstart)).code).not.toBe(3)
    const before = readFileSync(join(home, "r/ledger.jsonl"), "utf8")
    const { code, err } = await run("specs/quickstart.cfx")
    expect(code).toBe(3)
    expect(err).toContain("the folder holds another run; it differs in what the spec means")
    expect(readFileSync(join(home, "r/ledger.jsonl"), "utf8")).toBe(before)

    const shown = await cfx(["show", "specs/quickstart.cfx", "--run", "r"], { cwd: home })
    expect({ code: shown.code, out: shown.out }).toEqual({ code: 3, out: "" })
    expect(shown.err).toContain("the folder holds another run; it differs in what the spec means")
    const beyond = await cfx(["show", quickstart, "--run", "r", "--item", "kind-100"], { cwd: home })
    expect(beyond.code).toBe(3)
    expect(beyond.err).toContain("the run did not ask about trial quickstart/respondent/kinds/kind-100/")
    expect(beyond.err).toContain("--limit 2")
  })

  it.runIf(existsSync("/sys/kernel"))("when the output may not be written", async () => {
    const { code, err } = await cfx(["run", quickstart, "-o", "/sys/cfx/run", "--limit", "1"], {
      cwd: folder(),
    })
    expect(code).toBe(3)
    expect(err).toMatch(/no permission|read-only/)
    expect(err).toContain("choose another folder with -o")
  })

  it.skipIf(process.platform === "win32")(
    "when the disk is full half-way: it goes on from there once there is room",
    async () => {
      const home = folder()
      const words = ["run", quickstart, "--limit", "4", "--backend", "simulated"]
      // A limit on the size of files, in blocks of 512 or 1024 bytes, stops the ledger as a full disk does.
      const line = ["ulimit -f 16;", process.execPath, inject("bundle"), ...words].join(" ")
      const { status, stderr } = spawnSync("sh", ["-c", line], { cwd: home, encoding: "utf8" })
      expect(status).toBe(3)
      expect(stderr).toContain("ulimit -f")
      expect((await cfx(words, { cwd: home })).code).not.toBe(3)
      const whole = folder()
      await cfx(words, { cwd: whole })
      const written = (home: string): string => readFileSync(join(home, "runs/quickstart/trials.csv"), "utf8")
      expect(written(home)).toBe(written(whole))
    },
  )

  it.skipIf(process.platform === "win32")("when there is no room for a lock: nothing is left of it", () => {
    const home = folder()
    const line = `ulimit -f 0; "${process.execPath}" "${inject("bundle")}" run "${quickstart}" --limit 1 --backend simulated -o run`
    const { status } = spawnSync("sh", ["-c", line], { cwd: home, encoding: "utf8" })
    expect(status).toBe(3)
    expect(readdirSync(home, { recursive: true })).toEqual([])
  })

  it.runIf(existsSync("/dev/full"))("when standard output is a full disk", () => {
    const line = `"${process.execPath}" "${inject("bundle")}" explain > /dev/full`
    const { status, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" })
    expect(status).toBe(3)
    expect(stderr).toContain("standard output cannot be written")
  })

  it.each([
    [["resume", "nothing"]],
    [["report", "nothing"]],
    [["show", quickstart, "--run", "nothing"]],
    [["plan", quickstart, "--run", "nothing"]],
  ])("when %j is given a folder without a run", async (words) => {
    const { code, err } = await cfx(words, { cwd: folder() })
    expect(code).toBe(3)
    expect(err).toContain("the folder holds no run")
  })

  it("when a plan is to be written into a folder that is not there: none is made", async () => {
    const home = folder()
    const { code, err } = await cfx(["plan", quickstart, "-o", "nosuch/plan.json"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("its folder is not there")
    expect(readdirSync(home)).toEqual([])
  })
})

describe("a reader that goes away", () => {
  it("is no error", () => {
    const line = `"${process.execPath}" "${inject("bundle")}" explain | head -n 1`
    const { status, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  })
})
