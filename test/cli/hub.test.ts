/** A spec whose model is on a hub, from the first run to days without a network. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { COMMIT, cut, hub, nobody, sumOf } from "../hub/server.ts"
import { cfx, copyOfQuickstart, root, start } from "./support.ts"

const pocket = readFileSync(join(root, "stdlib/models/pocket/pocket.gguf"))
const address = "hf:a/b/pocket.gguf#unlocked"

/** The quickstart with its model on the hub. */
const study = (): string => {
  const home = copyOfQuickstart((text) =>
    text.replace(
      'import { pocket as respondent } from "std/models"',
      'import { respondent } from "./models.cfx"',
    ),
  )
  writeFileSync(join(home, "specs/models.cfx"), `model respondent = gguf "${address}"\n`)
  return home
}

it("is fetched for a run, kept by its commit, locked, and read again without a network", {
  timeout: 300_000,
}, async () => {
  const { endpoint, asked } = await hub({ files: { "pocket.gguf": pocket } })
  const cwd = study()
  const env = { HF_ENDPOINT: endpoint, CFX_HOME: join(cwd, "home"), CFX_THREADS: "1", HF_TOKEN: "hf_secret" }
  const run = (...words: readonly string[]) =>
    cfx(["run", "specs/quickstart.cfx", "--limit", "1", ...words], { cwd, env })
  const first = await run("-o", "r")
  expect(first.err).toContain(`respondent: unlocked is commit ${COMMIT} now; cfx lock SPEC pins it`)
  expect([0, 100]).toContain(first.code)
  const state = JSON.parse(readFileSync(join(cwd, "r/run.json"), "utf8"))
  expect(state.models.respondent).toMatchObject({
    file: address,
    facts: { commit: COMMIT, sha256: sumOf(pocket) },
  })
  expect(JSON.stringify(state) + first.err + first.out).not.toContain("hf_secret")
  expect(asked.filter(({ url }) => url.includes("/resolve/"))).toHaveLength(1)

  expect((await cfx(["lock", "specs/quickstart.cfx"], { cwd, env })).code).toBe(0)
  const offline = { ...env, CFX_OFFLINE: "1", HF_ENDPOINT: await nobody() }
  const locked = await cfx(["run", "specs/quickstart.cfx", "--limit", "1", "-o", "q"], { cwd, env: offline })
  expect([0, 100]).toContain(locked.code)
  const later = JSON.parse(readFileSync(join(cwd, "q/run.json"), "utf8"))
  expect(later.models.respondent).toMatchObject({
    file: `hf:a/b/pocket.gguf#${COMMIT}`,
    bytes: pocket.length,
    sha256: sumOf(pocket),
  })
  const resumed = await cfx(["resume", "q"], { cwd, env: offline })
  expect(resumed.err).toContain("all reads were answered before")
  const shown = await cfx(["show", "specs/quickstart.cfx"], { cwd, env: offline })
  expect(shown.code).toBe(0)
})

it("that cannot be had is named before the first read, and a plan counts without it", {
  timeout: 120_000,
}, async () => {
  const cwd = study()
  const env = { CFX_OFFLINE: "1", CFX_HOME: join(cwd, "home"), CFX_THREADS: "1" }
  const { code, err } = await cfx(["run", "specs/quickstart.cfx", "--limit", "1", "-o", "r"], { cwd, env })
  expect(code).toBe(3)
  expect(err).toContain("the file of model respondent is not on this machine, and CFX_OFFLINE")
  expect(err).toContain(join(cwd, "home/models/hf/a/b/unlocked/pocket.gguf"))
  expect(err).toContain("--model respondent=FILE")
  const plan = await cfx(["plan", "specs/quickstart.cfx"], { cwd, env })
  expect(plan.code).toBe(0)
  expect(plan.out).toContain(
    "tokens are not counted for respondent: the file of model respondent is not on this machine",
  )
  const doctor = await cfx(["doctor", "specs/quickstart.cfx"], { cwd, env })
  expect(doctor.code).toBe(3)
  expect(doctor.out).toMatch(/fails +model respondent +.*not on this machine/)
})

it("is gone on with after an interruption in the middle of it, from where it stopped", {
  timeout: 300_000,
}, async () => {
  const { endpoint, asked } = await hub({
    files: { "pocket.gguf": pocket },
    acts: [cut(1_000_000, "silent")],
  })
  const cwd = study()
  const env = { HF_ENDPOINT: endpoint, CFX_HOME: join(cwd, "home"), CFX_THREADS: "1" }
  const { child, ended } = start(["run", "specs/quickstart.cfx", "--limit", "1", "-o", "r"], { cwd, env })
  const place = join(cwd, "home/models/hf/a/b", COMMIT)
  const part = join(place, "pocket.gguf.part")
  while (!existsSync(part) || readFileSync(part).length < 1_000_000)
    await new Promise((later) => setTimeout(later, 50))
  child.kill("SIGINT")
  const { code, err } = await ended
  expect(code).toBe(130)
  expect(err).toMatch(/interrupted; to go on:\n.*resume r/)
  expect(readdirSync(place)).toEqual(["pocket.gguf.part", "pocket.gguf.part.json"])
  const resumed = await cfx(["resume", "r"], { cwd, env })
  expect([0, 100]).toContain(resumed.code)
  expect(resumed.err).toContain("going on after the 1.00 MB that are there")
  expect(asked.at(-1)?.headers.range).toBe("bytes=1000000-")
  expect(readdirSync(place)).toEqual(["pocket.gguf", "pocket.gguf.sum.json"])
})

it("the doctor says how far a file is from its weights in F32", { timeout: 300_000 }, async () => {
  const cwd = copyOfQuickstart()
  const env = { CFX_HOME: join(cwd, "home"), CFX_THREADS: "1" }
  const { code, out, err } = await cfx(["doctor", "specs/quickstart.cfx", "--precision"], { cwd, env })
  expect(code).toBe(0)
  expect(out).toMatch(
    /ok +respondent: precision +F16 and F32 against the same weights in F32, 24 reads: probabilities differ by up to (0\.0|[\d.]+e-[5-9])/,
  )
  expect(err).toMatch(/of weights are written to .*, and 24 reads asked again: about \d+ s/)
  expect(readdirSync(join(cwd, "home/precision"))).toEqual([])
})
