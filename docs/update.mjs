/** Brings README.md and docs/quickstart.svg up to date: the quickstart's spec, what it prints, its figure. Run with `npm run readme`. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const spec = join(root, "specs/quickstart.cfx")
const run = mkdtempSync(join(tmpdir(), "cfx-readme-"))
try {
  const words = [join(root, "dist/cfx.js"), "run", spec, "-o", join(run, "run")]
  const printed = execFileSync(process.execPath, words, { encoding: "utf8" })
  const block = (language, text) => (readme) =>
    readme.replace(
      new RegExp(`^(\`\`\`${language}\n)[^]*?(?=^\`\`\`$)`, "m"),
      (_, fence) => `${fence}${text}`,
    )
  const path = join(root, "README.md")
  const readme = [block("cfx", readFileSync(spec, "utf8")), block("text", printed)].reduce(
    (text, replaced) => replaced(text),
    readFileSync(path, "utf8"),
  )
  writeFileSync(path, readme)
  copyFileSync(join(run, "run/figures/floor.svg"), join(root, "docs/quickstart.svg"))
} finally {
  rmSync(run, { recursive: true, force: true })
}
