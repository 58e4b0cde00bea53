/** Tables as a paper has them: set by pdfLaTeX, where one is installed, on the smallest page that papers commonly have. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { latexPages } from "./latexPages.ts"

const isThere = spawnSync("pdflatex", ["--version"]).status === 0
if (!isThere)
  console.warn(
    "\nNOT RUN: the tests that set tables by pdfLaTeX.\n  None is there: apt-get install texlive-latex-base texlive-latex-recommended\n",
  )

const PAPER =
  "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\input{tables}\n\\end{document}\n"

/** The log of setting a file of tables twice, so that its references are known. */
function logOf(tables: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cfx-latex-"))
  try {
    writeFileSync(join(folder, "tables.tex"), tables)
    writeFileSync(join(folder, "paper.tex"), PAPER)
    const flags = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"]
    for (const _ of [1, 2]) {
      const { status, stdout } = spawnSync("pdflatex", flags, { cwd: folder, encoding: "utf8" })
      if (status !== 0) throw new Error(stdout.slice(-1500))
    }
    expect(execFileSync("head", ["-c", "5", join(folder, "paper.pdf")], { encoding: "utf8" })).toBe("%PDF-")
    return readFileSync(join(folder, "paper.log"), "latin1")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(!isThere)("set by pdfLaTeX", () => {
  test.each(Object.keys(latexPages))(
    "the tables of the report %s fit their page, with no error, no box too wide, no reference open and no label twice",
    (name) => {
      const log = logOf(latexPages[name]!())
      expect(
        log.match(/^!.*|Overfull \\hbox.*|.*Float too large.*|.*undefined.*|.*multiply.*/gm) ?? [],
      ).toEqual([])
    },
    120_000,
  )
})
