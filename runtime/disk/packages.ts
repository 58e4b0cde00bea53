/** Where the files of npm packages lie: versions, registries and audits of libraries are npm's, and so is the place where they are looked for. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, relative } from "node:path"
import { slashed } from "./paths.ts"

/**
 * The absolute path of a file of a package, from the nearest `node_modules` above the file that imports it; or why there is none.
 * Links are followed, as npm's own workspaces and other package managers lay packages out; a file that lies outside its package is none of it.
 */
export function packaged(
  name: string,
  file: string,
  from: string,
): { readonly path: string } | { readonly problem: string } {
  const root = rootOf(name, from)
  if (root === undefined) {
    return {
      problem: `there is no package ${name} in a node_modules folder above the file; \`npm install ${name}\` brings it`,
    }
  }
  const path = real(join(root, file))
  if (path === undefined || !isFile(path)) {
    const others = libraries(root)
    const there = others.length === 0 ? "it has no .cfx files" : `it has ${others.join(", ")}`
    return {
      problem: `package ${titleOf(name, root)} has no file ${file} (${there}); another version may: \`npm install ${name}\``,
    }
  }
  const within = relative(root, path)
  if (within.startsWith("..") || isAbsolute(within)) {
    return {
      problem: `${file} lies outside package ${name}, and only what a package holds can be shared; \`npm install ${name}\` brings it anew`,
    }
  }
  return { path: slashed(path) }
}

/** What `package.json` says of the package that a file lies in: the nearest above it that has a name. */
export function packageOf(path: string): { readonly name: string; readonly version: string } | undefined {
  for (const folder of above(path)) {
    const { name, version } = description(folder)
    if (typeof name === "string") return { name, version: typeof version === "string" ? version : "" }
  }
  return undefined
}

function rootOf(name: string, from: string): string | undefined {
  for (const folder of above(from)) {
    const root = real(join(folder, "node_modules", name))
    if (root !== undefined && statSync(root).isDirectory()) return root
  }
  return undefined
}

/** The folders that a file lies in, the nearest first. */
function* above(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** The libraries that lie directly in a package, to name what could have been meant. */
const libraries = (root: string): readonly string[] =>
  readdirSync(root)
    .filter((name) => name.endsWith(".cfx"))
    .sort()

const titleOf = (name: string, root: string): string => {
  const { version } = description(root)
  return typeof version === "string" ? `${name} ${version}` : name
}

function description(folder: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
