import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import { cfx, folder, quickstart, root } from "./support.ts"

const commands = ["run", "check", "plan", "show", "resume", "report", "fmt", "doctor", "explain"]

describe("the command line", () => {
  it("lists every command in its help, on standard output", async () => {
    const { code, out, err } = await cfx(["--help"], { cwd: folder() })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} `, "m"))
  })

  it("shows the same help on standard error, and exits 2, when it is called without a command", async () => {
    const { code, out, err } = await cfx([], { cwd: folder() })
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain("Usage: cfx COMMAND")
  })

  it("prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    expect(await cfx(["--version"], { cwd: folder() })).toEqual({ code: 0, out: `${version}\n`, err: "" })
  })

  it.each(commands)("has help for %s that names its options", async (command) => {
    const { code, out, err } = await cfx([command, "--help"], { cwd: folder() })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toMatch(new RegExp(`^Usage: cfx ${command} `))
    for (const option of ["--help", "--quiet", "--no-color"]) expect(out).toContain(option)
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100)
  })

  it.each([
    [["chek", quickstart], "there is no command chek; did you mean check?"],
    [["check", quickstart, "--jsn"], "there is no option --jsn; did you mean --json?"],
    [["run"], "SPEC is missing"],
    [["run", quickstart, quickstart], "one word too many"],
    [["run", quickstart, "-o"], "-o needs a value"],
    [["run", quickstart, "--json=1"], "--json takes no value"],
    [["run", quickstart, "--limit", "0"], "--limit takes a whole number from 1, not 0"],
    [["run", quickstart, "--limit", "ten"], "--limit takes a whole number from 1, not ten"],
    [
      ["run", quickstart, "--backend", "simulate"],
      "--backend takes llama or simulated or replay, not simulate",
    ],
    [["run", quickstart, "--model", "respondent"], "--model takes NAME=VALUE, not respondent"],
    [["run", quickstart, "--model", "respndent=x.gguf"], "did you mean respondent?"],
    [["run", quickstart, "--items", "kind=x.yaml"], "did you mean kinds?"],
    [["run", quickstart, "--experiment", "quickstat"], "did you mean quickstart?"],
    [["show", quickstart, "--arm", "presure"], "did you mean pressure?"],
    [
      ["show", quickstart, "--item", "kind-0011"],
      "ids are kind-001, kind-002, kind-003, ..., and the nearest is kind-001",
    ],
    [["run", quickstart, "--mode", "slow"], "--mode takes exact or fast, not slow"],
    [["report", "runs/x", "--json", "--format", "md"], "--json and --format md are two forms"],
    [["\u001b[31mfoo"], "there is no command ␛[31mfoo"],
    [["run", quickstart, "--limit", "\u001b[31m"], "not ␛[31m"],
    [["report", "runs/x", "--format", "pdf"], "--format takes text, html, md, json, csv, latex, not pdf"],
    [["explain", "CFX9999"], "no diagnostic has the code CFX9999"],
    [["explain", "framing"], "framing is no code: explain takes the code of a diagnostic"],
    [["explain", "framing"], "docs/language.md"],
    [["fmt", "-", "x.cfx"], "- stands alone"],
  ])("exits 2 on %j and says why", async (words, why) => {
    const { code, out, err } = await cfx(words, { cwd: folder() })
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(why)
    expect(err).not.toMatch(/^ +at /m)
    expect(err).not.toContain("\u001b")
  })

  it("exits 2 on a CFX_THREADS that is no number of threads", async () => {
    const { code, err } = await cfx(["run", quickstart], { cwd: folder(), env: { CFX_THREADS: "abc" } })
    expect(code).toBe(2)
    expect(err).toContain("CFX_THREADS is abc; it may be a whole number from 1 to")
  })

  it("starts in at most three times the time of bare Node", () => {
    const seconds = (words: readonly string[]): number => {
      const started = performance.now()
      spawnSync(process.execPath, words)
      return performance.now() - started
    }
    const runs = Array.from(
      { length: 20 },
      () => [seconds(["-e", "0"]), seconds([inject("bundle"), "--help"])] as const,
    )
    const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[10]!
    expect(median(runs.map(([, ours]) => ours)) / median(runs.map(([bare]) => bare))).toBeLessThan(3)
  })
})

describe("check", () => {
  it("is content with the quickstart and the standard library", async () => {
    const { code, out, err } = await cfx(["check", quickstart], { cwd: folder() })
    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(err).toContain("no errors")
  })

  it("says nothing at all with --quiet", async () => {
    expect(await cfx(["check", quickstart, "--quiet"], { cwd: folder() })).toEqual({
      code: 0,
      out: "",
      err: "",
    })
  })
})

describe("explain", () => {
  it("lists every code, and explains each", async () => {
    const { code, out } = await cfx(["explain"], { cwd: folder() })
    expect(code).toBe(0)
    const first = /CFX\d{4}/.exec(out)![0]
    const page = await cfx(["explain", first.toLowerCase()], { cwd: folder() })
    expect(page.code).toBe(0)
    expect(page.out).toContain(first)
  })
})
