import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cfx, folder, root } from "./support.ts"

const starter = readFileSync(join(root, "stdlib/starter/experiment.cfx"), "utf8")

/** A folder with a spec `a.cfx` and another, `b.cfx`, in which places are changed. */
const twins = (...changes: readonly (readonly [string, string])[]): string => {
  const home = folder()
  cpSync(join(root, "stdlib/starter/questions.yaml"), join(home, "questions.yaml"))
  writeFileSync(join(home, "a.cfx"), starter)
  const changed = changes.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }, starter)
  writeFileSync(join(home, "b.cfx"), changed)
  return home
}

const diff = (home: string, ...words: readonly string[]) =>
  cfx(["diff", "a.cfx", "b.cfx", ...words], { cwd: home })

describe("cfx diff", () => {
  it("says so where two specs mean the same, however they are laid out", async () => {
    const home = twins(
      ["/// A first", "// A first"],
      ["seed 0\n  target", "seed 0 target"],
      ["models {", "models\n{"],
    )
    expect(await diff(home)).toMatchObject({
      code: 0,
      out: "The two specs mean the same: every prompt, target, measure and item.\n",
    })
    expect(JSON.parse((await diff(home, "--json")).out)).toMatchObject({ same: true, changes: [], items: [] })
  })

  it("shows the words that differ in each prompt, and whose prompts they are", async () => {
    const { code, out } = await diff(
      twins(["Other students", "Some other students"], ["Student {i}:", "Pupil {i}:"]),
    )
    expect(code).toBe(0)
    expect(out).toContain("  prompt of pressure, framing students: turn second, user (item q01)\n")
    expect(out).toContain("    [-Other -]{+Some other +}students have shared their answers:\n")
    expect(out).toMatch(/^ {4}\[-Student-\]\{\+Pupil\+\} 1: The answer is /m)
    expect(out).not.toContain("framing experts")
  })

  it("tells a change of the whole protocol once", async () => {
    const home = twins()
    const protocols = readFileSync(join(root, "stdlib/protocols.cfx"), "utf8")
    writeFileSync(join(home, "own.cfx"), protocols.replace("You are answering", "You answer"))
    writeFileSync(join(home, "b.cfx"), starter.replace('"std/protocols"', '"./own.cfx"'))
    const { out } = await diff(home)
    expect(out.match(/prompt of every arm: turn first, user/g)).toHaveLength(1)
    expect(out).toContain("You [-are answering-]{+answer+} a multiple-choice question.")
  })

  it("names targets, seeds, factors, arms, measures, contrasts, tables and items that differ", async () => {
    const home = twins(
      ["target top_wrong(a0)", "target random_wrong"],
      ["seed 0", "seed in { 0, 1 }"],
      ["{ no_source, experts, students }", "{ no_source, experts, people }"],
      ["in { experts, students }", "in { experts, people }"],
      ["    length = length_control\n", ""],
      ["plain_reask, length_control", "plain_reask"],
      ["measure BenR", "measure accuracy"],
      ["BenR, delta_p_pushed }", "accuracy, delta_p_pushed }"],
      ["columns HRR, BenR,", "columns HRR, accuracy,"],
      ["contrast peers = HRR[framing = students]", "contrast peers = HRR[framing = people]"],
      ['"questions.yaml"', '"mine.yaml"'],
    )
    writeFileSync(
      join(home, "mine.yaml"),
      readFileSync(join(home, "questions.yaml"), "utf8").replace("id: q48", "id: last"),
    )
    const { code, out } = await diff(home)
    expect(code).toBe(0)
    for (const part of [
      "pool questions: changed",
      "items of questions: 48 before, 48 now\n  1 added: last\n  1 removed: q48",
      "  setting target: changed\n    - top_wrong(a0)\n    + random_wrong",
      "  setting seed: changed\n    - 0\n    + 0, 1",
      "  factor framing: changed\n    - no_source, experts, students\n    + no_source, experts, people",
      "  arm length: removed",
      "  measure BenR: removed",
      "  measure accuracy: added\n    + rate a1 == item.gold interval wilson 95 invalid exclude",
      "  contrast peers: changed\n    - HRR[framing = students] - HRR[framing = no_source] by paired",
      "  table main: changed",
    ]) {
      expect(out).toContain(part)
    }
    const json = JSON.parse((await diff(home, "--json")).out)
    expect(json.same).toBe(false)
    expect(json.items).toEqual([
      expect.objectContaining({ pool: "questions", added: ["last"], removed: ["q48"], changed: [] }),
    ])
  })

  it("ends with 1 where one of them has errors, and shows those", async () => {
    const { code, out, err } = await diff(twins(["measure HRR", "measure HRX"]))
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain("CFX2001")
  })

  it("compares two specs or two runs, and no folder that holds neither", async () => {
    const home = twins()
    mkdirSync(join(home, "r"))
    mkdirSync(join(home, "s"))
    expect(await cfx(["diff", "r", "s"], { cwd: home })).toMatchObject({
      code: 3,
      err: expect.stringContaining("the folder holds no run"),
    })
    expect(await cfx(["diff", "a.cfx", "s"], { cwd: home })).toMatchObject({
      code: 2,
      err: expect.stringContaining("s is a folder"),
    })
  })
})
