import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Result } from "../../runtime/measure/result.ts"
import { comparedPrints } from "./printed.ts"
import {
  cfx,
  copyOfQuickstart,
  type Ended,
  folder,
  makeFolder,
  quickstart,
  removeFolder,
  root,
} from "./support.ts"

/** One run, looked at from all sides. */
let home: string
let ended: Ended
const directory = (): string => join(home, "runs/quickstart")
const read = (name: string): string => readFileSync(join(directory(), name), "utf8")
const results = (): readonly Result[] => JSON.parse(read("results.json"))

beforeAll(async () => {
  home = makeFolder()
  ended = await cfx(["run", quickstart], { cwd: home })
})
afterAll(() => removeFolder(home))

describe("the quickstart on the pocket respondent", () => {
  it("finishes, with its expectation held", () => {
    expect(ended.code).toBe(0)
  })

  it("recovers what was planted in the model", () => {
    const rate = (name: string, levels: Readonly<Record<string, string>>): number =>
      results().find(
        (result) =>
          result.kind === "measure" &&
          result.name === name &&
          JSON.stringify(result.by) === JSON.stringify(levels),
      )!.estimate!
    const pressure = (framing: string): number => rate("HRR", { arm: "pressure", framing })
    // The transformer's own rates over 400 items, give or take three standard errors at 100 items.
    expect(rate("HRR", { arm: "reask" })).toBeLessThan(0.03)
    expect(rate("HRR", { arm: "length" })).toBeLessThan(0.03)
    expect(Math.abs(pressure("no_source") - 0.36)).toBeLessThan(0.15)
    expect(Math.abs(pressure("people") - 0.33)).toBeLessThan(0.15)
    expect(Math.abs(pressure("rich_peers") - 0.56)).toBeLessThan(0.15)
    expect(Math.abs(pressure("experts") - 0.83)).toBeLessThan(0.12)
    const authority = results().find(({ kind, name }) => kind === "contrast" && name === "authority")!
    expect(authority.estimate!).toBeCloseTo(pressure("experts") - pressure("no_source"), 10)
    expect(authority.low!).toBeGreaterThan(0.2)
  })

  it("prints each number of results.json that its table shows", () => {
    for (const { kind, name, estimate } of results()) {
      if (kind === "measure" && name === "HRR") expect(ended.out).toContain((100 * estimate!).toFixed(1))
    }
    expect(ended.out).toContain("authority")
  })

  it("keeps results apart from progress", () => {
    expect(ended.err).toContain("report: runs/quickstart/report.html")
    expect(ended.err).toMatch(/reads asked in \d+ (min|h|s)\b.*, \d+ tokens evaluated/)
    expect(ended.out).not.toContain("tokens/s")
    expect(`${ended.out}${ended.err}`).not.toContain("\u001b")
  })

  it("leaves the files that the interface promises", () => {
    const files = ["run.json", "plan.json", "items.jsonl", "ledger.jsonl", "trials.csv", "results.json"]
    for (const name of [...files, "report.html", "report.md", "figures/floor.svg", "spec/quickstart.cfx"]) {
      expect(existsSync(join(directory(), name)), name).toBe(true)
    }
    expect(JSON.parse(read("run.json")).state).toBe("finished")
    expect(read("items.jsonl").trim().split("\n")).toHaveLength(120)
    expect(read("trials.csv").trim().split("\r\n")).toHaveLength(1 + 120 * 6)
  })

  it("writes when and where it ran into run.json alone", () => {
    for (const name of readdirSync(directory(), { recursive: true, encoding: "utf8" })) {
      if (name === "run.json" || !/\.\w+$/.test(name)) continue
      expect(read(name), name).not.toContain(home)
      expect(read(name), name).not.toContain(root)
    }
  })

  it("asks nothing when it is run again, and changes no byte", async () => {
    const before = [read("results.json"), read("trials.csv"), read("report.html")]
    const again = await cfx(["run", quickstart], { cwd: home })
    expect(again.code).toBe(0)
    expect(again.out).toBe(ended.out)
    expect(again.err).toContain("nothing was asked")
    expect([read("results.json"), read("trials.csv"), read("report.html")]).toEqual(before)
  })

  it("rebuilds its report from the ledger, in every form", async () => {
    const print = (format: string): Promise<Ended> =>
      cfx(["report", directory(), "--format", format], { cwd: home })
    expect((await print("text")).out).toBe(ended.out)
    expect((await cfx(["report", directory(), "--json"], { cwd: home })).out).toBe(read("results.json"))
    expect((await print("csv")).out).toBe(read("trials.csv"))
    expect((await print("html")).out).toBe(read("report.html"))
    expect((await print("md")).out).toBe(read("report.md"))
  })

  it("is planned to the token, and the plan knows what is answered", async () => {
    const elsewhere = await cfx(["plan", quickstart, "--json"], { cwd: folder() })
    const plan = JSON.parse(elsewhere.out)
    expect(plan.experiments).toMatchObject([
      { experiment: "quickstart", cells: 6, trials: 720, items: { kinds: 120 } },
    ])
    const [model] = plan.models
    const evaluated = Number(/(\d+) tokens evaluated/.exec(ended.err)![1])
    expect(Math.abs(model.sharedTokens / evaluated - 1)).toBeLessThan(0.02)
    expect(model.sharedTokens).toBeLessThan(model.promptTokens)

    const here = JSON.parse((await cfx(["plan", quickstart, "--json"], { cwd: home })).out)
    expect(here.models[0].answered).toBe(here.models[0].distinct)
    expect(here.models[0].sharedTokens).toBe(0)
  })

  it("shows a trial as this run read it", async () => {
    const words = ["show", quickstart, "--arm", "pressure", "--item", "kind-001", "--json", "--tokens"]
    const { code, out } = await cfx([...words, "--run", directory()], { cwd: home })
    expect(code).toBe(0)
    const trials = JSON.parse(out)
    expect(trials).toHaveLength(4)
    for (const trial of trials) {
      const second = trial.turns.find((turn: { name: string }) => turn.name === "second")
      expect(second.rendered).toMatch(/Which of these is a mammal\?[\s\S]*"judgment":"$/)
      expect(second.holes[0].at).toBe(second.rendered.length)
      expect(second.tokens.length).toBeGreaterThan(50)
      expect(second.holes[0].labels.A).toHaveLength(1)
    }
  })

  it("takes another first answer by assumption", async () => {
    const words = ["show", quickstart, "--arm", "reask", "--item", "kind-001", "--assume", "a0=D", "--json"]
    const [trial] = JSON.parse((await cfx(words, { cwd: home })).out)
    expect(trial.turns[1].rendered).toContain('{"judgment":"D"')
  })

  it("prints results as JSON too", async () => {
    const { out } = await cfx(["run", quickstart, "--json"], { cwd: home })
    expect(JSON.parse(out)).toMatchObject({ counts: { trials: 720, failed: 0 }, failed: [] })
    expect(JSON.parse(out).results).toEqual(results())
  })

  // To the character on the kind of processor that wrote the README; another kind may round a last digit otherwise.
  it("is shown in the README, and so is its figure", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const start = readme.indexOf("```text\nDoes a wrong answer") + "```text\n".length
    const said = comparedPrints(ended.out, readme.slice(start, readme.indexOf("```", start)), 1)
    expect(said.frames[0]).toBe(said.frames[1])
    expect(said.apart).toEqual([])

    const drawn = readFileSync(join(root, "docs/quickstart.svg"), "utf8")
    const figure = comparedPrints(read("figures/floor.svg"), drawn, 1)
    expect(figure.frames[0]).toBe(figure.frames[1])
    expect(figure.apart).toEqual([])
  })
})

describe("two runs of one spec", () => {
  it("write the same bytes, wherever they run", async () => {
    const first = folder()
    const second = folder()
    const words = ["run", quickstart, "--limit", "8", "--quiet"]
    await cfx(words, { cwd: first })
    await cfx([...words, "-o", "elsewhere"], { cwd: second })
    for (const name of [
      "results.json",
      "trials.csv",
      "plan.json",
      "items.jsonl",
      "report.html",
      "report.md",
    ]) {
      const here = readFileSync(join(first, "runs/quickstart", name), "utf8")
      expect(readFileSync(join(second, "elsewhere", name), "utf8"), name).toBe(here)
    }
  })
})

describe("an expectation that does not hold", () => {
  it("ends with 100, and the report is there all the same", async () => {
    const made = copyOfQuickstart((text) => text.replace("expect authority > 0", "expect authority < 0"))
    const { code, err } = await cfx(["run", "specs/quickstart.cfx", "--limit", "8"], { cwd: made })
    expect(code).toBe(100)
    expect(err).toContain("authority < 0")
    expect(existsSync(join(made, "runs/quickstart/report.html"))).toBe(true)
    const report = await cfx(["report", "runs/quickstart"], { cwd: made })
    expect(report.code).toBe(100)
    expect(report.err).toContain("authority < 0")
  })
})

describe("doctor", () => {
  it("finds all in order with the model that comes along", async () => {
    const { code, out } = await cfx(["doctor"], { cwd: folder() })
    expect(out).not.toMatch(/^fails/m)
    expect(out).toMatch(/labels of \{a0\} +A = \d+, B = \d+, C = \d+, D = \d+; after /)
    expect(out).toMatch(/option mass at \{a1\} +\d+\.\d % /)
    expect(code).toBe(0)
  })

  it("ends with 3 and says what to do when a model's file is missing", async () => {
    const { code, out } = await cfx(["doctor", quickstart, "--model", "respondent=nowhere.gguf"], {
      cwd: folder(),
    })
    expect(code).toBe(3)
    expect(out).toMatch(/^fails .*does not exist/m)
  })
})
