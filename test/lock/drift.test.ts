import { describe, expect, test } from "vitest"
import { compare } from "../../runtime/lock/drift.ts"
import type { Lock, ModelLock, PoolLock } from "../../runtime/lock/lock.ts"

const base: Lock = {
  cfx: "0.1.0",
  engine: { "node-llama-cpp": "3.21.1", prebuilt: "llama.cpp v0.4.0", platform: "linux-x64" },
  libraries: {
    "std/framings": { meanings: { people: "aa", experts: "bb" } },
    "pkg:x/x.cfx": { version: "1.0.0", meanings: { x: "cc" } },
  },
  models: {
    local: { source: "m.gguf", bytes: 5, sha256: "dd" },
    remote: { source: "hf:a/b/c.gguf#unlocked", revision: "unlocked" },
  },
  pools: {
    kinds: { files: { "k.yaml": { sha256: "ee", rows: 3 } } },
    arc: { source: "hf://datasets/a/b@unlocked", revision: "unlocked" },
    made: { source: "../runs/r", plan: "ff" },
  },
}

const model = (name: string, change: ModelLock): Lock => ({
  ...base,
  models: { ...base.models, [name]: change },
})
const pool = (name: string, change: PoolLock): Lock => ({ ...base, pools: { ...base.pools, [name]: change } })

/** `what: aspect before -> now`, as a person is told. */
const drifts = (before: Lock, now: Lock) =>
  compare(before, now).drifts.map(
    ({ what, aspect, before, now }) => `${what}: ${aspect} ${before ?? "-"} -> ${now ?? "-"}`,
  )

describe("a spec held to its lock", () => {
  test("has not moved where nothing has", () => {
    expect(compare(base, structuredClone(base))).toEqual({ drifts: [], remarks: [] })
  })

  test.each<[string, Lock, readonly string[]]>([
    ["cfx", { ...base, cfx: "0.2.0" }, ["cfx: version 0.1.0 -> 0.2.0"]],
    [
      "the engine",
      { ...base, engine: { ...base.engine, "node-llama-cpp": "3.22.0", prebuilt: "llama.cpp v0.5.0" } },
      ["engine: node-llama-cpp 3.21.1 -> 3.22.0", "engine: prebuilt llama.cpp v0.4.0 -> llama.cpp v0.5.0"],
    ],
    [
      "a declaration",
      {
        ...base,
        libraries: { ...base.libraries, "std/framings": { meanings: { people: "a2", experts: "bb" } } },
      },
      ["library std/framings, people: meaning aa -> a2"],
    ],
    [
      "the version of a package",
      {
        ...base,
        libraries: { ...base.libraries, "pkg:x/x.cfx": { version: "1.0.1", meanings: { x: "cc" } } },
      },
      ["library pkg:x/x.cfx: version 1.0.0 -> 1.0.1"],
    ],
    [
      "a model's file",
      model("local", { source: "m.gguf", bytes: 6, sha256: "d2" }),
      ["model local: bytes 5 -> 6", "model local: sha256 dd -> d2"],
    ],
    [
      "where a model comes from",
      model("remote", { source: "hf:a/b/d.gguf#unlocked", revision: "unlocked" }),
      ["model remote: source hf:a/b/c.gguf#unlocked -> hf:a/b/d.gguf#unlocked"],
    ],
    [
      "a data file",
      pool("kinds", { files: { "k.yaml": { sha256: "e2", rows: 4 } } }),
      ["pool kinds, k.yaml: sha256 ee -> e2", "pool kinds, k.yaml: rows 3 -> 4"],
    ],
    [
      "the files of a folder",
      pool("kinds", { files: { "l.yaml": { sha256: "e3", rows: 1 } } }),
      ["pool kinds, l.yaml: sha256 - -> e3", "pool kinds, k.yaml: sha256 ee -> -"],
    ],
    [
      "files whose place the hub takes",
      pool("kinds", { source: "hf://datasets/a/k@unlocked", revision: "unlocked" }),
      ["pool kinds: source k.yaml -> hf://datasets/a/k@unlocked", "pool kinds, k.yaml: sha256 ee -> -"],
    ],
    [
      "files whose place a run takes",
      pool("kinds", { source: "../runs/k", plan: "11" }),
      ["pool kinds: source k.yaml -> ../runs/k", "pool kinds, k.yaml: sha256 ee -> -"],
    ],
    [
      "data of the hub whose place files take",
      pool("arc", { files: { "a.yaml": { sha256: "12", rows: 2 } } }),
      ["pool arc, a.yaml: sha256 - -> 12", "pool arc: source hf://datasets/a/b@unlocked -> a.yaml"],
    ],
    [
      "data of the hub whose place a folder without files takes",
      pool("arc", { files: {} }),
      ["pool arc: source hf://datasets/a/b@unlocked -> an empty folder"],
    ],
    [
      "data of the hub whose place a run takes",
      pool("arc", { source: "../runs/k", plan: "13" }),
      ["pool arc: source hf://datasets/a/b@unlocked -> ../runs/k"],
    ],
    [
      "a run whose place files take",
      pool("made", { files: { "m.yaml": { sha256: "14" } } }),
      ["pool made, m.yaml: sha256 - -> 14", "pool made: source ../runs/r -> m.yaml"],
    ],
    ...(
      [
        ["the hub", "hf:a/b/d.gguf#unlocked"],
        ["a server", "https://host/v1"],
        ["another file", "d.gguf"],
      ] as const
    ).map(([place, source]): [string, Lock, readonly string[]] => [
      `a model's file whose place ${place} takes`,
      model("local", { source }),
      [`model local: source m.gguf -> ${source}`],
    ]),
    [
      "a run that items come from",
      pool("made", { source: "../runs/r", plan: "f2" }),
      ["pool made: plan ff -> f2"],
    ],
    [
      "a model that the lock does not know",
      model("new", { source: "n.gguf", sha256: "11" }),
      ["model new: source - -> n.gguf"],
    ],
    [
      "an import that the lock does not know",
      { ...base, libraries: { ...base.libraries, "own.cfx": { meanings: { y: "12" } } } },
      ["library own.cfx, y: meaning - -> 12"],
    ],
  ])("names what moved, old and new: %s", (_, now, expected) => {
    expect(drifts(base, now)).toEqual(expected)
  })

  test("is not held to what it no longer uses", () => {
    expect(
      drifts(base, { ...base, models: { local: base.models.local! }, libraries: {}, pools: {} }),
    ).toEqual([])
  })

  test("is not held to what one of the two does not know", () => {
    expect(drifts(base, model("local", { source: "m.gguf" }))).toEqual([])
    expect(drifts(model("local", { source: "m.gguf" }), base)).toEqual([])
    const pinned = pool("arc", { source: "hf://datasets/a/b@unlocked", revision: "c0" })
    expect(drifts(pinned, base)).toEqual([])
    expect(drifts(pinned, pool("arc", { source: "hf://datasets/a/b@unlocked", revision: "c1" }))).toEqual([
      "pool arc: revision c0 -> c1",
    ])
  })

  test("may be on another platform, with a remark", () => {
    const { drifts, remarks } = compare(base, {
      ...base,
      engine: { ...base.engine, platform: "darwin-arm64" },
    })
    expect(drifts).toEqual([])
    expect(remarks).toEqual([expect.stringMatching(/written on linux-x64, and this is darwin-arm64/)])
  })

  test("is released where the command line gives other files than the lock was written for, with a remark", () => {
    const given = pool("kinds", { given: true, files: { "mine.csv": { sha256: "99", rows: 7 } } })
    expect(compare(base, given)).toEqual({
      drifts: [],
      remarks: ["pool kinds is not held to the lock: the command line gives it"],
    })
    expect(compare(given, base).drifts).toEqual([])
    expect(compare(given, base).remarks).toHaveLength(1)
    const other = pool("kinds", { given: true, files: { "mine.csv": { sha256: "98", rows: 7 } } })
    expect(drifts(given, other)).toEqual(["pool kinds, mine.csv: sha256 99 -> 98"])
    const run = pool("kinds", { given: true, plan: "97" })
    expect(drifts(given, run)).toEqual([
      "pool kinds: source mine.csv -> a run",
      "pool kinds, mine.csv: sha256 99 -> -",
    ])
  })

  test("has a place in the lock for each thing", () => {
    const paths = compare(base, {
      ...model("local", { source: "m.gguf", sha256: "d2" }),
      cfx: "9",
    }).drifts.map(({ path }) => path)
    expect(paths).toEqual([["cfx"], ["models", "local", "sha256"]])
  })
})
