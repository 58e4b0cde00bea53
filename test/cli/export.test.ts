/** `cfx export`, `cfx codes` and `cfx diff` of runs, as a person calls them. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { cfx, makeFolder, removeFolder, root } from "./support.ts"

let home: string
beforeAll(async () => {
  home = makeFolder()
  const spec = join(root, "specs/field/07-biased_hints.cfx")
  const words = ["run", spec, "--backend", "simulated", "--limit", "2", "--quiet"]
  expect(await cfx([...words, "-o", "one"], { cwd: home })).toMatchObject({ code: 0 })
  return () => removeFolder(home)
}, 120_000)

const call = (...words: readonly string[]) => cfx(words, { cwd: home })

describe("cfx export", () => {
  it.each([
    ["parquet", "PAR1"],
    ["arrow", "ARROW1"],
  ])("writes trials.%s beside the run's own files", async (form, magic) => {
    expect(await call("export", "one", "--to", form)).toMatchObject({ code: 0, out: `one/trials.${form}\n` })
    expect(readFileSync(join(home, `one/trials.${form}`)).toString("latin1", 0, magic.length)).toBe(magic)
  })

  it("writes the same CSV as the run did, to any place", async () => {
    expect(await call("export", "one", "--to", "csv", "-o", "copy.csv")).toMatchObject({ code: 0 })
    expect(readFileSync(join(home, "copy.csv"), "utf8")).toBe(
      readFileSync(join(home, "one/trials.csv"), "utf8"),
    )
  })

  it("writes a log for Inspect of each experiment and model", async () => {
    const { code, out } = await call("export", "one", "--to", "inspect", "--json")
    const { files } = JSON.parse(out) as { files: readonly string[] }
    expect([code, files.length > 0]).toEqual([0, true])
    for (const path of files) expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ version: 2 })
  })

  it("writes over none of the run's own files", async () => {
    for (const own of ["ledger.jsonl", "run.json", "spec/std/new.csv", "figures/x.csv"])
      expect(await call("export", "one", "--to", "csv", "-o", `one/${own}`), own).toMatchObject({ code: 3 })
    expect(readFileSync(join(home, "one/ledger.jsonl"), "utf8")).toMatch(/^\{/)
    expect(await call("codes", "one", "-o", "one/ledger.jsonl")).toMatchObject({ code: 3 })
    expect(await call("export", "one", "--to", "csv", "-o", "one/trials.csv")).toMatchObject({ code: 0 })
  })

  it("says what it takes where it is asked for something else", async () => {
    expect(await call("export", "one", "--to", "xlsx")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--to takes csv, parquet, arrow, inspect, not xlsx"),
    })
    expect(await call("export", "one")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--to is missing"),
    })
    expect(await call("export", "nowhere", "--to", "csv")).toMatchObject({
      code: 3,
      err: expect.stringContaining("the folder holds no run"),
    })
    expect(await call("export", "one", "--to", "csv", "-o", "no/such/file.csv")).toMatchObject({ code: 3 })
  })
})

describe("cfx codes", () => {
  it("writes a sheet, takes it back filled, and prints kappa", async () => {
    const made = await call("codes", "one")
    expect(made).toMatchObject({ code: 0, out: "one/codes.csv\n" })
    const labels = /label with ([^\n]*), then/.exec(made.err)?.[1]?.split(", ") ?? []
    expect(labels.length).toBeGreaterThan(1)
    const sheet = readFileSync(join(home, "one/codes.csv"), "utf8")
    let row = 0
    const filled = sheet.replace(/,\r\n/g, () => `,${labels[row++ % labels.length]}\r\n`)
    writeFileSync(join(home, "me.csv"), filled)
    const { code, out } = await call("codes", "one", "me.csv")
    expect(code).toBe(0)
    expect(out).toMatch(/and me\.csv: \d+ texts, \d+ alike/)
    expect(out).toContain("kappa")
    writeFileSync(join(home, "bad.csv"), filled.replace(`,${labels[0]}\r`, ",perhaps\r"))
    expect(await call("codes", "one", "bad.csv")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/"perhaps" is none of the labels[^\n]*\n +where: bad\.csv:2/),
    })
    expect(await call("codes", "one", "lost.csv")).toMatchObject({ code: 3 })
    // What somebody has filled in is not written over.
    writeFileSync(join(home, "one/codes.csv"), filled)
    expect(await call("codes", "one")).toMatchObject({
      code: 2,
      err: expect.stringContaining("one/codes.csv holds labels"),
    })
    expect(readFileSync(join(home, "one/codes.csv"), "utf8")).toBe(filled)
  })
})

describe("cfx diff of runs", () => {
  it("compares them read by read, and refuses a run and a spec", async () => {
    const { code, out } = await call("diff", "one", "one")
    expect([code, out.split("\n")[0]]).toEqual([
      0,
      "Every read and every number of the two runs is the same.",
    ])
    expect(JSON.parse((await call("diff", "one", "one", "--json")).out)).toMatchObject({ same: true })
    expect(await call("diff", "one", "spec.cfx")).toMatchObject({
      code: 2,
      err: expect.stringContaining("give two specs or two runs"),
    })
  })
})
