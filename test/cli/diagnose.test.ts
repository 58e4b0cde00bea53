/** `cfx diagnose` as a person has it: from the bundle, with its threads. */
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cfx, copyOfQuickstart, quickstart, start } from "./support.ts"

const assume = `assume {
    accuracy 0.8
    HRR { no_source 0.5  people 0.5  experts 0.7 }
  }
  expect authority > 0`

const withAssume = (): string => copyOfQuickstart((text) => text.replace("expect authority > 0", assume))

const spec = "specs/quickstart.cfx"

describe("cfx diagnose", () => {
  it("prints a table, and writes it, its figure and its numbers where it is told to", async () => {
    const cwd = withAssume()
    const { code, out, err } = await cfx(["diagnose", spec, "--sims", "20", "-o", "out"], { cwd })
    expect(err).toContain("diagnosis: out")
    expect(code).toBe(0)
    expect(out).toMatch(/authority +paired\(item\) +\+20\.0 pp/)
    expect(out).toMatch(/Smallest effect found with 80 % power/)
    expect(out).toMatch(/authority > 0 +\d/)
    expect(out).toContain("spread item")
    const written = JSON.parse(readFileSync(join(cwd, "out/diagnosis.json"), "utf8"))
    expect(written.experiments[0].contrasts.map(({ contrast }: { contrast: string }) => contrast)).toEqual([
      "authority",
      "attribution",
    ])
    expect(readFileSync(join(cwd, "out/power_quickstart.svg"), "utf8")).toMatch(/^<svg/)
    expect(readFileSync(join(cwd, "out/diagnosis.txt"), "utf8").trim()).toBe(out.trim())
  })

  it("comes to the same numbers with any number of threads", async () => {
    const cwd = withAssume()
    const call = (threads: string) =>
      cfx(["diagnose", spec, "--sims", "12", "--items", "20", "--seed", "4", "--json", "-q"], {
        cwd,
        env: { CFX_THREADS: threads },
      })
    const [one, two] = [await call("1"), await call("2")]
    expect(one.code).toBe(0)
    expect(JSON.parse(one.out).seed).toBe(4)
    expect(two.out).toBe(one.out)
  })

  it("says which lines a spec lacks, with exit 1", async () => {
    const cwd = copyOfQuickstart()
    const { code, out, err } = await cfx(["diagnose", spec], { cwd })
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain("HRR { no_source 0.5  people 0.5  experts 0.5 }")
    expect(err).toContain("accuracy 0.7")
  })

  it("takes what a finished run showed", async () => {
    const cwd = withAssume()
    await cfx(["run", spec, "--backend", "simulated", "-o", "runs/pilot", "-q"], { cwd })
    const { code, out, err } = await cfx(["diagnose", spec, "--from", "runs/pilot", "--sims", "8"], { cwd })
    expect(code).toBe(0)
    expect(err).toMatch(/pilot quickstart: accuracy 0\.\d+ from \d+ reads/)
    expect(err).toContain("as uncertain as they are")
    expect(out).toContain("(from the pilot)")
  })

  it("stops at a signal, with exit 130", async () => {
    const cwd = withAssume()
    const { child, ended } = start(["diagnose", spec, "--sims", "100000"], { cwd })
    child.stderr?.on("data", (text: string) => {
      if (text.includes("simulating")) child.kill("SIGINT")
    })
    const { code, err } = await ended
    expect(err).toContain("simulations are not kept")
    expect(code).toBe(130)
  })

  it.each([
    [["--sims", "0"], "--sims takes a whole number from 1"],
    [["--items", "10,x"], "--items takes NAME=VALUE, not 10,x"],
    [["--sims", "-1"], "--sims takes a whole number from 1, not -1"],
    [["--seed", "-1"], "--seed takes a whole number from 0, not -1"],
    [["--sims"], "--sims needs a value"],
    [["--sims", "--json"], "--sims needs a value"],
  ])("has no word for %s", async (words, said) => {
    const { code, err } = await cfx(["diagnose", quickstart, ...words], { cwd: copyOfQuickstart() })
    expect(code).toBe(2)
    expect(err).toContain(said)
  })

  it.each([
    ["where it may not", "/proc/nothere"],
    ["below a file", "specs/quickstart.cfx/out"],
    ["where a link leads nowhere", "dangling"],
  ])("ends with 3 before it simulates anything for a folder that cannot be made: %s", async (_, target) => {
    const cwd = withAssume()
    symlinkSync(join(cwd, "not", "there"), join(cwd, "dangling"))
    const { code, out, err } = await cfx(["diagnose", spec, "--sims", "100000", "-o", target], { cwd })
    expect(code).toBe(3)
    expect(out).toBe("")
    expect(err).toMatch(/what to do: (choose another folder with -o|check the path)/)
    expect(err).not.toContain("forecast")
  })

  it("leaves no folder behind where nothing is assumed", async () => {
    const cwd = copyOfQuickstart()
    const { code } = await cfx(["diagnose", spec, "-o", "out"], { cwd })
    expect(code).toBe(1)
    expect(existsSync(join(cwd, "out"))).toBe(false)
  })

  it("writes nothing where the spec has errors", async () => {
    const cwd = copyOfQuickstart((text) => text.replace("measure HRR", "measure HRX"))
    const { code } = await cfx(["diagnose", spec, "-o", "out"], { cwd })
    expect(code).toBe(1)
    expect(existsSync(join(cwd, "out"))).toBe(false)
  })
})
