import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./support.ts"

describe("the npm package", () => {
  const packed = (): readonly { path: string; size: number; mode: number }[] =>
    JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json"], {
        cwd: root,
        encoding: "utf8",
        shell: process.platform === "win32",
      }),
    )[0].files

  it("holds the bundle, the standard library with its model, the specs, the pages that the README links, and nothing else", () => {
    const files = packed()
    const paths = files.map(({ path }) => path)
    for (const path of [
      "package.json",
      "README.md",
      "LICENSE",
      "dist/cfx.js",
      "dist/LICENSES.txt",
      "stdlib/models.cfx",
      "stdlib/framings.cfx",
      "stdlib/models/pocket/pocket.gguf",
      "stdlib/models/pocket/README.md",
      "specs/quickstart.cfx",
      "specs/items/kinds.yaml",
      "docs/bench.md",
      "docs/language.md",
      "docs/quickstart.svg",
      "grammar/reference.md",
      "editors/vscode/README.md",
    ]) {
      expect(paths).toContain(path)
    }
    const links = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, link = ""] of links) {
      expect(
        paths.some((path) => path === link || path.startsWith(`${link.replace(/\/$/, "")}/`)),
        link,
      ).toBe(true)
    }
    for (const path of paths) {
      expect(path).toMatch(
        /^(dist\/(cfx\.js|LICENSES\.txt|chunks\/.*\.js)|stdlib\/.*|specs\/.*|docs\/((bench|diagnose|figures|language|planted|statistics)\.md|(planted|quickstart)\.svg|figures\/[\w-]+\.svg)|grammar\/(README|reference)\.md|editors\/vscode\/README\.md|README\.md|LICENSE|package\.json)$/,
      )
    }
    expect(files.find(({ path }) => path === "dist/cfx.js")!.mode & 0o111).not.toBe(0)
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(12_000_000)
  })

  it("asks of npm nothing that a registry host would have to answer", () => {
    const lock = readFileSync(join(root, "package-lock.json"), "utf8")
    expect(lock).not.toMatch(/"resolved": "https?:/)
  })
})
