import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Plugin, RolldownOptions } from "rolldown"

/** One small entry for `--help`; every command is a chunk of its own, loaded when it is called. */
export const bundle = (dir: string) =>
  ({
    input: { cfx: "runtime/cli/main.ts" },
    platform: "node",
    external: [/^node-llama-cpp/],
    output: { dir, format: "esm", cleanDir: true, chunkFileNames: "chunks/[name]-[hash].js" },
    plugins: [licences(), executable()],
  }) satisfies RolldownOptions

export default bundle("dist")

/** Gathers the licences of the packages that went into the bundle: they ask to be passed on with the code. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const folders = new Set<string>()
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue
        for (const id of output.moduleIds) {
          const folder = packageFolder(id)
          if (folder) folders.add(folder)
        }
      }
      // Packages of one author come in hundreds with the same text, which is given once under all their names.
      const named = new Map<string, string[]>()
      for (const folder of [...folders].sort()) {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
        const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice)/i.test(entry))
        const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
        const text = texts.length > 0 ? texts.join("\n\n") : `Licence: ${license}`
        named.set(text, [...(named.get(text) ?? []), `${name} ${version}`])
      }
      const texts = [...named].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`)
      this.emitFile({
        type: "asset",
        fileName: "LICENSES.txt",
        source: texts.join(`\n${"-".repeat(80)}\n\n`),
      })
    },
  }
}

/** The package that a module of `node_modules` belongs to. */
function packageFolder(id: string): string | undefined {
  if (!id.includes("node_modules") || id.startsWith("\0")) return undefined
  let folder = dirname(id)
  while (!isPackage(folder)) folder = dirname(folder)
  return folder
}

/** Some packages hold inner `package.json` files that only say how to load a folder; those have no name and version. */
function isPackage(folder: string): boolean {
  const file = join(folder, "package.json")
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version !== undefined
}

/** `./dist/cfx.js` and npm's own links both need the bit. */
function executable(): Plugin {
  return { name: "executable", writeBundle: ({ dir = "." }) => chmodSync(join(dir, "cfx.js"), 0o755) }
}
