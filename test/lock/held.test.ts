/** A spec on a disk, held to the lock beside it. */
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import { heldToLock } from "../../runtime/lock/held.ts"
import { lockText } from "../../runtime/lock/lock.ts"
import { type SnapshotRequest, snapshot } from "../../runtime/lock/snapshot.ts"
import { change, writeStudy } from "./study.ts"

const root = join(import.meta.dirname, "../..")

const request = (home: string): SnapshotRequest => {
  const files = diskFiles({ here: home, stdlib: join(root, "stdlib") })
  const spec = join(home, "experiment.cfx")
  const { program, diagnostics } = compile(spec, files)
  if (program === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return { spec, program, files, given: {}, version: "0.1.0", root }
}

/** A study with its lock, in a folder that is gone after the test. */
const locked = async (): Promise<string> => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cfx-held-")))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  writeStudy(home)
  const lock = await snapshot(request(home))
  writeFileSync(join(home, "cfx.lock"), lockText({ format: 1, specs: { "experiment.cfx": lock } }))
  return home
}

const moved = async (home: string) =>
  (await heldToLock(request(home)))?.drifts.map(({ what, aspect }) => `${what}: ${aspect}`)

describe("a spec beside its lock", () => {
  test("is held to it: nothing moved, and the sum says which lock it was", async () => {
    const held = await heldToLock(request(await locked()))
    expect(held).toEqual({ sum: expect.stringMatching(/^[0-9a-f]{64}$/), drifts: [], remarks: [] })
  })

  test.each<[string, (home: string) => void, readonly string[]]>([
    [
      "a stimulus of a library",
      (home) => change(home, "lib.cfx", "A crowd says", "A crowd said"),
      ["library lib.cfx, crowd: meaning"],
    ],
    [
      "a stimulus and the version of a package",
      (home) => {
        change(home, "node_modules/cfx-rumour/rumour.cfx", "has it", "had it")
        change(home, "node_modules/cfx-rumour/package.json", "1.0.0", "1.0.1")
      },
      ["library pkg:cfx-rumour/rumour.cfx: version", "library pkg:cfx-rumour/rumour.cfx, rumour: meaning"],
    ],
    [
      "an item",
      (home) => change(home, "questions.yaml", "id: q07", "id: seven"),
      ["pool questions, questions.yaml: sha256"],
    ],
    [
      "the number of items",
      (home) =>
        appendFileSync(
          join(home, "questions.yaml"),
          "\n- { id: z, question: Q, options: [a, b], gold: A }\n",
        ),
      ["pool questions, questions.yaml: sha256", "pool questions, questions.yaml: rows"],
    ],
    [
      "a file whose place the hub takes",
      (home) =>
        change(home, "experiment.cfx", '"questions.yaml" {', '"hf://datasets/a/b@unlocked#all/test" {'),
      ["pool questions: source", "pool questions, questions.yaml: sha256"],
    ],
    [
      "a model's file",
      (home) => appendFileSync(join(home, "pocket.gguf"), "x"),
      ["model pocket: bytes", "model pocket: sha256"],
    ],
    [
      "an import that is new",
      (home) => {
        change(home, "experiment.cfx", "students, crowd", "students, retrieved_reference, crowd")
        change(
          home,
          "experiment.cfx",
          'from "./lib.cfx"',
          'from "./lib.cfx"\nimport { retrieved_reference } from "std/containers"',
        )
      },
      ["library std/containers, retrieved_reference: meaning"],
    ],
    ["cfx", (home) => change(home, "cfx.lock", "cfx: 0.1.0", "cfx: 0.0.9"), ["cfx: version"]],
    [
      "the engine",
      (home) => change(home, "cfx.lock", "node-llama-cpp: 3", "node-llama-cpp: 2"),
      ["engine: node-llama-cpp"],
    ],
    [
      "layout, comments and docs: none of it moves",
      (home) => change(home, "lib.cfx", "/// A crowd.", "// Moved.\n\n"),
      [],
    ],
    [
      "what the spec itself says: it is no dependency",
      (home) => change(home, "experiment.cfx", "seed 0", "seed 1"),
      [],
    ],
    ["a model that is not at hand: it is no other", (home) => rmSync(join(home, "pocket.gguf")), []],
  ])("what moved is named: %s", async (_, move, expected) => {
    const home = await locked()
    move(home)
    expect(await moved(home)).toEqual(expected)
  })

  test("gives each drift its place in the lock", async () => {
    const home = await locked()
    change(home, "lib.cfx", "A crowd says", "A crowd said")
    const [drift] = (await heldToLock(request(home)))?.drifts ?? []
    expect(drift?.source.text.slice(drift.span.start, drift.span.end)).toBe(drift?.before)
    expect(drift?.before).not.toBe(drift?.now)
  })

  test("is held to none where there is none, and to nothing where the lock does not know it", async () => {
    const home = await locked()
    change(home, "cfx.lock", "experiment.cfx:", "other.cfx:")
    expect(await heldToLock(request(home))).toEqual({
      drifts: [],
      remarks: ["cfx.lock says nothing of experiment.cfx: cfx lock pins what it depends on"],
    })
    rmSync(join(home, "cfx.lock"))
    expect(await heldToLock(request(home))).toBeUndefined()
  })

  test("fails where the lock is damaged", async () => {
    const home = await locked()
    change(home, "cfx.lock", "format: 1", "<<<<<<< HEAD")
    await expect(heldToLock(request(home))).rejects.toThrow(/cfx\.lock is damaged/)
  })
})
