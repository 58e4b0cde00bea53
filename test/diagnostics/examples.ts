/** Files in memory beside the real standard library, for specs that a test compiles. */
import { readdirSync, readFileSync } from "node:fs"
import type { Files } from "../../compiler/files.ts"

const STDLIB = new URL("../../stdlib/", import.meta.url)

const library: ReadonlyMap<string, string> = new Map(
  readdirSync(STDLIB)
    .filter((name) => name.endsWith(".cfx"))
    .map((name) => [`/std/${name}`, readFileSync(new URL(name, STDLIB), "utf8")]),
)

/** Files by name, standing in `/spec`. A person is shown their names as given. */
export const inMemory = (files: Readonly<Record<string, string>>): Files => {
  const all = new Map([
    ...library,
    ...Object.entries(files).map(([name, text]) => [`/spec/${name}`, text] as const),
  ])
  return {
    read: (path) => {
      const text = all.get(path)
      return text === undefined ? { problem: "no such file" } : { text }
    },
    list: (path) => {
      const inside = [...all.keys()].filter((name) => name.startsWith(`${path}/`))
      const names = inside.map((name) => name.slice(path.length + 1)).filter((name) => !name.includes("/"))
      return inside.length === 0 ? { problem: "no such folder" } : { names: names.sort() }
    },
    packaged: (name, file) => {
      const path = `/spec/node_modules/${name}/${file}`
      return all.has(path)
        ? { path }
        : { problem: `there is no package ${name}; \`npm install ${name}\` brings it` }
    },
    stdlib: "/std",
    show: (path) => path.replace(/^\/spec\//, "").replace(/^\/std\//, "std/"),
  }
}
