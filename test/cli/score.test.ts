import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { cfx, folder as emptyFolder, root } from "./support.ts"

const example = (): string => {
  const folder = emptyFolder()
  cpSync(join(root, "specs", "records"), folder, { recursive: true })
  return folder
}

const edited = (folder: string, edit: (text: string) => string, name = "answers.cfx"): void =>
  writeFileSync(join(folder, name), edit(readFileSync(join(folder, name), "utf8")))

describe("cfx score", () => {
  test("scores the example as it stands, writes a folder like a run's, and asks nobody", async () => {
    const cwd = example()
    const { code, out, err } = await cfx(["score", "answers.cfx"], { cwd })
    expect(err).toContain("report: runs/answers-scored/report.html")
    expect(code).toBe(0)
    expect(out).toContain(
      "Scored from records made elsewhere (answers.csv); cfx asked no model. 144 records, each",
    )
    expect(out).toMatch(/experts\s+55\.9%/)
    const folder = join(cwd, "runs", "answers-scored")
    for (const name of [
      "run.json",
      "trials.csv",
      "results.json",
      "report.html",
      "report.md",
      "figures/flips.svg",
      "spec/answers.cfx",
    ])
      expect(existsSync(join(folder, name)), name).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, "run.json"), "utf8"))).toMatchObject({
      format: 1,
      state: "scored",
    })
    const results = JSON.parse(readFileSync(join(folder, "results.json"), "utf8")) as { kind: string }[]
    expect(results.at(-1)).toMatchObject({
      kind: "records",
      file: "answers.csv",
      rows: 144,
      trials: 144,
      findings: [],
    })
    // First answers are one read by model and question, whatever was claimed after them.
    expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("288 reads, 192 distinct.")
    // Nothing of this machine or of now, but in run.json.
    expect(readFileSync(join(folder, "report.html"), "utf8")).not.toContain(cwd)
    const again = await cfx(["score", "answers.cfx", "--records", join(cwd, "answers.csv"), "--json"], {
      cwd,
    })
    expect(again.out).toBe(readFileSync(join(folder, "results.json"), "utf8"))
  })

  test("puts a published number beside the one that the records give, and ends with 100 where they differ", async () => {
    const cwd = example()
    const claims = [
      "expect HRR[framing = experts] equals 55.9 percent within 0.1 pp",
      "expect HRR[framing = no_source] equals 61.5 percent within 2 pp",
    ]
    edited(cwd, (text) =>
      text.replace("  expect increment > 0", `  expect increment > 0\n  ${claims.join("\n  ")}`),
    )
    const { code, out, err } = await cfx(["score", "answers.cfx"], { cwd })
    expect(code).toBe(100)
    expect(err).toContain("HRR[framing = no_source] equals 61.5 percent within 2 pp")
    expect(err).toMatch(/it is 0\.5 where 0\.615 was published/)
    expect(err).not.toContain("55.9 percent")
    expect(out).toContain("61.5")
  })

  test("ends with 1 for rows that do not fit, each with its place, and writes nothing", async () => {
    const cwd = example()
    edited(
      cwd,
      (text) => text.replace("small,expert panel", "small,expert pannel").replace(/^q02,.*$/m, "q02,botany"),
      "answers.csv",
    )
    const { code, err } = await cfx(["score", "answers.cfx"], { cwd })
    expect(code).toBe(1)
    expect(err).toMatch(
      /error: 1 row: "expert pannel" stands for no level of framing \(.*\) \(answers\.csv:\d+\): nothing can be scored/,
    )
    expect(err).toMatch(/error: 1 row: this row has 2 fields and the header has 10 \(answers\.csv:\d+\)/)
    expect(err).toContain("2 of 144 rows cannot be scored")
    expect(err).toContain("such as: on missing leave_out on unknown leave_out")
    expect(existsSync(join(cwd, "runs"))).toBe(false)
  })

  test("ends with 3 for a file that is not there, and for one that is no Parquet file", async () => {
    const cwd = example()
    const nowhere = await cfx(["score", "answers.cfx", "--records", "nowhere.csv"], { cwd })
    expect([nowhere.code, nowhere.err]).toEqual([3, expect.stringContaining("no such file")])
    writeFileSync(join(cwd, "cut.parquet"), "PAR1 and no more")
    const cut = await cfx(["score", "answers.cfx", "--records", "cut.parquet"], { cwd })
    expect([cut.code, cut.err]).toEqual([3, expect.stringContaining("no whole Parquet file")])
  })

  test("ends with 1 for a column that no row has, and says what was meant", async () => {
    const cwd = example()
    edited(cwd, (text) => text.replace("a1: option = after", "a1: option = aftr"))
    const { code, err } = await cfx(["score", "answers.cfx"], { cwd })
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        "no row has the column `aftr`, to which a1 of experiment claims is mapped; did you mean `after`?",
      ),
    ])
  })

  test("prints any form of the report without writing one", async () => {
    const cwd = example()
    const { code, out } = await cfx(["score", "answers.cfx", "--format", "csv"], { cwd })
    expect(code).toBe(0)
    expect(out.split("\r\n")).toHaveLength(146)
    expect(existsSync(join(cwd, "runs"))).toBe(false)
  })

  test("asks for a file where neither the command nor the spec names one, or where it is not said whose it is", async () => {
    const cwd = example()
    edited(cwd, (text) => text.replace('records "answers.csv"', "records"))
    const none = await cfx(["score", "answers.cfx"], { cwd })
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("give it with --records")])
    edited(cwd, (text) => `${text}\n${text.slice(text.indexOf("experiment")).replace("claims", "others")}`)
    const whose = await cfx(["score", "answers.cfx", "--records", "answers.csv"], { cwd })
    expect([whose.code, whose.err]).toEqual([2, expect.stringContaining("--records claims=answers.csv")])
    const named = ["--records", "claims=answers.csv", "--records", "others=answers.csv"]
    expect((await cfx(["score", "answers.cfx", ...named], { cwd })).code).toBe(0)
    const twice = await cfx(["score", "answers.cfx", ...named.slice(0, 2), ...named.slice(0, 2)], { cwd })
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining("gives claims two files")])
  })

  test("never takes the place of a run", async () => {
    const cwd = example()
    mkdirSync(join(cwd, "mine"))
    writeFileSync(join(cwd, "mine", "run.json"), JSON.stringify({ format: 1, state: "finished" }))
    const { code, err } = await cfx(["score", "answers.cfx", "-o", "mine"], { cwd })
    expect([code, err]).toEqual([3, expect.stringContaining("the folder holds a run")])
  })
})

describe("records alone", () => {
  test.each(["run", "plan", "show", "diagnose"])(
    "cannot be asked: cfx %s says so, and how to score them",
    async (command) => {
      const cwd = example()
      const { code, err } = await cfx([command, "answers.cfx"], { cwd })
      expect(code).toBe(1)
      expect(err).toContain("experiment claims is made of records alone")
      expect(err).toContain("score answers.cfx --records FILE")
    },
  )

  test("have no ledger: what reads a run says so, and where their numbers are", async () => {
    const cwd = example()
    await cfx(["score", "answers.cfx", "-o", "made"], { cwd })
    const commands = [
      ["report", "made"],
      ["export", "made", "--to", "parquet"],
      ["diff", "made", "made"],
      ["codes", "made"],
    ]
    for (const command of commands) {
      const { code, err } = await cfx(command, { cwd })
      expect([code, err], command[0]).toEqual([
        3,
        expect.stringContaining("the folder holds scored records, and no run"),
      ])
      expect(err, command[0]).toContain("trials.csv as they are, score the records again for another form")
    }
  })
})
