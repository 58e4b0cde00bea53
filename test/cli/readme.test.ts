import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cfx, folder, quickstart, root } from "./support.ts"

const readme = readFileSync(join(root, "README.md"), "utf8")
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!)

describe("the README", () => {
  it("shows the quickstart as it stands in specs", () => {
    expect(blocks("cfx")[0]).toBe(readFileSync(quickstart, "utf8"))
  })

  it("shows what the quickstart prints, to the character", async () => {
    const { out } = await cfx(["run", quickstart], { cwd: folder() })
    expect(blocks("text")[0]).toBe(out)
  })

  it("links to files that are there", () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path]) => path!)
    expect(links.length).toBeGreaterThan(0)
    for (const path of links) expect(existsSync(join(root, path)), path).toBe(true)
  })

  it("shows the figure of a real run", async () => {
    const home = folder()
    await cfx(["run", quickstart, "--quiet"], { cwd: home })
    const drawn = readFileSync(join(home, "runs/quickstart/figures/floor.svg"), "utf8")
    expect(readFileSync(join(root, "docs/quickstart.svg"), "utf8")).toBe(drawn)
  })
})
