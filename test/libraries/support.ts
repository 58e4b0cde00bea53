/** Libraries as the compiler loads them, and what each of their declarations means. */
import type { Files } from "../../compiler/files.ts"
import { load, type Module } from "../../compiler/load.ts"
import { meaningOf } from "../../compiler/meaning.ts"
import { resolve } from "../../compiler/resolve.ts"
import { standardLibraries } from "../../compiler/standard.ts"
import { text } from "../compiler/files.ts"
import { inMemory as beside } from "../diagnostics/examples.ts"

/** The standard library, read once and kept in memory. */
export const standard: ReadonlyMap<string, string> = new Map(
  standardLibraries.map((name) => [`/std/${name}.cfx`, text(`stdlib/${name}.cfx`)]),
)

/** Files of a test beside the standard library, some of which may be replaced: by absolute path. */
export const inMemory = (files: Readonly<Record<string, string>>): Files => {
  const disk = beside({})
  return {
    ...disk,
    read: (path) => {
      const found = files[path] ?? standard.get(path)
      return found === undefined ? { problem: "no such file" } : { text: found }
    },
    packaged: (name, file) => {
      const path = `/spec/node_modules/${name}/${file}`
      return files[path] === undefined ? { problem: `no package; \`npm install ${name}\`` } : { path }
    },
  }
}

export const loaded = (path: string, files: Readonly<Record<string, string>> = {}): readonly Module[] =>
  load(path, inMemory(files)).modules

/** Hash of the meaning by name, of each declaration of the file at this path. */
export const meanings = (
  path: string,
  files: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> => {
  const modules = loaded(path, files)
  const { names } = resolve(modules, () => [])
  const [module] = modules
  return new Map(
    (module?.file.declarations ?? []).map((declaration) => [
      declaration.name.text,
      meaningOf({ declaration, module: module as Module }, names),
    ]),
  )
}

/** The meaning of one declaration of a file that stands alone. */
export const meaning = (
  source: string,
  name: string,
  files: Readonly<Record<string, string>> = {},
): string => {
  const found = meanings("/spec/lib.cfx", { "/spec/lib.cfx": source, ...files }).get(name)
  if (found === undefined) throw new Error(`no ${name} in ${source}`)
  return found
}
