/** Files are there in full or not at all, and in the place of nothing else. */
import { execFileSync } from "node:child_process"
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { writeFileAtomic } from "../../runtime/disk/disk.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { temporary } from "./temporary.ts"

const folder = temporary()

describe("a file that is written in one step", () => {
  it("takes a text, bytes, or pieces of either, and leaves nothing else behind", () => {
    const path = join(folder, "deep/er/file")
    writeFileAtomic(path, ["a", new Uint8Array([98]), "ç"])
    expect(readFileSync(path, "utf8")).toBe("abç")
    writeFileAtomic(path, new Uint8Array([0, 255]))
    expect([...readFileSync(path)]).toEqual([0, 255])
    expect(readdirSync(join(folder, "deep/er"))).toEqual(["file"])
  })

  it("goes where a link leads, and the link stays", () => {
    writeFileSync(join(folder, "target"), "before")
    symlinkSync("target", join(folder, "link"))
    writeFileAtomic(join(folder, "link"), "after")
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("after")
  })

  it("takes the place of no pipe, folder or lost link", () => {
    execFileSync("mkfifo", [join(folder, "pipe")])
    mkdirSync(join(folder, "folder"))
    symlinkSync("nowhere", join(folder, "lost"))
    for (const name of ["pipe", "folder", "lost"])
      expect(() => writeFileAtomic(join(folder, name), "x"), name).toThrow(EnvironmentFailure)
    expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([])
  })
})
