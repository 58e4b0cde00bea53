import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cfx, folder } from "./support.ts"

describe("cfx init", () => {
  it("writes a starter that passes check without a warning, is laid out, and runs at once on the model that comes with cfx", async () => {
    const home = folder()
    const { code, out, err } = await cfx(["init", "study"], { cwd: home })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(readdirSync(join(home, "study")).sort()).toEqual([
      ".gitignore",
      "experiment.cfx",
      "questions.yaml",
    ])
    const commands = out.split("\n").filter((line) => line.startsWith("  "))
    expect(commands.map((line) => line.replace(/^.*cfx\.js /, ""))).toEqual([
      "check study/experiment.cfx",
      "run study/experiment.cfx",
    ])
    const checked = await cfx(["check", "study/experiment.cfx"], { cwd: home })
    expect(checked).toMatchObject({ code: 0, err: "study/experiment.cfx: no errors, no warnings\n" })
    expect((await cfx(["fmt", "--check", "study/experiment.cfx"], { cwd: home })).code).toBe(0)
    const run = await cfx(["run", "study/experiment.cfx", "-o", "study/runs/first", "--quiet"], { cwd: home })
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: "" })
    expect(run.out).toMatch(/^authority: \+\d/m)
    expect(existsSync(join(home, "study/runs/first/report.html"))).toBe(true)
  })

  it("writes here where it is told nothing else, and keeps a .gitignore that is there", async () => {
    const home = folder()
    writeFileSync(join(home, ".gitignore"), "mine\n")
    const { code, err } = await cfx(["init"], { cwd: home })
    expect(code).toBe(0)
    expect(err).toContain(".gitignore is there already")
    expect(readFileSync(join(home, ".gitignore"), "utf8")).toBe("mine\n")
    expect(existsSync(join(home, "experiment.cfx"))).toBe(true)
  })

  it.each(["experiment.cfx", "questions.yaml"])(
    "overwrites nothing: with %s there, it writes no file at all",
    async (name) => {
      const home = folder()
      writeFileSync(join(home, name), "mine")
      const { code, err } = await cfx(["init", "."], { cwd: home })
      expect(code).toBe(3)
      expect(err).toContain("nothing was written")
      expect(err).toContain(name)
      expect(readdirSync(home)).toEqual([name])
      expect(readFileSync(join(home, name), "utf8")).toBe("mine")
    },
  )

  it("needs a folder", async () => {
    const home = folder()
    writeFileSync(join(home, "study"), "mine")
    expect(await cfx(["init", "study"], { cwd: home })).toMatchObject({
      code: 3,
      err: expect.stringContaining("this is a file"),
    })
  })

  it("says where it may not write", async () => {
    const home = folder()
    writeFileSync(join(home, "shut"), "a file where a folder should be")
    const { code, err } = await cfx(["init", "shut/inner"], { cwd: home })
    expect(code).toBe(3)
    expect(err).toContain("shut")
  })
})
