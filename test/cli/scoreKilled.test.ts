/** A process of `cfx score` that is killed while it writes leaves what was there before, and nothing that is half written. */
import { appendFileSync, cpSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { contents } from "../run/contents.ts"
import { cfx, folder as emptyFolder, root, start } from "./support.ts"

/** Records beside those of the example, so that writing takes a while. */
const ITEMS = 6000

/** Scores anew, and kills the process once it writes. */
async function killed(cwd: string): Promise<void> {
  const { child, ended } = start(["score", "answers.cfx", "--quiet"], { cwd })
  const staged = join(cwd, "runs", "answers-scored", "scored.unfinished")
  while (child.exitCode === null && !existsSync(staged)) await new Promise((go) => setTimeout(go, 1))
  child.kill("SIGKILL")
  await ended
  expect(child.signalCode).toBe("SIGKILL")
}

test("kill -9 while the folder is written leaves the one of before, or none", async () => {
  const cwd = emptyFolder()
  cpSync(join(root, "specs", "records"), cwd, { recursive: true })
  const file = join(cwd, "answers.csv")
  const [, row = ""] = readFileSync(file, "utf8").split("\n")
  const more = Array.from({ length: ITEMS }, (_, at) => row.replace(/^[^,]*/, `more-${at}`)).join("\n")
  const folder = join(cwd, "runs", "answers-scored")
  expect((await cfx(["score", "answers.cfx"], { cwd })).code).toBe(0)
  const before = contents(folder)

  appendFileSync(file, `${more}\n`)
  await killed(cwd)
  const left = Object.entries(contents(folder)).filter(([name]) => !name.startsWith("scored.unfinished"))
  expect(Object.fromEntries(left)).toEqual(before)

  const { code } = await cfx(["score", "answers.cfx"], { cwd })
  expect(code).toBe(0)
  const after = contents(folder)
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
  expect(after["trials.csv"]?.length).toBeGreaterThan((before["trials.csv"]?.length ?? 0) + ITEMS)
}, 300_000)
