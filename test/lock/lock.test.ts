import { describe, expect, test } from "vitest"
import { type Lock, type LockFile, lockSum, lockText, readLock } from "../../runtime/lock/lock.ts"

const lock: Lock = {
  cfx: "0.1.0",
  engine: { "node-llama-cpp": "3.21.1", prebuilt: "llama.cpp v0.4.0", platform: "linux-x64" },
  libraries: {
    "std/framings": { meanings: { people: "ab".repeat(32) } },
    "pkg:@lab/x/x.cfx": { version: "1.0.0", meanings: {} },
  },
  models: {
    qwen: { source: "hf:a/b/c.gguf#unlocked", revision: "unlocked" },
    pocket: { source: "std/models/p.gguf", bytes: 5, sha256: "12e4".repeat(16) },
  },
  pools: { kinds: { files: { "items/kinds.yaml": { sha256: "123456789e123456".repeat(4), rows: 120 } } } },
}

const file: LockFile = { format: 1, specs: { "b.cfx": lock, "a.cfx": lock } }

const read = (text: string) => readLock({ name: "cfx.lock", text })

describe("the text of a lock", () => {
  test("reads line by line in a diff, its keys in order", () => {
    expect(lockText({ format: 1, specs: { "a.cfx": lock } })).toMatchInlineSnapshot(`
      "# What the specs of this folder depend on. Written by cfx lock; cfx lock SPEC --update writes it anew.
      format: 1
      specs:
        a.cfx:
          cfx: 0.1.0
          engine:
            node-llama-cpp: 3.21.1
            platform: linux-x64
            prebuilt: llama.cpp v0.4.0
          libraries:
            pkg:@lab/x/x.cfx:
              meanings: {}
              version: 1.0.0
            std/framings:
              meanings:
                people: abababababababababababababababababababababababababababababababab
          models:
            pocket:
              bytes: 5
              sha256: 12e412e412e412e412e412e412e412e412e412e412e412e412e412e412e412e4
              source: std/models/p.gguf
            qwen:
              revision: unlocked
              source: hf:a/b/c.gguf#unlocked
          pools:
            kinds:
              files:
                items/kinds.yaml:
                  rows: 120
                  sha256: 123456789e123456123456789e123456123456789e123456123456789e123456
      "
    `)
  })

  test("is the same for the same content, and comes back as it was", () => {
    const turned: LockFile = { specs: { "a.cfx": lock, "b.cfx": { ...lock } }, format: 1 }
    expect(lockText(turned)).toBe(lockText(file))
    const back = read(lockText(file))
    expect("file" in back && back.file).toEqual(file)
  })

  test("has a sum that layout does not change", () => {
    const { models, ...rest } = lock
    expect(lockSum({ models, ...rest })).toBe(lockSum(lock))
    expect(lockSum({ ...lock, cfx: "0.1.1" })).not.toBe(lockSum(lock))
  })

  test("tells where each value stands", () => {
    const back = read(lockText(file))
    if (!("file" in back)) throw new Error(back.problem)
    const at = (...path: readonly string[]) => {
      const { start, end } = back.spanOf(path)
      return back.source.text.slice(start, end)
    }
    expect(at("specs", "a.cfx", "cfx")).toBe("0.1.0")
    expect(at("specs", "a.cfx", "pools", "kinds", "files", "items/kinds.yaml", "rows")).toBe("120")
    expect(at("specs", "a.cfx", "models", "new", "sha256")).toContain("hf:a/b/c.gguf#unlocked")
  })
})

describe("a lock that is none says why", () => {
  test.each([
    ["a merge that went wrong", "<<<<<<< HEAD\nformat: 1\n=======\n", /it is not YAML/],
    ["an empty file", "", /the whole/],
    ["another format", "format: 2\nspecs: {}\n", /^format/],
    ["a word for a number", lockText(file).replace("bytes: 5", "bytes: five"), /models\.pocket\.bytes/],
    ["a number for a word", lockText(file).replace("cfx: 0.1.0", "cfx: 7"), /^specs\.a\.cfx\.cfx/],
    ["aliases", "format: 1\nspecs: &a {}\nmore: *a\n", /alias/],
  ])("%s", (_, text, why) => {
    expect(read(text)).toMatchObject({ problem: expect.stringMatching(why) })
  })
})
