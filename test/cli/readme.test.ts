import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { quickstart, root } from "./support.ts"

const readme = readFileSync(join(root, "README.md"), "utf8")

describe("the README", () => {
  it("shows the quickstart as it stands in specs", () => {
    expect(readme).toContain(`\n\`\`\`cfx\n${readFileSync(quickstart, "utf8")}\`\`\`\n`)
  })

  it("links to files that are there", () => {
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, path]) => path!)
    expect(links.length).toBeGreaterThan(0)
    for (const path of links) expect(existsSync(join(root, path)), path).toBe(true)
  })

  it("names every command that there is", () => {
    for (const command of ["run", "check", "plan", "show", "resume", "report", "fmt", "doctor", "explain"]) {
      expect(readme).toContain(`| \`cfx ${command}`)
    }
  })
})
