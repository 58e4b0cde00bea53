/** Models in several files: found by the first one's name, known by the sum of all, opened as one. */
import { execFileSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { partsOf, wholeOf, wholeSum } from "../../runtime/hub/split.ts"
import { unopenable } from "../../runtime/run/able.ts"
import { ggufBytes, splitGguf } from "../engine/gguf/format.ts"
import { smallModel } from "../engine/gguf/model.ts"
import { conversationOf, prepared, withModel } from "../engine/support.ts"
import { bytesOf, folder, sumOf } from "./server.ts"

describe("the parts of a model", () => {
  test("are named by the first, in its folder", () => {
    expect(partsOf("/m/x-00001-of-00003.gguf")).toEqual([
      "/m/x-00001-of-00003.gguf",
      "/m/x-00002-of-00003.gguf",
      "/m/x-00003-of-00003.gguf",
    ])
    expect(partsOf("q4/x-00002-of-00002.gguf")[0]).toBe("q4/x-00001-of-00002.gguf")
  })

  test.each(["/m/x.gguf", "/m/x-1-of-3.gguf", "/m/x-00001-of-00000.gguf", "/m/x-00001-of-00003.gguf.part"])(
    "%s is whole",
    (path) => expect(partsOf(path)).toEqual([path]),
  )

  test.skipIf(process.platform !== "linux")("have the sum that sha256sum gives of their sums", () => {
    const home = folder()
    const parts = ["x-00001-of-00002.gguf", "x-00002-of-00002.gguf"].map((name, index) => {
      const bytes = bytesOf(1000 + index, index)
      writeFileSync(join(home, name), bytes)
      return { name: join(home, name), bytes: bytes.length, sha256: sumOf(bytes) }
    })
    const shell = execFileSync("sh", ["-c", "sha256sum x-*.gguf | sha256sum"], {
      cwd: home,
      encoding: "utf8",
    })
    expect(wholeSum(parts)).toEqual({ bytes: 2001, sha256: shell.split(" ")[0] })
  })

  test("of which not all is known have no sum", () => {
    expect(
      wholeOf([
        { name: "a", bytes: 1 },
        { name: "b", bytes: 2, sha256: "s" },
      ]),
    ).toEqual({ bytes: 3 })
    expect(wholeOf([{ name: "a", sha256: "s" }])).toEqual({ sha256: "s" })
  })
})

describe("a model in three files", () => {
  const model = smallModel({ seed: 5 })
  const path = (home: string, part: number): string => join(home, `m-0000${part}-of-00003.gguf`)
  const write = (home: string): string => {
    for (const [index, part] of splitGguf(model, 3).entries()) writeFileSync(path(home, index + 1), part)
    return path(home, 1)
  }
  const ask = { kind: "option", labels: ["A", "B"], follow: "" } as const
  const read = (file: string, sha256?: string) =>
    withModel(
      async (loaded) => {
        const { request } = prepared(loaded, conversationOf([["Which?", ""]]), ask)
        const [answer] = await Effect.runPromise(Stream.runCollect(loaded.score([request])))
        return { probabilities: answer?.probabilities, sha256: loaded.facts.sha256 }
      },
      { threads: 1 },
      { name: "m", path: file, ...(sha256 === undefined ? {} : { sha256 }) },
    )

  test("answers as the same model in one, and is known by the sum of all", { timeout: 60_000 }, async () => {
    const home = folder()
    const first = write(home)
    const whole = join(home, "whole.gguf")
    writeFileSync(whole, ggufBytes(model))
    const sums = splitGguf(model, 3).map((bytes, index) => ({
      name: path(home, index + 1),
      bytes: bytes.length,
      sha256: sumOf(bytes),
    }))
    const { sha256 } = wholeSum(sums)
    const split = await read(first, sha256)
    expect(split.sha256).toBe(sha256)
    expect(split.probabilities).toEqual((await read(whole)).probabilities)
    await expect(read(first, "ab".repeat(32))).rejects.toThrow(`has sha256 ${sha256}, not the declared`)
  })

  test("of which one is missing is not opened, and the missing one is named", {
    timeout: 60_000,
  }, async () => {
    const home = folder()
    const first = write(home)
    rmSync(path(home, 3))
    const why = "the model m is in 3 files, and this one does not exist"
    await expect(read(first)).rejects.toThrow(why)
    const found = unopenable({ name: "m", engine: "gguf" }, first)
    expect(found).toBeInstanceOf(EnvironmentFailure)
    expect(found).toMatchObject({ what: why, where: path(home, 3) })
  })
})
