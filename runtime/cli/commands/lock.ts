import { readFileSync } from "node:fs"
import { basename } from "node:path"
import type { CompileOptions } from "../../../compiler/compiled.ts"
import { importedBy } from "../../../compiler/libraries.ts"
import { writeFileAtomic } from "../../disk/disk.ts"
import { absolute, diskFiles } from "../../disk/files.ts"
import { hubFrom } from "../../hub/hub.ts"
import { compare, type Drift } from "../../lock/drift.ts"
import { freeze } from "../../lock/freeze.ts"
import { entryOf, lockBeside, lockPath } from "../../lock/held.ts"
import { FORMAT, type Lock, lockSum, lockText } from "../../lock/lock.ts"
import { pin } from "../../lock/pin.ts"
import { type SnapshotRequest, snapshot } from "../../lock/snapshot.ts"
import { command } from "../command.ts"
import { compiled, compileOptions, replacements, soundSpec } from "../compiled.ts"
import { exit } from "../exit.ts"
import { driftText, movedLines, snapshotOf } from "../locked.ts"
import { packageRoot } from "../package.ts"
import { here } from "../paths.ts"
import type { Terminal } from "../terminal.ts"

export default command({
  usage: "SPEC",
  about:
    "Writes into cfx.lock, beside SPEC, everything that a run of it depends on: cfx and its\nengine, model files, data, and what each imported declaration means. With a lock beside\nit, cfx run, plan and check hold the spec to it, and exit 5 where something moved. Asks the\nhub (HF_ENDPOINT) for revisions; what it cannot say stays unlocked.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    update: { type: "boolean", about: "accept what moved, and ask the hub again for every revision" },
    freeze: { type: "boolean", about: "write the sum of what it brings into each import of SPEC" },
    ...replacements,
    json: { type: "boolean", about: "what was locked and what moved, as JSON" },
  },
  run: async ({ values, names: [spec = ""], terminal }) => {
    const given = compileOptions(values)
    const update = values.update ?? false
    // Sums that no longer hold are errors of the spec, until they are written anew.
    if (values.freeze && update && onlySumsAreWrong(spec, given)) freezeSpec(spec, terminal)
    const sound = soundSpec(spec, given, terminal)
    if (typeof sound === "number") return sound
    const locked = await lock(snapshotOf(spec, sound, given, terminal), update)
    if (locked.drifts.length > 0 && !update) {
      terminal.complain(driftText(locked.drifts, spec))
      return exit.drift
    }
    if (values.freeze) freezeSpec(spec, terminal)
    const { drifts, open, entry } = locked
    const json = { lock: here(lockPath(absolute(spec))), sum: lockSum(entry), moved: drifts.map(moved), open }
    if (values.json) terminal.print(JSON.stringify(json, null, 2), "data")
    else terminal.print(told(spec, locked))
    return exit.done
  },
})

interface Locked {
  readonly entry: Lock
  readonly drifts: readonly Drift[]
  readonly open: readonly string[]
}

/** Writes the lock, unless something moved and is not to be accepted. */
async function lock(request: SnapshotRequest, update: boolean): Promise<Locked> {
  const path = request.spec
  const beside = lockBeside(path, request.files.show)
  const before = entryOf(beside, path)
  const now = await snapshot({ ...request, ...(before === undefined ? {} : { before }) })
  const drifts = before === undefined ? [] : compare(before, now).drifts
  if (drifts.length > 0 && !update) return { entry: now, drifts, open: [] }
  const { lock: entry, open } = await pin(now, hubFrom(), update ? undefined : before)
  const specs = { ...beside?.file.specs, [basename(path)]: entry }
  const text = lockText({ format: FORMAT, specs })
  if (text !== beside?.source.text) writeFileAtomic(lockPath(path), text)
  return { entry, drifts, open }
}

const onlySumsAreWrong = (spec: string, given: CompileOptions): boolean => {
  const errors = compiled(spec, given).diagnostics.filter(({ severity }) => severity === "error")
  return errors.length > 0 && errors.every(({ code }) => code === "CFX2550")
}

function freezeSpec(spec: string, { note }: Terminal): void {
  const path = absolute(spec)
  const files = diskFiles({ here: process.cwd(), stdlib: `${packageRoot()}/stdlib` })
  const { imports, source } = importedBy(path, files)
  if (source === undefined) return
  const { text, changed } = freeze(source.text, imports)
  // The compiler is given text without a byte order mark, and the file keeps its own.
  const mark = readFileSync(path, "utf8").startsWith("\uFEFF") ? "\uFEFF" : ""
  if (changed > 0) writeFileAtomic(path, mark + text)
  note(
    changed === 0
      ? `${spec}: every import carries its sum`
      : `${spec}: the sums of ${changed} of ${imports.length} imports were written`,
  )
}

const moved = ({ what, aspect, before, now }: Drift) => ({
  what,
  aspect,
  before: before ?? null,
  now: now ?? null,
})

function told(spec: string, { entry, drifts, open }: Locked): string {
  const { cfx, engine, models, pools, libraries } = entry
  const meanings = Object.values(libraries).reduce(
    (sum, { meanings }) => sum + Object.keys(meanings).length,
    0,
  )
  return [
    `${spec} is locked in ${here(lockPath(absolute(spec)))}:`,
    `  cfx ${cfx}, node-llama-cpp ${engine["node-llama-cpp"] ?? "not installed"} (${engine.prebuilt ?? "no prebuilt engine"}, ${engine.platform})`,
    `  ${plural(Object.keys(models).length, "model")}, ${plural(Object.keys(pools).length, "pool")}, ${plural(meanings, "declaration")} of ${plural(Object.keys(libraries).length, "library", "libraries")}`,
    ...(drifts.length === 0 ? [] : ["Accepted:", ...movedLines(drifts)]),
    ...(open.length === 0 ? [] : ["Not pinned:", ...open.map((line) => `  ${line}`)]),
  ].join("\n")
}

const plural = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`
