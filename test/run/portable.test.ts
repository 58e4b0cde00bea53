import { describe, expect, it } from "vitest"
import { meaningHash } from "../../compiler/hash.ts"
import { copiesOf, portable } from "../../runtime/run/portable.ts"
import { origin, program } from "./fixture.ts"

const source = (name: string) => ({ name, text: `// ${name}` })

describe("the copies of a program's sources", () => {
  it("keep their places below the folder that they have in common, the library's under std/", () => {
    const { entry, paths, names } = copiesOf(
      new Map([
        ["/work/specs/a/study.cfx", source("specs/a/study.cfx")],
        ["/work/specs/shared.cfx", source("specs/shared.cfx")],
        ["/lib/metrics.cfx", source("std/metrics.cfx")],
      ]),
    )
    expect(entry).toBe("a/study.cfx")
    expect([...paths]).toEqual([
      ["a/study.cfx", "/work/specs/a/study.cfx"],
      ["shared.cfx", "/work/specs/shared.cfx"],
      ["std/metrics.cfx", "/lib/metrics.cfx"],
    ])
    expect(names.get("specs/shared.cfx")).toBe("shared.cfx")
  })

  it("never share a name", () => {
    const { texts } = copiesOf(
      new Map([
        ["/work/study.cfx", source("/work/study.cfx")],
        ["/work/std/metrics.cfx", source("/work/std/metrics.cfx")],
        ["/lib/metrics.cfx", source("std/metrics.cfx")],
      ]),
    )
    expect([...texts.keys()]).toEqual(["study.cfx", "std/metrics.cfx", "std/2-metrics.cfx"])
  })

  it("stay within spec/ where files have only the root in common", () => {
    const { texts } = copiesOf(
      new Map([
        ["/a/x.cfx", source("/a/x.cfx")],
        ["/b/y.cfx", source("/b/y.cfx")],
      ]),
    )
    expect([...texts.keys()]).toEqual(["a/x.cfx", "b/y.cfx"])
  })
})

describe("a portable program", () => {
  const names = new Map([
    ["study.cfx", "a/study.cfx"],
    ["std/words.cfx", "std/words.cfx"],
  ])
  const moved = portable(program, names)

  it("gives every place in the copies, and files by their last name", () => {
    expect(moved.experiments[0]?.protocol.origin).toEqual({ ...origin(1), file: "a/study.cfx" })
    expect(moved.models[0]?.file).toBe("any.gguf")
    expect(moved.pools[0]?.source).toEqual({ kind: "files", files: ["kinds.yaml"] })
  })

  it("says the same wherever the spec was compiled from", () => {
    const elsewhere = JSON.parse(
      JSON.stringify(program)
        .replaceAll('"study.cfx"', '"../elsewhere/study.cfx"')
        .replaceAll("/models/", "/data/"),
    )
    const other = new Map([
      ["../elsewhere/study.cfx", "a/study.cfx"],
      ["std/words.cfx", "std/words.cfx"],
    ])
    expect(portable(elsewhere, other)).toEqual(moved)
    expect(meaningHash(portable(elsewhere, other))).toBe(meaningHash(moved))
  })

  it("leaves alone what only looks like a place", () => {
    const level = {
      ...program,
      experiments: program.experiments.map((one) => ({
        ...one,
        factors: [{ name: "file", levels: ["a/b"] }],
      })),
    }
    expect(portable(level, names).experiments[0]?.factors[0]?.levels).toEqual(["a/b"])
  })
})
