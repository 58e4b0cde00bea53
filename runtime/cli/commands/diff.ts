import { existsSync, statSync } from "node:fs"
import { inventItems } from "../../../compiler/items/invent.ts"
import type { Side } from "../../diff/prompts.ts"
import { compareSpecs } from "../../diff/specs.ts"
import { diffText } from "../../diff/text.ts"
import { absolute } from "../../disk/files.ts"
import { command, UsageError } from "../command.ts"
import { compiled, isSound, refused, showDiagnostics } from "../compiled.ts"
import { exit } from "../exit.ts"
import type { Terminal } from "../terminal.ts"

export default command({
  usage: "SPEC SPEC",
  about:
    "Says what the second spec does otherwise than the first: models, items, arms, factors,\ntargets, measures and contrasts, and the words of each arm's prompts on the first item\nthat both ask about. Layout, comments and citations make no difference.",
  takes: { least: 2, most: 2, what: "SPEC" },
  options: { json: { type: "boolean", about: "the differences as JSON" } },
  run: async ({ values, names: [before = "", now = ""], terminal }) => {
    const folders = [before, now].filter(isFolder)
    if (folders.length === 2) throw new UsageError("two runs cannot be compared yet; two specs can")
    if (folders.length === 1) throw new UsageError(`${folders[0]} is a folder, and both must be specs`)
    const sides = [before, now].map((spec) => side(spec, terminal))
    const [old, fresh] = sides
    if (typeof old !== "object" || typeof fresh !== "object") {
      return sides.includes(exit.spec) ? exit.spec : exit.environment
    }
    const comparison = compareSpecs(old, fresh)
    if (values.json) terminal.print(JSON.stringify(comparison, null, 2), "data")
    else terminal.print(diffText(comparison, { color: terminal.color.out }), "painted")
    return exit.done
  },
})

const isFolder = (name: string): boolean =>
  existsSync(absolute(name)) && statSync(absolute(name)).isDirectory()

/** A spec with its items; for pools that are not at hand, invented ones. Or the exit code where it has errors: only those are shown. */
function side(spec: string, terminal: Terminal): Side | number {
  const read = compiled(spec)
  if (!isSound(read)) {
    showDiagnostics(read.diagnostics, terminal)
    return refused(read)
  }
  const { program, items, absent } = read
  const away = program.pools.filter(({ name }) => absent.has(name))
  if (away.length > 0) {
    const names = away.map(({ name }) => name).join(", ")
    terminal.note(`${spec}: not at hand, so that prompts are compared on invented items: ${names}`)
  }
  const invented = away.map((pool) => [pool.name, inventItems(pool, program.experiments)] as const)
  return { program, items: new Map([...items, ...invented]) }
}
