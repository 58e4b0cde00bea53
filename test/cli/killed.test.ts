/** A published spec of several waves, with texts, a judge and two models, whose process is killed on the way: what goes on from there leaves the same bytes. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writePools } from "../papers/pools.ts"
import { anotherPocket, pocket } from "../papers/support.ts"
import { contents } from "../run/contents.ts"
import { cfx, makeFolder, removeFolder, root, start } from "./support.ts"

let home: string
let words: readonly string[]
let whole: Readonly<Record<string, string>>
const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "")

beforeAll(async () => {
  home = makeFolder()
  const pools = writePools(join(home, "pools"))
  const another = anotherPocket(join(home, "another.gguf"))
  words = [
    "run",
    join(root, "specs/floor/open_ended.cfx"),
    ...["--limit", "1", "--quiet"],
    ...["--model", `qwen_7b=${pocket}`, "--model", `llama_8b=${another}`, "--model", `gpt_4o_mini=${pocket}`],
    ...["--items", `arc=${pools.arc}`, "--items", `mmlu_pro=${pools.mmlu_pro}`],
  ]
  const { code, err } = await cfx([...words, "-o", "whole"], { cwd: home })
  // The small model was not made for this protocol: what the spec expects of it need not hold.
  expect([0, 100], err).toContain(code)
  whole = contents(join(home, "whole"))
})
afterAll(() => removeFolder(home))

/** Starts the run and kills it once its ledger holds so many lines; gives the lines that it leaves. */
async function killed(directory: string, lines: number): Promise<readonly string[]> {
  const { child, ended } = start([...words, "-o", directory], { cwd: home })
  const ledger = join(home, directory, "ledger.jsonl")
  const left = () => (existsSync(ledger) ? linesOf(readFileSync(ledger, "utf8")) : [])
  while (child.exitCode === null && left().length < lines) await new Promise((go) => setTimeout(go, 5))
  child.kill("SIGKILL")
  await ended
  expect(child.signalCode).toBe("SIGKILL")
  return left()
}

describe("kill -9 of a run that writes texts, judges them and reads options", () => {
  it("asks two models, writes texts and reads verdicts", () => {
    const kinds = linesOf(whole["ledger.jsonl"] as string).map((line) => JSON.parse(line).kind)
    for (const kind of ["model", "text", "answer", "audit"]) expect(kinds).toContain(kind)
  })

  it.each([0.2, 0.5, 0.8])("at %f of its answers costs nothing but time", async (share) => {
    const all = linesOf(whole["ledger.jsonl"] as string)
    const directory = `killed-${share}`
    const left = await killed(directory, Math.floor(all.length * share))
    expect(left.length).toBeLessThan(all.length)
    const { code, err } = await cfx(["resume", directory, "--quiet"], { cwd: home })
    expect([0, 100], err).toContain(code)
    expect(contents(join(home, directory))).toEqual(whole)
  })
})
