/** `trials.csv` as other tools read it, where they are installed: texts come back as they were, by the commands that the README gives. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cell, experimentOf, programOf, trial } from "../measure/sample.ts"
import { csvOf } from "../measure/tables.ts"

/** What spreadsheets take for formulas, what readers take for something else, what ends lines and fields, and what is not seen. */
const TEXTS = [
  ...["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "'x", '=HYPERLINK("http://x")', "=cmd|' /C calc'!A0"],
  ...["NA", "NaN", "null", "None", "007", "1e5", "TRUE", "inf", "#x", "\\n", ";", " lead", "trail "],
  ...["a\nb", 'q"q', "a,b", "\u001b[31mred", "\u001a", "\u007f", "x\u0085y", "\u2028", "é中🙂", "\u202Ex"],
]
/** What base R has no place for: it reads the one as a line feed and ends a text at the other. */
const NOT_IN_R = ["a\rb", "a\r\nb", "x\u0000y"]

const csv = (texts: readonly string[]): string =>
  csvOf(
    programOf(experimentOf({ cells: [cell("push")] })),
    texts.map((text) => trial("push", text, 0, 0)),
  )

const README = readFileSync("README.md", "utf8")
const PANDAS = `pd.read_csv("trials.csv", keep_default_na=False, dtype=str)`
const BASE_R = `read.csv("trials.csv", colClasses = "character", na.strings = character(0), check.names = FALSE)`

/** What a program prints that is run where the file is, as JSON. */
function read(texts: readonly string[], program: string, flag: string, source: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), "cfx-csv-"))
  try {
    writeFileSync(join(folder, "trials.csv"), csv(texts))
    const options = { cwd: folder, encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } } as const
    return JSON.parse(execFileSync(program, [flag, source], options))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const runs = (program: string, ...flags: readonly string[]): boolean => spawnSync(program, flags).status === 0

describe("texts of trials.csv", () => {
  test("are in the file as they are: no sign before what a spreadsheet would take for a formula", () => {
    for (const text of ["=1+1", "@SUM(A1)", "-1"]) expect(csv([text])).toContain(`,${text},`)
  })

  test.skipIf(!runs("python3", "--version"))("come back unchanged in Python's csv module", () => {
    const source = `import csv, json; print(json.dumps([row["item"] for row in csv.DictReader(open("trials.csv", encoding="utf-8", newline=""))]))`
    // Older versions refuse a null character.
    const texts = [...TEXTS, "a\rb", "a\r\nb"]
    expect(read(texts, "python3", "-c", source)).toEqual(texts)
  })

  test.skipIf(!runs("python3", "-c", "import pandas"))(
    "come back unchanged in pandas, as the README reads them",
    () => {
      expect(README).toContain(PANDAS)
      const source = `import json; import pandas as pd; print(json.dumps(list(${PANDAS}["item"])))`
      const texts = [...TEXTS, ...NOT_IN_R]
      expect(read(texts, "python3", "-c", source)).toEqual(texts)
    },
  )

  test.skipIf(!runs("Rscript", "--version"))("come back unchanged in R, as the README reads them", () => {
    expect(README).toContain(BASE_R)
    // As code points, since base R writes no JSON.
    const source = `d <- ${BASE_R}; cat("[", paste(sapply(d$item, function(x) paste0("[", paste(utf8ToInt(enc2utf8(x)), collapse = ","), "]")), collapse = ","), "]")`
    const points = read(TEXTS, "Rscript", "-e", source) as readonly (readonly number[])[]
    expect(points.map((one) => String.fromCodePoint(...one))).toEqual(TEXTS)
  })
})
