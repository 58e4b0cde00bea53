/** Packages as npm and its likes lay them out on a disk. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { packageOf } from "../../runtime/disk/packages.ts"

/** Writes files, by path below a folder that is gone after the test. */
const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cfx-packages-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const described = (name: string, version = "1.2.3") => JSON.stringify({ name, version, keywords: ["cfx"] })

const filesIn = (here: string) => diskFiles({ here, stdlib: join(import.meta.dirname, "../../stdlib") })

const found = (folder: string, name: string, file: string, from: string) =>
  filesIn(folder).packaged(name, file, join(folder, from))

describe("a file of a package", () => {
  test("is looked for in node_modules, from the importing file upward; the nearest counts", () => {
    const folder = folderOf({
      "node_modules/asch/asch.cfx": "",
      "specs/node_modules/asch/asch.cfx": "",
      "node_modules/@lab/asch/sets/asch.cfx": "",
    })
    const path = (...names: readonly string[]) => ({ path: join(folder, ...names) })
    expect(found(folder, "asch", "asch.cfx", "specs/deep/er/x.cfx")).toEqual(
      path("specs/node_modules/asch/asch.cfx"),
    )
    expect(found(folder, "asch", "asch.cfx", "x.cfx")).toEqual(path("node_modules/asch/asch.cfx"))
    expect(found(folder, "@lab/asch", "sets/asch.cfx", "specs/x.cfx")).toEqual(
      path("node_modules/@lab/asch/sets/asch.cfx"),
    )
  })

  test("of a package that is not installed: the sentence says how to get it", () => {
    const folder = folderOf({ "x.cfx": "" })
    expect(found(folder, "@lab/asch", "asch.cfx", "x.cfx")).toEqual({
      problem:
        "there is no package @lab/asch in a node_modules folder above the file; `npm install @lab/asch` brings it",
    })
  })

  test("that the package does not have: the sentence says what it has, and of which version it is", () => {
    const folder = folderOf({
      "node_modules/asch/package.json": described("asch"),
      "node_modules/asch/crowd.cfx": "",
      "node_modules/asch/panel.cfx": "",
    })
    expect(found(folder, "asch", "asch.cfx", "x.cfx")).toEqual({
      problem:
        "package asch 1.2.3 has no file asch.cfx (it has crowd.cfx, panel.cfx); another version may: `npm install asch`",
    })
    expect(found(folder, "asch", "sub", "x.cfx")).toMatchObject({
      problem: expect.stringContaining("has no file"),
    })
  })

  test.skipIf(process.platform === "win32")("that a link leads out of the package to is none of it", () => {
    const folder = folderOf({ "secret.cfx": "", "node_modules/asch/package.json": described("asch") })
    symlinkSync(join(folder, "secret.cfx"), join(folder, "node_modules/asch/asch.cfx"))
    expect(found(folder, "asch", "asch.cfx", "x.cfx")).toMatchObject({
      problem: expect.stringMatching(/^asch\.cfx lies outside package asch.*`npm install asch`/),
    })
  })

  test.skipIf(process.platform === "win32")(
    "of a linked package lies where the link leads, and so do what it imports",
    () => {
      // As workspaces and pnpm lay packages out: what a package needs lies beside the place that the link leads to.
      const folder = folderOf({
        "store/node_modules/asch/asch.cfx":
          'import { base } from "pkg:base/base.cfx"\nframing asch extends base { preamble "A" }',
        "store/node_modules/base/base.cfx": 'framing base { line "{assertion}" }',
        "project/x.cfx": 'import { asch } from "pkg:asch/asch.cfx"\nframing x extends asch { preamble "X" }',
      })
      mkdirSync(join(folder, "project/node_modules"))
      symlinkSync(join(folder, "store/node_modules/asch"), join(folder, "project/node_modules/asch"))
      const { diagnostics, sources } = compile(join(folder, "project/x.cfx"), filesIn(folder))
      expect(diagnostics).toEqual([])
      expect([...sources.keys()]).toEqual(
        ["project/x.cfx", "store/node_modules/asch/asch.cfx", "store/node_modules/base/base.cfx"].map(
          (name) => join(folder, name),
        ),
      )
    },
  )
})

describe("the package of a file", () => {
  test("is the nearest above it that has a name", () => {
    const folder = folderOf({
      "package.json": described("outer"),
      "node_modules/asch/package.json": described("asch", "2.0.0"),
      "node_modules/asch/sub/package.json": '{"type": "module"}',
      "node_modules/broken/package.json": "{",
    })
    expect(packageOf(join(folder, "node_modules/asch/sub/x.cfx"))).toEqual({ name: "asch", version: "2.0.0" })
    expect(packageOf(join(folder, "node_modules/broken/x.cfx"))).toEqual({ name: "outer", version: "1.2.3" })
  })
})

describe("a folder", () => {
  test("is listed by the names of its files, sorted; folders in it are left out", () => {
    const folder = folderOf({ "b.csv": "", "a.csv": "", "sub/c.csv": "" })
    expect(filesIn(folder).list(folder)).toEqual({ names: ["a.csv", "b.csv"] })
  })

  test("that is none is a problem in words", () => {
    const folder = folderOf({ "b.csv": "" })
    expect(filesIn(folder).list(join(folder, "b.csv"))).toEqual({ problem: "it is no folder" })
    expect(filesIn(folder).list(join(folder, "c"))).toEqual({ problem: "no such folder" })
  })
})
