import { existsSync, statSync } from "node:fs"
import { Effect } from "effect"
import { inventItems } from "../../../compiler/items/invent.ts"
import type { Side } from "../../diff/prompts.ts"
import { compareRuns } from "../../diff/runs.ts"
import { runsText } from "../../diff/runsText.ts"
import { compareSpecs } from "../../diff/specs.ts"
import { diffText } from "../../diff/text.ts"
import { absolute } from "../../disk/files.ts"
import { keptRun } from "../../run/finished.ts"
import { rebuild } from "../../run/run.ts"
import { command, UsageError } from "../command.ts"
import { compiled, isSound, refused, showDiagnostics } from "../compiled.ts"
import { exit } from "../exit.ts"
import { runFolder, todo } from "../folder.ts"
import { version } from "../package.ts"
import type { Terminal } from "../terminal.ts"
import { watchOn } from "../watch.ts"

export default command({
  usage: "SPEC SPEC | DIR DIR",
  about:
    "Says what the second spec does otherwise than the first: models, items, arms, factors,\ntargets, measures and contrasts, and the words of each arm's prompts on the first item\nthat both ask about. Layout, comments and citations make no difference. Of two runs it\nsays which reads came out otherwise, within the engine's own floor or beyond it, and\nwhich numbers.",
  takes: { least: 2, most: 2, what: "SPEC or DIR" },
  options: { json: { type: "boolean", about: "the differences as JSON" } },
  run: async ({ values, names: [before = "", now = ""], terminal }) => {
    const folders = [before, now].filter(isFolder)
    if (folders.length === 2) return compareFolders(before, now, values.json === true, terminal)
    if (folders.length === 1)
      throw new UsageError(`${folders[0]} is a folder and the other is none: give two specs or two runs`)
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

async function compareFolders(
  before: string,
  now: string,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const watch = watchOn(terminal)
  const sideOf = async (given: string) => {
    const directory = runFolder(given, todo.other)
    const run = await Effect.runPromise(keptRun(directory, watch))
    const { results, complete } = await Effect.runPromise(
      rebuild({ directory, version: version(), write: false, progress: terminal, watch }),
    )
    watch.end()
    if (!complete) terminal.complain(`${given} is not complete: what was answered so far is compared`)
    return { run, results }
  }
  const comparison = compareRuns(await sideOf(before), await sideOf(now))
  watch.end()
  if (json) terminal.print(JSON.stringify(comparison, null, 2), "data")
  else terminal.print(runsText(comparison), "painted")
  return exit.done
}

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
