import { spawnSync } from "node:child_process"
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import { cfx, copyOfQuickstart, folder, quickstart } from "./support.ts"

const broken = (): string =>
  copyOfQuickstart((text) =>
    text
      .replace(
        "framing in { no_source, people, rich_peers, experts }",
        "framing in { no_source, peeple, rich_peers, experts }",
      )
      .replace("BenR[framing", "BenR[framing")
      .replace("columns HRR, BenR, delta_p_pushed", "columns HRR, BenRR, delta_p_pushed"),
  )

describe("a spec with errors", () => {
  it.each([["check"], ["run"], ["plan"], ["show"], ["doctor"]])(
    "stops cfx %s with 1, each error with its place",
    async (command) => {
      const { code, out, err } = await cfx([command, "specs/quickstart.cfx"], { cwd: broken() })
      expect({ code, out }).toEqual({ code: 1, out: "" })
      expect(err).toMatch(/specs\/quickstart\.cfx:\d+:\d+/)
      expect(err).toContain("people")
      expect(err).toContain("BenR")
      expect(err).toMatch(/2 errors/)
      expect(err).not.toMatch(/^ +at .*:\d+:\d+\)?$/m)
    },
  )

  it("is described as JSON with places that count from 1", async () => {
    const home = broken()
    const { code, out } = await cfx(["check", "specs/quickstart.cfx", "--json"], { cwd: home })
    expect(code).toBe(1)
    const text = readFileSync(join(home, "specs/quickstart.cfx"), "utf8").split("\n")
    const errors = JSON.parse(out).filter(({ severity }: { severity: string }) => severity === "error")
    const words = errors.map(({ file, start, end }: { file: string; start: Place; end: Place }) => {
      expect(file).toBe("specs/quickstart.cfx")
      return text[start.line - 1]!.slice(start.column - 1, end.column - 1)
    })
    expect(words).toEqual(["peeple", "BenRR"])
    for (const error of errors)
      expect(error).toMatchObject({ code: expect.stringMatching(/^CFX\d{4}$/), message: expect.any(String) })
  })

  it.each([
    ["an empty file", ""],
    ["no text at all", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ["a lone brace", "experiment x {"],
    ["deep nesting", `metric m() { rate ${"(".repeat(5000)}1 }`],
  ])("may be %s", async (_, text) => {
    const home = folder()
    writeFileSync(join(home, "bad.cfx"), text)
    const { code, err } = await cfx(["run", "bad.cfx"], { cwd: home })
    expect(code).toBe(1)
    expect(err).toMatch(/bad\.cfx/)
    expect(err).not.toMatch(/^ +at /m)
  })

  it("may not be there", async () => {
    const { code, err } = await cfx(["check", "none.cfx"], { cwd: folder() })
    expect(code).not.toBe(0)
    expect(err).toContain("none.cfx")
  })
})

interface Place {
  readonly line: number
  readonly column: number
}

describe("a bad row of an item file", () => {
  it("is an error with its file and line, exit 1", async () => {
    const home = copyOfQuickstart()
    const pool = join(home, "specs/items/kinds.yaml")
    const text = readFileSync(pool, "utf8")
    const line = text.slice(0, text.indexOf("  gold: C")).split("\n").length
    writeFileSync(pool, text.replace("  gold: C", "  gold: E"))
    const { code, err } = await cfx(["run", "specs/quickstart.cfx"], { cwd: home })
    expect(code).toBe(1)
    expect(err).toMatch(new RegExp(`specs/items/kinds\\.yaml:${line}:`))
  })
})

describe("fmt", () => {
  it("leaves the quickstart as it is", async () => {
    expect((await cfx(["fmt", "--check", quickstart], { cwd: folder() })).code).toBe(0)
  })

  it("lists what would change with --check, and changes it without", async () => {
    const home = copyOfQuickstart((text) =>
      text.replace("  seed 0\n", "      seed    0\n").replaceAll("\n", "\r\n"),
    )
    const check = await cfx(["fmt", "--check", "specs/quickstart.cfx"], { cwd: home })
    expect({ code: check.code, out: check.out }).toEqual({ code: 1, out: "specs/quickstart.cfx\n" })
    expect((await cfx(["fmt", "specs/quickstart.cfx"], { cwd: home })).code).toBe(0)
    expect(readFileSync(join(home, "specs/quickstart.cfx"), "utf8")).toBe(readFileSync(quickstart, "utf8"))
  })

  it("reads standard input and writes standard output", async () => {
    const input = readFileSync(quickstart, "utf8")
    const { code, out } = await cfx(["fmt", "-"], {
      cwd: folder(),
      input: input.replaceAll("  seed", " seed"),
    })
    expect({ code, out }).toEqual({ code: 0, out: input })
  })

  it("ends with 3 where standard input is a folder", () => {
    const home = folder()
    const input = openSync(home, "r")
    try {
      const { status, stderr } = spawnSync(process.execPath, [inject("bundle"), "fmt", "-"], {
        cwd: home,
        stdio: [input, "pipe", "pipe"],
        encoding: "utf8",
      })
      expect(status).toBe(3)
      expect(stderr).toContain("where: standard input\n  what to do: give it the text of a file")
    } finally {
      closeSync(input)
    }
  })

  it("touches no file that it cannot read, and exits 1", async () => {
    const home = folder()
    writeFileSync(join(home, "bad.cfx"), "experiment {{{")
    const { code, err } = await cfx(["fmt", "bad.cfx"], { cwd: home })
    expect(code).toBe(1)
    expect(err).toContain("bad.cfx:1")
    expect(readFileSync(join(home, "bad.cfx"), "utf8")).toBe("experiment {{{")
  })
})

it("an empty file is sound, and is said to be empty", async () => {
  const home = folder()
  writeFileSync(join(home, "empty.cfx"), "")
  const { code, err } = await cfx(["check", "empty.cfx"], { cwd: home })
  expect(code).toBe(0)
  expect(err).toContain("empty.cfx is empty: it declares nothing")
})
