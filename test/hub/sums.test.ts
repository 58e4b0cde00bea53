import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { cfxHome } from "../../runtime/disk/home.ts"
import { modelSum } from "../../runtime/hub/split.ts"
import { unwatched, type Work } from "../../runtime/hub/watch.ts"

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "cfx-sums-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test("a file has its size and sum; what is no file has none", async () => {
  const home = folder()
  const path = join(home, "x")
  writeFileSync(path, "abc")
  expect(await modelSum(path, unwatched, home)).toEqual({
    bytes: 3,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  })
  expect(await modelSum(join(home, "none"), unwatched, home)).toBeUndefined()
  expect(await modelSum(home, unwatched, home)).toBeUndefined()
  expect(existsSync(join(home, "sums.json"))).toBe(false)
})

test("the sum of a large file is remembered until the file changes", async () => {
  const home = folder()
  const path = join(home, "large")
  writeFileSync(path, "a")
  truncateSync(path, 65 * 1024 * 1024)
  const first = await modelSum(path, unwatched, home)
  const kept = readFileSync(join(home, "sums.json"), "utf8")
  writeFileSync(join(home, "sums.json"), kept.replace(first?.sha256 ?? "", "f".repeat(64)))
  expect((await modelSum(path, unwatched, home))?.sha256).toBe("f".repeat(64))
  utimesSync(path, 1, 1)
  expect(await modelSum(path, unwatched, home)).toEqual(first)
  writeFileSync(join(home, "sums.json"), "{ damaged")
  expect(await modelSum(path, unwatched, home)).toEqual(first)
})

test("the sum of a large file is seen to be made, and one that is remembered is not made", async () => {
  const home = folder()
  const path = join(home, "large")
  writeFileSync(path, "a")
  truncateSync(path, 65 * 1024 * 1024)
  const heard: string[] = []
  let passed = 0
  const watch = {
    begin: ({ doing, name }: Work) => void heard.push(`${doing} ${name}`),
    passed: (bytes: number) => {
      passed += bytes
    },
    end: () => void heard.push("done"),
  }
  await modelSum(path, watch, home)
  expect(heard).toEqual(["checking the sum of large", "done"])
  expect(passed).toBe(65 * 1024 * 1024)
  await modelSum(path, watch, home)
  expect(passed).toBe(65 * 1024 * 1024)
})

test("the home is CFX_HOME, else the system's folder for caches", () => {
  expect(cfxHome({ CFX_HOME: "/x" }, "linux")).toBe("/x")
  expect(cfxHome({ XDG_CACHE_HOME: "/c" }, "linux")).toBe(join("/c", "cfx"))
  expect(cfxHome({ XDG_CACHE_HOME: "/c" }, "darwin")).toMatch(/Library.Caches.cfx$/)
})
