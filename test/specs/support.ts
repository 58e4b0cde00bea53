/** The specs of the project as they are compiled from the disk, with items made up where their data are not at hand. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { compile } from "../../compiler/compile.ts"
import type { Compiled } from "../../compiler/compiled.ts"
import type { Program } from "../../compiler/ir.ts"
import { inventItems } from "../../compiler/items/invent.ts"
import { diskFiles } from "../../runtime/disk/files.ts"

export const root = join(import.meta.dirname, "../..")

/** Paths of the specs, from the project's folder. */
const all: readonly string[] = ["floor", "who-flips", "field", "planted"].flatMap((folder) =>
  readdirSync(join(root, "specs", folder))
    .filter((name) => name.endsWith(".cfx"))
    .sort()
    .map((name) => `specs/${folder}/${name}`),
)

const holdsExperiment = (name: string): boolean =>
  /^experiment /m.test(readFileSync(join(root, name), "utf8"))

/** Those that hold experiments, and those that others import. */
export const specs = all.filter(holdsExperiment)
export const imported = all.filter((name) => !holdsExperiment(name))

export type Sound = Compiled & { readonly program: Program; readonly hash: string }

/** @throws when the spec has errors */
export const compiled = (spec: string): Sound => {
  const found = compile(join(root, spec), diskFiles({ here: root, stdlib: join(root, "stdlib") }))
  const { program, hash } = found
  if (program === undefined || hash === undefined) {
    const said = found.diagnostics.map(({ code, label }) => `${code} ${label}`)
    throw new Error(`${spec} has errors: ${said.join("; ")}`)
  }
  return { ...found, program, hash }
}

/** Names of pools whose data are not at hand, and the spec with items for them. */
export const invented = (spec: Sound): { readonly spec: Sound; readonly pools: readonly string[] } => {
  const items = new Map(spec.items)
  const absent = spec.program.pools.filter(({ name }) => spec.absent.has(name))
  for (const pool of absent) items.set(pool.name, inventItems(pool, spec.program.experiments))
  return { spec: { ...spec, items }, pools: absent.map(({ name }) => name) }
}
